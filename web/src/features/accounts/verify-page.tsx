import { Button } from '@mantine/core'
import { resendRegistration, verifyRegistration } from '@waybill/contract/accounts'
import { email, otp } from '@waybill/contract/fields'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { CodeField } from '../../components/form/code-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { TextField } from '../../components/form/text-field.tsx'
import { Loading } from '../../components/loading.tsx'
import { messageOf, notify } from '../../components/notify.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { storeSession } from '../../lib/session.ts'
import classes from './account.module.css'
import { FormPage } from './form-page.tsx'
import { forgetCode, pendingCode, rememberCode } from './pending-code.ts'
import { ResendButton } from './resend-button.tsx'

const codeForm = z.object({ email, code: otp })

/** Takes the mailed code in six boxes, or the link's token, and signs in. */
export function VerifyPage() {
  const t = useT()
  const linkToken = useRef(new URLSearchParams(location.search).get('token'))
  const [problem, setProblem] = useState<string | null>(null)
  const [checking, setChecking] = useState(linkToken.current !== null)
  const pending = pendingCode('registration')

  useEffect(() => {
    const token = linkToken.current
    if (!token) return
    // A link is used once, even where React runs an effect twice.
    linkToken.current = null
    enter({ linkToken: token }).catch((error: unknown) => {
      setProblem(messageOf(error))
      setChecking(false)
    })
  }, [])

  const form = useContractForm({
    schema: codeForm,
    initial: { email: pending?.email ?? '', code: '' },
    onSubmit: (body) => enter(body),
  })
  if (checking) return <Loading label={t('auth.checkingLink')} />
  return (
    <FormPage
      title={t('auth.verifyTitle')}
      lead={pending ? t('auth.verifyLead', { email: pending.email }) : t('auth.verifyLeadAny')}
      problem={problem}
      aside={
        <>
          <ResendButton
            send={async () => {
              const address = form.values.email
              rememberCode('registration', await call(resendRegistration, { body: { email: address } }))
              notify.success(t('auth.resent', { email: address }))
            }}
          />
          <a href="/register">{t('auth.otherEmail')}</a>
        </>
      }
    >
      <form {...form.props} className={classes.form}>
        {!pending && <TextField field={form.field('email')} type="email" autoComplete="email" />}
        <CodeField field={form.field('code')} help={t('auth.codeHelp')} autoFocus={pending !== null} />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.verifyAction')}
        </Button>
      </form>
    </FormPage>
  )
}

async function enter(body: { email?: string; code?: string; linkToken?: string }): Promise<void> {
  storeSession(await call(verifyRegistration, { body }))
  forgetCode('registration')
  location.assign('/dashboard')
}
