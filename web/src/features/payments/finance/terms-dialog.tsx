import { Button } from '@mantine/core'
import { type BilledAccount, listBilledAccounts, setBillingTerms } from '@waybill/contract/orders/monthly-billing'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { notify } from '../../../components/notify.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChanged } from '../../../lib/query.ts'
import classes from './finance.module.css'

/** How much a company may owe, and how many days it has to pay a statement. */
export function TermsDialog({ company, onClose }: { company: BilledAccount; onClose: () => void }) {
  const t = useT()
  const changed = useChanged()
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
    onSubmit: async (body) => {
      try {
        await call(setBillingTerms, { params: { id: company.id }, body })
      } finally {
        await changed(listBilledAccounts)
      }
      notify.success(t('companies.termsSaid'))
      onClose()
    },
  })
  return (
    <Dialog title={t('companies.termsOf', { name: company.name })} onClose={onClose}>
      <form {...form.props} className={classes.form}>
        <MoneyField
          field={form.field('limitMinor')}
          currency={company.currency}
          help={t('companies.limitHelp')}
          data-autofocus
        />
        <TextField field={form.field('termsDays')} inputMode="numeric" help={t('companies.daysHelp')} />
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
