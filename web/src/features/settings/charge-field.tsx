import { MoneyField } from '../../components/fields/measure-field.tsx'
import { PlainNumberField } from '../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { useT } from '../../lib/i18n.ts'
import { bindField, setValue } from './bind.ts'
import { readValue, type SectionValues } from './form-values.ts'
import classes from './settings.module.css'
import { useSettingWords } from './shared/words.ts'

type Props = { form: ContractForm<SectionValues>; path: string; help: string | undefined }

/** A fixed amount or a percentage. */
export function ChargeField({ form, path, help }: Props) {
  const t = useT()
  const { getName } = useSettingWords()
  const { type } = readValue(form.values, path) as { type: 'fixed' | 'percentage' }
  const label = getName(path)
  const kind = bindField<string>(form, `${path}.type`, t('settingsPage.chargedAs'))
  const value = bindField<number | null>(form, `${path}.value`, label)
  return (
    <div className={classes.pair}>
      <SelectField
        field={{
          ...kind,
          // 50 sen are not 50 percent, so changing the unit clears the value.
          onChange: (next) => next && setValue(form, path, { type: next, value: null }),
        }}
        choices={[
          { value: 'fixed', label: t('settingChoice.fixed') },
          { value: 'percentage', label: t('settingChoice.percentage') },
        ]}
      />
      {type === 'percentage' ? (
        <PlainNumberField key="percentage" field={value} percent help={help} />
      ) : (
        <MoneyField key="fixed" field={value} help={help} />
      )}
    </div>
  )
}
