import { LogoField } from '../../features/attachments/shared/logo-field.tsx'
import { SettingsPage } from '../../features/settings/settings-page.tsx'
import { UploadFieldContext } from '../../features/settings/shared/upload-field-context.ts'

/** The settings, with the upload of the logo. */
export function StaffSettingsPage() {
  return (
    <UploadFieldContext value={LogoField}>
      <SettingsPage />
    </UploadFieldContext>
  )
}
