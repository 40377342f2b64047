import { Button, Textarea } from '@mantine/core'
import { type BillingDetails, getBillingDetails, putBillingDetails } from '@waybill/contract/accounts/billing-details'
import { ConflictNotice } from '../../../components/feedback/conflict-notice.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { fieldProps } from '../../../components/form/field-props.ts'
import { useRecordForm } from '../../../components/form/use-record-form.ts'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/** The buyer on the invoices of the account. */
export function BillingSection() {
  const details = useCall(getBillingDetails, {})
  return details.data ? <BillingForm details={details.data} /> : null
}

function BillingForm({ details }: { details: BillingDetails }) {
  const t = useT()
  const form = useRecordForm({
    record: details,
    load: () => call(getBillingDetails),
    schema: putBillingDetails.body,
    initial: {
      name: details.name,
      registrationNumber: details.registrationNumber ?? '',
      taxNumber: details.taxNumber ?? '',
      address: details.address ?? '',
      version: details.version,
    },
    onSubmit: (body) => call(putBillingDetails, { body }),
    refresh: [getBillingDetails],
    success: t('profile.saved'),
  })
  const address = form.field('address', t('profile.billingAddress'))
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.billing')}>
      <Note>{t('profile.billingHint')}</Note>
      <Stack {...form.props} as="form" style={{ maxWidth: 560 }}>
        {form.conflict && <ConflictNotice />}
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
      </Stack>
    </Panel>
  )
}
