import { login } from '@waybill/contract/accounts/sign-in'
import { getGeneralSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'

describe('responses of a deployment on HTTPS', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ PUBLIC_URL: 'https://portal.test', FILE_HOST_URL: 'https://files.test' })
  })

  const answers = [
    ['a call', { url: getGeneralSettings.path }],
    ['an unknown call', { url: '/api/customer/nothing' }],
    ['a path that is not UTF-8', { url: '/api/customer/selectors/%ff' }],
    ['an invalid body', { method: 'POST', url: login.path, payload: {} }],
    ['an invalid file link', { url: '/nothing/file' }],
    ['the health check', { url: '/healthz' }],
  ] as const

  it.each(answers)('enforce TLS, and prevent type guessing and framing: %s', async (_what, request) => {
    const { headers } = await test.app.inject(request)
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    const policy = String(headers['content-security-policy']).split(';')
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "default-src 'self'"])
      expect(policy).toContain(directive)
    expect(policy.find((each) => each.startsWith('script-src'))).toBe("script-src 'self' 'wasm-unsafe-eval'")
  })

  it('are not stored by caches if they contain data', async () => {
    const { headers } = await test.app.inject({ method: 'POST', url: login.path, payload: {} })
    expect(headers['cache-control']).toBe('no-store')
  })

  it('cannot be read by other sites, and set no cookies', async () => {
    const foreign = { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' }
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await test.app.inject({ method, url: getGeneralSettings.path, headers: foreign })
      expect(Object.keys(headers).filter((name) => /^(access-control-|set-cookie)/.test(name))).toEqual([])
    }
  })

  it('refuse the method TRACE, which would echo a token', async () => {
    const { statusCode, body } = await test.app.inject({
      method: 'TRACE' as 'GET',
      url: '/api/customer/auth/profile',
      headers: { authorization: 'Bearer secret' },
    })
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('secret')
  })
})

describe('untrusted data from clients', () => {
  it("does not change the client's address if no proxy is trusted", async () => {
    const test = await buildTestApp()
    const guess = (address: string) =>
      test.call(login, {
        body: { email: 'nobody@example.test', password: 'wrong' },
        headers: { 'x-forwarded-for': address, 'x-real-ip': address },
      })
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await guess(`10.3.0.${n}`)).status)
    // Eight invented addresses count as one: the wait starts as if the headers were missing.
    expect(statuses).toContain(429)
    const ips = await listActivities(test, { action: 'auth.loginFailed' })
    expect(new Set(ips.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']))
  })

  it('is refused if a parameter is repeated', async () => {
    const test = await buildTestApp()
    const answer = await test.app.inject('/api/customer/selectors/banks?search=a&search=b')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ errors: [{ field: 'search' }] })
  })
})
