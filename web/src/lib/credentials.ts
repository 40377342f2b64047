import type { Session, SessionUser } from '@waybill/contract/accounts/sign-in'
import { profileRequest, refreshRequest } from '@waybill/contract/ground/session/requests'
import { ApiError, attempt, readError, setCredentials } from './api.ts'
import { t } from './i18n.ts'
import { noteReport, readIdle } from './input/idle-time.ts'
import { clearSession, sessionStore, storedTokens, storeProfile, storeSession, storeTokens } from './session.ts'
import { currentView } from './view.ts'

/**
 * Adds the stored bearer token to every call. An expired token is renewed silently; if that fails, a dialog asks for
 * the password.
 */
export function startCredentials(): void {
  setCredentials({
    token: () => sessionStore.getState().tokens.access,
    renew: async (expiredToken) => (currentView ? endOfView() : renewOrAsk(expiredToken)),
  })
}

/** A valid token. The user may have signed in again while the renewal was refused. */
async function renewOrAsk(token: string): Promise<string> {
  return (await renewToken(token)) ?? findNewerToken(token) ?? (await signedInAgain())
}

/** Reports the user's last action to the server by renewing the token. */
export async function reportActivity(): Promise<void> {
  const { access } = sessionStore.getState().tokens
  if (access) await renewOrAsk(access)
}

/** The user has done nothing for too long: asks for the password. The interrupted screen and its calls wait. */
export function endIdleSession(): void {
  // A user who signs out instead is led to the sign-in page.
  signedInAgain().catch(() => undefined)
}

/** A view by staff cannot be renewed: the tab leaves it, and the call fails. */
function endOfView(): never {
  clearSession()
  throw new ApiError({ statusCode: 401, code: 'session_expired', message: t('viewBanner.over') })
}

/** This tab's token, if it has been replaced meanwhile. */
function findNewerToken(expiredToken: string): string | null {
  const { access } = sessionStore.getState().tokens
  return access && access !== expiredToken ? access : null
}

let renewing: Promise<string | null> | null = null

/**
 * A new access token for an expired one, or null if the session has ended. Only one renewal runs at a time across all
 * tabs.
 */
function renewToken(expiredToken: string): Promise<string | null> {
  // When a late 401 arrives, the token may already have been replaced.
  const newer = findNewerToken(expiredToken)
  if (newer) return Promise.resolve(newer)
  renewing ??= exclusively(async () => {
    const tokens = storedTokens()
    // Another tab has renewed the token.
    if (tokens.access && tokens.access !== expiredToken) {
      storeTokens(tokens)
      return tokens.access
    }
    if (!tokens.refresh) return null
    const { lastAction, idleSeconds } = readIdle()
    const response = await attempt(refreshRequest, { body: { refreshToken: tokens.refresh, idleSeconds } }, null)
    if (response.status >= 500) throw await readError(response)
    if (!response.ok) return null
    const session = (await response.json()) as Session
    storeTokens({ access: session.token, refresh: session.refreshToken })
    noteReport(lastAction)
    // A changed role or permission ends the access token: the screens must offer what is permitted now.
    storeProfile(session.user)
    return session.token
  }).finally(() => {
    renewing = null
  })
  return renewing
}

function exclusively<T>(work: () => Promise<T>): Promise<T> {
  // Web Locks need a secure origin. On plain http two tabs may renew at once, and the later one asks for the password.
  return navigator.locks ? navigator.locks.request('session-renewal', work) : work()
}

/** Asks for the password in a dialog. Returns the new session, or null if the user signs out instead. */
type AskAgain = () => Promise<Session | null>
let askAgain: AskAgain | null = null
let asking: Promise<string> | null = null

/** Registers the dialog that asks for the password. Returns a function that unregisters it. */
export function onSessionExpired(ask: AskAgain): () => void {
  askAgain = ask
  return () => {
    if (askAgain === ask) askAgain = null
  }
}

/** However many calls notice the end of the session, the user is asked once, and all of them continue afterwards. */
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
 * Stores the session and its profile before any call continues, because the interrupted screen needs the permissions.
 * `call` would wait for this sign-in if the new token were refused, so it is not used here.
 */
async function enter(session: Session): Promise<void> {
  const profile = await attempt(profileRequest, {}, session.token)
    .then(async (response) => (response.ok ? ((await response.json()) as SessionUser) : null))
    .catch(() => null)
  storeSession(session)
  // If loading the profile fails, the user data of the sign-in response is used.
  storeProfile(profile ?? session.user)
}
