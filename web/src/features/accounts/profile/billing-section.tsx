import { Button, Textarea } from '@mantine/core'
import { type BillingDetails, getBillingDetails, putBillingDetails } from '@waybill/contract/accounts/billing-details'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { TextField } from '../../../components/form/text-field.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './account.module.css'

/** Who the invoices of the account name as the buyer. */
export function BillingSection() {
  const details = useCall(getBillingDetails, {})
  return details.data ? <BillingForm key={details.data.version} saved={details.data} /> : null
}

function BillingForm({ saved }: { saved: BillingDetails }) {
  const t = useT()
  const form = useContractForm({
    schema: putBillingDetails.body,
    initial: {
      name: saved.name,
      registrationNumber: saved.registrationNumber ?? '',
      taxNumber: saved.taxNumber ?? '',
      address: saved.address ?? '',
      version: saved.version,
    },
    onSubmit: (body) => call(putBillingDetails, { body }),
    refresh: [getBillingDetails],
    success: t('profile.saved'),
  })
  const address = form.field('address', t('profile.billingAddress'))
  return (
    <section className={classes.section}>
      <h2>{t('profile.billing')}</h2>
      <p className={classes.quiet}>{t('profile.billingHint')}</p>
      <form {...form.props} className={`${classes.form} ${classes.column}`}>
        <TextField field={form.field('name', t('profile.billingName'))} autoComplete="organization" />
        <TextField field={form.field('registrationNumber')} />
        <TextField field={form.field('taxNumber')} />
        <Textarea
          {...fieldProps(address)}
          autosize
          minRows={3}
          maxRows={6}
          value={address.value}
          onChange={(event) => address.onChange(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </section>
  )
}
