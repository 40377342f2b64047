import { Button } from '@mantine/core'
import {
  type CashDrawer,
  closeDrawer,
  getDrawer,
  listOwnCloses,
  printOwnClose,
} from '@waybill/contract/payments/cash-desk'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { TextField } from '../../../components/form/text-field.tsx'
import { notify } from '../../../components/notify.tsx'
import { call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChanged } from '../../../lib/query.ts'
import { CountDifference, CountFields, type CountValues, emptyCount, sumCount, toCount } from '../cod/count-fields.tsx'
import classes from './cash.module.css'

type Props = { drawer: CashDrawer; onClose: () => void }
type Values = { count: CountValues; reason: string | null }

/** The drawer is counted, piece by piece or as one sum, and signed off. */
export function CloseDialog({ drawer, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const { currency, expectedMinor } = drawer
  const form = useContractForm({
    schema: closeDrawer.body,
    initial: { count: emptyCount(currency), reason: null } as Values,
    prepare: ({ count, reason }) => ({ version: drawer.version, currency, reason, counted: toCount(count, currency) }),
    onSubmit: async (body) => {
      try {
        await call(closeDrawer, { params: { id: drawer.id }, body })
      } finally {
        await changed(getDrawer, listOwnCloses)
      }
      notify.success(t('cashPage.closedSaid'))
      await saveDocument(printOwnClose, { params: { id: drawer.id } })
    },
  })
  const countedMinor = sumCount(form.values.count, currency)
  return (
    <Dialog title={t('cashPage.closeTitle', { day: format.day(drawer.day) })} onClose={onClose} shape="wide">
      <form {...form.props} className={classes.form}>
        <p className={classes.quiet}>{t('cashPage.closeHint')}</p>
        <CountFields
          values={form.values.count}
          onChange={(count) => form.set('count', count)}
          sumField={form.field('count.sumMinor', t('fields.counted'))}
          currency={currency}
        />
        <CountDifference expectedMinor={expectedMinor} countedMinor={countedMinor} currency={currency} />
        {countedMinor !== expectedMinor && (
          <TextField field={{ ...form.field('reason', t('cashDoc.reason')), required: true }} />
        )}
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('cashPage.closeAct')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
