import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'

describe('the server', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  it('reports that it is running and that it can reach its database', async () => {
    expect((await test.app.inject('/healthz')).json()).toEqual({ ok: true })
    expect((await test.app.inject('/readyz')).json()).toEqual({ ok: true, files: 'ok' })
  })

  it('answers an unknown call with the standard error body, in the requested language', async () => {
    const english = await test.app.inject('/api/customer/nothing')
    expect(english.statusCode).toBe(404)
    expect(english.json()).toMatchObject({ statusCode: 404, code: 'not_found' })
    const chinese = await test.app.inject({
      url: '/api/customer/nothing',
      headers: { 'accept-language': 'zh-CN,zh;q=0.9' },
    })
    expect(chinese.json().message).not.toBe(english.json().message)
  })

  it('sends a strict content security policy, and asks search engines not to index it', async () => {
    const { headers } = await test.app.inject('/healthz')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['x-robots-tag']).toContain('noindex')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('publishes its OpenAPI document', async () => {
    const document = (await test.app.inject('/api/openapi.json')).json()
    expect(document.openapi).toMatch(/^3\.1/)
  })
})
