import {
  finishProviderSignIn,
  listIdentities,
  mailIdentityCode,
  proveIdentityEmail,
  registerIdentity,
  startProviderSignIn,
} from '@waybill/contract/accounts/identity-providers'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { minutes } from '../../../src/lib/clock.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { latestCode, latestMail, wrongCode } from '../../testing/factories/newcomers.ts'
import {
  entraPerson,
  keycloakPerson,
  type Portal,
  proveAddress,
  signInAt,
  startPortal,
  visitProvider,
} from './provider-sign-in.ts'

const foreignTenant = '99999999-8888-7777-6666-555555555555'
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

describe('sign-in at an identity provider', () => {
  let portal: Portal
  beforeAll(async () => {
    portal = await startPortal()
  })
  beforeEach(() => {
    for (const peer of [portal.keycloak, portal.entra]) Object.assign(peer, { tamper: null, forge: false })
  })

  const details = { userType: 'customer', name: 'Nur Izzati', phone: '+60123456789', acceptTerms: true } as const

  /** A person whose identity is linked to the account that they created with it. */
  async function connectPerson() {
    const person = keycloakPerson()
    const first = await signInAt(portal, person)
    const proof = await proveAddress(portal, first.body.newcomer?.ticket ?? '', person.email)
    const ticket = proof.body.newcomer?.ticket ?? ''
    const registration = await portal.test.call(registerIdentity, { body: { ...details, ticket } })
    expect(registration.status, JSON.stringify(registration.error)).toBe(200)
    return { person, session: registration.body }
  }

  it('creates an account with Keycloak at the first sign-in, and signs in to it the next time', async () => {
    const person = keycloakPerson()
    const first = await signInAt(portal, person)
    expect(first.body).toMatchObject({
      session: null,
      newcomer: { provider: 'keycloak', email: person.email, name: person.name, emailProven: false },
    })
    const ticket = first.body.newcomer?.ticket ?? ''
    const early = await portal.test.call(registerIdentity, { body: { ...details, ticket } })
    expect(early.error.code).toBe('identity_ticket')
    const proof = await proveAddress(portal, ticket, person.email)
    expect(proof.body).toMatchObject({ session: null, newcomer: { email: person.email, emailProven: true } })
    const registration = await portal.test.call(registerIdentity, {
      body: { ...details, ticket: proof.body.newcomer?.ticket ?? '' },
    })
    expect(registration.body.user).toMatchObject({ email: person.email, name: 'Nur Izzati', hasPassword: false })
    const secondSignIn = await signInAt(portal, person)
    expect(secondSignIn.body.session?.user.id).toBe(registration.body.user.id)
    const profile = await portal.test.call(getProfile, { token: secondSignIn.body.session?.token ?? '' })
    expect(profile.body.email).toBe(person.email)
  })

  it('identifies users by issuer and subject: another address at the provider changes nothing', async () => {
    const { person, session } = await connectPerson()
    const someone = await createCustomer(portal.test)
    const answer = await signInAt(portal, { ...person, email: someone.email, email_verified: true })
    expect(answer.body.session?.user.id).toBe(session.user.id)
  })

  it('never trusts the address from a provider, verified or not', async () => {
    const customer = await createCustomer(portal.test)
    for (const email_verified of [true, false]) {
      const first = await signInAt(portal, keycloakPerson({ email: customer.email, email_verified }))
      expect(first.body).toMatchObject({ session: null, newcomer: { email: customer.email, emailProven: false } })
    }
  })

  it('links the account of an address after an emailed code verifies it, and notifies by email', async () => {
    const customer = await createCustomer(portal.test)
    const person = keycloakPerson({ email: customer.email })
    const first = await signInAt(portal, person)
    const proof = await proveAddress(portal, first.body.newcomer?.ticket ?? '', customer.email)
    expect(proof.body.session?.user.id).toBe(customer.userId)
    await portal.test.settle()
    expect((await latestMail(portal.test, customer.email)).subject).toContain('Keycloak')
    const token = proof.body.session?.token ?? ''
    const identities = await portal.test.call(listIdentities, { token })
    expect(identities.body.items).toMatchObject([{ provider: 'keycloak', email: customer.email }])
    expect((await signInAt(portal, person)).body.session?.user.id).toBe(customer.userId)
  })

  it('counts wrong codes, and rejects codes from another browser', async () => {
    const person = keycloakPerson()
    const { newcomer } = (await signInAt(portal, person)).body
    const ticket = newcomer?.ticket ?? ''
    const codeMail = await portal.test.call(mailIdentityCode, { body: { ticket, email: person.email } })
    await portal.test.settle()
    const code = await latestCode(portal.test, person.email)
    const prove = (browserToken: string, code: string) =>
      portal.test.call(proveIdentityEmail, { body: { ticket, browserToken, code } })
    expect((await prove('another browser', code)).error.code).toBe('code_wrong')
    for (let n = 0; n < 4; n += 1) {
      expect((await prove(codeMail.body.browserToken, wrongCode(code))).error.code).toBe('code_wrong')
    }
    expect((await prove(codeMail.body.browserToken, wrongCode(code))).error.code).toBe('code_void')
    expect((await prove(codeMail.body.browserToken, code)).error.code).toBe('code_void')
  })

  it('rejects a second identity of the same provider for one address', async () => {
    const { person } = await connectPerson()
    const namesake = keycloakPerson({ email: person.email })
    const first = await signInAt(portal, namesake)
    const proof = await proveAddress(portal, first.body.newcomer?.ticket ?? '', person.email)
    expect(proof.status).toBe(409)
    expect(proof.error).toMatchObject({ code: 'identity_namesake' })
    expect((await signInAt(portal, namesake)).body.session).toBeNull()
  })

  it('signs in with Entra by tenant and object id, without an address, with a template as the issuer', async () => {
    const person = entraPerson()
    const first = await signInAt(portal, person, { provider: 'ms365' })
    expect(first.body.newcomer).toMatchObject({ provider: 'ms365', email: null, emailProven: false })
    const customer = await createCustomer(portal.test)
    const proof = await proveAddress(portal, first.body.newcomer?.ticket ?? '', customer.email)
    expect(proof.body.session?.user.id).toBe(customer.userId)
    // The subject of Entra differs by application, but the object id does not.
    const later = await signInAt(portal, { ...person, sub: 'another pairwise subject' }, { provider: 'ms365' })
    expect(later.body.session?.user.id).toBe(customer.userId)
    const [identity] = await portal.test.deps.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', customer.userId)
      .execute()
    expect(identity).toMatchObject({
      issuer: `https://login.microsoftonline.com/${person.tid}/v2.0`,
      subject: person.oid,
    })
  })

  it('rejects users of a foreign tenant and personal accounts, whatever their names are', async () => {
    for (const tid of [foreignTenant, personalTenant]) {
      const customer = await createCustomer(portal.test)
      const person = entraPerson({ tid, email: customer.email })
      const answer = await signInAt(portal, person, { provider: 'ms365' })
      expect(answer).toMatchObject({ status: 403, error: { code: 'provider_tenant' } })
      expect(answer.error.message).toContain('organisation')
    }
  })

  it('rejects an Entra token without a tenant or an object id', async () => {
    for (const claimName of ['oid', 'tid']) {
      const person = entraPerson()
      portal.entra.tamper = ({ [claimName]: _, ...claims }) => claims
      expect((await signInAt(portal, person, { provider: 'ms365' })).error.code).toBe('provider_answer')
    }
  })

  it('reports what is wrong with an answer, and does not sign in', async () => {
    const cases: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
      ['wrong nonce', (claims) => ({ ...claims, nonce: 'of another sign-in' })],
      ['another issuer', (claims) => ({ ...claims, iss: 'https://id.example.com/realms/other' })],
      ['wrong audience', (claims) => ({ ...claims, aud: 'another-application' })],
      ['wrong audience', (claims) => ({ ...claims, aud: ['waybill', 'other'], azp: 'other' })],
      ['has expired', (claims) => ({ ...claims, exp: 1_600_000_000 })],
    ]
    const { person } = await connectPerson()
    for (const [words, tamper] of cases) {
      portal.keycloak.tamper = tamper
      const answer = await signInAt(portal, person)
      expect(answer, words).toMatchObject({ status: 422, error: { code: 'provider_answer' } })
      expect(answer.error.message).toContain(words)
    }
    portal.keycloak.tamper = null
    portal.keycloak.forge = true
    expect((await signInAt(portal, person)).error.code).toBe('provider_answer')
    portal.keycloak.forge = false
    expect((await signInAt(portal, person)).status).toBe(200)
  })

  it('rejects an answer that belongs to another sign-in', async () => {
    const { person } = await connectPerson()
    portal.keycloak.person = person
    const replaceNonce = (url: string) => {
      const changedUrl = new URL(url)
      changedUrl.searchParams.set('nonce', 'chosen by somebody else')
      return changedUrl.href
    }
    const wrongNonceVisit = await visitProvider(portal, { rewrite: replaceNonce })
    const finish = (body: BodyIn<typeof finishProviderSignIn>) => portal.test.call(finishProviderSignIn, { body })
    const nonce = await finish({ browserToken: wrongNonceVisit.browserToken, ...wrongNonceVisit.answer })
    expect(nonce.error).toMatchObject({ code: 'provider_answer', message: expect.stringContaining('nonce') })
    const visit = await visitProvider(portal)
    const other = await visitProvider(portal)
    const code = other.answer.code ?? ''
    // The code of another sign-in has another PKCE verifier.
    const wrongAnswer = await finish({ browserToken: visit.browserToken, ...visit.answer, code })
    expect(wrongAnswer.error).toMatchObject({ code: 'provider_answer' })
    const otherIssuer = await visitProvider(portal)
    const iss = 'https://id.example.com/realms/other'
    const mixUp = await finish({ browserToken: otherIssuer.browserToken, ...otherIssuer.answer, iss })
    expect(mixUp.error.message).toContain('another issuer')
  })

  it('accepts a state once, for ten minutes, and only in the browser that started the sign-in', async () => {
    const { test } = portal
    const { person } = await connectPerson()
    portal.keycloak.person = person
    const { browserToken, answer } = await visitProvider(portal)
    expect((await test.call(finishProviderSignIn, { body: { browserToken, ...answer } })).status).toBe(200)
    const repetition = await test.call(finishProviderSignIn, { body: { browserToken, ...answer } })
    expect(repetition).toMatchObject({ status: 422, error: { code: 'provider_state_used' } })
    const inventedState = { browserToken, ...answer, state: 'invented' }
    expect((await test.call(finishProviderSignIn, { body: inventedState })).error.code).toBe('provider_state')
    const stolenVisit = await visitProvider(portal)
    const elsewhere = await test.call(finishProviderSignIn, {
      body: { ...stolenVisit.answer, browserToken: 'of another browser' },
    })
    expect(elsewhere.error.code).toBe('provider_state')
    const slow = await visitProvider(portal)
    test.clock.advance(minutes(11))
    const late = await test.call(finishProviderSignIn, { body: { browserToken: slow.browserToken, ...slow.answer } })
    expect(late.error.code).toBe('provider_state_expired')
  })

  it('reports that the user cancelled at the provider', async () => {
    const answer = await signInAt(portal, null)
    expect(answer).toMatchObject({ status: 422, error: { code: 'provider_denied' } })
    expect(answer.error.message).toContain('Keycloak')
  })

  it('rejects a blocked user and a user of a blocked account', async () => {
    const { test } = portal
    const blockedUser = await connectPerson()
    const id = blockedUser.session.user.id
    await test.deps.db.updateTable('users').set({ status: 'blacklisted' }).where('id', '=', id).execute()
    expect(await signInAt(portal, blockedUser.person)).toMatchObject({
      status: 403,
      error: { code: 'account_blocked' },
    })
    const blockedPerson = await connectPerson()
    const accountId = blockedPerson.session.user.account?.id ?? ''
    await test.deps.db.updateTable('accounts').set({ status: 'blacklisted' }).where('id', '=', accountId).execute()
    expect((await signInAt(portal, blockedPerson.person)).error.code).toBe('account_blocked')
  })

  it('signs in existing staff only on the page for staff', async () => {
    const staff = await createStaff(portal.test)
    const person = keycloakPerson({ email: staff.email })
    const first = await signInAt(portal, person, { side: 'staff' })
    expect(first.body.newcomer).toMatchObject({ side: 'staff', email: staff.email })
    const proof = await proveAddress(portal, first.body.newcomer?.ticket ?? '', staff.email)
    expect(proof.body.session?.user).toMatchObject({ id: staff.userId, kind: 'staff' })
    // No customer is linked to the same identity.
    expect((await signInAt(portal, person)).body).toMatchObject({ session: null, newcomer: { side: 'customer' } })
    const stranger = keycloakPerson()
    const staffSignIn = await signInAt(portal, stranger, { side: 'staff' })
    const unknown = await proveAddress(portal, staffSignIn.body.newcomer?.ticket ?? '', stranger.email)
    expect(unknown).toMatchObject({ status: 403, error: { code: 'staff_unknown' } })
    const ticket = (await signInAt(portal, keycloakPerson(), { side: 'staff' })).body.newcomer?.ticket ?? ''
    expect((await portal.test.call(registerIdentity, { body: { ...details, ticket } })).error.code).toBe(
      'identity_ticket',
    )
    await portal.test.deps.db.updateTable('users').set({ status: 'inactive' }).where('id', '=', staff.userId).execute()
    expect((await signInAt(portal, person, { side: 'staff' })).error.code).toBe('account_suspended')
  })

  it('asks staff for the second factor if it is required', async () => {
    const staff = await createStaff(portal.test)
    const person = keycloakPerson({ email: staff.email })
    const first = await signInAt(portal, person, { side: 'staff' })
    await proveAddress(portal, first.body.newcomer?.ticket ?? '', staff.email)
    await portal.saveSettings({ 'auth.staffSecondFactor': 'required' })
    const answer = await signInAt(portal, person, { side: 'staff' })
    expect(answer.error).toMatchObject({ code: 'second_factor', details: { step: 'setup' } })
    await portal.saveSettings({ 'auth.staffSecondFactor': 'off' })
  })

  it('offers each provider only to the users that it is set up for', async () => {
    await portal.saveSettings({ 'keycloak.sides': ['customer'] })
    const start = (side: 'customer' | 'staff') =>
      portal.test.call(startProviderSignIn, { params: { provider: 'keycloak' }, body: { side } })
    expect((await start('staff')).error.code).toBe('login_method_off')
    expect((await start('customer')).status).toBe(200)
    await portal.saveSettings({ 'keycloak.sides': ['customer', 'staff'] })
  })
})
