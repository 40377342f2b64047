import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMember, listMembers, removeMember, resendCredential } from '@waybill/contract/accounts/company'
import { finishProviderSignIn, startProviderSignIn } from '@waybill/contract/accounts/identity-providers'
import {
  changePassword,
  forgetPassword,
  getProfile,
  login,
  register,
  resendRegistration,
  resetPassword,
  staffLogin,
  verifyRegistration,
} from '@waybill/contract/accounts/sign-in'
import { getGeneralSettings, getSettings } from '@waybill/contract/settings/settings'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { afterUse } from '../../testing/after-use.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { latestCode, latestMail, newcomer, readLinkToken } from '../../testing/factories/newcomers.ts'
import { startSilentServer } from '../../testing/peers/silent-server.ts'
import { keycloakPerson, type Portal, signInAt, startPortal, visitProvider } from './provider-sign-in.ts'

const password = 'correct horse battery'

describe('the login methods of the settings', () => {
  let portal: Portal
  beforeAll(async () => {
    portal = await startPortal()
  })
  afterEach(async () => {
    const { keycloak, saveSettings } = portal
    await saveSettings({
      'auth.methods': ['local', 'keycloak', 'ms365'],
      'keycloak.issuer': keycloak.issuer,
      'keycloak.clientId': keycloak.clientId,
      'keycloak.clientSecret': keycloak.clientSecret,
      'keycloak.sides': ['customer', 'staff'],
      'ms365.sides': ['customer', 'staff'],
    })
  })

  const listOffers = async () => {
    const { body } = await portal.test.call(getGeneralSettings)
    return { loginMethods: body.loginMethods, loginProviders: body.loginProviders }
  }

  it('are shown on the sign-in pages with the texts of their buttons', async () => {
    await portal.saveSettings({ 'ms365.label': 'Kinabalu work account', 'ms365.sides': ['staff'] })
    expect(await listOffers()).toEqual({
      loginMethods: ['local', 'keycloak', 'ms365'],
      loginProviders: [
        { provider: 'keycloak', label: 'Keycloak', sides: ['customer', 'staff'] },
        { provider: 'ms365', label: 'Kinabalu work account', sides: ['staff'] },
      ],
    })
    await portal.saveSettings({ 'keycloak.label': 'Head office' })
    expect((await listOffers()).loginProviders[0]?.label).toBe('Head office')
    await portal.saveSettings({ 'auth.methods': ['local'], 'ms365.label': null, 'keycloak.label': null })
    expect(await listOffers()).toEqual({ loginMethods: ['local'], loginProviders: [] })
    const start = await portal.test.call(startProviderSignIn, {
      params: { provider: 'keycloak' },
      body: { side: 'customer' },
    })
    expect(start).toMatchObject({ status: 403, error: { code: 'login_method_off' } })
  })

  it('cannot be enabled before their setup is complete, or lose their setup while enabled', async () => {
    const removal = await portal.saveSettings({ 'keycloak.clientSecret': null, 'keycloak.issuer': null })
    expect(removal.status).toBe(422)
    expect(removal.error.errors?.map(({ field }) => field)).toEqual(['keycloak.issuer', 'keycloak.clientSecret'])
    const apart = { 'auth.methods': ['local'], 'keycloak.clientSecret': null, 'keycloak.issuer': null }
    expect((await portal.saveSettings(apart)).status).toBe(200)
    const early = await portal.saveSettings({ 'auth.methods': ['local', 'keycloak'] })
    expect(early.error.errors?.map(({ field }) => field)).toEqual(['keycloak.issuer', 'keycloak.clientSecret'])
    expect(await listOffers()).toMatchObject({ loginMethods: ['local'] })
  })

  it('must leave customers and staff at least one login method', async () => {
    const answer = await portal.saveSettings({ 'auth.methods': ['keycloak'], 'keycloak.sides': ['customer'] })
    expect(answer.error.errors).toMatchObject([{ field: 'auth.methods' }])
    expect((await portal.saveSettings({ 'auth.methods': [] })).status).toBe(422)
    const both = { 'auth.methods': ['keycloak', 'ms365'], 'keycloak.sides': ['customer'], 'ms365.sides': ['staff'] }
    expect((await portal.saveSettings(both)).status).toBe(200)
  })

  it('accept only trustworthy issuer URLs, and tenants given by id', async () => {
    const bad = {
      'keycloak.issuer': ['http://id.example.com/realms/a', 'javascript:alert(1)', 'https://user:pw@id.example.com'],
      'ms365.issuer': ['https://login.example.com/organizations/v2.0', 'https://login.microsoftonline.com/'],
      'ms365.tenants': [['contoso.com'], ['{tenantid}'], []],
    }
    for (const [key, values] of Object.entries(bad)) {
      for (const value of values) {
        expect((await portal.saveSettings({ [key]: value })).error.errors?.[0]?.field, String(value)).toBe(key)
      }
    }
  })

  it('never return the client secrets, and store them encrypted', async () => {
    const { token } = await createStaff(portal.test, { type: 'superadmin' })
    const answer = await portal.test.call(getSettings, { token })
    expect(answer.body.secretsSet).toMatchObject({ 'keycloak.clientSecret': true, 'ms365.clientSecret': true })
    expect(answer.raw.toString()).not.toContain(portal.keycloak.clientSecret)
    const rows = await portal.test.deps.db.selectFrom('settings').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(portal.keycloak.clientSecret)
  })

  it('reject every password of customers while `local` is off', async () => {
    const { test } = portal
    const customer = await createCustomer(test, { password })
    const person = newcomer()
    const registration = await test.call(register, { body: person })
    const { browserToken } = registration.body
    await test.settle()
    const code = await latestCode(test, person.email)
    const resetRequest = await test.call(forgetPassword, { body: { email: customer.email } })
    await test.settle()
    const resetCode = await latestCode(test, customer.email)
    const owner = await createCustomer(test, { userType: 'corporate' })
    const invitedEmail = 'invited-before@example.test'
    await test.call(createMember, { token: owner.token, body: { name: 'Ali', email: invitedEmail, permissions: [] } })
    await test.settle()
    const firstLink = readLinkToken(await latestMail(test, invitedEmail))
    await portal.saveSettings({ 'auth.methods': ['keycloak', 'ms365'] })
    const refusals = await Promise.all([
      test.call(login, { body: { email: customer.email, password } }),
      test.call(register, { body: newcomer() }),
      test.call(resendRegistration, { body: { email: person.email, browserToken } }),
      test.call(verifyRegistration, { body: { code, browserToken } }),
      test.call(forgetPassword, { body: { email: customer.email } }),
      test.call(resetPassword, {
        body: { code: resetCode, browserToken: resetRequest.body.browserToken, password: 'a new one to use' },
      }),
      test.call(resetPassword, { body: { linkToken: firstLink, password: 'a new one to use' } }),
      test.call(changePassword, {
        token: customer.token,
        body: { currentPassword: password, password: 'a new one to use' },
      }),
    ])
    for (const answer of refusals) expect(answer).toMatchObject({ status: 403, error: { code: 'passwords_off' } })
    expect((await test.call(getProfile, { token: customer.token })).body.hasPassword).toBe(false)
    // The attempts have used up nothing: the codes work when passwords are enabled again.
    await portal.saveSettings({ 'auth.methods': ['local', 'keycloak', 'ms365'] })
    expect((await test.call(verifyRegistration, { body: { code, browserToken } })).status).toBe(200)
    expect((await test.call(login, { body: { email: customer.email, password } })).status).toBe(200)
  })

  it('reject passwords of staff too, but never lock out a superadmin', async () => {
    const { test } = portal
    const superadmin = await createStaff(test, { type: 'superadmin', password })
    const admin = await createStaff(test, { type: 'admin', password })
    await portal.saveSettings({ 'auth.methods': ['keycloak'] })
    const signIn = (email: string, tried = password) => test.call(staffLogin, { body: { email, password: tried } })
    expect((await signIn(admin.email)).error.code).toBe('passwords_off')
    expect((await signIn(superadmin.email)).status).toBe(200)
    // The answers do not reveal who is a superadmin.
    const [one, other] = [await signIn(admin.email, 'wrong'), await signIn(superadmin.email, 'wrong')]
    expect(one.error).toEqual(other.error)
    const change = await test.call(changePassword, {
      token: superadmin.token,
      body: { currentPassword: password, password: 'another good password' },
    })
    expect(change.status).toBe(200)
  })

  it('sign in an invited user with the link of the invitation', async () => {
    const { test } = portal
    await portal.saveSettings({ 'auth.methods': ['keycloak'] })
    const owner = await createCustomer(test, { userType: 'corporate' })
    const email = 'invited@example.test'
    const invite = async () => {
      const body = { name: 'Siti', email, permissions: ['pay' as const] }
      const member = await test.call(createMember, { token: owner.token, body })
      await test.settle()
      const link = /\/login\?invitation=([\w-]+)/.exec((await latestMail(test, email)).text)
      return { member, invitation: link?.[1] ?? '' }
    }
    const { member, invitation } = await invite()
    const person = keycloakPerson({ email: 'another@example.test' })
    const answer = await signInAt(portal, person, { invitation })
    expect(answer.body.session?.user).toMatchObject({ id: member.body.id, email, account: { id: owner.accountId } })
    const secondSignIn = await signInAt(portal, keycloakPerson(), { invitation })
    expect(secondSignIn.error.code).toBe('code_used')
    const { items } = (await test.call(listMembers, { token: owner.token, query: {} })).body
    expect(items.find(({ id }) => id === member.body.id)).toMatchObject({ invited: false, email })
    const resent = await test.call(resendCredential, { token: owner.token, params: { id: member.body.id } })
    expect(resent.error.code).toBe('passwords_off')
    expect((await signInAt(portal, person)).body.session?.user.id).toBe(member.body.id)

    // Removed and invited again, the person signs in with the same identity.
    await test.call(removeMember, { token: owner.token, params: { id: member.body.id } })
    const again = await invite()
    const session = (await signInAt(portal, person, { invitation: again.invitation })).body.session
    expect(session?.user.id).toBe(again.member.body.id)
  })

  it('report that a provider is down without a delay for other users', async () => {
    const { test } = portal
    const silent = await startSilentServer()
    afterUse(() => silent.stop())
    const customer = await createCustomer(test, { password })
    await portal.saveSettings({ 'keycloak.issuer': `http://127.0.0.1:${silent.port}/realms/slow` })
    const start = () => test.call(startProviderSignIn, { params: { provider: 'keycloak' }, body: { side: 'customer' } })
    let slowIsOver = false
    const slow = Promise.all(Array.from({ length: 30 }, start)).then((answers) => {
      slowIsOver = true
      return answers
    })
    await expect.poll(() => silent.calls()).toBeGreaterThan(0)
    // There are more waiting sign-ins than connections in the pool.
    expect((await test.call(login, { body: { email: customer.email, password } })).status).toBe(200)
    expect(slowIsOver).toBe(false)
    for (const answer of await slow) {
      expect(answer).toMatchObject({ status: 503, error: { code: 'provider_down' } })
      expect(answer.error.message).toContain('Keycloak')
    }
  }, 30_000)

  it('reject a provider whose metadata has a different issuer than the setting', async () => {
    const { test, keycloak } = portal
    let metadata = await (await fetch(`${keycloak.issuer}/.well-known/openid-configuration`)).text()
    const impostor = createServer((_request, reply) => {
      reply.setHeader('content-type', 'application/json').end(metadata)
    }).listen(0, '127.0.0.1')
    afterUse(() => new Promise((resolve) => impostor.close(resolve)))
    await once(impostor, 'listening')
    const { port } = impostor.address() as AddressInfo
    const issuer = `http://127.0.0.1:${port}/realms/waybill`
    await portal.saveSettings({ 'keycloak.issuer': issuer })
    const start = () => test.call(startProviderSignIn, { params: { provider: 'keycloak' }, body: { side: 'customer' } })
    expect(await start()).toMatchObject({ status: 503, error: { code: 'provider_down' } })
    metadata = metadata.replace(JSON.stringify(keycloak.issuer), JSON.stringify(issuer))
    expect((await start()).status).toBe(200)
  })

  it('report a provider that goes down during a sign-in', async () => {
    const { test, keycloak } = portal
    keycloak.person = keycloakPerson()
    const { browserToken, answer } = await visitProvider(portal)
    keycloak.failing = true
    const failure = await test.call(finishProviderSignIn, { body: { browserToken, ...answer } })
    expect(failure).toMatchObject({ status: 503, error: { code: 'provider_down' } })
    keycloak.failing = false
  })
})
