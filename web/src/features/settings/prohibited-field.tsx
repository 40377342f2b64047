import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { SelectField } from '../../components/form/select-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { Grid } from '../../components/layout/boxes.tsx'
import { Fieldset, Fold } from '../../components/layout/fold.tsx'
import { ErrorText, Note } from '../../components/layout/text.tsx'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { AreaField } from './area-field.tsx'
import { bound, put } from './bind.ts'
import { at, type SectionValues } from './form-values.ts'
import classes from './settings.module.css'
import { useSettingWords } from './words.ts'

type Rule = { name: { en: string; cn_zh: string }; scope: 'all' | 'international'; words: string }
type Props = { form: ContractForm<SectionValues>; path: string; help: string | undefined }

/** What is not carried: rules with the words by which a sender's own description is recognised. */
export function ProhibitedField({ form, path, help }: Props) {
  const t = useT()
  const { labelOf } = useSettingWords()
  const rules = at(form.values, path) as readonly Rule[]
  const taken = useRef(0)
  const set = (next: readonly Rule[]) => put(form, path, next)
  const remove = (n: number) => {
    taken.current += 1
    set(rules.filter((_, index) => index !== n))
  }
  const error = bound(form, path).error
  return (
    <Fieldset data-wide legend={labelOf(path)}>
      {help && <Note>{help}</Note>}
      {rules.map((rule, n) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name that stays while it is typed
          key={`${taken.current} ${n}`}
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
          onClick={() => set([...rules, { name: { en: '', cn_zh: '' }, scope: 'all', words: '' }])}
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
    en: bound<string>(form, `${path}.name.en`),
    cn_zh: bound<string>(form, `${path}.name.cn_zh`),
    scope: bound<string>(form, `${path}.scope`),
    words: bound<string>(form, `${path}.words`),
  }
  const name = rule.name[language] || t('settingsPage.newRule')
  // A rule that is folded must not hide what is wrong with it, nor one that has just been added.
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
        aria-label={`${t('actions.remove')}: ${name}`}
        onClick={onRemove}
      >
        {t('actions.remove')}
      </Button>
    </Fold>
  )
}
