import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  testWebhook,
} from '@waybill/contract/integrations/webhooks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { deliverWebhooks } from '../../../src/domains/integrations/webhooks/jobs.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { startWebhookReceiver } from '../../testing/peers/webhook-receiver.ts'

describe('webhook URLs', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
  })
  const create = (url: string) =>
    test.call(createWebhook, { token: owner.token, body: { url, events: ['order.paid'] } })

  it.each([
    'https://localhost/hook',
    'https://127.0.0.1/hook',
    'https://127.1/hook',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://10.1.2.3/hook',
    'https://192.168.0.1/hook',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/hook',
    'https://[::1]/hook',
    'https://[fd00::1]/hook',
    'https://[fe80::1]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://user:password@93.184.216.34/hook',
    'ftp://93.184.216.34/hook',
    'file:///etc/passwd',
    'no address',
  ])('%s is refused, and nothing is stored', async (url) => {
    const { status, error } = await create(url)
    expect(status).toBe(422)
    expect(error.errors).toMatchObject([{ field: 'url' }])
    expect((await test.call(listWebhooks, { token: owner.token })).body.items).toEqual([])
  })

  it.each(['http://x.example', 'http://93.184.216.34/hook'])('%s is refused: it must start with https', async (url) => {
    const { status, error } = await create(url)
    expect(status).toBe(422)
    expect(error.errors).toEqual([{ field: 'url', message: expect.stringContaining('must start with https://') }])
  })

  it('a name that does not exist is refused as such', async () => {
    const { status, error } = await create('https://shop.invalid/hook')
    const message = 'We could not find the host shop.invalid. Check its spelling, and try again.'
    expect([status, error.errors]).toEqual([422, [{ field: 'url', message }]])
  })

  it('a public URL is accepted; no connection is made if the stored URL later becomes internal', async () => {
    const created = await create('https://93.184.216.34/hook')
    expect(created.status).toBe(200)
    const { id } = created.body.webhook
    const inside = await startWebhookReceiver()
    await sql`update webhooks set url = ${inside.url} where id = ${id}::uuid`.execute(test.deps.db)
    await test.call(testWebhook, { token: owner.token, params: { id } })
    await deliverWebhooks(test.deps, { webhookId: id })
    const { body } = await test.call(listWebhookDeliveries, { token: owner.token, params: { id } })
    expect(body.items).toMatchObject([{ status: 'pending', problem: 'address', responseStatus: null }])
    expect(inside.requests).toEqual([])
  })
})
