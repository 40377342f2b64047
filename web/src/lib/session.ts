import type { Session, SessionUser } from '@waybill/contract/accounts/sign-in'
import type { AccessRule } from '@waybill/contract/ground/access'
import { constants } from '@waybill/contract/ground/constants'
import type { GeneralSettings, Options } from '@waybill/contract/settings/settings'
import { createStore, useStore } from 'zustand'
import { type PersistStorage, persist } from 'zustand/middleware'
import { languageKey, local, userKeyPrefix } from './browser/storage.ts'
import { setDeployment } from './settings/deployment.ts'

/** The store as the specification describes it: `auth`, `setting`; beside them the tokens and the notes to print. */
export type SessionState = {
  auth: { user: SessionUser | null; photo: string | null; permissions: readonly string[] }
  setting: { settings: GeneralSettings | null; options: Options | null }
  tokens: { access: string | null; refresh: string | null }
  /** Ids of the parcels whose consignment notes wait to be printed: outlives the trip to a payment gateway. */
  awb: readonly string[]
}

type Kept = Pick<SessionState, 'tokens' | 'awb'> & {
  auth: Pick<SessionState['auth'], 'user' | 'photo' | 'permissions'>
  setting: SessionState['setting']
}

/** The short keys of local storage. */
const keys = { user: 'u', access: 't', refresh: 'rt', settings: 'gs', awb: 'awb' } as const

/** Where the session is kept; may answer later, as some storages do. */
export type SessionStorage = {
  get(key: string): string | null | Promise<string | null>
  set(key: string, value: string): void
  remove(key: string): void
}

const clean: SessionState = {
  auth: { user: null, photo: null, permissions: [] },
  setting: { settings: null, options: null },
  tokens: { access: null, refresh: null },
  awb: [],
}

function parseOr<T>(text: string | null, fallback: T): T {
  if (text === null) return fallback
  try {
    return JSON.parse(text) as T
  } catch {
    return fallback
  }
}

/** One entry for each short key, rather than one for the whole store. */
function shortKeyStorage(storage: SessionStorage, timeoutMs: number): PersistStorage<Kept> {
  async function readState(): Promise<Kept> {
    const [user, access, refresh, settings, awb] = await Promise.all(
      [keys.user, keys.access, keys.refresh, keys.settings, keys.awb].map((key) => storage.get(key)),
    )
    return {
      auth: { user: parseOr(user ?? null, null), photo: null, permissions: [] },
      setting: { settings: parseOr(settings ?? null, null), options: null },
      tokens: { access: access ?? null, refresh: refresh ?? null },
      awb: parseOr<string[]>(awb ?? null, []),
    }
  }
  const write = (key: string, value: string | null) => (value === null ? storage.remove(key) : storage.set(key, value))
  return {
    /** Gives up after the time-out and starts clean (the specification, sections 4 and 9). */
    async getItem() {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), timeoutMs)
      })
      const state = await Promise.race([readState().catch(() => null), late])
      clearTimeout(timer)
      return { state: state ?? clean }
    },
    setItem(_name, { state }) {
      write(keys.user, state.auth.user && JSON.stringify(state.auth.user))
      write(keys.access, state.tokens.access)
      write(keys.refresh, state.tokens.refresh)
      write(keys.settings, state.setting.settings && JSON.stringify(state.setting.settings))
      write(keys.awb, state.awb.length > 0 ? JSON.stringify(state.awb) : null)
    },
    removeItem() {
      for (const key of Object.values(keys)) storage.remove(key)
    },
  }
}

/** Makes a store over a storage; the application has one (`sessionStore`), a test as many as it likes. */
export function createSessionStore(storage: SessionStorage, timeoutMs: number = constants.persistedStateTimeoutMs) {
  return createStore<SessionState>()(
    persist(() => clean, {
      name: 'session',
      storage: shortKeyStorage(storage, timeoutMs),
      skipHydration: true,
      partialize: ({ auth, setting, tokens, awb }): Kept => ({ auth, setting, tokens, awb }),
      merge: (persistedState, present) => {
        const storedState = persistedState as Kept
        const sameUser = storedState.auth.user?.id === present.auth.user?.id
        return {
          ...storedState,
          // What is never stored stays, as long as it belongs to the same user.
          auth: sameUser ? { ...present.auth, user: storedState.auth.user } : storedState.auth,
          setting: {
            settings: storedState.setting.settings ?? present.setting.settings,
            options: present.setting.options,
          },
        }
      },
    }),
  )
}

export const sessionStore = createSessionStore(local)
sessionStore.subscribe(({ setting }) => setDeployment(setting.settings))

/** `useSession((state) => state.auth.user)` */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(sessionStore, select)
}

/** Reads what is stored, and follows what other tabs store. Await it before the first render. */
export async function hydrateSession(): Promise<void> {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === keys.access || key === keys.user) void sessionStore.persist.rehydrate()
  })
  await sessionStore.persist.rehydrate()
}

/** Tokens as local storage has them now: another tab may just have renewed them. */
export function storedTokens(): SessionState['tokens'] {
  return { access: local.get(keys.access), refresh: local.get(keys.refresh) }
}

/** After login, verification or renewal. */
export function storeSession(session: Session): void {
  storeTokens({ access: session.token, refresh: session.refreshToken })
  storeUser(session.user)
  // Whoever has chosen no language in this browser gets the one of their profile on the next page.
  if (local.get(languageKey) === null) local.set(languageKey, session.user.language)
}

export function storeTokens(tokens: SessionState['tokens']): void {
  sessionStore.setState({ tokens })
}

/** Stores the user and resets the permissions, as the specification says; the profile then brings them. */
export function storeUser(user: SessionUser): void {
  sessionStore.setState(({ auth }) => ({ auth: { ...auth, user, permissions: [] } }))
}

/** The answer of the profile call: the user with the rows of the access table that it passes. */
export function storeProfile(profile: SessionUser): void {
  sessionStore.setState({ auth: { user: profile, photo: profile.photoUrl, permissions: profile.permissions } })
}

export function storeSettings(settings: GeneralSettings): void {
  sessionStore.setState(({ setting }) => ({ setting: { ...setting, settings } }))
}

export function storeOptions(options: Options): void {
  sessionStore.setState(({ setting }) => ({ setting: { ...setting, options } }))
}

/** Remembers whose consignment notes are to be printed next. */
export function storeAwb(parcelIds: readonly string[]): void {
  sessionStore.setState({ awb: parcelIds })
}

/** Logout: the user, the tokens and what was remembered for the user go, the deployment's settings stay. */
export function clearSession(): void {
  local.removeWithPrefix(userKeyPrefix)
  sessionStore.setState({ auth: clean.auth, tokens: clean.tokens, awb: [] })
}

/** Whether the signed-in user passes a row of the access table; the server decides again at each call. */
export function useMay(rule: AccessRule): boolean {
  return useSession((state) => state.auth.permissions.includes(rule))
}

/** Whether a user sees the parcels of the whole account: a permission of members that is no row of the access table. */
export function seesAllParcels(user: SessionUser | null): boolean {
  const account = user?.account
  return account ? account.isOwner || account.memberPermissions.includes('parcels.view_all') : false
}
