import { type BilledAccount, listBilledAccounts, setBillingTerms } from '@waybill/contract/orders/monthly-billing'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** A company's credit limit, and the days it has to pay a statement. */
export function TermsDialog({ company, onClose }: { company: BilledAccount; onClose: () => void }) {
  const t = useT()
  const form = useContractForm({
    schema: setBillingTerms.body,
    initial: {
      limitMinor: company.limitMinor as number | null,
      termsDays: String(company.termsDays),
      version: company.version,
    },
    prepare: (values) => ({
      ...values,
      termsDays: values.termsDays.trim() === '' ? null : Number(values.termsDays),
    }),
    onSubmit: (body) => call(setBillingTerms, { params: { id: company.id }, body }),
    refresh: [listBilledAccounts],
    refreshOnError: [listBilledAccounts],
    success: t('companies.termsSaid'),
    onSuccess: onClose,
  })
  return (
    <SaveDialog title={t('companies.termsOf', { name: company.name })} onClose={onClose} form={form}>
      <MoneyField
        field={form.field('limitMinor')}
        currency={company.currency}
        help={t('companies.limitHelp')}
        data-autofocus
      />
      <TextField field={form.field('termsDays')} inputMode="numeric" help={t('companies.daysHelp')} />
    </SaveDialog>
  )
}
