import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import { endFollowing, followByPush, getFollowing, getFollowKey } from '@waybill/contract/tracking/following'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTrackingNumber } from '../../../src/domains/parcels/tracking-number.ts'
import { mailFollowers } from '../../../src/domains/tracking/following/jobs.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { type PushService, startPushService } from '../../testing/peers/push-service.ts'

const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }

describe('following a parcel by push messages', () => {
  let test: TestApp
  let service: PushService
  let customer: TestCustomer
  let counter: TestStaff
  let there: string
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    service = await startPushService(() => test.deps.config.push?.publicKey ?? null)
    await seedTestNetwork(test)
    customer = await createCustomer(test)
    const stations = await findCounter(test)
    counter = stations.counter
    there = stations.there
    test.clock.freeze()
  })
  beforeEach(() => {
    service.received.length = 0
    service.answers.length = 0
  })

  const sorting = async () => {
    const { id, tracking_number } = await createParcel(test, customer, { status: 'sorting' })
    return { id, number: tracking_number ?? '' }
  }
  const requestFollow = (number: string, browser = service.subscribe(), language?: string) =>
    test.call(followByPush, { body: { number, ...browser }, language })
  async function follow(number: string, browser = service.subscribe(), language?: string): Promise<string> {
    const answer = await requestFollow(number, browser, language)
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return answer.body.token
  }
  /** Scans a parcel, and sends the messages to its followers immediately instead of a minute later. */
  async function move({ id, number }: { id: string; number: string }, ...events: ScanEvent[]): Promise<void> {
    for (const event of events)
      await scanned(test, counter, number, event, {
        ...(event === 'delivered' ? signed : {}),
        ...(event === 'departed' ? { nextStationId: there } : {}),
        ...(event === 'attempt_failed' ? { failureReason: 'not_home' } : {}),
      })
    await mailFollowers(test.deps, { parcelId: id })
    await test.settle()
  }
  const messages = () => service.received.map(({ message }) => message)
  const countFollows = async (parcelId: string) => {
    const { rows } = await sql`select 1 from tracking_follows where parcel_id = ${parcelId}::uuid`.execute(test.deps.db)
    return rows.length
  }

  it('sends one message for each new status, in the language of the visitor, and none for other events', async () => {
    expect((await test.call(getFollowKey, {})).body.publicKey).toBe(test.deps.config.push?.publicKey)
    const parcel = await sorting()
    const { number } = parcel
    await follow(number)
    await follow(number, service.subscribe(), 'zh')
    await move(parcel)
    expect(messages()).toEqual([])
    // The parcel is still in transit.
    await move(parcel, 'departed')
    expect(messages()).toEqual([])
    await move(parcel, 'arrived', 'out_for_delivery')
    const titles = messages().map(({ title }) => title)
    expect(new Set(titles)).toEqual(new Set([`${number}: Out for delivery`, `${number}：正在派送`]))
    const [message] = messages()
    expect(message).toMatchObject({ path: `/public/track-parcels?no=${number}`, text: expect.stringMatching(/^\S+/) })
    const text = JSON.stringify(messages())
    for (const hidden of ['Ahmad', 'Siti', 'Lebuh', customer.email, '98765432']) expect(text).not.toContain(hidden)
    await move(parcel)
    expect(messages()).toHaveLength(2)
  })

  it('names a failed attempt, not the status that the parcel has after it', async () => {
    const parcel = await sorting()
    await follow(parcel.number)
    await move(parcel, 'out_for_delivery', 'attempt_failed')
    expect(messages()).toMatchObject([{ title: `${parcel.number}: Delivery attempt failed` }])
  })

  it('ends with one click on the page by its token, or in the message by its link', async () => {
    const parcel = await sorting()
    const [one, two] = [await follow(parcel.number), await follow(parcel.number)]
    await move(parcel, 'out_for_delivery')
    expect(messages()).toHaveLength(2)
    const ends = messages().map(({ end }) => new URL((end as { url: string }).url).pathname)
    expect(new Set(ends)).toEqual(
      new Set([one, two].map((token) => endFollowing.path.replace(':token', encodeURIComponent(token)))),
    )
    const open = await test.call(getFollowing, { params: { token: one } })
    expect(open.body).toEqual({ trackingNumber: parcel.number, confirmed: true })
    expect((await test.call(endFollowing, { params: { token: one } })).status).toBe(200)
    expect((await test.call(getFollowing, { params: { token: one } })).error.code).toBe('link_invalid')
    const ofMessage = ends.find((path) => path.includes(encodeURIComponent(two))) ?? ''
    expect((await test.app.inject({ method: 'POST', url: ofMessage })).statusCode).toBe(200)
    expect(await countFollows(parcel.id)).toBe(0)
    await move(parcel, 'delivered')
    expect(messages()).toHaveLength(2)
  })

  it('deletes a browser after the last message, and one that no longer exists', async () => {
    const [parcel, other] = [await sorting(), await sorting()]
    await follow(parcel.number)
    await move(parcel, 'out_for_delivery', 'delivered')
    expect(messages()).toMatchObject([{ title: `${parcel.number}: Delivered` }])
    expect(await countFollows(parcel.id)).toBe(0)
    expect((await requestFollow(parcel.number)).error.code).toBe('follow_over')

    await follow(other.number)
    await follow(other.number)
    service.answers.push(410)
    await move(other, 'out_for_delivery')
    expect(messages()).toHaveLength(2)
    expect(await countFollows(other.id)).toBe(1)
  })

  it('sends the newest status once the push service responds again', async () => {
    const parcel = await sorting()
    await follow(parcel.number)
    service.answers.push(503)
    await move(parcel, 'out_for_delivery')
    expect(messages()).toEqual([])
    await move(parcel, 'delivered')
    expect(messages()).toMatchObject([{ title: `${parcel.number}: Delivered` }])
  })

  it('stores one entry per browser and parcel', async () => {
    const parcel = await sorting()
    const browser = service.subscribe()
    expect(await follow(parcel.number, browser)).toBe(await follow(parcel.number, browser, 'zh'))
    await move(parcel, 'out_for_delivery')
    expect(messages()).toMatchObject([{ title: `${parcel.number}：正在派送` }])
  })

  it('has the same limits as requests by email', async () => {
    const { number } = await sorting()
    const from = (n: number) =>
      test.app.inject({
        method: 'POST',
        url: followByPush.path,
        remoteAddress: `10.3.0.${n}`,
        payload: { number, ...service.subscribe() },
      })
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => from(n)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30)
    expect(answers.find(({ statusCode }) => statusCode === 429)?.json()).toMatchObject({ code: 'follow_quota' })
  })

  it('refuses unknown parcels and invalid browser keys', async () => {
    const { id, number } = await sorting()
    expect((await requestFollow(makeTrackingNumber('WB', 5_432_109_876))).error.code).toBe('parcel_unknown')
    const { endpoint, keys } = service.subscribe()
    const bad = await requestFollow(number, { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } })
    expect(bad.error.errors).toMatchObject([{ field: 'keys.p256dh' }])
    expect(await countFollows(id)).toBe(0)
  })
})

describe('the push service of a follower', () => {
  it('is never called within our own network, even if its address was stored', async () => {
    const test = await buildTestApp()
    await seedTestNetwork(test)
    const customer = await createCustomer(test)
    const { id, tracking_number: number } = await createParcel(test, customer, { status: 'sorting' })
    const { keys } = (await startPushService(() => null)).subscribe()
    for (const endpoint of ['http://169.254.169.254/push', 'https://127.0.0.1/push', 'https://[::1]/push']) {
      const answer = await test.call(followByPush, { body: { number: number ?? '', endpoint, keys } })
      expect(answer.error.errors, endpoint).toMatchObject([{ field: 'endpoint' }])
    }
    const at = test.clock.now()
    await test.deps.db
      .insertInto('tracking_follows')
      .values({
        id: crypto.randomUUID(),
        account_id: customer.accountId,
        parcel_id: id,
        endpoint: 'http://127.0.0.1:9/push',
        ...keys,
        language: 'en',
        created_at: at,
        confirmed_at: at,
      })
      .execute()
    await mailFollowers(test.deps, { parcelId: id })
    await test.settle()
    const { rows } = await sql`select 1 from tracking_follows where parcel_id = ${id}::uuid`.execute(test.deps.db)
    expect(rows).toEqual([])
  })
})
