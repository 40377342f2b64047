/** The OpenID Connect client for identity providers: authorization code with PKCE, through `openid-client`. */
import { callbackPage } from '@waybill/contract/accounts/identity-providers'
import * as oidc from 'openid-client'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { minutes } from '../../../lib/clock.ts'
import type { ProviderAccess } from '../../settings/login-methods.ts'
import { identifyPerson, isAllowedTenant, type ProviderPerson } from './rules.ts'

/**
 * The time limit of each request to a provider. No transaction is open meanwhile, so a slow provider delays only its
 * own sign-ins.
 */
const timeoutSeconds = 5
/** Metadata of a provider is read again after this time. Signing keys are read again whenever a new one is used. */
const rememberedMs = minutes(60)

type Remembered = { configuration: Promise<oidc.Configuration>; until: number }
const remembered = new WeakMap<Deps, Map<string, Remembered>>()

async function discover(deps: Deps, access: ProviderAccess): Promise<oidc.Configuration> {
  const server = new URL(access.issuer)
  const configuration = await oidc.discovery(
    server,
    access.clientId,
    { client_secret: access.clientSecret },
    oidc.ClientSecretBasic(access.clientSecret),
    {
      [oidc.customFetch]: deps.fetchProvider,
      timeout: timeoutSeconds,
      // The rule of the setting admits plain http on this machine only.
      execute: server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    },
  )
  // TLS alone would do for a token that comes from the provider itself. The signature holds behind a proxy as well.
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}

/** The provider's metadata, from memory where it is fresh. Throws provider_down. */
async function getConfiguration(deps: Deps, access: ProviderAccess): Promise<oidc.Configuration> {
  const cache = remembered.get(deps) ?? new Map<string, Remembered>()
  remembered.set(deps, cache)
  const key = JSON.stringify([access.provider, access.issuer, access.clientId, access.clientSecret])
  const now = Date.now()
  const cached = cache.get(key)
  if (cached && cached.until > now) return cached.configuration
  // Everybody who waits for the same metadata gets the same error.
  const configuration = discover(deps, access).catch((error: unknown) => {
    cache.delete(key)
    deps.log.warn({ err: error, provider: access.provider }, 'the identity provider could not be reached')
    throw new AppError('provider_down', { vars: { provider: access.label }, retryAfter: 30 })
  })
  cache.set(key, { configuration, until: now + rememberedMs })
  return configuration
}

/** What ties the provider's answer to a sign-in. `state` names the sign-in; the others never leave the server. */
export type Handshake = { state: string; nonce: string; verifier: string }

/** A new nonce and PKCE verifier. */
export const newHandshake = (): Omit<Handshake, 'state'> => ({
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

/** The provider's metadata is at hand, so that a sign-in can begin. Throws provider_down. */
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
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(deps).href,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
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
 * @throws AppError provider_answer (its text names what was wrong), provider_tenant, provider_down
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
    const tokens = await oidc.authorizationCodeGrant(configuration, current, {
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

/** No answer, a late one, or the provider's own failure. */
function isOutage(error: unknown): boolean {
  if (error instanceof TypeError) return true
  if (!(error instanceof oidc.ClientError)) return false
  if (error.code === 'OAUTH_TIMEOUT') return true
  return error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && error.cause instanceof Response && error.cause.status >= 500
}

/** Texts of `provider_answer` by the claim of the ID token that was wrong. */
const claimTexts: Record<string, string> = {
  nonce: 'provider_answer_nonce',
  iss: 'provider_answer_issuer',
  aud: 'provider_answer_audience',
  azp: 'provider_answer_audience',
}

/** The key of the text that says what was wrong with an answer. */
function answerText(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) {
    return error.error === 'invalid_client' ? 'provider_answer_client' : 'provider_answer_code'
  }
  if (!(error instanceof oidc.ClientError)) return 'provider_answer'
  // The library wraps what went wrong: the claim lies in the cause of the cause.
  const detail = error.cause instanceof Error ? (error.cause.cause as Record<string, unknown> | undefined) : undefined
  if (error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'provider_answer_expired'
  if (error.code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    return claimTexts[String(detail?.claim)] ?? 'provider_answer'
  }
  // The parameter `iss` of the callback (RFC 9207) names another provider than the one that was asked.
  const otherIssuer = error.cause instanceof Error && error.cause.message.includes('"iss"')
  return otherIssuer ? 'provider_answer_issuer' : 'provider_answer'
}
