import { labelValues } from '@waybill/contract/ground/enums/labels'
import {
  createWebhook,
  listWebhookDeliveries,
  maxWebhooks,
  removeWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  webhookEventLabels,
} from '@waybill/contract/integrations/webhooks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/jobs/housekeeping.ts'
import { days } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { subscribe } from './subscribers.ts'

const all = labelValues(webhookEventLabels)

describe('webhooks', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    await seedTestNetwork(test)
  })

  it('sends a test event and repeats a delivery, even while deliveries to the receiver are suspended', async () => {
    const subscriber = await subscribe(test, ['order.paid'])
    const { webhook, receiver } = subscriber
    const params = { id: webhook.id }
    receiver.answer = () => ({ status: 503, body: '' })
    const first = await test.call(testWebhook, { token: subscriber.owner.token, params })
    expect(first.body).toMatchObject({ event: 'test', status: 'pending', attempts: 0 })
    await subscriber.deliver()
    receiver.answer = () => ({ status: 200, body: '' })
    const resendAnswer = await test.call(resendWebhookDelivery, {
      token: subscriber.owner.token,
      params: { ...params, deliveryId: first.body.id },
    })
    expect(resendAnswer.body).toMatchObject({ id: first.body.id, status: 'pending' })
    await subscriber.deliver()
    expect(await subscriber.listDeliveries()).toMatchObject([{ id: first.body.id, status: 'delivered' }])
    const [one, two] = receiver.requests
    expect(one?.body.equals(two?.body ?? Buffer.alloc(0))).toBe(true)
    // A delivery of another webhook of the same account is not found.
    const other = await test.call(createWebhook, {
      token: subscriber.owner.token,
      body: { url: receiver.url, events: all },
    })
    const mixed = await test.call(resendWebhookDelivery, {
      token: subscriber.owner.token,
      params: { id: other.body.webhook.id, deliveryId: first.body.id },
    })
    expect(mixed.status).toBe(404)
  })

  it('lets only the owner change, pause and remove a webhook; a stale version changes nothing', async () => {
    const subscriber = await subscribe(test)
    const { webhook, receiver } = subscriber
    const params = { id: webhook.id }
    const body = { url: `${receiver.url}/2`, events: ['order.paid' as const], active: false, version: webhook.version }
    const stranger = await createCustomer(test)
    const missing = { id: newId() }
    const answers = async (by: typeof params) => [
      await test.call(updateWebhook, { token: stranger.token, params: by, body }),
      await test.call(removeWebhook, { token: stranger.token, params: by }),
      await test.call(rotateWebhookSecret, { token: stranger.token, params: by }),
      await test.call(testWebhook, { token: stranger.token, params: by }),
      await test.call(listWebhookDeliveries, { token: stranger.token, params: by }),
    ]
    expect((await answers(params)).map(({ status, error }) => [status, error])).toEqual(
      (await answers(missing)).map(({ error }) => [404, error]),
    )
    const paused = await test.call(updateWebhook, { token: subscriber.owner.token, params, body })
    expect(paused.body).toMatchObject({ status: 'paused', url: body.url, events: ['order.paid'] })
    expect((await test.call(updateWebhook, { token: subscriber.owner.token, params, body })).error.code).toBe(
      'version_conflict',
    )
    await subscriber.moveNewParcel('accepted')
    expect(receiver.requests).toEqual([])
    expect((await test.call(removeWebhook, { token: subscriber.owner.token, params })).status).toBe(200)
    expect(await subscriber.findWebhook()).toBeUndefined()
  })

  it('holds back the deliveries of a blocked account, and sends them soon after it is open again', async () => {
    const subscriber = await subscribe(test)
    const { receiver, webhook } = subscriber
    const { db } = test.deps
    const setStatus = (status: 'active' | 'blacklisted') =>
      db.updateTable('accounts').set({ status }).where('id', '=', subscriber.owner.accountId).execute()
    await setStatus('blacklisted')
    await subscriber.moveNewParcel('accepted')
    expect(receiver.requests).toEqual([])
    await setStatus('active')
    // The queue does not run a job of the test's clock, so its time is moved.
    const { rows } = await sql<{ pause: number }>`
      update graphile_worker._private_jobs j set run_at = now()
      from graphile_worker._private_jobs before
      where before.id = j.id and j.key = ${`webhook ${webhook.id}`}
      returning extract(epoch from before.run_at - ${test.clock.now()}::timestamptz)::int as pause`.execute(db)
    expect(rows.map(({ pause }) => pause <= 900)).toEqual([true])
    await test.settle()
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).event)).toEqual(['parcel.moved'])
  })

  it('limits the number of webhooks, even with concurrent requests', async () => {
    const subscriber = await subscribe(test)
    const { webhook } = subscriber
    const body = { url: webhook.url, events: all }
    const created = await Promise.all(
      Array.from({ length: maxWebhooks + 2 }, () => test.call(createWebhook, { token: subscriber.owner.token, body })),
    )
    expect(created.filter(({ status }) => status === 200)).toHaveLength(maxWebhooks - 1)
    expect(created.find(({ status }) => status !== 200)?.error.code).toBe('too_many_webhooks')
  })

  it('keeps a log of thirty days, in pages', async () => {
    const subscriber = await subscribe(test)
    const { webhook } = subscriber
    for (let n = 0; n < 5; n += 1)
      await test.call(testWebhook, { token: subscriber.owner.token, params: { id: webhook.id } })
    await subscriber.deliver()
    const read = (query: object) =>
      test.call(listWebhookDeliveries, { token: subscriber.owner.token, params: { id: webhook.id }, query })
    const first = await read({ limit: 3 })
    const second = await read({ limit: 3, after: first.body.next })
    expect([...first.body.items, ...second.body.items].map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1])
    expect(first.body.total).toBe(5)
    test.clock.advance(days(31))
    await sweep(test.deps)
    const { rows } = await sql`
      select 1 from webhook_deliveries where webhook_id = ${webhook.id}::uuid`.execute(test.deps.db)
    expect(rows).toEqual([])
  })
})
