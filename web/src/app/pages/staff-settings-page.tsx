import { Stack } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { LogoField } from '../../features/attachments/shared/logo-field.tsx'
import { SettingsPage } from '../../features/settings/settings-page.tsx'
import { UploadFieldContext } from '../../features/settings/shared/upload-field-context.ts'
import { MailTest } from '../../features/setup/shared/mail-test.tsx'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../lib/session.ts'

/** The settings, with the upload of the logo and the test of the mail settings. */
export function StaffSettingsPage() {
  const mayTestMail = useMay('staff.system')
  return (
    <UploadFieldContext value={LogoField}>
      <SettingsPage extras={mayTestMail ? { mail: <SavedMailTest /> } : {}} />
    </UploadFieldContext>
  )
}

function SavedMailTest() {
  const t = useT()
  return (
    <Stack gap={12}>
      <Note>{t('settingsPage.testSaved')}</Note>
      <MailTest variant="default" />
    </Stack>
  )
}
