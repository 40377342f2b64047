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

  /** Signed with the right key: what is refused is what the token says. */
  const sign = (payload: Record<string, unknown>, alg = 'HS256') =>
    new SignJWT(payload).setProtectedHeader({ alg }).sign(test.deps.keys.derive('access tokens'))
  const status = async (payload: Record<string, unknown>, alg?: string) =>
    (await test.call(getProfile, { token: await sign(payload, alg) })).status
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

  it('say who made them, for whom, and until when', async () => {
    expect(claims).toMatchObject({ iss: 'waybill', aud: 'waybill-api', exp: expect.any(Number) })
    expect(await status(claims)).toBe(200)
  })

  it.each(['iss', 'aud', 'exp', 'iat', 'sub', 'sid'])('are refused without %s', async (name) => {
    expect(await status(without(name))).toBe(401)
  })

  it.each([
    ['another issuer', { iss: 'somebody-else' }],
    ['another audience', { aud: 'another-api' }],
    ['an end that is over', { exp: 1_000_000_000 }],
  ])('are refused with %s', async (_, changed) => {
    expect(await status({ ...claims, ...changed })).toBe(401)
  })

  it('are refused with another algorithm of the same key', async () => {
    expect(await status(claims, 'HS512')).toBe(401)
  })
})
