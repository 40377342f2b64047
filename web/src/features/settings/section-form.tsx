import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type SettingKey, settingAccess } from '@waybill/contract/settings/setting-rules'
import { getOptions, getSettings, putSettings, settingsHistory } from '@waybill/contract/settings/settings'
import { type ReactNode, useMemo, useState } from 'react'
import { ConflictNotice } from '../../components/feedback/conflict-notice.tsx'
import { notify } from '../../components/feedback/notify.tsx'
import { notifyProblem } from '../../components/feedback/use-send.ts'
import { useContractForm } from '../../components/form/contract-form.ts'
import { useUnsavedGuard } from '../../components/form/use-unsaved-guard.ts'
import { Grid, Stack } from '../../components/layout/boxes.tsx'
import { SaveBar } from '../../components/layout/save-bar.tsx'
import { Note } from '../../components/layout/text.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useRefresh } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { loadOptions } from '../../lib/settings/load.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'
import {
  changesIn,
  fromFormValues,
  keepChanges,
  readValue,
  type SectionValues,
  sectionSchema,
  toFormValues,
} from './form-values.ts'
import { isInUse, type SettingSection } from './sections.ts'
import { SettingInput } from './setting-input.tsx'
import classes from './settings.module.css'
import { useSettingWords } from './shared/words.ts'

type Props = {
  section: SettingSection
  settings: ResponseOf<typeof getSettings>
  /** Additional content below the fields of a group, by the group's title. */
  extras: Record<string, ReactNode>
  /** Called after saving, once `settings` is up to date. */
  onSaved: () => void
}

/**
 * The settings of a section in one form. Sends only changed fields, so that it never reverts another user's changes.
 */
export function SectionForm({ section, settings: present, extras, onSaved }: Props) {
  const t = useT()
  const format = useFormat()
  const refresh = useRefresh()
  // The versions at the time the form opened: with newer ones it would silently overwrite another user's changes.
  const [settings, setSettings] = useState(present)
  /** Settings that the user has changed, and somebody else has written meanwhile; `round` counts how often. */
  const [conflict, setConflict] = useState({ round: 0, keys: [] as readonly string[] })
  const schema = useMemo(() => sectionSchema(section), [section])
  const prepare = useMemo(() => (values: SectionValues) => fromFormValues(section, values), [section])
  const form = useContractForm({
    schema,
    initial: toFormValues(section, settings.values),
    prepare,
    onSubmit: async (submission) => {
      const values = changesIn(section, submission as SectionValues, settings.values)
      const keys = Object.keys(values)
      if (keys.length === 0) return 0
      const versions = Object.fromEntries(keys.map((key) => [key, settings.versions[key] ?? 0]))
      await call(putSettings, { body: { values, versions } })
      // The whole portal displays these settings: names, units, formats.
      await Promise.all([refresh(getSettings, settingsHistory, getOptions), loadSettings(), loadOptions()])
      return keys.length
    },
    success: (count) => (count > 0 ? t('settingsPage.saved', { count }) : null),
    onSuccess: (count) => {
      if (count > 0) onSaved()
      else notify.info(t('settingsPage.unchanged'))
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'version_conflict') return false
      void takeLatest(error.details.keys as string[]).catch(notifyProblem)
      return true
    },
  })
  useUnsavedGuard(form.dirty && !form.submitting, { parts: true })
  /** Keeps the user's input. Saving again then replaces the other changes, as the notice says. */
  async function takeLatest(keys: readonly string[]) {
    const latest = await call(getSettings, {})
    form.patch(keepChanges(section, form.values, settings.values, latest.values))
    setSettings(latest)
    setConflict(({ round }) => ({ round: round + 1, keys }))
  }
  const { getFullName, joinSentences } = useSettingWords()
  const getNote = (key: string) => {
    const last = settings.changed[key]
    return joinSentences([
      key in settings.secretsSet && t(settings.secretsSet[key] ? 'settingHelp.secretSet' : 'settingHelp.secretUnset'),
      last && t('settingsPage.changedBy', { when: format.dateTime(last.at), who: last.by ?? t('changes.somebody') }),
    ])
  }
  const isSuperadmin = useMay('staff.system')
  const mayWrite = (key: SettingKey) => isSuperadmin || settingAccess(key) !== 'staff.system'
  const isLocked = ({ fields }: SettingSection['groups'][number]) => fields.every(({ key }) => !mayWrite(key))
  const superadminOnly = t('settingHelp.superadminOnly')
  return (
    <Stack {...form.props} as="form" gap={32} style={{ maxWidth: 960 }}>
      {section.groups.map((group) => (
        // The key makes the fields show the latest values: while a user types, they keep the text.
        <Stack key={`${group.title} ${conflict.round}`} as="section" aria-labelledby={`settings-${group.title}`}>
          <h2 id={`settings-${group.title}`}>{t(`settingGroup.${group.title}`)}</h2>
          {isLocked(group) && <Note>{t('settingsPage.locked')}</Note>}
          <Grid min={280} fill>
            {group.fields
              .filter(({ key }) => isInUse(key, (other) => readValue(form.values, other)))
              .map((setting) => {
                const note = getNote(setting.key)
                return mayWrite(setting.key) ? (
                  <SettingInput key={setting.key} form={form} setting={setting} note={note} />
                ) : (
                  <fieldset key={setting.key} className={classes.locked} disabled>
                    <SettingInput
                      form={form}
                      setting={setting}
                      note={isLocked(group) ? note : joinSentences([superadminOnly, note])}
                    />
                  </fieldset>
                )
              })}
          </Grid>
          {extras[group.title]}
        </Stack>
      ))}
      {!section.groups.every(isLocked) && (
        <SaveBar>
          {conflict.keys.length > 0 && (
            <ConflictNotice text={t('settingsPage.conflict', { names: format.list(conflict.keys.map(getFullName)) })} />
          )}
          {section.id === 'fees' && <p>{t('settingsPage.fromNow')}</p>}
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </SaveBar>
      )}
    </Stack>
  )
}
