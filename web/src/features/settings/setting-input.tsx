import { callbackPage } from '@waybill/contract/accounts/identity-providers'
import { contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { useContext } from 'react'
import { CheckboxField } from '../../components/fields/checkbox-field.tsx'
import { MoneyField, WeightField } from '../../components/fields/measure-field.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { PlainNumberField } from '../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices } from '../../lib/labels.ts'
import { AreaField } from './area-field.tsx'
import { bindField } from './bind.ts'
import { ChargeField } from './charge-field.tsx'
import { ColourField } from './colour-field.tsx'
import type { SectionValues } from './form-values.ts'
import { MoneyRows, PresetRows } from './money-rows.tsx'
import { ProhibitedField } from './prohibited-field.tsx'
import type { SettingField } from './sections.ts'
import classes from './settings.module.css'
import { ChecksField } from './shared/checks-field.tsx'
import { UploadFieldContext } from './shared/upload-field-context.ts'
import { useSettingWords } from './shared/words.ts'

type Props = {
  form: ContractForm<SectionValues>
  setting: SettingField
  /** Who changed it last; for a secret, whether it is set. */
  note: string | undefined
}

/** One setting, with the input for its kind. */
export function SettingInput({ form, setting, note }: Props) {
  const t = useT()
  const { getName, getChoiceName, joinSentences } = useSettingWords()
  const choices = useChoices()
  const UploadField = useContext(UploadFieldContext)
  const { key, kind } = setting
  const label = getName(key)
  const callback = location.origin + callbackPage
  const help = joinSentences([setting.help && t(setting.help, { callback }), note]) || undefined
  const options = (setting.choices ?? []).map((value) => ({ value, label: getChoiceName(key, value) }))
  switch (kind) {
    case 'text':
    case 'optionalText':
      return <TextField field={bindField<string>(form, key, label)} help={help} autoComplete="off" />
    case 'logo':
      return <UploadField field={bindField<string | null>(form, key, label)} label={label} help={help} />
    case 'colour':
      return <ColourField field={bindField<string>(form, key, label)} help={help} />
    case 'paragraph':
    case 'lines':
      return <AreaField field={bindField<string>(form, key, label)} help={help} />
    case 'secret':
      return <PasswordField field={bindField<string>(form, key, label)} help={help} autoComplete="new-password" />
    case 'money':
      return <MoneyField field={bindField<number | null>(form, key, label)} help={help} />
    case 'weight':
      return <WeightField field={bindField<number | null>(form, key, label)} help={help} />
    case 'percent':
    case 'number':
      return (
        <PlainNumberField field={bindField<number | null>(form, key, label)} help={help} percent={kind === 'percent'} />
      )
    case 'switch':
      return (
        <div className={classes.switch}>
          <CheckboxField field={bindField<boolean>(form, key, label)} help={help} />
        </div>
      )
    case 'choice':
    case 'optionalNumber':
      return (
        <SelectField
          field={bindField<string | null>(form, key, label)}
          help={help}
          choices={options}
          placeholder={kind === 'optionalNumber' ? t('settingChoice.never') : undefined}
        />
      )
    case 'checks':
      return (
        <ChecksField
          field={bindField<readonly string[]>(form, key, label)}
          help={help}
          choices={key === 'contentTypes' ? choices(contentTypeLabels) : options}
        />
      )
    case 'charge':
      return <ChargeField form={form} path={key} help={help} />
    case 'amounts':
      return <PresetRows form={form} path={key} help={help} />
    case 'tiers':
      return <MoneyRows form={form} path={key} columns={['upToMinor', 'premiumMinor']} help={help} />
    case 'packages':
      return <MoneyRows form={form} path={key} columns={['fromMinor', 'bonusMinor']} help={help} />
    case 'prohibited':
      return <ProhibitedField form={form} path={key} help={help} />
  }
}
