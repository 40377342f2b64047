/** The OpenID Connect client for identity providers: authorization code with PKCE, through `openid-client`. */
import { callbackPage } from '@waybill/contract/accounts/identity-providers'
import type * as oidc from 'openid-client'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { minutes } from '../../../lib/clock.ts'
import { lazyPackage } from '../../../lib/packages/lazy-package.ts'
import type { ProviderAccess } from '../../settings/login-methods.ts'
import { identifyPerson, isAllowedTenant, type ProviderPerson } from './rules.ts'

const openid = lazyPackage<typeof oidc>('openid-client')

/**
 * The time limit of each request to a provider. No transaction is open meanwhile, so a slow provider delays only its
 * own sign-ins.
 */
const timeoutSeconds = 5
/** A provider's metadata is reloaded after this time. Signing keys are reloaded whenever a new one is used. */
const rememberedMs = minutes(60)

type CachedConfiguration = { configuration: Promise<oidc.Configuration>; until: number }
const remembered = new WeakMap<Deps, Map<string, CachedConfiguration>>()

async function discover(deps: Deps, access: ProviderAccess): Promise<oidc.Configuration> {
  const server = new URL(access.issuer)
  const configuration = await openid().discovery(
    server,
    access.clientId,
    { client_secret: access.clientSecret },
    openid().ClientSecretBasic(access.clientSecret),
    {
      [openid().customFetch]: deps.fetchProvider,
      timeout: timeoutSeconds,
      // The setting's rule allows plain http on this machine only.
      execute: server.protocol === 'http:' ? [openid().allowInsecureRequests] : [],
    },
  )
  // TLS alone would be enough for a token that comes from the provider itself. The signature also protects behind a
  // proxy.
  openid().enableNonRepudiationChecks(configuration)
  return configuration
}

/** The provider's metadata, cached while fresh. Throws provider_down. */
async function getConfiguration(deps: Deps, access: ProviderAccess): Promise<oidc.Configuration> {
  const cache = remembered.get(deps) ?? new Map<string, CachedConfiguration>()
  remembered.set(deps, cache)
  const key = JSON.stringify([access.provider, access.issuer, access.clientId, access.clientSecret])
  const now = Date.now()
  const cached = cache.get(key)
  if (cached && cached.until > now) return cached.configuration
  // All callers that wait for the same metadata get the same error.
  const configuration = discover(deps, access).catch((error: unknown) => {
    cache.delete(key)
    deps.log.warn({ err: error, provider: access.provider }, 'the identity provider could not be reached')
    throw new AppError('provider_down', { vars: { provider: access.label }, retryAfter: 30 })
  })
  cache.set(key, { configuration, until: now + rememberedMs })
  return configuration
}

/**
 * Ties the provider's answer to a sign-in. `state` identifies the sign-in; the other values never leave the server.
 */
export type Handshake = { state: string; nonce: string; verifier: string }

/** A new nonce and PKCE verifier. */
export const newHandshake = (): Omit<Handshake, 'state'> => ({
  nonce: openid().randomNonce(),
  verifier: openid().randomPKCECodeVerifier(),
})

/** Loads the provider's metadata, so that a sign-in can begin. Throws provider_down. */
export async function reachProvider(deps: Deps, access: ProviderAccess): Promise<void> {
  await getConfiguration(deps, access)
}

const callbackUrl = ({ config }: Deps) => new URL(callbackPage, config.http.publicUrl)

/** The address of the provider's sign-in page. */
export async function authorizationUrl(
  deps: Deps,
  access: ProviderAccess,
  { state, nonce, verifier }: Handshake,
): Promise<string> {
  const configuration = await getConfiguration(deps, access)
  const url = openid().buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(deps).href,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await openid().calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // A browser may be signed in with several Microsoft accounts.
    ...(access.provider === 'ms365' ? { prompt: 'select_account' } : {}),
  })
  return url.href
}

/** The query of the callback page. */
export type ProviderAnswer = { code?: string | undefined; iss?: string | undefined }

/**
 * Exchanges the code for an ID token and validates it: signature, issuer, audience, times and nonce.
 * @throws AppError provider_answer (its text names the problem), provider_tenant, provider_down
 */
export async function readPerson(
  deps: Deps,
  access: ProviderAccess,
  handshake: Handshake,
  answer: ProviderAnswer,
): Promise<ProviderPerson> {
  const configuration = await getConfiguration(deps, access)
  const current = callbackUrl(deps)
  current.searchParams.set('state', handshake.state)
  for (const name of ['code', 'iss'] as const) if (answer[name]) current.searchParams.set(name, answer[name])
  const vars = { provider: access.label }
  try {
    const tokens = await openid().authorizationCodeGrant(configuration, current, {
      pkceCodeVerifier: handshake.verifier,
      expectedNonce: handshake.nonce,
      expectedState: handshake.state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    const person = claims && identifyPerson(access, claims)
    if (!claims || !person) throw new AppError('provider_answer', { vars })
    if (!isAllowedTenant(access, claims)) throw new AppError('provider_tenant', { vars })
    return person
  } catch (error) {
    if (error instanceof AppError) throw error
    deps.log.warn({ err: error, provider: access.provider }, 'the answer of the identity provider was refused')
    throw isOutage(error)
      ? new AppError('provider_down', { vars, retryAfter: 30 })
      : new AppError('provider_answer', { text: answerText(error), vars })
  }
}

/** True for no answer, a late answer, or an error of the provider itself. */
function isOutage(error: unknown): boolean {
  if (error instanceof TypeError) return true
  if (!(error instanceof openid().ClientError)) return false
  if (error.code === 'OAUTH_TIMEOUT') return true
  return error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && error.cause instanceof Response && error.cause.status >= 500
}

/** Texts of `provider_answer` by the invalid claim of the ID token. */
const claimTexts: Record<string, string> = {
  nonce: 'provider_answer_nonce',
  iss: 'provider_answer_issuer',
  aud: 'provider_answer_audience',
  azp: 'provider_answer_audience',
}

/** The key of the text that explains an invalid answer. */
function answerText(error: unknown): string {
  if (error instanceof openid().ResponseBodyError) {
    return error.error === 'invalid_client' ? 'provider_answer_client' : 'provider_answer_code'
  }
  if (!(error instanceof openid().ClientError)) return 'provider_answer'
  // The library wraps errors: the claim is in the cause of the cause.
  const detail = error.cause instanceof Error ? (error.cause.cause as Record<string, unknown> | undefined) : undefined
  if (error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'provider_answer_expired'
  if (error.code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    return claimTexts[String(detail?.claim)] ?? 'provider_answer'
  }
  // The callback's parameter `iss` (RFC 9207) names a different provider than the one that was called.
  const otherIssuer = error.cause instanceof Error && error.cause.message.includes('"iss"')
  return otherIssuer ? 'provider_answer_issuer' : 'provider_answer'
}
