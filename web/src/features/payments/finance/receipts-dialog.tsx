import { Button } from '@mantine/core'
import {
  type BilledAccount,
  listBilledAccounts,
  listReceipts,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { DateField } from '../../../components/form/date-field.tsx'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { notify } from '../../../components/notify.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall, useChanged } from '../../../lib/query.ts'
import classes from './finance.module.css'

/** Money that a company has paid: recorded as it stands on the bank's statement, with what came before. */
export function ReceiptsDialog({ company, onClose }: { company: BilledAccount; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const { currency } = company
  const params = { id: company.id }
  const receipts = useCall(listReceipts, { params, query: { limit: 10 } })
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: recordReceipt.body,
    initial: { amountMinor: null as number | null, reference: '', receivedOn: null as string | null },
    onSubmit: async (body) => {
      try {
        await callOnce(recordReceipt, { params, body })
      } finally {
        await changed(listBilledAccounts, listReceipts)
      }
      notify.success(t('companies.receiptSaid', { amount: format.money(body.amountMinor, currency) }))
      form.reset({ amountMinor: null, reference: '', receivedOn: null })
    },
  })
  const rows = receipts.data?.items ?? []
  return (
    <Dialog title={t('companies.receiptsOf', { name: company.name })} onClose={onClose} shape="wide">
      <form {...form.props} className={classes.form}>
        <p className={classes.quiet}>{t('companies.owesNow', { amount: format.money(company.usedMinor, currency) })}</p>
        <div className={classes.fields}>
          <MoneyField field={form.field('amountMinor')} currency={currency} data-autofocus />
          <DateField field={form.field('receivedOn')} />
          <TextField field={form.field('reference', t('financePage.bankReference'))} />
        </div>
        {rows.length > 0 && (
          <dl className={classes.past}>
            {rows.map((row) => (
              <div key={row.id}>
                <dt>
                  {format.day(row.receivedOn)} · <span className={classes.number}>{row.reference}</span>
                </dt>
                <dd>{format.money(row.amountMinor, row.currency)}</dd>
              </div>
            ))}
          </dl>
        )}
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.close')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('companies.record')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
