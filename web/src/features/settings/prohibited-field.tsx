import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { SelectField } from '../../components/fields/select-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { Grid } from '../../components/layout/boxes.tsx'
import { Fieldset, Fold } from '../../components/layout/fold.tsx'
import { ErrorText, Note } from '../../components/layout/text.tsx'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { AreaField } from './area-field.tsx'
import { bindField, setValue } from './bind.ts'
import { readValue, type SectionValues } from './form-values.ts'
import classes from './settings.module.css'
import { useSettingWords } from './shared/words.ts'

type Rule = { name: { en: string; cn_zh: string }; scope: 'all' | 'international'; words: string }
type Props = { form: ContractForm<SectionValues>; path: string; help: string | undefined }

/** Prohibited content: rules with the words that detect it in a sender's description. */
export function ProhibitedField({ form, path, help }: Props) {
  const t = useT()
  const { getName } = useSettingWords()
  const rules = readValue(form.values, path) as readonly Rule[]
  const removals = useRef(0)
  const update = (next: readonly Rule[]) => setValue(form, path, next)
  const remove = (n: number) => {
    removals.current += 1
    update(rules.filter((_, index) => index !== n))
  }
  const error = bindField(form, path).error
  return (
    <Fieldset data-wide legend={getName(path)}>
      {help && <Note>{help}</Note>}
      {rules.map((rule, n) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name that stays while it is edited
          key={`${removals.current} ${n}`}
          form={form}
          path={`${path}.${n}`}
          rule={rule}
          onRemove={() => remove(n)}
        />
      ))}
      {error && <ErrorText>{error}</ErrorText>}
      <div>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => update([...rules, { name: { en: '', cn_zh: '' }, scope: 'all', words: '' }])}
        >
          {t('settingsPage.addRule')}
        </Button>
      </div>
    </Fieldset>
  )
}

type RowProps = { form: ContractForm<SectionValues>; path: string; rule: Rule; onRemove: () => void }

function RuleRow({ form, path, rule, onRemove }: RowProps) {
  const t = useT()
  const language = useLanguage()
  const fields = {
    en: bindField<string>(form, `${path}.name.en`),
    cn_zh: bindField<string>(form, `${path}.name.cn_zh`),
    scope: bindField<string>(form, `${path}.scope`),
    words: bindField<string>(form, `${path}.words`),
  }
  const name = rule.name[language] || t('settingsPage.newRule')
  // A collapsed rule would hide its errors, and a new rule must be open.
  const wrong = Object.values(fields).some(({ error }) => error !== undefined)
  return (
    <Fold className={classes.rule} summary={name} open={wrong || rule.name.en === '' || undefined}>
      <Grid min={280} fill>
        <TextField field={fields.en} autoComplete="off" />
        <TextField field={fields.cn_zh} autoComplete="off" />
        <SelectField
          field={fields.scope}
          choices={[
            { value: 'all', label: t('settingChoice.all') },
            { value: 'international', label: t('settingChoice.international') },
          ]}
        />
        <div data-wide>
          <AreaField field={fields.words} rows={6} help={t('settingHelp.words')} />
        </div>
      </Grid>
      <Button
        leftSection={<IconTrash size={16} aria-hidden />}
        aria-label={t('phrase.labelled', { label: t('actions.remove'), value: name })}
        onClick={onRemove}
      >
        {t('actions.remove')}
      </Button>
    </Fold>
  )
}
