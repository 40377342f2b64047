import { Button } from '@mantine/core'
import { getPreferences, putPreferences } from '@waybill/contract/accounts/profile'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { ConflictNotice } from '../../../components/feedback/conflict-notice.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { languageChoices } from '../../../components/form/language-choices.ts'
import { useRecordForm } from '../../../components/form/use-record-form.ts'
import { Grid, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { setLanguage, useT } from '../../../lib/i18n.ts'
import { storeProfile, useSession } from '../../../lib/session.ts'

type Preferences = ResponseOf<typeof getPreferences>

/** Language, and units if the deployment lets users choose. */
export function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const t = useT()
  const ownUnits = useSession((state) => state.setting.settings?.ownUnits ?? false)
  const { user } = preferences
  const form = useRecordForm({
    record: user,
    load: async () => (await call(getPreferences)).user,
    schema: putPreferences.body,
    initial: {
      language: user.language,
      weightUnit: user.weightUnit,
      dimensionUnit: user.dimensionUnit,
      version: user.version,
    },
    onSubmit: async (body) => {
      const saved = await call(putPreferences, { body })
      storeProfile(saved.user)
      // The switch in the header changes only this browser; without a new choice here its language stays.
      if (body.language !== user.language) await setLanguage(body.language)
    },
    refresh: [getPreferences, getProfile],
    success: t('preferences.saved'),
  })
  return (
    <form {...form.props} style={{ maxWidth: 800 }}>
      <Panel title={t('preferences.display')}>
        <Stack style={{ maxWidth: 560 }}>
          {form.conflict && <ConflictNotice />}
          <RadioField field={form.field('language')} choices={languageChoices} help={t('profile.languageHelp')} />
          {ownUnits && (
            <Grid>
              <SelectField
                field={form.field('weightUnit', t('preferences.weightUnit'))}
                placeholder={t('preferences.asPortal')}
                choices={[
                  { value: 'kg', label: 'kg' },
                  { value: 'lb', label: 'lb' },
                ]}
              />
              <SelectField
                field={form.field('dimensionUnit', t('preferences.lengthUnit'))}
                placeholder={t('preferences.asPortal')}
                choices={[
                  { value: 'cm', label: 'cm' },
                  { value: 'in', label: 'in' },
                ]}
              />
            </Grid>
          )}
          <div>
            <Button type="submit" loading={form.submitting}>
              {t('actions.save')}
            </Button>
          </div>
        </Stack>
      </Panel>
    </form>
  )
}
