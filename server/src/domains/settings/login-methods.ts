/** The sign-in methods in use, and the settings that an identity provider needs. */
import {
  type IdentityProvider,
  identityProviders,
  type SignInSide,
  signInSides,
} from '@waybill/contract/ground/constants'
import { isSecretKey, type OpenKey, type SettingKey } from '@waybill/contract/settings/setting-rules'
import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { type FieldProblem, validationError } from '../../http/errors.ts'
import type { Settings } from './load-settings.ts'

/** A configured identity provider. */
export type ProviderAccess = {
  provider: IdentityProvider
  /** The name on the button. */
  label: string
  issuer: string
  clientId: string
  clientSecret: string
  sides: readonly SignInSide[]
  /** The tenants whose people may sign in; null: the provider has no tenants. */
  tenants: readonly string[] | null
}

const defaultLabels: Record<IdentityProvider, string> = { keycloak: 'Keycloak', ms365: 'Microsoft 365' }

/** The settings without which a provider cannot be used. */
const neededKeys: Record<IdentityProvider, readonly SettingKey[]> = {
  keycloak: ['keycloak.issuer', 'keycloak.clientId', 'keycloak.clientSecret'],
  ms365: ['ms365.issuer', 'ms365.clientId', 'ms365.clientSecret', 'ms365.tenants'],
}

/** A provider's settings; null if one of them is missing, or if no current key decrypts its secret. */
export function findProvider(settings: Settings, provider: IdentityProvider): ProviderAccess | null {
  const issuer = settings.get(`${provider}.issuer`)
  const clientId = settings.get(`${provider}.clientId`)
  const clientSecret = settings.secret(`${provider}.clientSecret`)
  const tenants = provider === 'ms365' ? settings.get('ms365.tenants') : null
  if (!issuer || !clientId || !clientSecret || (provider === 'ms365' && !tenants)) return null
  const label = settings.get(`${provider}.label`) || defaultLabels[provider]
  return { provider, label, issuer, clientId, clientSecret, sides: settings.get(`${provider}.sides`), tenants }
}

/** The identity providers that people can use now. */
export function offeredProviders(settings: Settings): ProviderAccess[] {
  const methods: readonly string[] = settings.get('auth.methods')
  return identityProviders.flatMap((name) => (methods.includes(name) ? (findProvider(settings, name) ?? []) : []))
}

/** Whether people sign in with passwords. A superadmin always can (decision 63). */
export function passwordsOn(settings: Settings): boolean {
  return settings.get('auth.methods').includes('local')
}

/** The methods of the sign-in pages. One that is not set up is not offered. */
export function presentLoginMethods(settings: Settings): Pick<GeneralSettings, 'loginMethods' | 'loginProviders'> {
  const offered = offeredProviders(settings)
  return {
    loginMethods: [...(passwordsOn(settings) ? (['local'] as const) : []), ...offered.map(({ provider }) => provider)],
    loginProviders: offered.map(({ provider, label, sides }) => ({ provider, label, sides: [...sides] })),
  }
}

/**
 * Refuses changes after which a method in use would miss a setting, or one of the sign-in pages would have no method.
 * `changes` are the validated values of a request.
 */
export function requireCompleteMethods(settings: Settings, changes: ReadonlyMap<SettingKey, unknown>): void {
  const after = (key: SettingKey): unknown => {
    if (changes.has(key)) return changes.get(key)
    return isSecretKey(key) ? settings.secret(key) : settings.get(key as OpenKey)
  }
  const touched = [...changes.keys()].some((key) => key === 'auth.methods' || /^(keycloak|ms365)\./.test(key))
  if (!touched) return
  const methods = after('auth.methods') as readonly string[]
  const used = identityProviders.filter((name) => methods.includes(name))
  const missing = used.flatMap((name) => neededKeys[name].filter((key) => !after(key)))
  const problems: FieldProblem[] = missing.map((field) => ({ field, rule: 'required' }))
  const covered = (side: SignInSide) =>
    methods.includes('local') || used.some((name) => (after(`${name}.sides`) as readonly string[]).includes(side))
  if (!signInSides.every(covered)) problems.push({ field: 'auth.methods', rule: 'loginMethodSides' })
  if (problems.length > 0) throw validationError(...problems)
}
