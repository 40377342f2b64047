import { listAccounts } from '@waybill/contract/accounts/directory'
import { discountTypeLabels } from '@waybill/contract/ground/enums/enums'
import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { listBilledAccounts } from '@waybill/contract/orders/monthly-billing'
import {
  type AccountTerms,
  getAccountMoney,
  getAccountTerms,
  setAccountTerms,
} from '@waybill/contract/payments/account-overview'
import { listAccountConditions, listRateCards } from '@waybill/contract/pricing/rate-cards'
import { useState } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { PlainNumberField } from '../../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { type ContractForm, useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { TermsFacts } from './terms-facts.tsx'

type Values = {
  pricing: {
    rateCardCode: string | null
    type: 'fixed' | 'percentage' | null
    discount: { value: number | null }
  }
  credit: { limitMinor: number | null; termsDays: string }
}
type Form = ContractForm<Values>

/** Pricing and credit terms of an account. Parts that the caller may not change are read-only. */
export function TermsDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useT()
  const terms = useCall(getAccountTerms, { params: { id } }, { staleTime: 0 })
  const title = t('terms.title', { name })
  const [loaded, setLoaded] = useState<AccountTerms | null>(null)
  // Outdated terms would soon be in conflict. Later responses must not replace what the user has typed.
  if (!loaded && terms.data && !terms.isFetching) setLoaded(terms.data)
  if (loaded) return <TermsForm terms={loaded} title={title} onClose={onClose} />
  return (
    <Dialog title={title} shape="card" onClose={onClose}>
      {terms.error ? <ErrorPanel error={terms.error} retry={() => void terms.refetch()} /> : <Loading />}
    </Dialog>
  )
}

const staleAfterSave = [
  getAccountTerms,
  getAccountMoney,
  staffAccountActivity,
  listAccountConditions,
  listBilledAccounts,
  listRateCards,
  listAccounts,
]

type FormProps = { terms: AccountTerms; title: string; onClose: () => void }

function TermsForm({ terms, title, onClose }: FormProps) {
  const t = useT()
  const { pricing, credit } = terms
  const params = { id: terms.id }
  const { version, conflict, onError } = useRecordVersion(terms, () => call(getAccountTerms, { params }))
  const form = useContractForm<typeof setAccountTerms.body, Values>({
    schema: setAccountTerms.body,
    initial: {
      pricing: {
        rateCardCode: pricing.rateCardCode,
        type: pricing.discount?.type ?? null,
        discount: { value: pricing.discount?.value ?? null },
      },
      credit: { limitMinor: credit?.limitMinor ?? null, termsDays: String(credit?.termsDays ?? '') },
    },
    prepare: (values) => buildBody(terms, version, values),
    onSubmit: (body) => call(setAccountTerms, { params, body }),
    refresh: staleAfterSave,
    success: t('terms.saved'),
    onError,
    onSuccess: onClose,
  })
  const editable = pricing.editable || credit?.editable === true
  if (!editable) {
    return (
      <Dialog title={title} shape="card" onClose={onClose}>
        <TermsFacts terms={terms} />
      </Dialog>
    )
  }
  return (
    <SaveDialog title={title} onClose={onClose} form={form} conflict={conflict}>
      <Stack gap={24}>
        {pricing.editable ? (
          <PricingFields form={form} cards={pricing.cards} currency={terms.currency} />
        ) : (
          <TermsFacts terms={terms} only="pricing" />
        )}
        {credit?.editable && <CreditFields form={form} currency={terms.currency} />}
        {credit && !credit.editable && <TermsFacts terms={terms} only="credit" />}
      </Stack>
    </SaveDialog>
  )
}

/** Only the parts that the caller may change: the server refuses the others. */
function buildBody({ pricing, credit }: AccountTerms, version: number, values: Values) {
  const { rateCardCode, type, discount } = values.pricing
  const { limitMinor, termsDays } = values.credit
  return {
    version,
    ...(pricing.editable && {
      pricing: { rateCardCode, discount: type === null ? null : { type, value: discount.value } },
    }),
    ...(credit?.editable && {
      credit: { limitMinor, termsDays: termsDays.trim() === '' ? null : Number(termsDays) },
    }),
  }
}

function PricingFields({ form, cards, currency }: { form: Form; cards: readonly string[]; currency: string }) {
  const t = useT()
  const choices = useChoices()
  const { type } = form.values.pricing
  // Without a discount the schema allows no value; with one the value is required.
  const value = { ...form.fieldAt<number | null>('pricing.discount.value', t('fields.discount')), required: true }
  return (
    <Fieldset legend={t('terms.pricing')}>
      <SelectField
        field={{ ...form.field('pricing.rateCardCode'), required: false }}
        placeholder={t('ratesPage.commonCard')}
        choices={cards.map((code) => ({ value: code, label: code }))}
      />
      <SelectField
        field={{ ...form.field('pricing.type', t('ratesPage.discountType')), required: false }}
        placeholder={t('ratesPage.noDiscount')}
        choices={choices(discountTypeLabels)}
        help={t('ratesPage.discountHelp')}
      />
      {type === 'fixed' && <MoneyField key="fixed" field={value} currency={currency} />}
      {type === 'percentage' && <PlainNumberField key="percentage" field={value} percent />}
    </Fieldset>
  )
}

function CreditFields({ form, currency }: { form: Form; currency: string }) {
  const t = useT()
  return (
    <Fieldset legend={t('terms.credit')}>
      <MoneyField
        field={{ ...form.field('credit.limitMinor'), required: true }}
        currency={currency}
        help={t('companies.limitHelp')}
      />
      <TextField
        field={{ ...form.field('credit.termsDays'), required: true }}
        inputMode="numeric"
        help={t('companies.daysHelp')}
      />
    </Fieldset>
  )
}
