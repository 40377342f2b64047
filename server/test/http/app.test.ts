import { getBillingDetails } from '@waybill/contract/accounts/billing-details'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { testEvent, webhookEventLabels } from '@waybill/contract/integrations/webhooks'
import { exportOrders } from '@waybill/contract/orders/orders'
import { createBulk } from '@waybill/contract/parcels/bulk'
import { downloadPrintRun, pickupList } from '@waybill/contract/parcels/labels'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'

/** The names of schemas in a document that allow any value. Files have no schema. */
function findUntyped(value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const mayBeEmpty = name.includes('/') || ['security', 'bearer', 'default'].includes(name)
  if (entries.length === 0 && !mayBeEmpty) return [name]
  return entries.flatMap(([key, each]) => findUntyped(each, key))
}

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

  it('shows its OpenAPI document on a page that also works without https', async () => {
    const page = await test.app.inject('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  })

  it('publishes its OpenAPI document', async () => {
    const document = (await test.app.inject('/api/openapi.json')).json()
    expect(document.openapi).toMatch(/^3\.1/)
  })

  it('describes what a webhook receives, and how its signature is verified', async () => {
    const { post } = (await test.app.inject('/api/openapi.json')).json().webhooks.delivery
    expect(post.parameters).toMatchObject([{ name: 'Waybill-Signature', in: 'header', required: true }])
    for (const event of [...Object.keys(webhookEventLabels), testEvent]) expect(post.description).toContain(event)
    expect(post.description).toContain('HMAC-SHA256')
    const { schema } = post.requestBody.content['application/json']
    expect(Object.keys(schema.properties)).toEqual(['id', 'event', 'sequence', 'createdAt', 'data'])
  })

  it('describes the errors of every call, its Idempotency-Key, and each form of its body', async () => {
    const { paths, components } = (await test.app.inject('/api/openapi.json')).json()
    const endpoints = test.app.routes.flatMap(({ endpoint }) => endpoint ?? [])
    expect(endpoints.length).toBeGreaterThan(300)
    for (const { id, method, path, access, idempotent, upload, body, media } of endpoints) {
      const call = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
      expect(call.operationId).toBe(id)
      expect(call.security).toEqual(access === 'public' ? [] : [{ bearer: [] }])
      expect(call.responses.default).toEqual({ $ref: '#/components/responses/Error' })
      const key = { $ref: '#/components/parameters/IdempotencyKey' }
      const takesKey = (call.parameters ?? []).some(({ $ref }: { $ref?: string }) => $ref === key.$ref)
      expect([id, takesKey]).toEqual([id, idempotent === true])
      const types = [...(body ? ['application/json'] : []), ...(upload ? ['multipart/form-data'] : [])]
      expect([id, Object.keys(call.requestBody?.content ?? {})]).toEqual([id, types])
      if (media) expect(Object.keys(call.responses['200'].content), id).toContain(media)
    }
    const getContent = ({ path }: EndpointShape) => paths[path.replace(/:(\w+)/g, '{$1}')].get.responses['200'].content
    expect(Object.keys(getContent(exportOrders))).toEqual([exportOrders.media, 'text/csv'])
    expect(Object.keys(getContent(downloadPrintRun))).toEqual(['application/pdf'])
    const list = getContent(pickupList)
    expect(Object.keys(list)).toEqual(['application/json', 'application/pdf'])
    expect(Object.keys(list['application/json'].schema.properties)).toEqual(['groups', 'parcelCount'])
    expect(components.parameters.IdempotencyKey).toMatchObject({ name: 'Idempotency-Key', in: 'header' })
    expect(Object.keys(components.responses.Error.content['application/json'].schema.properties)).toContain('code')
    const bulk = paths[createBulk.path].post.requestBody.content
    expect(Object.keys(bulk['application/json'].schema.properties)).toContain('rows')
    expect(Object.keys(bulk['multipart/form-data'].schema.properties)).toEqual(['senderAddressId', 'file'])
  })

  it('describes the type of every value, also of a text that becomes null if it is empty', async () => {
    const { paths } = (await test.app.inject('/api/openapi.json')).json()
    const { schema } = paths[getBillingDetails.path].get.responses['200'].content['application/json']
    const text = { type: 'string', maxLength: 40 }
    expect(schema.properties.taxNumber).toEqual({ default: null, anyOf: [text, { type: 'null' }] })
    // The values of settings have different types.
    expect([...new Set(findUntyped(paths))].sort()).toEqual(['additionalProperties', 'from', 'to'])
  })
})
