import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { forgetPassword } from '@waybill/contract/accounts/sign-in'
import { useState } from 'react'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { isStaffPage, signInPath } from '../shared/sign-in-path.ts'
import { FormPage } from './form-page.tsx'
import { passwordCode, rememberCode } from './pending-code.ts'
import { usePasswordsOn } from './use-providers.ts'

const initial = { email: '' }

/**
 * Mails a code and a link to set a new password, of a member of staff if the page has the mark `staff`. The message is
 * the same for unknown addresses.
 */
export function ForgotPasswordPage() {
  const t = useT()
  const navigate = useNavigate()
  const [staff] = useState(() => isStaffPage())
  const passwordsOn = usePasswordsOn()
  const form = useContractForm({
    schema: forgetPassword.body,
    initial,
    prepare: (values) => ({ ...values, side: staff ? 'staff' : 'customer' }),
    onSubmit: async (body) => {
      rememberCode(passwordCode(staff), await call(forgetPassword, { body }))
      await navigate({ href: `/reset-password${staff ? '?staff=1' : ''}` })
    },
  })
  if (!passwordsOn) {
    return (
      <FormPage title={t('auth.forgotTitle')} lead={t('errors.passwords_off')}>
        <Button component="a" href={signInPath(staff)} variant="filled" size="md">
          {t('auth.backToSignIn')}
        </Button>
      </FormPage>
    )
  }
  return (
    <FormPage
      title={t('auth.forgotTitle')}
      lead={t('auth.forgotLead')}
      aside={<a href={signInPath(staff)}>{t('auth.backToSignIn')}</a>}
    >
      <Stack {...form.props} as="form">
        <TextField field={form.field('email')} type="email" autoComplete="username" autoFocus withAsterisk={false} />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.sendCode')}
        </Button>
      </Stack>
    </FormPage>
  )
}
