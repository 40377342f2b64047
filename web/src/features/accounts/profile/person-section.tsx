import { Button } from '@mantine/core'
import { getProfile, putProfile, type SessionUser } from '@waybill/contract/accounts/sign-in'
import { ConflictNotice } from '../../../components/feedback/conflict-notice.tsx'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { languageChoices } from '../../../components/form/language-choices.ts'
import { useRecordForm } from '../../../components/form/use-record-form.ts'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { setLanguage, useT } from '../../../lib/i18n.ts'
import { storeProfile } from '../../../lib/session.ts'

const prepareBody = (values: { phone: string }) => ({
  ...values,
  phone: values.phone.trim() === '' ? null : values.phone,
})

/** Name, phone and the language of mails and screens. */
export function PersonSection({ user }: { user: SessionUser }) {
  const t = useT()
  const form = useRecordForm({
    record: user,
    load: () => call(getProfile),
    schema: putProfile.body,
    initial: { name: user.name, phone: user.phone ?? '', language: user.language, version: user.version },
    prepare: prepareBody,
    onSubmit: async (body) => {
      storeProfile(await call(putProfile, { body }))
      // The switch in the header changes only this browser; without a new choice here its language stays.
      if (body.language !== user.language) await setLanguage(body.language)
    },
    refresh: [getProfile],
    success: t('profile.saved'),
  })
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.person')}>
      <Stack {...form.props} as="form" style={{ maxWidth: 560 }}>
        {form.conflict && <ConflictNotice />}
        <TextField field={form.field('name', t('fields.personName'))} autoComplete="name" />
        <PhoneField field={form.field('phone')} help={t('auth.phoneHelp')} />
        <RadioField field={form.field('language')} choices={languageChoices} help={t('profile.languageHelp')} />
        <div>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}
