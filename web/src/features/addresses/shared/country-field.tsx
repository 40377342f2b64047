import { SelectField } from '../../../components/fields/select-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCountries } from '../../../lib/settings/countries.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'

type Props = {
  field: FieldBinding<string>
  /** Every country except the deployment's own. */
  abroad?: boolean
  className?: string | undefined
}

/** A country of the deployment's list, by its name in the user's language. An unlisted code remains selectable. */
export function CountryField({ field, abroad = false, className }: Props) {
  const t = useT()
  const home = useDeployment()?.countryCode
  const countries = useCountries() ?? []
  const isListed = field.value === '' || countries.some(({ value }) => value === field.value)
  const choices = [
    ...(isListed ? [] : [{ value: field.value, label: field.value.toUpperCase() }]),
    ...countries,
  ].filter(({ value }) => !abroad || value !== home)
  return (
    <SelectField
      field={{ ...field, required: true, onChange: (value) => field.onChange(value ?? '') }}
      choices={choices}
      placeholder={t('addressBook.chooseCountry')}
      className={className}
    />
  )
}
