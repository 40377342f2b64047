import type { Session, SessionUser } from '@waybill/contract/accounts/sign-in'
import { ApiError, attempt, readError, setCredentials } from './api.ts'
import { t } from './i18n.ts'
import { clearSession, sessionStore, storedTokens, storeProfile, storeSession, storeTokens } from './session.ts'

/**
 * Gives every call the stored bearer token, and looks after it: a silent renewal first, the password in place when that
 * fails.
 */
export function startCredentials(): void {
  setCredentials({
    token: () => sessionStore.getState().tokens.access,
    renew: async (expiredToken) => (await renewToken(expiredToken)) ?? (await signedInAgain()),
  })
}

let renewing: Promise<string | null> | null = null

/** A fresh access token for a spent one, or null when the session is over. One renewal at a time, over all tabs. */
function renewToken(expiredToken: string): Promise<string | null> {
  // A call that comes back late may find that the token was replaced meanwhile.
  const present = sessionStore.getState().tokens.access
  if (present && present !== expiredToken) return Promise.resolve(present)
  renewing ??= exclusively(async () => {
    const tokens = storedTokens()
    // Another tab was quicker.
    if (tokens.access && tokens.access !== expiredToken) {
      storeTokens(tokens)
      return tokens.access
    }
    if (!tokens.refresh) return null
    // Loaded when it is needed: a page without a session never carries it.
    const { refresh } = await import('@waybill/contract/accounts/sign-in')
    const response = await attempt(refresh, { body: { refreshToken: tokens.refresh } }, null)
    if (response.status >= 500) throw await readError(response)
    if (!response.ok) return null
    const session = (await response.json()) as Session
    storeTokens({ access: session.token, refresh: session.refreshToken })
    return session.token
  }).finally(() => {
    renewing = null
  })
  return renewing
}

function exclusively<T>(work: () => Promise<T>): Promise<T> {
  // Web Locks need a secure origin; on plain http tabs may renew twice, and the later one asks for the password.
  return navigator.locks ? navigator.locks.request('session-renewal', work) : work()
}

/** Asks for the password in place and answers the new session, or null when the user would rather leave. */
type AskAgain = () => Promise<Session | null>
let askAgain: AskAgain | null = null
let asking: Promise<string> | null = null

/** The layout that can show a dialog takes care of ended sessions; answers how to stop. */
export function onSessionExpired(ask: AskAgain): () => void {
  askAgain = ask
  return () => {
    if (askAgain === ask) askAgain = null
  }
}

/** However many calls have found the session ended, the question is asked once, and all go on after it. */
function signedInAgain(): Promise<string> {
  asking ??= (async () => {
    const session = askAgain ? await askAgain() : null
    if (!session) {
      clearSession()
      throw new ApiError({ statusCode: 401, code: 'session_expired', message: t('errors.session_expired') })
    }
    await enter(session)
    return session.token
  })().finally(() => {
    asking = null
  })
  return asking
}

/**
 * Stores the new session together with its profile, before any call goes on: what was interrupted needs its
 * permissions. Not by `call`, which would wait for this very sign-in if the new token were refused.
 */
async function enter(session: Session): Promise<void> {
  const { getProfile } = await import('@waybill/contract/accounts/sign-in')
  const profile = await attempt(getProfile, {}, session.token)
    .then(async (response) => (response.ok ? ((await response.json()) as SessionUser) : null))
    .catch(() => null)
  storeSession(session)
  // Without an answer, what the sign-in said about the user is as good.
  storeProfile(profile ?? session.user)
}
