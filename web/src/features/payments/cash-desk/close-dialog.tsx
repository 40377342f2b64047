import {
  type CashDrawer,
  closeDrawer,
  getDrawer,
  listCashMovements,
  listOwnCloses,
  printOwnClose,
} from '@waybill/contract/payments/cash-desk'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { CountForm, emptyCountForm, toCount, useCountConflict } from '../cod/count-fields.tsx'

type Props = { drawer: CashDrawer; onClose: () => void }

const stale = [getDrawer, listCashMovements, listOwnCloses]

/** Counts the drawer, piece by piece or as one sum, and closes it. */
export function CloseDialog({ drawer, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const { currency, expectedMinor } = drawer
  const { conflict, onError } = useCountConflict(expectedMinor, currency)
  const form = useContractForm({
    schema: closeDrawer.body,
    initial: emptyCountForm(currency),
    draftKey: `cash-close:${drawer.id}`,
    prepare: ({ counted: count, reason }) => ({
      version: drawer.version,
      currency,
      reason,
      counted: toCount(count, currency),
    }),
    onSubmit: (body) => call(closeDrawer, { params: { id: drawer.id }, body }),
    refresh: stale,
    refreshOnError: stale,
    onError,
    success: t('cashPage.closedSaid'),
    onSuccess: () => saveDocument(printOwnClose, { params: { id: drawer.id } }),
  })
  return (
    <SaveDialog
      title={t('cashPage.closeTitle', { day: format.day(drawer.day) })}
      onClose={onClose}
      shape="wide"
      form={form}
      conflict={conflict}
      keepsDraft
      save={t('cashPage.closeAct')}
    >
      <Note>{t('cashPage.closeHint')}</Note>
      <CountForm form={form} expectedMinor={expectedMinor} currency={currency} />
    </SaveDialog>
  )
}
