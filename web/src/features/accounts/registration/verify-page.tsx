import { Button } from '@mantine/core'
import { resendRegistration, verifyRegistration } from '@waybill/contract/accounts/sign-in'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { newPassword } from '@waybill/contract/ground/fields'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Loading } from '../../../components/feedback/loading.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { storeSession } from '../../../lib/session.ts'
import { FormPage } from '../sign-in/form-page.tsx'
import { safeNext } from '../sign-in/next.ts'
import { forgetCode, type PendingCode, pendingCode, rememberCode } from '../sign-in/pending-code.ts'
import { ResendButton } from '../sign-in/resend-button.tsx'
import { MailedCodeForm, mailedCodeForm } from './mailed-code-form.tsx'

const passwordForm = z.object({ password: newPassword })

/**
 * Verifies the link's token or the six digits of the mailed code, and signs in. A code is valid only in the browser
 * that registered. In another browser the link asks for a new password.
 */
export function VerifyPage() {
  const t = useT()
  const [linkToken] = useState(() => new URLSearchParams(location.search).get('token'))
  const [pending] = useState(() => pendingCode('registration'))
  const [step, setStep] = useState<'checking' | 'password' | 'code'>(linkToken ? 'checking' : 'code')
  const [problem, setProblem] = useState<string | null>(null)
  const hasTried = useRef(false)

  useEffect(() => {
    // A link works once, even if React runs an effect twice.
    if (!linkToken || hasTried.current) return
    hasTried.current = true
    enter({ linkToken, browserToken: pending?.browserToken }).catch((error: unknown) => {
      const elsewhere = error instanceof ApiError && error.code === 'password_needed'
      if (!elsewhere) setProblem(errorMessage(error))
      setStep(elsewhere ? 'password' : 'code')
    })
  }, [linkToken, pending])

  if (step === 'checking') return <Loading label={t('auth.checkingLink')} />
  if (step === 'password' && linkToken) return <PasswordStep linkToken={linkToken} />
  if (pending) return <CodeStep pending={pending} problem={problem} />
  return (
    <FormPage
      title={t('auth.verifyTitle')}
      lead={t('auth.verifyElsewhere')}
      problem={problem}
      aside={<a href="/login">{t('auth.backToSignIn')}</a>}
    >
      <Button component="a" href="/register" variant="filled" size="md">
        {t('auth.register')}
      </Button>
    </FormPage>
  )
}

function CodeStep({ pending, problem }: { pending: PendingCode; problem: string | null }) {
  const t = useT()
  const { email, browserToken } = pending
  const form = useContractForm({
    schema: mailedCodeForm,
    initial: { code: '' },
    onSubmit: ({ code }) => enter({ code, browserToken }),
  })
  return (
    <FormPage
      title={t('auth.verifyTitle')}
      lead={t('auth.verifyLead', { email })}
      problem={problem}
      aside={
        <>
          <ResendButton
            send={async () => {
              const code = await call(resendRegistration, { body: { email, browserToken } })
              rememberCode('registration', { ...pending, ...code })
              notify.success(t('auth.resent', { email }))
            }}
          />
          <a href="/register">{t('auth.otherEmail')}</a>
        </>
      }
    >
      <MailedCodeForm form={form} />
    </FormPage>
  )
}

/** The owner of the mailbox chooses the password: the registration's password may be an attacker's. */
function PasswordStep({ linkToken }: { linkToken: string }) {
  const t = useT()
  const form = useContractForm({
    schema: passwordForm,
    initial: { password: '' },
    onSubmit: ({ password }) => enter({ linkToken, password }),
  })
  return (
    <FormPage
      title={t('auth.confirmedTitle')}
      lead={t('auth.confirmedLead')}
      aside={<a href="/login">{t('auth.backToSignIn')}</a>}
    >
      <Stack {...form.props} as="form">
        <PasswordField
          field={form.field('password')}
          autoComplete="new-password"
          help={t('auth.passwordHelp')}
          autoFocus
        />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.confirmedAction')}
        </Button>
      </Stack>
    </FormPage>
  )
}

async function enter(body: BodyIn<typeof verifyRegistration>): Promise<void> {
  storeSession(await call(verifyRegistration, { body }))
  const next = pendingCode('registration')?.next
  forgetCode('registration')
  location.assign(safeNext(next === undefined ? '' : `?${new URLSearchParams({ next })}`, '/dashboard'))
}
