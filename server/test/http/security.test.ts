import { login } from '@waybill/contract/accounts/sign-in'
import { getGeneralSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'

describe('every answer of a deployment on https', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ PUBLIC_URL: 'https://portal.test', FILE_HOST_URL: 'https://files.test' })
  })

  const answers = [
    ['a call', { url: getGeneralSettings.path }],
    ['an unknown call', { url: '/api/customer/nothing' }],
    ['a path that is no UTF-8', { url: '/api/customer/selectors/%ff' }],
    ['a refused body', { method: 'POST', url: login.path, payload: {} }],
    ['a file link that is none', { url: '/nothing/file' }],
    ['the health check', { url: '/healthz' }],
  ] as const

  it.each(answers)('%s keeps the browser on TLS, off guessing types, and out of frames', async (_what, request) => {
    const { headers } = await test.app.inject(request)
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    const policy = String(headers['content-security-policy']).split(';')
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "default-src 'self'"])
      expect(policy).toContain(directive)
    expect(policy.find((each) => each.startsWith('script-src'))).toBe("script-src 'self' 'wasm-unsafe-eval'")
  })

  it('with data of a request is stored by no cache', async () => {
    const { headers } = await test.app.inject({ method: 'POST', url: login.path, payload: {} })
    expect(headers['cache-control']).toBe('no-store')
  })

  it('allows no other site to read it, and sets no cookie', async () => {
    const foreign = { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' }
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await test.app.inject({ method, url: getGeneralSettings.path, headers: foreign })
      expect(Object.keys(headers).filter((name) => /^(access-control-|set-cookie)/.test(name))).toEqual([])
    }
  })

  it('refuses the method TRACE, which would echo a token', async () => {
    const { statusCode, body } = await test.app.inject({
      method: 'TRACE' as 'GET',
      url: '/api/customer/auth/profile',
      headers: { authorization: 'Bearer secret' },
    })
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('secret')
  })
})

describe('what a client says about itself', () => {
  it('never names its address where no proxy is trusted', async () => {
    const test = await buildTestApp()
    const guess = (address: string) =>
      test.call(login, {
        body: { email: 'nobody@example.test', password: 'wrong' },
        headers: { 'x-forwarded-for': address, 'x-real-ip': address },
      })
    const statuses = []
    for (let n = 0; n < 8; n++) statuses.push((await guess(`10.3.0.${n}`)).status)
    // Eight addresses of its own choice are one address: the wait begins as if the headers were missing.
    expect(statuses).toContain(429)
    const ips = await test.deps.db
      .selectFrom('activity_log')
      .select('ip')
      .where('action', '=', 'auth.loginFailed')
      .execute()
    expect(new Set(ips.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']))
  })

  it('says each thing once: a parameter that is given twice is refused', async () => {
    const test = await buildTestApp()
    const answer = await test.app.inject('/api/customer/selectors/banks?search=a&search=b')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ errors: [{ field: 'search' }] })
  })
})
