import { getProfile } from '@waybill/contract/accounts/sign-in'
import { decodeJwt, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'

describe('access tokens', () => {
  let test: TestApp
  let claims: Record<string, unknown>
  beforeAll(async () => {
    test = await buildTestApp()
    claims = decodeJwt((await createCustomer(test)).token)
  })

  /** Signs claims with the right key, so that a refusal is due to the claims. */
  const sign = (payload: Record<string, unknown>, alg = 'HS256') =>
    new SignJWT(payload).setProtectedHeader({ alg }).sign(test.deps.keys.derive('access tokens'))
  const getStatus = async (payload: Record<string, unknown>, alg?: string) =>
    (await test.call(getProfile, { token: await sign(payload, alg) })).status
  const omitClaim = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

  it('contain the issuer, the audience and the expiry', async () => {
    expect(claims).toMatchObject({ iss: 'waybill', aud: 'waybill-api', exp: expect.any(Number) })
    expect(await getStatus(claims)).toBe(200)
  })

  it.each(['iss', 'aud', 'exp', 'iat', 'sub', 'sid'])('are refused without %s', async (name) => {
    expect(await getStatus(omitClaim(name))).toBe(401)
  })

  it.each([
    ['another issuer', { iss: 'somebody-else' }],
    ['another audience', { aud: 'another-api' }],
    ['an expiry in the past', { exp: 1_000_000_000 }],
  ])('are refused with %s', async (_, changed) => {
    expect(await getStatus({ ...claims, ...changed })).toBe(401)
  })

  it('are refused if another algorithm signs with the same key', async () => {
    expect(await getStatus(claims, 'HS512')).toBe(401)
  })
})
