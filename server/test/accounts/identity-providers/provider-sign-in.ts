/** Shared by the tests of identity providers: a portal, its providers, and the steps of a sign-in. */
import {
  finishProviderSignIn,
  mailIdentityCode,
  proveIdentityEmail,
  startProviderSignIn,
} from '@waybill/contract/accounts/identity-providers'
import type { IdentityProvider, SignInSide } from '@waybill/contract/ground/constants'
import { putSettings } from '@waybill/contract/settings/settings'
import { expect } from 'vitest'
import { afterUse } from '../../testing/after-use.ts'
import { type Answered, buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { latestCode } from '../../testing/factories/newcomers.ts'
import { useManyAddresses } from '../../testing/many-addresses.ts'
import {
  type IdentityProviderPeer,
  type PersonAtProvider,
  startIdentityProvider,
} from '../../testing/peers/identity-provider.ts'

export const redirectUri = 'http://portal.test/auth/callback'
export const ownTenant = '11111111-2222-3333-4444-555555555555'

export type Portal = {
  test: TestApp
  keycloak: IdentityProviderPeer
  entra: IdentityProviderPeer
  /** Writes settings as a superadmin. */
  saveSettings(values: Record<string, unknown>): Promise<Answered<{ changed: string[] }>>
}

/** A portal with passwords, Keycloak and Microsoft 365 as login methods. */
export async function startPortal(): Promise<Portal> {
  const keycloak = await startIdentityProvider({ kind: 'keycloak', redirectUri })
  const entra = await startIdentityProvider({ kind: 'entra', redirectUri })
  afterUse(() => keycloak.stop())
  afterUse(() => entra.stop())
  const test = await buildTestApp({ TRUST_PROXY: 'on' }, { fetchProvider: entra.fetch })
  useManyAddresses(test)
  const portal: Portal = {
    test,
    keycloak,
    entra,
    async saveSettings(values) {
      // A new token each time: a test may have moved the clock beyond the lifetime of a token.
      const { token } = await createStaff(test, { type: 'superadmin' })
      return test.call(putSettings, { token, body: { values } })
    },
  }
  const answer = await portal.saveSettings({
    'keycloak.issuer': keycloak.issuer,
    'keycloak.clientId': keycloak.clientId,
    'keycloak.clientSecret': keycloak.clientSecret,
    'ms365.clientId': entra.clientId,
    'ms365.clientSecret': entra.clientSecret,
    'ms365.tenants': [ownTenant],
    'auth.methods': ['local', 'keycloak', 'ms365'],
  })
  expect(answer.status, JSON.stringify(answer.error)).toBe(200)
  return portal
}

let serial = 0

/** A Keycloak user with a verified address. */
export function keycloakPerson(overrides: Record<string, unknown> = {}): PersonAtProvider & { email: string } {
  serial += 1
  const email = `person${serial}@example.test`
  const sub = `keycloak-${serial}`
  return { sub, name: `Person ${serial}`, email, email_verified: true, ...overrides } as PersonAtProvider & {
    email: string
  }
}

/** An Entra user, by default without an address. */
export function entraPerson(overrides: Record<string, unknown> = {}): PersonAtProvider {
  serial += 1
  const oid = `00000000-0000-0000-0000-${String(serial).padStart(12, '0')}`
  return { sub: `pairwise-${serial}`, oid, tid: ownTenant, name: `Worker ${serial}`, ...overrides }
}

type Start = {
  provider?: IdentityProvider
  side?: SignInSide
  invitation?: string
  token?: string
  /** Changes the URL of the provider's page, as a man in the middle could. */
  rewrite?: (url: string) => string
}

/** Visits the provider and returns with its answer, which is not submitted yet. */
export async function visitProvider(
  { test, keycloak, entra }: Portal,
  { provider = 'keycloak', side = 'customer', invitation, rewrite = (url) => url }: Start = {},
): Promise<{ browserToken: string; answer: { state: string; code?: string; iss?: string; error?: string } }> {
  const start = await test.call(startProviderSignIn, {
    params: { provider },
    body: { side, ...(invitation ? { invitation } : {}) },
  })
  expect(start.status, JSON.stringify(start.error)).toBe(200)
  const peer = provider === 'keycloak' ? keycloak : entra
  const answer = await peer.visit(rewrite(start.body.url))
  return { browserToken: start.body.browserToken, answer: { state: '', ...answer } }
}

/** Signs a user in at a provider. */
export async function signInAt(portal: Portal, person: PersonAtProvider | null, options: Start = {}) {
  const { test, keycloak, entra } = portal
  const peer = options.provider === 'ms365' ? entra : keycloak
  peer.person = person
  const { browserToken, answer } = await visitProvider(portal, options)
  return test.call(finishProviderSignIn, {
    body: { browserToken, ...answer },
    ...(options.token ? { token: options.token } : {}),
  })
}

/** Verifies an address with the emailed code. */
export async function proveAddress({ test }: Portal, ticket: string, email: string) {
  const codeMail = await test.call(mailIdentityCode, { body: { ticket, email } })
  expect(codeMail.status, JSON.stringify(codeMail.error)).toBe(200)
  await test.settle()
  const code = await latestCode(test, email)
  return test.call(proveIdentityEmail, { body: { ticket, browserToken: codeMail.body.browserToken, code } })
}
