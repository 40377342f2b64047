import { intlLocale } from '@waybill/contract/ground/constants'
import { getSelector } from '@waybill/contract/settings/settings'
import { useMemo } from 'react'
import { SelectField } from '../../../components/fields/select-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'

type Props = {
  field: FieldBinding<string>
  /** Every country but the deployment's own. */
  abroad?: boolean
  className?: string | undefined
}

/** A country of the deployment's list, by its name in the user's language. */
export function CountryField({ field, abroad = false, className }: Props) {
  const t = useT()
  const language = useLanguage()
  const home = useDeployment()?.countryCode
  const { data } = useCall(getSelector, { params: { name: 'countries' }, query: {} }, { staleTime: 3_600_000 })
  const choices = useMemo(() => {
    const tag = intlLocale(language)
    const names = new Intl.DisplayNames(tag, { type: 'region' })
    // One collator for the whole sort: `localeCompare` would create one for each comparison.
    const { compare } = new Intl.Collator(tag)
    const codes = data?.items.map(({ value }) => value) ?? []
    const options = field.value === '' || codes.includes(field.value) ? codes : [field.value, ...codes]
    return options
      .filter((code) => !abroad || code !== home)
      .map((value) => ({ value, label: names.of(value.toUpperCase()) ?? value }))
      .sort((a, b) => compare(a.label, b.label))
  }, [data, language, abroad, home, field.value])
  return (
    <SelectField
      field={{ ...field, required: true, onChange: (value) => field.onChange(value ?? '') }}
      choices={choices}
      placeholder={t('addressBook.chooseCountry')}
      className={className}
    />
  )
}
