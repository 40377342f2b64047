import { Button } from '@mantine/core'
import {
  type CashHolder,
  getDrawer,
  handInCash,
  listCashMovements,
  listOwnHandIns,
  printOwnHandIn,
} from '@waybill/contract/payments/cash-desk'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { TextField } from '../../../components/form/text-field.tsx'
import { notify } from '../../../components/notify.tsx'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'
import classes from '../cash-desk/cash.module.css'
import { CountDifference, CountFields, type CountValues, emptyCount, sumCount, toCount } from './count-fields.tsx'

type Props = { holder: CashHolder; currency: string; onClose: () => void }
type Values = { count: CountValues; reason: string | null }

/** A rider's money is counted by somebody else and goes into the drawer; what is missing needs a reason. */
export function HandInDialog({ holder, currency, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const callOnce = useCallOnce()
  const { userId: riderId, name, count: parcels, amountMinor: expectedMinor } = holder
  const form = useContractForm({
    schema: handInCash.body,
    initial: { count: emptyCount(currency), reason: null } as Values,
    prepare: ({ count, reason }) => ({ riderId, expectedMinor, currency, reason, counted: toCount(count, currency) }),
    onSubmit: async (body) => {
      try {
        const { id, countedMinor } = await callOnce(handInCash, { body })
        notify.success(t('cashPage.handedInSaid', { name, amount: format.money(countedMinor, currency) }))
        onClose()
        await saveDocument(printOwnHandIn, { params: { id } })
      } finally {
        await changed(getDrawer, listCashMovements, listOwnHandIns)
      }
    },
  })
  const countedMinor = sumCount(form.values.count, currency)
  return (
    <Dialog title={t('cashPage.handInTitle', { name })} onClose={onClose} shape="wide">
      <form {...form.props} className={classes.form}>
        <p className={classes.quiet}>{t('cashPage.handInHint', { count: parcels })}</p>
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
            {t('cashPage.takeIn')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
