import { Button } from '@mantine/core'
import { forgetPassword, resetPassword } from '@waybill/contract/accounts'
import { email, newPassword, otp } from '@waybill/contract/fields'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CodeField } from '../../components/form/code-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { PasswordField } from '../../components/form/password-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { notify } from '../../components/notify.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './account.module.css'
import { FormPage } from './form-page.tsx'
import { forgetCode, pendingCode, rememberCode } from './pending-code.ts'
import { ResendButton } from './resend-button.tsx'

const byLink = z.object({ password: newPassword })
const byCode = z.object({ email, code: otp, password: newPassword })

/** A new password, by the mailed link or by the mailed code. Every session ends with it, so the way on is to sign in. */
export function ResetPasswordPage() {
  const t = useT()
  const [linkToken] = useState(() => new URLSearchParams(location.search).get('token'))
  // The link with which a company's new user was invited.
  const [first] = useState(() => new URLSearchParams(location.search).has('first'))
  const [done, setDone] = useState(false)
  const pending = pendingCode('password')
  const form = useContractForm({
    schema: linkToken ? byLink : byCode,
    initial: { email: pending?.email ?? '', code: '', password: '' },
    onSubmit: async (body) => {
      await call(resetPassword, { body: linkToken ? { ...body, linkToken } : body })
      forgetCode('password')
      setDone(true)
    },
  })
  if (done) {
    return (
      <FormPage title={t('auth.resetDone')} lead={t(first ? 'auth.firstDoneText' : 'auth.resetDoneText')}>
        <Button component="a" href="/login" variant="filled" size="md">
          {t('auth.signIn')}
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
          : pending
            ? t('auth.resetLead', { email: pending.email })
            : t('auth.verifyLeadAny')
      }
      aside={
        <>
          {!linkToken && (
            <ResendButton
              send={async () => {
                const address = form.values.email
                rememberCode('password', await call(forgetPassword, { body: { email: address } }))
                notify.success(t('auth.resent', { email: address }))
              }}
            />
          )}
          <a href="/login">{t('auth.backToSignIn')}</a>
        </>
      }
    >
      <form {...form.props} className={classes.form}>
        {!linkToken && !pending && <TextField field={form.field('email')} type="email" autoComplete="username" />}
        {!linkToken && <CodeField field={form.field('code')} help={t('auth.codeHelp')} autoFocus={pending !== null} />}
        <PasswordField
          field={form.field('password', t('fields.newPassword'))}
          autoComplete="new-password"
          help={t('auth.passwordHelp')}
        />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.resetAction')}
        </Button>
      </form>
    </FormPage>
  )
}
