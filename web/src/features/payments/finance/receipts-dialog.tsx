import {
  type BilledAccount,
  cancelReceipt,
  listBilledAccounts,
  listReceipts,
  type Receipt,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import { useState } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Grid, LineList } from '../../../components/layout/boxes.tsx'
import { Mono, Note, Quiet } from '../../../components/layout/text.tsx'
import { Pages } from '../../../components/list/data-list.tsx'
import { usePages } from '../../../components/list/use-pages.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import { ReversalDialog } from './reversal-dialog.tsx'

const stale = [listBilledAccounts, listReceipts]
const blank = { amountMinor: null as number | null, reference: '', receivedOn: null as string | null }

/** Records a company's payment from the bank statement. Below are its earlier payments, which can be cancelled. */
export function ReceiptsDialog({ company, onClose }: { company: BilledAccount; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const { currency } = company
  const params = { id: company.id }
  const { list, slice } = usePages(params, 10)
  const receipts = useCall(listReceipts, { params, query: slice }, { keepPrevious: true })
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: recordReceipt.body,
    initial: blank,
    onSubmit: (body) => callOnce(recordReceipt, { params, body }),
    refresh: stale,
    refreshOnError: stale,
    success: (_, { amountMinor }) => t('companies.receiptSaid', { amount: format.money(amountMinor, currency) }),
    onSuccess: () => {
      form.reset(blank)
    },
  })
  const rows = receipts.data?.items ?? []
  const [wrongReceipt, setWrongReceipt] = useState<Receipt | null>(null)
  if (wrongReceipt) {
    const { id: receiptId, reference } = wrongReceipt
    const amount = format.money(wrongReceipt.amountMinor, wrongReceipt.currency)
    return (
      <ReversalDialog
        title={t('companies.cancelTitle', { amount })}
        text={t('companies.cancelText', { reference })}
        save={t('companies.cancelAct')}
        success={t('companies.cancelSaid', { amount })}
        refresh={stale}
        send={(reason) => callOnce(cancelReceipt, { params: { ...params, receiptId }, body: { reason } })}
        onClose={() => {
          // The amount was left empty for this question, which is no error.
          form.reset(form.values)
          setWrongReceipt(null)
        }}
      />
    )
  }
  return (
    <SaveDialog
      title={t('companies.receiptsOf', { name: company.name })}
      onClose={onClose}
      shape="wide"
      form={form}
      save={t('companies.record')}
      cancel={t('actions.close')}
    >
      <Note>{t('companies.owesNow', { amount: format.money(company.usedMinor, currency) })}</Note>
      <Grid>
        <MoneyField field={form.field('amountMinor')} currency={currency} data-autofocus />
        <DateField field={form.field('receivedOn')} />
        <TextField field={form.field('reference', t('financePage.bankReference'))} />
      </Grid>
      {receipts.error && <ErrorPanel error={receipts.error} retry={() => void receipts.refetch()} />}
      {rows.length > 0 && (
        <LineList>
          {rows.map((row) => (
            <li key={row.id}>
              <div>
                {format.day(row.receivedOn)} · <Mono>{row.reference}</Mono>
                <Quiet as="div">
                  {row.cancelledAt ? (
                    t('companies.receiptCancelled', { reason: row.cancelReason })
                  ) : (
                    <TextButton
                      aria-label={t('phrase.labelled', { label: t('companies.cancelReceipt'), value: row.reference })}
                      onClick={() => setWrongReceipt(row)}
                    >
                      {t('companies.cancelReceipt')}
                    </TextButton>
                  )}
                </Quiet>
              </div>
              {row.cancelledAt ? (
                <s>{format.money(row.amountMinor, row.currency)}</s>
              ) : (
                <span>{format.money(row.amountMinor, row.currency)}</span>
              )}
            </li>
          ))}
        </LineList>
      )}
      {receipts.data && receipts.data.total > rows.length && <Pages list={list} page={receipts.data} />}
    </SaveDialog>
  )
}
