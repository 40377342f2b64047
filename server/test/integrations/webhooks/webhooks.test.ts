import { createHmac } from 'node:crypto'
import { labelValues } from '@waybill/contract/ground/enums'
import type { WebhookEvent } from '@waybill/contract/integrations/webhooks'
import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  maxWebhooks,
  removeWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  webhookBody,
  webhookEventLabels,
} from '@waybill/contract/integrations/webhooks'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { deliverDue } from '../../../src/domains/integrations/webhooks/jobs.ts'
import { maxAttempts } from '../../../src/domains/integrations/webhooks/rules.ts'
import type { ParcelEvent } from '../../../src/domains/parcels/status.ts'
import { lockParcels, transitionParcels } from '../../../src/domains/parcels/transition.ts'
import { sweep } from '../../../src/jobs/housekeeping.ts'
import { days, hours, minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/peers/webhook-receiver.ts'

const all = labelValues(webhookEventLabels)

describe('webhooks', () => {
  let test: TestApp
  let owner: TestCustomer
  let receiver: WebhookReceiver
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    await seedTestNetwork(test)
  })

  /** A customer with a webhook at a receiver of its own. */
  async function subscriber(events: WebhookEvent[] = all) {
    owner = await createCustomer(test)
    receiver = await startWebhookReceiver()
    const { status, body, error } = await test.call(createWebhook, {
      token: owner.token,
      body: { url: receiver.url, events },
    })
    if (status !== 200) throw new Error(`no webhook: ${JSON.stringify(error)}`)
    return body
  }

  async function move(customer: TestCustomer, id: string, ...events: ParcelEvent[]) {
    for (const event of events) {
      await tx(test.deps.db, async (trx) =>
        transitionParcels(test.deps, trx, await lockParcels(trx, customer.accountId, [id]), event, { actorId: null }),
      )
    }
    await test.deps.outbox.drain()
  }

  /**
   * What is due is delivered. A job that waits for the test's clock, which may be ahead of the database's, is not run
   * by the queue.
   */
  async function deliver(webhookId: string) {
    await test.settle()
    await deliverDue(test.deps, { webhookId })
  }

  /** A parcel on its way, and the webhook's job done for it. */
  async function happening(id: string, ...events: ParcelEvent[]) {
    const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    await move(owner, parcel.id, ...events)
    await deliver(id)
    return parcel
  }

  const log = async (id: string, query = {}) =>
    (await test.call(listWebhookDeliveries, { token: owner.token, params: { id }, query })).body.items
  const webhookNow = async (id: string) =>
    (await test.call(listWebhooks, { token: owner.token })).body.items.find((webhook) => webhook.id === id)

  const macs = (header = '') => [...header.matchAll(/v1=([0-9a-f]{64})/g)].map(([, mac]) => mac)
  const macOf = (secret: string, header = '', body: Buffer | string = '') =>
    createHmac('sha256', secret)
      .update(`${/t=(\d+)/.exec(header)?.[1]}.`)
      .update(body)
      .digest('hex')

  it('tell a receiver of a parcel on its way, signed, numbered one after the other', async () => {
    const { webhook, secret } = await subscriber()
    const parcel = await happening(
      webhook.id,
      'accepted',
      'out_for_delivery',
      'attempt_failed',
      'next_attempt',
      'delivered',
    )
    expect(receiver.events().map(({ event }) => event)).toEqual([
      'parcel.moved',
      'parcel.moved',
      'parcel.delivery_failed',
      'parcel.moved',
      'parcel.delivered',
    ])
    expect(receiver.events().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    for (const event of receiver.events()) expect(webhookBody.safeParse(event).success).toBe(true)
    expect(receiver.events().at(-1)?.data).toEqual({
      parcelId: parcel.id,
      trackingNumber: parcel.tracking_number,
      status: 'completed',
      trackingStatus: 'delivered',
      change: 'delivered',
    })
    for (const { headers, body } of receiver.requests) {
      const header = headers['waybill-signature']
      expect(macs(header)).toEqual([macOf(secret, header, body)])
      const seconds = Number(/t=(\d+)/.exec(header ?? '')?.[1])
      expect(Math.abs(seconds - test.clock.now().getTime() / 1000)).toBeLessThan(60)
    }
    const [last] = await log(webhook.id)
    expect(last).toMatchObject({
      event: 'parcel.delivered',
      status: 'delivered',
      attempts: 1,
      responseStatus: 200,
      responseExcerpt: 'thank you',
      sequence: 5,
    })
  })

  it('tell of a parcel that comes back, and of a cancelled one', async () => {
    const { webhook } = await subscriber(['parcel.returned', 'parcel.cancelled'])
    await happening(webhook.id, 'accepted', 'recalled', 'return_received')
    await happening(webhook.id, 'cancelled')
    expect(receiver.events().map(({ event }) => event)).toEqual(['parcel.returned', 'parcel.cancelled'])
  })

  it('tell of paid and cancelled orders, and of nothing that was not asked for', async () => {
    const { webhook } = await subscriber(['order.paid', 'order.cancelled'])
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
    const paid = await placeOrder(test, owner)
    expect((await payCredits(test, owner, paid)).status).toBe(200)
    await test.deps.outbox.drain()
    const order = await placeOrder(test, owner)
    const cancelled = await test.call(cancelOrder, { token: owner.token, params: { id: order.id }, body: {} })
    expect(cancelled.status).toBe(200)
    await test.deps.outbox.drain()
    await deliver(webhook.id)
    expect(receiver.events()).toMatchObject([
      { event: 'order.paid', data: { orderId: paid.id } },
      { event: 'order.cancelled', data: { orderId: order.id } },
    ])
  })

  it('never tell one account of another', async () => {
    const { webhook } = await subscriber()
    const stranger = await createCustomer(test)
    const parcel = await createParcel(test, stranger, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    await move(stranger, parcel.id, 'accepted')
    await deliver(webhook.id)
    expect(receiver.requests).toEqual([])
  })

  it('are retried with a longer pause each time, with the same id and body', async () => {
    const { webhook } = await subscriber()
    test.clock.freeze()
    receiver.answer = () => ({ status: 500, body: 'database is down' })
    await happening(webhook.id, 'accepted')
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const [delivery] = await log(webhook.id)
      expect(delivery).toMatchObject({ status: 'pending', attempts: attempt, responseStatus: 500 })
      expect(delivery?.responseExcerpt).toContain('database is down')
      const pause = new Date(delivery?.dueAt ?? 0).getTime() - test.clock.now().getTime()
      pauses.push(pause / 1000)
      // Too early changes nothing.
      await deliver(webhook.id)
      expect(receiver.requests).toHaveLength(attempt)
      test.clock.advance(pause)
      if (attempt === 4) receiver.answer = () => ({ status: 204, body: '' })
      await deliver(webhook.id)
      owner = await again(owner)
    }
    expect(pauses).toEqual([30, 120, 480, 1920])
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1)
    expect(await log(webhook.id)).toMatchObject([{ status: 'delivered', attempts: 5, responseStatus: 204 }])
    expect(await webhookNow(webhook.id)).toMatchObject({ failingSince: null, waiting: 0 })
  })

  /** The clock has moved past the token's expiry, so another user of the same account signs in. */
  const again = (customer: TestCustomer) => createCustomer(test, { accountId: customer.accountId })

  it('let later events pass one that a receiver never takes, and give it up in the end', async () => {
    const { webhook } = await subscriber()
    const poisoned = (body: Buffer) => JSON.parse(body.toString()).sequence === 1
    receiver.answer = ({ body }) => (poisoned(body) ? { status: 422, body: '' } : { status: 200, body: '' })
    await happening(webhook.id, 'accepted')
    test.clock.advance(minutes(1))
    await deliver(webhook.id)
    for (let n = 1; n < maxAttempts; n += 1) {
      await happening(webhook.id, 'accepted')
      test.clock.advance(hours(6))
      await deliver(webhook.id)
      await deliver(webhook.id)
    }
    owner = await again(owner)
    const first = (await log(webhook.id)).at(-1)
    expect(first).toMatchObject({ sequence: 1, status: 'failed', attempts: maxAttempts, dueAt: null })
    const rest = (await log(webhook.id)).slice(0, -1)
    expect(rest.length).toBe(maxAttempts - 1)
    test.clock.advance(hours(6))
    await deliver(webhook.id)
    owner = await again(owner)
    expect((await log(webhook.id, { status: 'pending' })).length).toBe(0)
  })

  it('are switched off after three days without one success, and the owner is notified by mail', async () => {
    const { webhook } = await subscriber()
    receiver.answer = () => 'silence'
    await happening(webhook.id, 'accepted', 'out_for_delivery')
    expect((await log(webhook.id)).at(-1)).toMatchObject({ problem: 'unreachable', responseStatus: null })
    for (let n = 0; n < 11; n += 1) {
      test.clock.advance(hours(6.5))
      await deliver(webhook.id)
    }
    owner = await again(owner)
    expect(await webhookNow(webhook.id)).toMatchObject({ status: 'active' })
    test.clock.advance(hours(6.5))
    await deliver(webhook.id)
    owner = await again(owner)
    const disabled = await webhookNow(webhook.id)
    expect(disabled).toMatchObject({ status: 'disabled', waiting: 0 })
    await test.settle()
    const { rows } = await sql<{ email: string }>`
      select email from users where account_id = ${owner.accountId}::uuid order by created_at limit 1`.execute(
      test.deps.db,
    )
    const mail = await test.mailbox.waitFor(
      ({ to, subject }) => to.includes(rows[0]?.email ?? '') && subject.includes('webhook'),
    )
    expect(mail.text).toContain(new URL(receiver.url).host)
    // Nothing more is sent or queued until the owner switches it on again.
    const calls = receiver.requests.length
    receiver.answer = () => ({ status: 200, body: '' })
    await happening(webhook.id, 'accepted')
    expect(receiver.requests).toHaveLength(calls)
    const refused = await test.call(testWebhook, { token: owner.token, params: { id: webhook.id } })
    expect(refused.error.code).toBe('webhook_stopped')
    const body = { url: receiver.url, events: all, active: true, version: disabled?.version ?? 0 }
    const on = await test.call(updateWebhook, { token: owner.token, params: { id: webhook.id }, body })
    expect(on.body).toMatchObject({ status: 'active', failingSince: null })
    await happening(webhook.id, 'accepted')
    expect(receiver.requests).toHaveLength(calls + 1)
  })

  it('do not follow redirects, which could lead to an internal address', async () => {
    const inside = await startWebhookReceiver()
    const { webhook } = await subscriber()
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = () => ({ status, body: '', headers: { location: inside.url } })
      await test.call(testWebhook, { token: owner.token, params: { id: webhook.id } })
      await deliver(webhook.id)
      expect((await log(webhook.id))[0]).toMatchObject({ status: 'pending', responseStatus: status })
    }
    expect(inside.requests).toEqual([])
  })

  it('survive a receiver whose response never ends or is no text', async () => {
    const { webhook } = await subscriber()
    receiver.answer = () => ({ status: 200, body: `\u0000\u0007${'x'.repeat(1_000_000)}`, type: 'text/plain' })
    await happening(webhook.id, 'accepted')
    const [delivery] = await log(webhook.id)
    expect(delivery?.status).toBe('delivered')
    expect(delivery?.responseExcerpt?.length).toBe(500)
    expect(delivery?.responseExcerpt).not.toContain('\u0000')
  })

  it('sign with both secrets for a day after a rotation, and never show or store one in the clear', async () => {
    const { webhook, secret } = await subscriber()
    const rotated = await test.call(rotateWebhookSecret, { token: owner.token, params: { id: webhook.id } })
    expect(rotated.body.secret).not.toBe(secret)
    expect(rotated.body.webhook.previousSecretUntil).not.toBeNull()
    await happening(webhook.id, 'accepted')
    const [during] = receiver.requests
    const header = during?.headers['waybill-signature']
    expect(macs(header)).toEqual([
      macOf(rotated.body.secret, header, during?.body),
      macOf(secret, header, during?.body),
    ])
    test.clock.advance(hours(24))
    await happening(webhook.id, 'accepted')
    const after = receiver.requests.at(-1)
    const later = after?.headers['waybill-signature']
    expect(macs(later)).toEqual([macOf(rotated.body.secret, later, after?.body)])
    const { rows } = await sql<{ row: string }>`
      select webhooks::text as row from webhooks where id = ${webhook.id}::uuid`.execute(test.deps.db)
    for (const each of [secret, rotated.body.secret]) expect(rows[0]?.row).not.toContain(each.slice(6))
    owner = await again(owner)
    const list = await test.call(listWebhooks, { token: owner.token })
    expect(JSON.stringify(list.body)).not.toContain('whsec_')
  })

  it('can be tried with a test event, and a delivery sent again, even while the receiver is left alone', async () => {
    const { webhook } = await subscriber(['order.paid'])
    const params = { id: webhook.id }
    receiver.answer = () => ({ status: 503, body: '' })
    const first = await test.call(testWebhook, { token: owner.token, params })
    expect(first.body).toMatchObject({ event: 'test', status: 'pending', attempts: 0 })
    await deliver(webhook.id)
    receiver.answer = () => ({ status: 200, body: '' })
    const resent = await test.call(resendWebhookDelivery, {
      token: owner.token,
      params: { ...params, deliveryId: first.body.id },
    })
    expect(resent.body).toMatchObject({ id: first.body.id, status: 'pending' })
    await deliver(webhook.id)
    expect(await log(webhook.id)).toMatchObject([{ id: first.body.id, status: 'delivered' }])
    const [one, two] = receiver.requests
    expect(one?.body.equals(two?.body ?? Buffer.alloc(0))).toBe(true)
    // A delivery of another webhook of the same account is not this one's.
    const other = await test.call(createWebhook, { token: owner.token, body: { url: receiver.url, events: all } })
    const mixed = await test.call(resendWebhookDelivery, {
      token: owner.token,
      params: { id: other.body.webhook.id, deliveryId: first.body.id },
    })
    expect(mixed.status).toBe(404)
  })

  it('are changed, paused and removed by their owner alone; a stale version changes nothing', async () => {
    const { webhook } = await subscriber()
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
    const paused = await test.call(updateWebhook, { token: owner.token, params, body })
    expect(paused.body).toMatchObject({ status: 'paused', url: body.url, events: ['order.paid'] })
    expect((await test.call(updateWebhook, { token: owner.token, params, body })).error.code).toBe('version_conflict')
    await happening(webhook.id, 'accepted')
    expect(receiver.requests).toEqual([])
    expect((await test.call(removeWebhook, { token: owner.token, params })).status).toBe(200)
    expect(await webhookNow(webhook.id)).toBeUndefined()
  })

  it('of a blocked account wait', async () => {
    const { webhook } = await subscriber()
    await sql`update accounts set status = 'blacklisted' where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    await happening(webhook.id, 'accepted')
    expect(receiver.requests).toEqual([])
  })

  it('are at most so many, however many are made at once', async () => {
    const { webhook } = await subscriber()
    const body = { url: webhook.url, events: all }
    const made = await Promise.all(
      Array.from({ length: maxWebhooks + 2 }, () => test.call(createWebhook, { token: owner.token, body })),
    )
    expect(made.filter(({ status }) => status === 200)).toHaveLength(maxWebhooks - 1)
    expect(made.find(({ status }) => status !== 200)?.error.code).toBe('too_many_webhooks')
  })

  it('have a log of thirty days, in pages', async () => {
    const { webhook } = await subscriber()
    for (let n = 0; n < 5; n += 1) await test.call(testWebhook, { token: owner.token, params: { id: webhook.id } })
    await deliver(webhook.id)
    const read = (query: object) =>
      test.call(listWebhookDeliveries, { token: owner.token, params: { id: webhook.id }, query })
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

describe('addresses of webhooks', () => {
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

  it('a public one is taken; if its row came to name an inner one, no connection would be made', async () => {
    const created = await create('https://93.184.216.34/hook')
    expect(created.status).toBe(200)
    const { id } = created.body.webhook
    const inside = await startWebhookReceiver()
    await sql`update webhooks set url = ${inside.url} where id = ${id}::uuid`.execute(test.deps.db)
    await test.call(testWebhook, { token: owner.token, params: { id } })
    await deliverDue(test.deps, { webhookId: id })
    const { body } = await test.call(listWebhookDeliveries, { token: owner.token, params: { id } })
    expect(body.items).toMatchObject([{ status: 'pending', problem: 'address', responseStatus: null }])
    expect(inside.requests).toEqual([])
  })
})
