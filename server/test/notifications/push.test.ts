import {
  listNotifications,
  putNotificationPreferences,
  readNotifications,
} from '@waybill/contract/notifications/notifications'
import { getPush, subscribePush, unsubscribePush } from '@waybill/contract/notifications/push'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { notify } from '../../src/domains/notifications/notify.ts'
import { sendPush } from '../../src/domains/notifications/push/send-push.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { type PushService, startPushService } from '../testing/peers/push-service.ts'

describe('a push message', () => {
  let test: TestApp
  let service: PushService
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    service = await startPushService(() => test.deps.config.push?.publicKey ?? null)
  })
  beforeEach(async () => {
    customer = await createCustomer(test)
    service.received.length = 0
    service.answers.length = 0
  })

  const subscribe = async ({ token } = customer) => {
    const body = service.subscribe()
    const answer = await test.call(subscribePush, { token, body, headers: { 'user-agent': 'Firefox/140.0 (Windows)' } })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return answer.body
  }
  const devices = async () => (await test.call(getPush, { token: customer.token })).body.devices
  const send = async () => {
    await tx(test.deps.db, (trx) =>
      notify(test.deps, trx, {
        kind: 'webhook_disabled',
        to: { owner: customer.accountId },
        facts: { address: 'shop.example', days: 5 },
      }),
    )
    await test.settle()
  }
  /** The payload of the job for the customer's only notification and browser. */
  const payload = async () => {
    const [notification] = (await test.call(listNotifications, { token: customer.token })).body.items
    return { notificationId: notification?.id ?? '', subscriptionId: (await devices())[0]?.id ?? '' }
  }

  it('is sent to every browser of the user, encrypted for it and signed by us', async () => {
    await subscribe()
    await subscribe()
    await send()
    expect(service.received).toHaveLength(2)
    expect(service.received[0]).toMatchObject({
      ttl: '86400',
      subject: 'mailto:push@portal.test',
      message: { title: 'Your webhook has been switched off', path: '/developers' },
    })
    const ids = service.received.map(({ message }) => message.id)
    expect(new Set(ids)).toEqual(new Set([(await payload()).notificationId]))
  })

  it('removes the subscription of a browser that no longer exists, and only that one', async () => {
    await subscribe()
    await subscribe()
    service.answers.push(410)
    await send()
    expect(service.received).toHaveLength(1)
    expect(await devices()).toHaveLength(1)
  })

  it('is retried while the push service is down or busy, and dropped when the service refuses it', async () => {
    await subscribe()
    service.answers.push(503, 429, 400)
    await send()
    expect(service.received).toEqual([])
    expect(await devices()).toHaveLength(1)
    // On a busy machine its own retry would take an answer of the calls below, or reach the next test.
    await sql`delete from graphile_worker._private_jobs`.execute(test.deps.db)
    const job = await payload()
    await expect(sendPush(test.deps, job)).rejects.toThrow('answered 429')
    await expect(sendPush(test.deps, job)).rejects.toThrow('refused a message: 400')
    await sendPush(test.deps, job)
    expect(service.received).toHaveLength(1)
  })

  it('is not sent if the notification was read or switched off, or the user signed out there', async () => {
    const { token } = customer
    await subscribe()
    await send()
    expect(service.received).toHaveLength(1)
    const job = await payload()
    await test.call(readNotifications, { token, body: { all: true } })
    await sendPush(test.deps, job)
    const channels = [{ topic: 'account' as const, channel: 'push' as const, on: false }]
    await test.call(putNotificationPreferences, { token, body: { channels, quietHours: null, version: 0 } })
    await send()
    expect(service.received).toHaveLength(1)
    const on = channels.map((each) => ({ ...each, on: true }))
    await test.call(putNotificationPreferences, { token, body: { channels: on, quietHours: null, version: 1 } })
    const at = test.clock.now()
    await test.deps.db.updateTable('sessions').set({ ended_at: at }).where('user_id', '=', customer.userId).execute()
    await send()
    expect(service.received).toHaveLength(1)
    expect(await devices()).toEqual([])
  })

  it('is switched on and off per browser, with one subscription for each', async () => {
    const body = service.subscribe()
    const call = { token: customer.token, body }
    const first = await test.call(subscribePush, call)
    const second = await test.call(subscribePush, call)
    expect(second.body.id).toBe(first.body.id)
    expect(await devices()).toMatchObject([{ id: first.body.id, current: true }])
    // Another user signs in there: the browser now belongs to that user.
    const other = await createCustomer(test)
    await test.call(subscribePush, { token: other.token, body })
    expect(await devices()).toEqual([])
    const { id } = await subscribe()
    expect((await test.call(unsubscribePush, { token: other.token, params: { id } })).status).toBe(404)
    expect((await test.call(unsubscribePush, { token: customer.token, params: { id } })).status).toBe(200)
    expect(await devices()).toEqual([])
  })

  it('requires keys that a browser could have generated', async () => {
    const { endpoint, keys } = service.subscribe()
    const { token } = customer
    const noPoint = { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } }
    expect((await test.call(subscribePush, { token, body: noPoint })).error.errors).toMatchObject([
      { field: 'keys.p256dh' },
    ])
    const short = { endpoint, keys: { ...keys, auth: 'short' } }
    expect((await test.call(subscribePush, { token, body: short })).error.errors).toMatchObject([
      { field: 'keys.auth' },
    ])
  })
})

describe('the URL of a push service', () => {
  it('never leads to our own network, even if it was stored', async () => {
    const test = await buildTestApp()
    const { token, userId } = await createCustomer(test)
    const { keys } = (await startPushService(() => null)).subscribe()
    for (const endpoint of ['http://169.254.169.254/push', 'https://127.0.0.1/push', 'https://[::1]/push']) {
      const answer = await test.call(subscribePush, { token, body: { endpoint, keys } })
      expect(answer.error.errors, endpoint).toMatchObject([{ field: 'endpoint' }])
    }
    const session = await test.deps.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
    const row = { id: crypto.randomUUID(), user_id: userId, session_id: session[0]?.id ?? '', ...keys }
    await test.deps.db
      .insertInto('push_subscriptions')
      .values({ ...row, endpoint: 'http://127.0.0.1:9/push', created_at: new Date() })
      .execute()
    await tx(test.deps.db, (trx) =>
      notify(test.deps, trx, { kind: 'wallet_locked', to: { users: [userId] }, facts: { minutes: 15 } }),
    )
    await test.settle()
    expect((await test.call(getPush, { token })).body.devices).toEqual([])
  })
})
