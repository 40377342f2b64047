import { Button } from '@mantine/core'
import type { SecondFactorStep } from '@waybill/contract/accounts/second-factor'
import type { Session } from '@waybill/contract/accounts/sign-in'
import { loginRequest, staffLoginRequest } from '@waybill/contract/accounts/sign-in-requests'
import { lazy, useCallback, useState } from 'react'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { ApiError, send } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { storeSession } from '../../../lib/session.ts'
import classes from '../profile/account.module.css'
import { secondFactorStep } from '../second-factor/second-factor-step.ts'
import { homePath, isStaffPage } from '../shared/sign-in-path.ts'
import { FormPage } from './form-page.tsx'
import { safeNext } from './next.ts'
import { usePasswordsOn, useProviders } from './use-providers.ts'

// Imported on demand, because only staff need it.
const SecondFactor = lazy(async () => ({ default: (await import('../second-factor/second-factor.tsx')).SecondFactor }))

// Imported on demand, because most deployments have no identity provider.
const ProviderButtons = lazy(async () => ({ default: (await import('./provider-buttons.tsx')).ProviderButtons }))

const credentials = { email: '', password: '' }

/**
 * `/login` for customers, `/staff/login` for staff. It has a light entry: no router, and the contract's requests
 * without the schemas of the responses.
 */
export function SignInPage() {
  const t = useT()
  const staff = isStaffPage()
  const side = staff ? 'staff' : 'customer'
  const invited = new URLSearchParams(location.search).has('invitation')
  const passwordsOn = usePasswordsOn()
  const providers = useProviders(side)
  // If passwords are off, a superadmin still has one: a failing provider must not lock everybody out.
  const [superadmin, setSuperadmin] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [next, setNext] = useState<SecondFactorStep | null>(null)
  const [isConfirmed, setIsConfirmed] = useState(false)
  const askPassword = useCallback((message: string) => {
    setProblem(message)
    setNext(null)
  }, [])
  const enter = (session: Session) => {
    storeSession(session)
    location.assign(safeNext(location.search, homePath(staff)))
  }
  const form = useContractForm({
    schema: loginRequest.body,
    initial: credentials,
    onSubmit: async (body) => {
      setProblem(null)
      const response = await send(staff ? staffLoginRequest : loginRequest, { body })
      enter(await response.json())
      // The page is about to be left: the button stays busy until then.
      await new Promise(() => {})
    },
    onError: (error) => {
      const step = secondFactorStep(error)
      if (step) {
        setNext(step)
        return true
      }
      if (!(error instanceof ApiError) || error.errors.length > 0) return false
      setProblem(error.message)
      return true
    },
  })
  if (next) {
    return (
      <FormPage
        title={t(next.step === 'code' ? 'factor.askTitle' : 'factor.setupTitle')}
        lead={!isConfirmed && t(next.step === 'code' ? 'factor.askLead' : 'factor.setupLead')}
        aside={!isConfirmed && <a href={location.pathname + location.search}>{t('auth.backToSignIn')}</a>}
      >
        <LazyPart fallback={<Loading />}>
          <SecondFactor next={next} onConfirmed={() => setIsConfirmed(true)} onSession={enter} onOver={askPassword} />
        </LazyPart>
      </FormPage>
    )
  }
  const withPassword = passwordsOn || superadmin
  return (
    <FormPage
      title={staff ? t('auth.staffSignIn') : t('auth.signIn')}
      lead={invited && t('auth.invitedLead')}
      problem={problem}
      aside={
        <>
          {passwordsOn && <a href={`/forgot-password${staff ? '?staff=1' : ''}`}>{t('auth.forgot')}</a>}
          {!staff && (
            <span>
              {t('auth.noAccount')} <a href={`/register${location.search}`}>{t('auth.register')}</a>
            </span>
          )}
          {staff && !withPassword && (
            <Button variant="subtle" color="gray" onClick={() => setSuperadmin(true)}>
              {t('auth.superadminPassword')}
            </Button>
          )}
        </>
      }
    >
      {providers.length > 0 && (
        <LazyPart>
          <ProviderButtons side={side} onProblem={setProblem} />
        </LazyPart>
      )}
      {withPassword && providers.length > 0 && <p className={classes.or}>{t('auth.or')}</p>}
      {withPassword && (
        <Stack {...form.props} as="form">
          <TextField field={form.field('email')} type="email" autoComplete="username" autoFocus withAsterisk={false} />
          <PasswordField field={form.field('password')} autoComplete="current-password" withAsterisk={false} />
          <Button type="submit" variant="filled" size="md" loading={form.submitting}>
            {t('auth.signIn')}
          </Button>
        </Stack>
      )}
    </FormPage>
  )
}
