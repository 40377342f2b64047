import { type DrawerShift, reopenDrawer } from '@waybill/contract/payments/cash-desk'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { staleCash } from '../shared/stale-cash.ts'

/** Reopens the last shift of a drawer, so that it can be counted again. For supervisors. */
export function ReopenDialog({ drawer, onClose }: { drawer: DrawerShift; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const { id, number, version } = drawer
  const form = useContractForm({
    schema: reopenDrawer.body,
    initial: { version, reason: '' },
    onSubmit: (body) => call(reopenDrawer, { params: { id }, body }),
    refresh: staleCash,
    refreshOnError: staleCash,
    success: t('cashPage.reopenedSaid'),
    onSuccess: onClose,
  })
  return (
    <SaveDialog
      title={t('cashPage.reopenTitle', { number, day: format.day(drawer.day) })}
      onClose={onClose}
      form={form}
      save={t('cashPage.reopen')}
    >
      <p>{t('cashPage.reopenHint')}</p>
      <TextField field={form.field('reason', t('cashPage.reason'))} data-autofocus />
    </SaveDialog>
  )
}
