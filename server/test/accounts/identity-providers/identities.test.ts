import {
  finishProviderSignIn,
  listIdentities,
  removeIdentity,
  startIdentityLink,
} from '@waybill/contract/accounts/identity-providers'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { readMailedProof } from '../../testing/factories/proof.ts'
import type { PersonAtProvider } from '../../testing/peers/identity-provider.ts'
import { keycloakPerson, type Portal, signInAt, startPortal } from './provider-sign-in.ts'

const password = 'correct horse battery'
type ProofGiven = BodyIn<typeof startIdentityLink>

describe('the identities of a user', () => {
  let portal: Portal
  beforeAll(async () => {
    portal = await startPortal()
  })

  const listOwnIdentities = async (token: string) => (await portal.test.call(listIdentities, { token })).body.items

  /** Connects from the profile. `finisher`: whose session the browser has when it comes back. */
  async function connect(
    owner: TestCustomer,
    person: PersonAtProvider,
    { proof = { currentPassword: password } as ProofGiven, finisher = owner.token } = {},
  ) {
    const { test, keycloak } = portal
    const start = await test.call(startIdentityLink, {
      token: owner.token,
      params: { provider: 'keycloak' },
      body: proof,
    })
    if (start.status !== 200) return { status: start.status, error: start.error, body: null }
    keycloak.person = person
    const answer = await keycloak.visit(start.body.url)
    return test.call(finishProviderSignIn, {
      body: { browserToken: start.body.browserToken, state: '', ...answer },
      ...(finisher ? { token: finisher } : {}),
    })
  }

  it('links an identity in the profile after a check of the password, and confirms it by email', async () => {
    const owner = await createCustomer(portal.test, { password })
    const person = keycloakPerson()
    expect((await connect(owner, person, { proof: {} })).error).toMatchObject({
      errors: [{ field: 'currentPassword' }],
    })
    const proof = { currentPassword: 'not mine' }
    expect((await connect(owner, person, { proof })).error.code).toBe('password_wrong')
    expect((await connect(owner, person)).body).toMatchObject({ session: null, connected: 'keycloak' })
    expect(await listOwnIdentities(owner.token)).toMatchObject([{ provider: 'keycloak', email: person.email }])
    await portal.test.settle()
    expect((await latestMail(portal.test, owner.email)).subject).toContain('Keycloak')
    expect((await signInAt(portal, person)).body.session?.user.id).toBe(owner.userId)
  })

  it('links an identity with a mailed code for a user without a password', async () => {
    const owner = await createCustomer(portal.test)
    const person = keycloakPerson()
    for (const proof of [{}, { currentPassword: password }]) {
      const refusal = await connect(owner, person, { proof })
      expect(refusal).toMatchObject({ status: 422, error: { errors: [{ field: 'code' }] } })
    }
    const proof = await readMailedProof(portal.test, owner, 'connect_identity')
    expect((await connect(owner, person, { proof })).body).toMatchObject({ connected: 'keycloak' })
    expect((await connect(owner, keycloakPerson(), { proof })).error.code).toBe('code_used')
  })

  it('links an identity only to the user who started the link, and only while they are signed in', async () => {
    const owner = await createCustomer(portal.test, { password })
    const stranger = await createCustomer(portal.test, { password })
    for (const finisher of [stranger.token, '']) {
      const answer = await connect(owner, keycloakPerson(), { finisher })
      expect(answer.error.code).toBe('provider_state')
    }
    expect(await listOwnIdentities(owner.token)).toEqual([])
    expect(await listOwnIdentities(stranger.token)).toEqual([])
  })

  it('links an identity to one user only', async () => {
    const [first, second] = [
      await createCustomer(portal.test, { password }),
      await createCustomer(portal.test, { password }),
    ]
    const person = keycloakPerson()
    await connect(first, person)
    const answer = await connect(second, person)
    expect(answer).toMatchObject({ status: 409, error: { code: 'identity_taken' } })
    // Linking it again to the same user changes nothing.
    expect((await connect(first, person)).status).toBe(200)
    expect(await listOwnIdentities(first.token)).toHaveLength(1)
    expect((await connect(first, keycloakPerson())).error.code).toBe('identity_namesake')
  })

  it('lets only its user disconnect an identity, unless it is the last login method', async () => {
    const { test } = portal
    const owner = await createCustomer(portal.test, { password })
    const person = keycloakPerson()
    await connect(owner, person)
    const [identity] = await listOwnIdentities(owner.token)
    const remove = (token: string) => test.call(removeIdentity, { token, params: { id: identity?.id ?? '' } })
    expect((await remove((await createCustomer(portal.test, { password })).token)).status).toBe(404)
    await portal.saveSettings({ 'auth.methods': ['keycloak'] })
    expect((await remove(owner.token)).error.code).toBe('identity_last')
    await portal.saveSettings({ 'auth.methods': ['local', 'keycloak', 'ms365'] })
    expect((await remove(owner.token)).status).toBe(200)
    expect((await signInAt(portal, person)).body).toMatchObject({ session: null })
    const without = await createCustomer(portal.test)
    await connect(without, keycloakPerson(), { proof: await readMailedProof(test, without, 'connect_identity') })
    const [only] = await listOwnIdentities(without.token)
    const last = await test.call(removeIdentity, { token: without.token, params: { id: only?.id ?? '' } })
    expect(last).toMatchObject({ status: 422, error: { code: 'identity_last' } })
  })
})
