import type { Session, SessionUser } from '@waybill/contract/accounts/sign-in'
import type { AccessRule } from '@waybill/contract/ground/access'
import { constants } from '@waybill/contract/ground/constants'
import type { GeneralSettings, Options } from '@waybill/contract/settings/settings'
import { createStore, useStore } from 'zustand'
import { type PersistStorage, persist } from 'zustand/middleware'
import { languageKey, local, userKeyPrefix } from './browser/storage.ts'
import { setDeployment } from './settings/deployment.ts'
import { currentView, leaveView, type View } from './view.ts'

/** The store of the specification: `auth` and `setting`, plus the tokens and the parcels to print. */
export type SessionState = {
  auth: { user: SessionUser | null; photo: string | null; permissions: readonly string[] }
  setting: { settings: GeneralSettings | null; options: Options | null }
  tokens: { access: string | null; refresh: string | null }
  /** Ids of the parcels whose consignment notes are still to be printed. They survive the trip to a payment gateway. */
  awb: readonly string[]
}

type StoredSession = Pick<SessionState, 'tokens' | 'awb'> & {
  auth: Pick<SessionState['auth'], 'user' | 'photo' | 'permissions'>
  setting: SessionState['setting']
}

/** The short keys of local storage. */
const keys = { user: 'u', access: 't', refresh: 'rt', settings: 'gs', awb: 'awb' } as const

/** The storage of the session. It may be asynchronous. */
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

/** Uses one entry for each short key, instead of one for the whole store. */
function shortKeyStorage(storage: SessionStorage, timeoutMs: number): PersistStorage<StoredSession> {
  async function readState(): Promise<StoredSession> {
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
    /** After the time-out the session starts empty (specification, sections 4 and 9). */
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

/** Creates a store over a storage. The application has one (`sessionStore`); tests create their own. */
export function createSessionStore(storage: SessionStorage, timeoutMs: number = constants.persistedStateTimeoutMs) {
  return createStore<SessionState>()(
    persist(() => clean, {
      name: 'session',
      storage: shortKeyStorage(storage, timeoutMs),
      skipHydration: true,
      partialize: ({ auth, setting, tokens, awb }): StoredSession => ({ auth, setting, tokens, awb }),
      merge: (persistedState, present) => {
        const storedState = persistedState as StoredSession
        const sameUser = storedState.auth.user?.id === present.auth.user?.id
        return {
          ...storedState,
          // Values that are not stored stay in memory while the user is the same.
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

/** The session of a view, in memory: the session of the member of staff in local storage is not changed. */
function viewStorage({ token, user }: View): SessionStorage {
  const values = new Map<string, string>([
    [keys.access, token],
    [keys.user, JSON.stringify(user)],
  ])
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  }
}

export const sessionStore = createSessionStore(currentView ? viewStorage(currentView) : local)

/** The deployment's settings with the user's own units, if users may choose them. */
function withOwnUnits(settings: GeneralSettings | null, user: SessionUser | null): GeneralSettings | null {
  if (!settings?.ownUnits || !user) return settings
  return {
    ...settings,
    weightUnit: user.weightUnit ?? settings.weightUnit,
    dimensionUnit: user.dimensionUnit ?? settings.dimensionUnit,
  }
}

sessionStore.subscribe(({ setting, auth }, before) => {
  // Without the tokens, which change with every renewal and are not displayed.
  if (setting.settings === before.setting.settings && auth.user === before.auth.user) return
  setDeployment(withOwnUnits(setting.settings, auth.user))
})

/** `useSession((state) => state.auth.user)` */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(sessionStore, select)
}

/** Reads the stored session and follows changes of other tabs. Await it before the first render. */
export async function hydrateSession(): Promise<void> {
  window.addEventListener('storage', ({ key }) => {
    // Other tabs use the session of the member of staff.
    if (currentView) return
    if (key === null || key === keys.access || key === keys.user) void sessionStore.persist.rehydrate()
  })
  await sessionStore.persist.rehydrate()
}

/** The tokens in local storage: another tab may just have renewed them. */
export function storedTokens(): SessionState['tokens'] {
  return { access: local.get(keys.access), refresh: local.get(keys.refresh) }
}

/** After login, verification or renewal. */
export function storeSession(session: Session): void {
  storeTokens({ access: session.token, refresh: session.refreshToken })
  storeUser(session.user)
  // If no language was selected in this browser, the next page uses the language of the profile.
  if (local.get(languageKey) === null) local.set(languageKey, session.user.language)
}

export function storeTokens(tokens: SessionState['tokens']): void {
  sessionStore.setState({ tokens })
}

/** Stores the user and resets the permissions, as the specification requires. The profile response then sets them. */
export function storeUser(user: SessionUser): void {
  sessionStore.setState(({ auth }) => ({ auth: { ...auth, user, permissions: [] } }))
}

/** Stores the profile response: the user with the permitted rows of the access table. */
export function storeProfile(profile: SessionUser): void {
  sessionStore.setState({ auth: { user: profile, photo: profile.photoUrl, permissions: profile.permissions } })
}

export function storeSettings(settings: GeneralSettings): void {
  sessionStore.setState(({ setting }) => ({ setting: { ...setting, settings } }))
}

export function storeOptions(options: Options): void {
  sessionStore.setState(({ setting }) => ({ setting: { ...setting, options } }))
}

/** Stores the parcels whose consignment notes are printed next. */
export function storeAwb(parcelIds: readonly string[]): void {
  sessionStore.setState({ awb: parcelIds })
}

/**
 * Signs out: removes the user, the tokens and the user's stored values. The deployment's settings stay. A view returns
 * to the staff's page.
 */
export function clearSession(): void {
  if (currentView) {
    leaveView(currentView)
    return
  }
  local.removeWithPrefix(userKeyPrefix)
  sessionStore.setState({ auth: clean.auth, tokens: clean.tokens, awb: [] })
}

/** Whether the signed-in user has a permission of the access table. The server checks again at each call. */
export function useMay(rule: AccessRule): boolean {
  return useSession((state) => state.auth.permissions.includes(rule))
}

/** Whether a user sees all parcels of the account: a permission of members that is not in the access table. */
export function seesAllParcels(user: SessionUser | null): boolean {
  const account = user?.account
  return account ? account.isOwner || account.memberPermissions.includes('parcels.view_all') : false
}
