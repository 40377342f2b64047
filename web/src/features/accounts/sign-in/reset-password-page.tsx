import { Button } from '@mantine/core'
import { forgetPassword, resetPassword } from '@waybill/contract/accounts/sign-in'
import { newPassword, otp } from '@waybill/contract/ground/fields'
import { useState } from 'react'
import * as z from 'zod/mini'
import { notify } from '../../../components/feedback/notify.tsx'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { isStaffPage, signInPath } from '../shared/sign-in-path.ts'
import { FormPage } from './form-page.tsx'
import { forgetCode, passwordCode, pendingCode, rememberCode } from './pending-code.ts'
import { ResendButton } from './resend-button.tsx'

const byLink = z.object({ password: newPassword })
const byCode = z.object({ code: otp, password: newPassword })

/** Sets a new password by the mailed link or code. All sessions end, so the user signs in again. */
export function ResetPasswordPage() {
  const t = useT()
  const [linkToken] = useState(() => new URLSearchParams(location.search).get('token'))
  // The pages and mailed links of staff lead on to their own sign-in page.
  const [staff] = useState(() => isStaffPage())
  const purpose = passwordCode(staff)
  // An invitation link of a new user of a company or of the staff.
  const [first] = useState(() => new URLSearchParams(location.search).has('first'))
  const [isDone, setIsDone] = useState(false)
  const [pending, setPending] = useState(() => pendingCode(purpose))
  const form = useContractForm({
    schema: linkToken ? byLink : byCode,
    initial: { code: '', password: '' },
    onSubmit: async (body) => {
      const proof = linkToken ? { linkToken } : { browserToken: pending?.browserToken }
      await call(resetPassword, { body: { ...body, ...proof } })
      forgetCode(purpose)
      setIsDone(true)
    },
  })
  if (isDone) {
    return (
      <FormPage title={t('auth.resetDone')} lead={t(first ? 'auth.firstDoneText' : 'auth.resetDoneText')}>
        <Button component="a" href={signInPath(staff)} variant="filled" size="md">
          {t('auth.signIn')}
        </Button>
      </FormPage>
    )
  }
  if (!linkToken && !pending) {
    return (
      <FormPage
        title={t('auth.resetTitle')}
        lead={t('auth.resetElsewhere')}
        aside={<a href={signInPath(staff)}>{t('auth.backToSignIn')}</a>}
      >
        <Button component="a" href={`/forgot-password${staff ? '?staff=1' : ''}`} variant="filled" size="md">
          {t('auth.sendCode')}
        </Button>
      </FormPage>
    )
  }
  return (
    <FormPage
      title={t(first ? 'auth.firstTitle' : 'auth.resetTitle')}
      lead={
        linkToken
          ? t(first ? 'auth.firstLead' : 'auth.resetLeadLink')
          : t('auth.resetLead', { email: pending?.email ?? '' })
      }
      aside={
        <>
          {!linkToken && pending && (
            <ResendButton
              send={async () => {
                const { email } = pending
                const next = await call(forgetPassword, { body: { email, side: staff ? 'staff' : 'customer' } })
                rememberCode(purpose, next)
                setPending(next)
                notify.success(t('auth.resent', { email }))
              }}
            />
          )}
          <a href={signInPath(staff)}>{t('auth.backToSignIn')}</a>
        </>
      }
    >
      <Stack {...form.props} as="form">
        {!linkToken && <CodeField field={form.field('code')} help={t('auth.codeHelp')} autoFocus />}
        <PasswordField
          field={form.field('password', t('fields.newPassword'))}
          autoComplete="new-password"
          help={t('auth.passwordHelp')}
        />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.resetAction')}
        </Button>
      </Stack>
    </FormPage>
  )
}
