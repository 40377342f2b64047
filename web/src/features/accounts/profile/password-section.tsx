import { Button } from '@mantine/core'
import { changePassword, listSessions } from '@waybill/contract/accounts/sign-in'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

const initial = { currentPassword: '', password: '' }

/** Changes the password. All other devices are signed out. */
export function PasswordSection() {
  const t = useT()
  const form = useContractForm({
    schema: changePassword.body,
    initial,
    onSubmit: (body) => call(changePassword, { body }),
    refresh: [listSessions],
    success: t('profile.passwordChanged'),
    onSuccess: () => {
      form.reset()
    },
  })
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.password')}>
      <Stack {...form.props} as="form" style={{ maxWidth: 560 }}>
        <PasswordField field={form.field('currentPassword')} autoComplete="current-password" />
        <PasswordField
          field={form.field('password', t('fields.newPassword'))}
          autoComplete="new-password"
          help={t('auth.passwordHelp')}
        />
        <div>
          <Button type="submit" loading={form.submitting}>
            {t('profile.changePassword')}
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}
