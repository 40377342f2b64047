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
import { latestMail, readCode, wrongCode } from '../../testing/factories/newcomers.ts'
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

  /** A person whose identity is linked to the account that they opened with it. */
  async function connectedPerson() {
    const person = keycloakPerson()
    const first = await signInAt(portal, person)
    const proven = await proveAddress(portal, first.body.newcomer?.ticket ?? '', person.email)
    const ticket = proven.body.newcomer?.ticket ?? ''
    const opened = await portal.test.call(registerIdentity, { body: { ...details, ticket } })
    expect(opened.status, JSON.stringify(opened.error)).toBe(200)
    return { person, session: opened.body }
  }

  it('opens an account with Keycloak, and the next time just signs in', async () => {
    const person = keycloakPerson()
    const first = await signInAt(portal, person)
    expect(first.body).toMatchObject({
      session: null,
      newcomer: { provider: 'keycloak', email: person.email, name: person.name, emailProven: false },
    })
    const ticket = first.body.newcomer?.ticket ?? ''
    const early = await portal.test.call(registerIdentity, { body: { ...details, ticket } })
    expect(early.error.code).toBe('identity_ticket')
    const proven = await proveAddress(portal, ticket, person.email)
    expect(proven.body).toMatchObject({ session: null, newcomer: { email: person.email, emailProven: true } })
    const opened = await portal.test.call(registerIdentity, {
      body: { ...details, ticket: proven.body.newcomer?.ticket ?? '' },
    })
    expect(opened.body.user).toMatchObject({ email: person.email, name: 'Nur Izzati', hasPassword: false })
    const again = await signInAt(portal, person)
    expect(again.body.session?.user.id).toBe(opened.body.user.id)
    const profile = await portal.test.call(getProfile, { token: again.body.session?.token ?? '' })
    expect(profile.body.email).toBe(person.email)
  })

  it('knows people by issuer and subject: another address at the provider changes nothing', async () => {
    const { person, session } = await connectedPerson()
    const someone = await createCustomer(portal.test)
    const answer = await signInAt(portal, { ...person, email: someone.email, email_verified: true })
    expect(answer.body.session?.user.id).toBe(session.user.id)
  })

  it('never takes the word of a provider for an address, verified or not', async () => {
    const customer = await createCustomer(portal.test)
    for (const email_verified of [true, false]) {
      const first = await signInAt(portal, keycloakPerson({ email: customer.email, email_verified }))
      expect(first.body).toMatchObject({ session: null, newcomer: { email: customer.email, emailProven: false } })
    }
  })

  it('connects with the account of an address once a mailed code proves it, and says so by mail', async () => {
    const customer = await createCustomer(portal.test)
    const person = keycloakPerson({ email: customer.email })
    const first = await signInAt(portal, person)
    const proven = await proveAddress(portal, first.body.newcomer?.ticket ?? '', customer.email)
    expect(proven.body.session?.user.id).toBe(customer.userId)
    await portal.test.settle()
    expect((await latestMail(portal.test, customer.email)).subject).toContain('Keycloak')
    const token = proven.body.session?.token ?? ''
    const identities = await portal.test.call(listIdentities, { token })
    expect(identities.body.items).toMatchObject([{ provider: 'keycloak', email: customer.email }])
    expect((await signInAt(portal, person)).body.session?.user.id).toBe(customer.userId)
  })

  it('counts wrong codes, and takes none of another browser', async () => {
    const person = keycloakPerson()
    const { newcomer } = (await signInAt(portal, person)).body
    const ticket = newcomer?.ticket ?? ''
    const mailed = await portal.test.call(mailIdentityCode, { body: { ticket, email: person.email } })
    await portal.test.settle()
    const code = readCode(await latestMail(portal.test, person.email))
    const prove = (browserToken: string, tried: string) =>
      portal.test.call(proveIdentityEmail, { body: { ticket, browserToken, code: tried } })
    expect((await prove('another browser', code)).error.code).toBe('code_wrong')
    for (let n = 0; n < 4; n += 1) {
      expect((await prove(mailed.body.browserToken, wrongCode(code))).error.code).toBe('code_wrong')
    }
    expect((await prove(mailed.body.browserToken, wrongCode(code))).error.code).toBe('code_void')
    expect((await prove(mailed.body.browserToken, code)).error.code).toBe('code_void')
  })

  it('refuses a second identity of the same provider for one address', async () => {
    const { person } = await connectedPerson()
    const namesake = keycloakPerson({ email: person.email })
    const first = await signInAt(portal, namesake)
    const proven = await proveAddress(portal, first.body.newcomer?.ticket ?? '', person.email)
    expect(proven.status).toBe(409)
    expect(proven.error).toMatchObject({ code: 'identity_namesake' })
    expect((await signInAt(portal, namesake)).body.session).toBeNull()
  })

  it('signs in with Entra by tenant and object id, without an address, where the issuer is a template', async () => {
    const person = entraPerson()
    const first = await signInAt(portal, person, { provider: 'ms365' })
    expect(first.body.newcomer).toMatchObject({ provider: 'ms365', email: null, emailProven: false })
    const customer = await createCustomer(portal.test)
    const proven = await proveAddress(portal, first.body.newcomer?.ticket ?? '', customer.email)
    expect(proven.body.session?.user.id).toBe(customer.userId)
    // The subject of Entra differs by application; the object id stays.
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

  it('refuses people of a foreign tenant, personal accounts included, however they are called', async () => {
    for (const tid of [foreignTenant, personalTenant]) {
      const customer = await createCustomer(portal.test)
      const person = entraPerson({ tid, email: customer.email })
      const answer = await signInAt(portal, person, { provider: 'ms365' })
      expect(answer).toMatchObject({ status: 403, error: { code: 'provider_tenant' } })
      expect(answer.error.message).toContain('organisation')
    }
  })

  it('refuses an Entra token that names no tenant or no object', async () => {
    for (const missing of ['oid', 'tid']) {
      const person = entraPerson()
      portal.entra.tamper = ({ [missing]: _, ...claims }) => claims
      expect((await signInAt(portal, person, { provider: 'ms365' })).error.code).toBe('provider_answer')
    }
  })

  it('explains what is wrong with an answer, and does not sign in', async () => {
    const cases: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
      ['wrong nonce', (claims) => ({ ...claims, nonce: 'of another sign-in' })],
      ['another issuer', (claims) => ({ ...claims, iss: 'https://id.example.com/realms/other' })],
      ['wrong audience', (claims) => ({ ...claims, aud: 'another-application' })],
      ['wrong audience', (claims) => ({ ...claims, aud: ['waybill', 'other'], azp: 'other' })],
      ['has expired', (claims) => ({ ...claims, exp: 1_600_000_000 })],
    ]
    const { person } = await connectedPerson()
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

  it('refuses an answer that belongs to another sign-in', async () => {
    const { person } = await connectedPerson()
    portal.keycloak.person = person
    const wrongNonce = (url: string) => {
      const changed = new URL(url)
      changed.searchParams.set('nonce', 'chosen by somebody else')
      return changed.href
    }
    const swapped = await visitProvider(portal, { rewrite: wrongNonce })
    const finish = (body: BodyIn<typeof finishProviderSignIn>) => portal.test.call(finishProviderSignIn, { body })
    const nonce = await finish({ browserToken: swapped.browserToken, ...swapped.answer })
    expect(nonce.error).toMatchObject({ code: 'provider_answer', message: expect.stringContaining('nonce') })
    const mine = await visitProvider(portal)
    const other = await visitProvider(portal)
    const code = other.answer.code ?? ''
    // The code of another sign-in: its PKCE verifier is another one.
    const mixed = await finish({ browserToken: mine.browserToken, ...mine.answer, code })
    expect(mixed.error).toMatchObject({ code: 'provider_answer' })
    const otherIssuer = await visitProvider(portal)
    const iss = 'https://id.example.com/realms/other'
    const mixUp = await finish({ browserToken: otherIssuer.browserToken, ...otherIssuer.answer, iss })
    expect(mixUp.error.message).toContain('another issuer')
  })

  it('takes a state once, for ten minutes, and only in the browser that began', async () => {
    const { test } = portal
    const { person } = await connectedPerson()
    portal.keycloak.person = person
    const { browserToken, answer } = await visitProvider(portal)
    expect((await test.call(finishProviderSignIn, { body: { browserToken, ...answer } })).status).toBe(200)
    const again = await test.call(finishProviderSignIn, { body: { browserToken, ...answer } })
    expect(again).toMatchObject({ status: 422, error: { code: 'provider_state_used' } })
    const invented = { browserToken, ...answer, state: 'invented' }
    expect((await test.call(finishProviderSignIn, { body: invented })).error.code).toBe('provider_state')
    const stolen = await visitProvider(portal)
    const elsewhere = await test.call(finishProviderSignIn, {
      body: { ...stolen.answer, browserToken: 'of another browser' },
    })
    expect(elsewhere.error.code).toBe('provider_state')
    const slow = await visitProvider(portal)
    test.clock.advance(minutes(11))
    const late = await test.call(finishProviderSignIn, { body: { browserToken: slow.browserToken, ...slow.answer } })
    expect(late.error.code).toBe('provider_state_expired')
  })

  it('says that the user cancelled at the provider', async () => {
    const answer = await signInAt(portal, null)
    expect(answer).toMatchObject({ status: 422, error: { code: 'provider_denied' } })
    expect(answer.error.message).toContain('Keycloak')
  })

  it('refuses a blocked user and a blocked account', async () => {
    const { test } = portal
    const blockedUser = await connectedPerson()
    const id = blockedUser.session.user.id
    await test.deps.db.updateTable('users').set({ status: 'blacklisted' }).where('id', '=', id).execute()
    expect(await signInAt(portal, blockedUser.person)).toMatchObject({
      status: 403,
      error: { code: 'account_blocked' },
    })
    const blocked = await connectedPerson()
    const accountId = blocked.session.user.account?.id ?? ''
    await test.deps.db.updateTable('accounts').set({ status: 'blacklisted' }).where('id', '=', accountId).execute()
    expect((await signInAt(portal, blocked.person)).error.code).toBe('account_blocked')
  })

  it('signs in existing staff only on the staff page', async () => {
    const staff = await createStaff(portal.test)
    const person = keycloakPerson({ email: staff.email })
    const first = await signInAt(portal, person, { side: 'staff' })
    expect(first.body.newcomer).toMatchObject({ side: 'staff', email: staff.email })
    const proven = await proveAddress(portal, first.body.newcomer?.ticket ?? '', staff.email)
    expect(proven.body.session?.user).toMatchObject({ id: staff.userId, kind: 'staff' })
    // The same identity does not exist among the customers.
    expect((await signInAt(portal, person)).body).toMatchObject({ session: null, newcomer: { side: 'customer' } })
    const stranger = keycloakPerson()
    const there = await signInAt(portal, stranger, { side: 'staff' })
    const unknown = await proveAddress(portal, there.body.newcomer?.ticket ?? '', stranger.email)
    expect(unknown).toMatchObject({ status: 403, error: { code: 'staff_unknown' } })
    const ticket = (await signInAt(portal, keycloakPerson(), { side: 'staff' })).body.newcomer?.ticket ?? ''
    expect((await portal.test.call(registerIdentity, { body: { ...details, ticket } })).error.code).toBe(
      'identity_ticket',
    )
    await portal.test.deps.db.updateTable('users').set({ status: 'inactive' }).where('id', '=', staff.userId).execute()
    expect((await signInAt(portal, person, { side: 'staff' })).error.code).toBe('account_suspended')
  })

  it('asks staff for the second factor where one is required', async () => {
    const staff = await createStaff(portal.test)
    const person = keycloakPerson({ email: staff.email })
    const first = await signInAt(portal, person, { side: 'staff' })
    await proveAddress(portal, first.body.newcomer?.ticket ?? '', staff.email)
    await portal.saveSettings({ 'auth.staffSecondFactor': 'required' })
    const answer = await signInAt(portal, person, { side: 'staff' })
    expect(answer.error).toMatchObject({ code: 'second_factor', details: { step: 'setup' } })
    await portal.saveSettings({ 'auth.staffSecondFactor': 'off' })
  })

  it('knows which providers are for whom', async () => {
    await portal.saveSettings({ 'keycloak.sides': ['customer'] })
    const start = (side: 'customer' | 'staff') =>
      portal.test.call(startProviderSignIn, { params: { provider: 'keycloak' }, body: { side } })
    expect((await start('staff')).error.code).toBe('login_method_off')
    expect((await start('customer')).status).toBe(200)
    await portal.saveSettings({ 'keycloak.sides': ['customer', 'staff'] })
  })
})
