/**
 * A simulated identity provider: `oidc-provider` with the URLs and claims of Keycloak or Microsoft Entra. It misbehaves
 * on request.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, SignJWT } from 'jose'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import type { CustomFetch } from 'openid-client'

/** The person at the provider's sign-in page. */
export type PersonAtProvider = { sub: string } & Record<string, unknown>

type Claims = Record<string, unknown>

/** The part of Koa's context that is used here. */
type Context = {
  path: string
  body: unknown
  response: { get(header: string): string | undefined }
  set(header: string, value: string): void
}

export type IdentityProviderPeer = {
  /** The provider's settings in the portal. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The person who signs in from now on; null if they cancel. */
  person: PersonAtProvider | null
  /** Changes the claims of ID tokens from now on, before they are signed. */
  tamper: ((claims: Claims) => Claims) | null
  /** From now on, signs with a key that the provider has never published. */
  forge: boolean
  /** From now on, responds with 500 to all clients except browsers. */
  failing: boolean
  /** The `fetch` of the server, which redirects requests for the official address to this peer. */
  fetch: CustomFetch
  /** Follows the provider's pages as a browser does, and returns the query of the callback page. */
  visit(url: string): Promise<Record<string, string>>
  stop(): Promise<void>
}

const microsoft = 'https://login.microsoftonline.com'
const scope = 'openid profile email'
const clientId = 'waybill'
const clientSecret = 'a secret between the portal and the provider'

type Style = { kind: 'keycloak' } | { kind: 'entra' }
type Options = Style & {
  /** The portal's callback page. */
  redirectUri: string
  /** Shows a sign-in page with a button, for real browsers. Otherwise people are signed in automatically. */
  withPage?: boolean
}

/** The endpoint paths of each product. */
const paths = {
  keycloak: { base: '/realms/waybill', endpoints: '/realms/waybill/protocol/openid-connect', names: ['auth', 'certs'] },
  entra: { base: '/organizations/v2.0', endpoints: '/organizations/oauth2/v2.0', names: ['authorize', 'keys'] },
} as const

/** Starts a provider on a free port. */
export async function startIdentityProvider({ kind, redirectUri, withPage }: Options): Promise<IdentityProviderPeer> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { privateKey: foreignKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { base, endpoints, names } = paths[kind]
  const handlers: { answer?: (request: IncomingMessage, reply: ServerResponse) => Promise<unknown> } = {}
  const server = createServer((request, reply) => {
    handlers.answer?.(request, reply).catch((error: unknown) => {
      reply.statusCode = 500
      reply.end(String(error))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const peer: IdentityProviderPeer = {
    issuer: `${kind === 'entra' ? microsoft : origin}${base}`,
    clientId,
    clientSecret,
    person: null,
    tamper: null,
    forge: false,
    failing: false,
    fetch: (url, options) => {
      const request = options as RequestInit
      if (!url.startsWith(microsoft)) return fetch(url, request)
      const headers = new Headers(request.headers)
      headers.set('x-forwarded-host', new URL(microsoft).host)
      headers.set('x-forwarded-proto', 'https')
      return fetch(origin + url.slice(microsoft.length), { ...request, headers })
    },
    visit: (url) => followPages(url, redirectUri, origin),
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }

  const configuration: Configuration = {
    ...buildConfiguration(() => peer.person, privateKey, redirectUri),
    routes: {
      authorization: `${endpoints}/${names[0]}`,
      token: `${endpoints}/token`,
      jwks: `${endpoints}/${names[1]}`,
    },
  }
  const provider = new Provider(kind === 'entra' ? `${microsoft}/organizations/v2.0` : peer.issuer, configuration)
  provider.proxy = true
  provider.use(async (context, next) => {
    await next()
    if (context.path.endsWith('/token')) await replaceIdToken(context, peer, kind, { privateKey, foreignKey })
    if (kind === 'entra') speakAsEntra(context)
  })
  const callback = provider.callback()
  handlers.answer = async (request, reply) => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname.startsWith('/interaction/')) return interact(provider, peer, Boolean(withPage), request, reply)
    if (peer.failing) {
      reply.statusCode = 500
      return reply.end('down')
    }
    // The discovery document belongs under the issuer, but the library serves it at the root.
    if (url.pathname.startsWith(`${base}/.well-known/`)) request.url = url.pathname.slice(base.length)
    return callback(request, reply)
  }
  return peer
}

function buildConfiguration(
  present: () => PersonAtProvider | null,
  privateKey: KeyObject,
  redirectUri: string,
): Configuration {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'published', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookies of the provider'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    // Both products include the claims of a person in the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    claims: {
      openid: ['sub', 'tid', 'oid'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...present(), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
  }
}

/** The provider's sign-in page. */
async function interact(
  provider: Provider,
  peer: IdentityProviderPeer,
  withPage: boolean,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, reply)
  if (withPage && request.method === 'GET') {
    reply.setHeader('content-type', 'text/html; charset=utf-8')
    reply.end(`<!doctype html><title>Provider</title><h1>Provider</h1>
      <form method="post"><button>Continue as ${peer.person?.name}</button></form>`)
    return
  }
  const result = peer.person
    ? { [prompt.name]: prompt.name === 'login' ? { accountId: peer.person.sub } : {} }
    : { error: 'access_denied', error_description: 'the person cancelled' }
  await provider.interactionFinished(request, reply, result, { mergeWithLastSubmission: true })
}

/** Sets the person's tenant as the issuer for Entra, and applies `tamper` and `forge` for both products. */
async function replaceIdToken(
  context: Context,
  peer: IdentityProviderPeer,
  kind: Style['kind'],
  keys: { privateKey: KeyObject; foreignKey: KeyObject },
): Promise<void> {
  const body = context.body as { id_token?: string }
  if (!body.id_token) return
  const claims: Claims = decodeJwt(body.id_token)
  if (kind === 'entra') claims.iss = `${microsoft}/${claims.tid}/v2.0`
  const changed = peer.tamper?.(claims) ?? claims
  const idToken = await new SignJWT(changed)
    .setProtectedHeader({ alg: 'RS256', kid: 'published' })
    .sign(peer.forge ? keys.foreignKey : keys.privateKey)
  context.body = { ...body, id_token: idToken }
}

/** In Entra, the metadata of `organizations` contains a literal `{tenantid}`, and the callback gets no `iss`. */
function speakAsEntra(context: Context): void {
  if (context.path.startsWith('/.well-known/')) {
    const { authorization_response_iss_parameter_supported: _, ...metadata } = context.body as Claims
    context.body = { ...metadata, issuer: `${microsoft}/{tenantid}/v2.0` }
  }
  const location = context.response.get('location')
  if (!location?.includes('?')) return
  const url = new URL(location, microsoft)
  url.searchParams.delete('iss')
  context.set('location', url.origin === microsoft ? url.pathname + url.search : url.href)
}

/** A headless client that keeps cookies and follows redirects up to the callback page. */
async function followPages(start: string, redirectUri: string, origin: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  let url = start.replace(microsoft, origin)
  for (let hops = 0; hops < 12; hops += 1) {
    if (url.startsWith(redirectUri)) return Object.fromEntries(new URL(url).searchParams)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answers ${answer.status}: ${(await answer.text()).slice(0, 400)}`)
    url = new URL(location, url).href.replace(microsoft, origin)
  }
  throw new Error('the provider redirects without end')
}
