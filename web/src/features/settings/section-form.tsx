import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { getOptions, getSettings, putSettings, settingsHistory } from '@waybill/contract/settings/settings'
import { useMemo, useState } from 'react'
import { useContractForm } from '../../components/form/contract-form.ts'
import { notify } from '../../components/notify.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { loadOptions, loadSettings } from '../../lib/load.ts'
import { useChanged } from '../../lib/query.ts'
import { changesIn, fromFormValues, type SectionValues, sectionSchema, toFormValues } from './form-values.ts'
import type { SettingSection } from './sections.ts'
import { SettingInput } from './setting-input.tsx'
import classes from './settings.module.css'

type Props = {
  section: SettingSection
  settings: ResponseOf<typeof getSettings>
  /** They are written, and `settings` has them. */
  onSaved: () => void
}

/**
 * The settings of a section in one form. What was not touched is not written, also when somebody else has changed it
 * meanwhile.
 */
export function SectionForm({ section, settings: present, onSaved }: Props) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  // As they were when the typing began: what somebody else has written since then must not be written over unseen.
  const [settings] = useState(present)
  const schema = useMemo(() => sectionSchema(section), [section])
  const prepare = useMemo(() => (values: SectionValues) => fromFormValues(section, values), [section])
  const form = useContractForm({
    schema,
    initial: toFormValues(section, settings.values),
    prepare,
    onSubmit: async (parsed) => {
      const values = changesIn(section, parsed as SectionValues, settings.values)
      const keys = Object.keys(values)
      if (keys.length === 0) {
        notify.info(t('settingsPage.unchanged'))
        return
      }
      const versions = Object.fromEntries(keys.map((key) => [key, settings.versions[key] ?? 0]))
      await call(putSettings, { body: { values, versions } })
      notify.success(t('settingsPage.saved', { count: keys.length }))
      // What the whole portal shows: names, units, formats.
      await Promise.all([changed(getSettings, settingsHistory, getOptions), loadSettings(), loadOptions()])
      onSaved()
    },
  })
  const noteOf = (key: string) => {
    const last = settings.changed[key]
    return [
      key in settings.secretsSet && t(settings.secretsSet[key] ? 'settingHelp.secretSet' : 'settingHelp.secretUnset'),
      last && t('settingsPage.changedBy', { when: format.dateTime(last.at), who: last.by ?? t('changes.somebody') }),
    ]
      .filter(Boolean)
      .join(' ')
  }
  return (
    <form {...form.props} className={classes.form}>
      {section.groups.map(({ title, fields }) => (
        <section key={title} className={classes.group} aria-labelledby={`settings-${title}`}>
          <h2 id={`settings-${title}`}>{t(`settingGroup.${title}`)}</h2>
          <div className={classes.grid}>
            {fields.map((setting) => (
              <SettingInput key={setting.key} form={form} setting={setting} note={noteOf(setting.key)} />
            ))}
          </div>
        </section>
      ))}
      <div className={classes.save}>
        <p>{t('settingsPage.fromNow')}</p>
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('actions.save')}
        </Button>
      </div>
    </form>
  )
}
