import { Button } from '@mantine/core'
import { finishProviderSignIn, type Newcomer, type SignInOutcome } from '@waybill/contract/accounts/identity-providers'
import type { SecondFactorStep } from '@waybill/contract/accounts/second-factor'
import { getProfile, type Session } from '@waybill/contract/accounts/sign-in'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { call, errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { storeSession } from '../../../lib/session.ts'
import { NewcomerSteps } from '../registration/newcomer-steps.tsx'
import { SecondFactor } from '../second-factor/second-factor.tsx'
import { secondFactorStep } from '../second-factor/second-factor-step.ts'
import { isStaffPage, signInPath } from '../shared/sign-in-path.ts'
import { FormPage } from './form-page.tsx'
import { type PendingProvider, takePendingProvider } from './pending-provider.ts'

type State =
  | { step: 'checking' }
  | { step: 'problem'; message: string }
  | { step: 'newcomer'; newcomer: Newcomer }
  | { step: 'factor'; next: SecondFactorStep }

/** The parameters that the provider added to the URL, and nothing else. */
function readAnswer(search: string): Omit<BodyIn<typeof finishProviderSignIn>, 'browserToken'> {
  const parameters = new URLSearchParams(search)
  const params = (['code', 'iss', 'error'] as const).flatMap((name) => {
    const value = parameters.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { state: parameters.get('state') ?? '', ...Object.fromEntries(params) }
}

/**
 * The page to which an identity provider redirects. It submits the answer once and signs in; or asks a new person for
 * an address and a profile; or shows the error.
 */
export function CallbackPage() {
  const t = useT()
  const [state, setState] = useState<State>({ step: 'checking' })
  const [pending, setPending] = useState<PendingProvider | null>(null)
  const [confirmed, setConfirmed] = useState(false)
  const tried = useRef(false)

  const enter = useCallback((session: Session, next = '/dashboard') => {
    storeSession(session)
    location.assign(next)
  }, [])
  const fail = useCallback((message: string) => setState({ step: 'problem', message }), [])
  const take = useCallback(
    async (work: () => Promise<SignInOutcome>, next: string) => {
      try {
        const { session, connected, newcomer } = await work()
        if (session) enter(session, next)
        else if (newcomer) setState({ step: 'newcomer', newcomer })
        else if (connected) location.assign(next)
      } catch (error) {
        const factor = secondFactorStep(error)
        if (factor) setState({ step: 'factor', next: factor })
        else fail(errorMessage(error))
      }
    },
    [enter, fail],
  )

  useEffect(() => {
    // An answer is submitted once, even if React runs an effect twice.
    if (tried.current) return
    tried.current = true
    const answer = readAnswer(location.search)
    const pending = takePendingProvider()
    setPending(pending)
    // The code must not stay in the browser history. The side must: a reload finds no pending sign-in.
    const staff = pending ? pending.side === 'staff' : isStaffPage()
    history.replaceState(history.state, '', `${location.pathname}${staff ? '?staff=1' : ''}`)
    if (!pending) return fail(t('errors.provider_state'))
    void take(async () => {
      // Linking an identity needs a valid session, and the access token may have expired meanwhile.
      if (pending.connects) await call(getProfile)
      return call(finishProviderSignIn, { body: { browserToken: pending.browserToken, ...answer } })
    }, pending.next)
  }, [take, fail, t])

  const back = pending?.connects ? pending.next : signInPath(isStaffPage())
  const next = pending?.next ?? '/dashboard'
  if (state.step === 'checking') return <Loading label={t('auth.checkingProvider')} />
  if (state.step === 'newcomer') {
    return <NewcomerSteps newcomer={state.newcomer} back={back} take={(work) => take(work, next)} />
  }
  if (state.step === 'factor') {
    const code = state.next.step === 'code'
    return (
      <FormPage
        title={t(code ? 'factor.askTitle' : 'factor.setupTitle')}
        lead={!confirmed && t(code ? 'factor.askLead' : 'factor.setupLead')}
        aside={!confirmed && <a href={back}>{t('auth.backToSignIn')}</a>}
      >
        <SecondFactor
          next={state.next}
          onConfirmed={() => setConfirmed(true)}
          onSession={(session) => enter(session, next)}
          onOver={fail}
        />
      </FormPage>
    )
  }
  return (
    <FormPage title={t('auth.notSignedIn')} problem={state.message}>
      <Button component="a" href={back} variant="filled" size="md">
        {t(pending?.connects ? 'auth.backToProfile' : 'auth.backToSignIn')}
      </Button>
    </FormPage>
  )
}
