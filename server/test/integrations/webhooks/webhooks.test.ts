import { createHmac } from 'node:crypto'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import {
  listWebhooks,
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
import { maxAttempts } from '../../../src/domains/integrations/webhooks/rules.ts'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { insertNote } from '../../../src/domains/parcels/queries-transition.ts'
import { lockParcels } from '../../../src/domains/parcels/transition.ts'
import { hours, minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'
import { startWebhookReceiver } from '../../testing/peers/webhook-receiver.ts'
import { moveParcel, subscribe } from './subscribers.ts'

const all = labelValues(webhookEventLabels)

describe('webhooks', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    await seedTestNetwork(test)
  })

  const macs = (header = '') => [...header.matchAll(/v1=([0-9a-f]{64})/g)].map(([, mac]) => mac)
  const computeMac = (secret: string, header = '', body: Buffer | string = '') =>
    createHmac('sha256', secret)
      .update(`${/t=(\d+)/.exec(header)?.[1]}.`)
      .update(body)
      .digest('hex')

  it('send signed, consecutively numbered events about a parcel in transit', async () => {
    const subscriber = await subscribe(test)
    const { secret, receiver } = subscriber
    const parcel = await subscriber.moveNewParcel(
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
      expect(macs(header)).toEqual([computeMac(secret, header, body)])
      const seconds = Number(/t=(\d+)/.exec(header ?? '')?.[1])
      expect(Math.abs(seconds - test.clock.now().getTime() / 1000)).toBeLessThan(60)
    }
    const [last] = await subscriber.listDeliveries()
    expect(last).toMatchObject({
      event: 'parcel.delivered',
      status: 'delivered',
      attempts: 1,
      responseStatus: 200,
      responseExcerpt: 'thank you',
      sequence: 5,
    })
  })

  it('send nothing about lines of the timeline that do not change the status', async () => {
    const subscriber = await subscribe(test)
    const { receiver, owner } = subscriber
    const { id } = await subscriber.moveNewParcel('accepted')
    await tx(test.deps.db, async (trx) => {
      const [row] = await lockParcels(trx, owner.accountId, [id])
      for (const event of ['carrier_note', 'carrier_customs', 'retry_chosen'] as const) {
        const note = { id: newId(), event, at: test.clock.now(), detail: {} }
        await insertNote(trx, row as ParcelRow, 'in_transit', note)
      }
    })
    await moveParcel(test, owner, id, 'recalled', 'departed', 'arrived', 'return_received')
    await subscriber.deliver()
    const changes = receiver.events().map(({ data }) => (data as { change: string }).change)
    expect(changes).toEqual(['accepted', 'recalled', 'return_received'])
  })

  it('send events about a returned parcel and a cancelled one', async () => {
    const subscriber = await subscribe(test, ['parcel.returned', 'parcel.cancelled'])
    const { receiver } = subscriber
    await subscriber.moveNewParcel('accepted', 'recalled', 'return_received')
    await subscriber.moveNewParcel('cancelled')
    expect(receiver.events().map(({ event }) => event)).toEqual(['parcel.returned', 'parcel.cancelled'])
  })

  it('send events about paid and cancelled orders, and none that were not subscribed to', async () => {
    const subscriber = await subscribe(test, ['order.paid', 'order.cancelled'])
    const { receiver } = subscriber
    await fundWallet(test, subscriber.owner, 1_000_000)
    await setWalletPin(test, subscriber.owner)
    const paid = await placeOrder(test, subscriber.owner)
    expect((await payCredits(test, subscriber.owner, paid)).status).toBe(200)
    await test.deps.outbox.drain()
    const order = await placeOrder(test, subscriber.owner)
    const cancellation = await test.call(cancelOrder, {
      token: subscriber.owner.token,
      params: { id: order.id },
      body: {},
    })
    expect(cancellation.status).toBe(200)
    await test.deps.outbox.drain()
    await subscriber.deliver()
    expect(receiver.events()).toMatchObject([
      { event: 'order.paid', data: { orderId: paid.id } },
      { event: 'order.cancelled', data: { orderId: order.id } },
    ])
  })

  it('never send events of one account to another', async () => {
    const subscriber = await subscribe(test)
    const { receiver } = subscriber
    const stranger = await createCustomer(test)
    const parcel = await createParcel(test, stranger, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    await moveParcel(test, stranger, parcel.id, 'accepted')
    await subscriber.deliver()
    expect(receiver.requests).toEqual([])
  })

  it('retry with a longer pause each time, with the same id and body', async () => {
    const subscriber = await subscribe(test)
    const { receiver } = subscriber
    test.clock.freeze()
    receiver.answer = () => ({ status: 500, body: 'database is down' })
    await subscriber.moveNewParcel('accepted')
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const [delivery] = await subscriber.listDeliveries()
      expect(delivery).toMatchObject({ status: 'pending', attempts: attempt, responseStatus: 500 })
      expect(delivery?.responseExcerpt).toContain('database is down')
      const pause = new Date(delivery?.dueAt ?? 0).getTime() - test.clock.now().getTime()
      pauses.push(pause / 1000)
      // Before the pause is over, nothing changes.
      await subscriber.deliver()
      expect(receiver.requests).toHaveLength(attempt)
      test.clock.advance(pause)
      if (attempt === 4) receiver.answer = () => ({ status: 204, body: '' })
      await subscriber.deliver()
      await subscriber.signInAgain()
    }
    expect(pauses).toEqual([30, 120, 480, 1920])
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1)
    expect(await subscriber.listDeliveries()).toMatchObject([{ status: 'delivered', attempts: 5, responseStatus: 204 }])
    expect(await subscriber.findWebhook()).toMatchObject({ failingSince: null, waiting: 0 })
  })

  it('name as the next attempt of a waiting delivery the end of the pause of its receiver', async () => {
    const subscriber = await subscribe(test)
    test.clock.freeze()
    subscriber.receiver.answer = () => ({ status: 500, body: '' })
    await subscriber.moveNewParcel('accepted')
    await subscriber.moveNewParcel('accepted')
    const now = test.clock.now().getTime()
    const pauses = (await subscriber.listDeliveries()).map(({ attempts, dueAt }) => [
      attempts,
      (new Date(dueAt ?? 0).getTime() - now) / 1000,
    ])
    expect(pauses).toEqual([
      [0, 10],
      [1, 30],
    ])
  })

  it('deliver later events before one that a receiver keeps refusing, and finally drop that one', async () => {
    const subscriber = await subscribe(test)
    const { receiver } = subscriber
    const isFirstEvent = (body: Buffer) => JSON.parse(body.toString()).sequence === 1
    receiver.answer = ({ body }) => (isFirstEvent(body) ? { status: 422, body: '' } : { status: 200, body: '' })
    await subscriber.moveNewParcel('accepted')
    test.clock.advance(minutes(1))
    await subscriber.deliver()
    for (let n = 1; n < maxAttempts; n += 1) {
      await subscriber.moveNewParcel('accepted')
      test.clock.advance(hours(6))
      await subscriber.deliver()
      await subscriber.deliver()
    }
    await subscriber.signInAgain()
    const first = (await subscriber.listDeliveries()).at(-1)
    expect(first).toMatchObject({ sequence: 1, status: 'failed', attempts: maxAttempts, dueAt: null })
    const rest = (await subscriber.listDeliveries()).slice(0, -1)
    expect(rest.length).toBe(maxAttempts - 1)
    test.clock.advance(hours(6))
    await subscriber.deliver()
    await subscriber.signInAgain()
    expect((await subscriber.listDeliveries({ status: 'pending' })).length).toBe(0)
  })

  it('are not switched off by one failure long after an outage in which every delivery was given up', async () => {
    const subscriber = await subscribe(test)
    const { receiver } = subscriber
    receiver.answer = () => 'silence'
    await subscriber.moveNewParcel('accepted')
    for (let n = 1; n < maxAttempts; n += 1) {
      test.clock.advance(hours(6))
      await subscriber.deliver()
    }
    await subscriber.signInAgain()
    expect(await subscriber.listDeliveries()).toMatchObject([{ status: 'failed', attempts: maxAttempts }])
    expect(await subscriber.findWebhook()).toMatchObject({ status: 'active', failingSince: null })
    test.clock.advance(hours(24))
    await subscriber.moveNewParcel('accepted')
    await subscriber.signInAgain()
    expect(await subscriber.listDeliveries()).toMatchObject([{ status: 'pending', attempts: 1 }, { status: 'failed' }])
    expect(await subscriber.findWebhook()).toMatchObject({ status: 'active', waiting: 1 })
  })

  it('are switched off after three days without a success, and the owner receives an email', async () => {
    const subscriber = await subscribe(test)
    const { webhook, receiver } = subscriber
    receiver.answer = () => 'silence'
    await subscriber.moveNewParcel('accepted', 'out_for_delivery')
    expect((await subscriber.listDeliveries()).at(-1)).toMatchObject({ problem: 'unreachable', responseStatus: null })
    for (let n = 0; n < 11; n += 1) {
      test.clock.advance(hours(6.5))
      await subscriber.deliver()
    }
    await subscriber.signInAgain()
    expect(await subscriber.findWebhook()).toMatchObject({ status: 'active' })
    test.clock.advance(hours(6.5))
    await subscriber.deliver()
    await subscriber.signInAgain()
    const disabled = await subscriber.findWebhook()
    expect(disabled).toMatchObject({ status: 'disabled', waiting: 0 })
    await test.settle()
    const { accountId } = subscriber.owner
    const { rows } = await sql<{ email: string }>`
      select email from users where account_id = ${accountId}::uuid order by created_at limit 1`.execute(test.deps.db)
    const mail = await test.mailbox.waitFor(
      ({ to, subject }) => to.includes(rows[0]?.email ?? '') && subject.includes('webhook'),
    )
    expect(mail.text).toContain(new URL(receiver.url).host)
    // Nothing more is sent or queued until the owner switches it on again.
    const calls = receiver.requests.length
    receiver.answer = () => ({ status: 200, body: '' })
    await subscriber.moveNewParcel('accepted')
    expect(receiver.requests).toHaveLength(calls)
    const refusal = await test.call(testWebhook, { token: subscriber.owner.token, params: { id: webhook.id } })
    expect(refusal.error.code).toBe('webhook_stopped')
    const body = { url: receiver.url, events: all, active: true, version: disabled?.version ?? 0 }
    const on = await test.call(updateWebhook, { token: subscriber.owner.token, params: { id: webhook.id }, body })
    expect(on.body).toMatchObject({ status: 'active', failingSince: null })
    await subscriber.moveNewParcel('accepted')
    expect(receiver.requests).toHaveLength(calls + 1)
  })

  it('do not return after the webhook was paused during an attempt', async () => {
    const customer = await subscribe(test, ['parcel.moved'])
    const { webhook, receiver, owner } = customer
    receiver.answer = () => 'never'
    const delivery = customer.moveNewParcel('accepted')
    await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(1)
    const setActive = async (active: boolean) => {
      const { url, events, version } = (await customer.findWebhook()) ?? webhook
      const body = { url, events, active, version }
      const answer = await test.call(updateWebhook, { token: owner.token, params: { id: webhook.id }, body })
      expect(answer.status).toBe(200)
    }
    await setActive(false)
    await delivery
    await expect.poll(async () => (await customer.listDeliveries())[0]?.attempts, { timeout: 20_000 }).toBe(1)
    expect(await customer.listDeliveries()).toMatchObject([{ status: 'failed', problem: 'timeout' }])
    await setActive(true)
    expect(await customer.findWebhook()).toMatchObject({ status: 'active', waiting: 0 })
  })

  it('do not follow redirects, which could lead to an internal address', async () => {
    const inside = await startWebhookReceiver()
    const subscriber = await subscribe(test)
    const { webhook, receiver } = subscriber
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = () => ({ status, body: '', headers: { location: inside.url } })
      await test.call(testWebhook, { token: subscriber.owner.token, params: { id: webhook.id } })
      await subscriber.deliver()
      expect((await subscriber.listDeliveries())[0]).toMatchObject({ status: 'pending', responseStatus: status })
    }
    expect(inside.requests).toEqual([])
  })

  it('handle a response that never ends or is not text', async () => {
    const subscriber = await subscribe(test)
    const { receiver } = subscriber
    receiver.answer = () => ({ status: 200, body: `\u0000\u0007${'x'.repeat(1_000_000)}`, type: 'text/plain' })
    await subscriber.moveNewParcel('accepted')
    const [delivery] = await subscriber.listDeliveries()
    expect(delivery?.status).toBe('delivered')
    expect(delivery?.responseExcerpt?.length).toBe(500)
    expect(delivery?.responseExcerpt).not.toContain('\u0000')
  })

  it('sign with both secrets for a day after a rotation, and never show or store a secret in plain text', async () => {
    const subscriber = await subscribe(test)
    const { webhook, secret, receiver } = subscriber
    const rotated = await test.call(rotateWebhookSecret, { token: subscriber.owner.token, params: { id: webhook.id } })
    expect(rotated.body.secret).not.toBe(secret)
    expect(rotated.body.webhook.previousSecretUntil).not.toBeNull()
    await subscriber.moveNewParcel('accepted')
    const [during] = receiver.requests
    const header = during?.headers['waybill-signature']
    expect(macs(header)).toEqual([
      computeMac(rotated.body.secret, header, during?.body),
      computeMac(secret, header, during?.body),
    ])
    test.clock.advance(hours(24))
    await subscriber.moveNewParcel('accepted')
    const after = receiver.requests.at(-1)
    const later = after?.headers['waybill-signature']
    expect(macs(later)).toEqual([computeMac(rotated.body.secret, later, after?.body)])
    const { rows } = await sql<{ row: string }>`
      select webhooks::text as row from webhooks where id = ${webhook.id}::uuid`.execute(test.deps.db)
    for (const each of [secret, rotated.body.secret]) expect(rows[0]?.row).not.toContain(each.slice(6))
    await subscriber.signInAgain()
    const list = await test.call(listWebhooks, { token: subscriber.owner.token })
    expect(JSON.stringify(list.body)).not.toContain('whsec_')
  })
})
