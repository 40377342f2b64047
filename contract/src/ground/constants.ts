/**
 * The languages of the portal and the fixed values of the specification (section 9). Separate from `enums.ts`, because
 * every page needs these, and a page without labels should not load them.
 */
export type Locale = 'en' | 'cn_zh'
export const locales = ['en', 'cn_zh'] as const satisfies readonly Locale[]
export const fallbackLocale: Locale = 'en'

/** The BCP 47 tag that `Intl` and `<html lang>` use for a language of the portal. */
export function intlLocale(locale: Locale): string {
  return locale === 'cn_zh' ? 'zh-CN' : 'en'
}

/** The specification's login methods. */
export const loginMethods = ['local', 'keycloak', 'ms365'] as const
/** Those that sign in at an identity provider, by OpenID Connect. */
export const identityProviders = ['keycloak', 'ms365'] as const satisfies readonly (typeof loginMethods)[number][]
export type IdentityProvider = (typeof identityProviders)[number]
/** Who signs in: customers and staff have separate sign-in pages and users. */
export const signInSides = ['customer', 'staff'] as const
export type SignInSide = (typeof signInSides)[number]

export const constants = {
  defaultPageSize: 50,
  maximumPageSize: 200,
  apiTimeoutMs: 30_000,
  persistedStateTimeoutMs: 5_000,
  creditLabel: 'LP',
  primaryColour: '#e82023',
  documentFormat: 'pdf',
} as const
