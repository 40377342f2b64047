import { groupNumbersIn, postalTracking } from '@waybill/contract/ground/tracking-number'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, getParcelByNumber } from '@waybill/contract/parcels/parcels'
import { publicTrack, publicTrackGet } from '@waybill/contract/tracking/tracking'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { makeTrackingNumber } from '../../src/domains/parcels/tracking-number.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { coveringStation } from '../../src/domains/stations/network.ts'
import { dayIn } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel, type ParcelDefaults, testParty, testReceiver } from '../testing/factories/parcels.ts'

describe('public tracking', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    customer = await createCustomer(test)
  })

  it('shows the journey of a delivered parcel to anyone, newest event first', async () => {
    const parcel = await createParcel(test, customer, { status: 'completed', expected_date: '2026-12-01' })
    const { status, body } = await test.call(publicTrackGet, { query: { no: parcel.tracking_number ?? '' } })
    expect(status).toBe(200)
    expect(body.notFound).toEqual([])
    expect(body.timezone).toBe('Asia/Kuala_Lumpur')
    const [tracked] = body.found
    expect(tracked).toMatchObject({
      trackingNumber: parcel.tracking_number,
      trackingStatus: 'delivered',
      status: 'completed',
      leg: 'outbound',
      serviceType: 'e_parcel',
      deliveryMode: 'D2D',
      originCity: 'Kuala Lumpur',
      destinationCity: 'George Town',
      expectedDate: '2026-12-01',
    })
    expect(tracked?.events.map(({ event }) => event)).toEqual([
      'delivered',
      'out_for_delivery',
      'picked_up',
      'booked',
      'created',
    ])
    const times = tracked?.events.map(({ at }) => Date.parse(at)) ?? []
    expect(times).toEqual([...times].sort((a, b) => b - a))
  })

  it('hides names, phones, streets, notes, amounts and payments', async () => {
    const sender = testParty({ company: 'Secret Sdn Bhd', remarks: 'ring twice' })
    const receiver = testReceiver({ company: 'Hidden Bhd', line2: 'Unit 7-3', remarks: 'beware of the dog' })
    const parcel = await createParcel(test, customer, {
      status: 'inbound',
      sender,
      receiver,
      reference: 'PO-77123',
      content_description: 'silk scarves',
      declared_value_minor: 123_456,
      cod_amount_minor: 98_765,
      price_minor: 45_678,
      amount_due_minor: 34_567,
    })
    await tx(test.deps.db, async (trx) => {
      const rows = await lockParcels(trx, customer.accountId, [parcel.id])
      await transitionParcels(test.deps, trx, rows, 'reweighed_heavier', { actorId: null, note: 'scale two says 9 kg' })
    })
    const { body, raw } = await test.call(publicTrackGet, { query: { no: parcel.tracking_number ?? '' } })
    const words = [sender, receiver].flatMap(({ city, state, country, residential, ...hidden }) =>
      Object.values(hidden),
    )
    const values = [
      ...words,
      parcel.reference,
      parcel.content_description,
      'scale two',
      customer.email,
      customer.userId,
    ]
    for (const value of [...values, customer.accountId, parcel.id]) {
      if (value !== null) expect(raw.toString()).not.toContain(value)
    }
    for (const amount of ['123456', '98765', '45678', '34567', 'outstanding', 'checkout', 'paid']) {
      expect(raw.toString()).not.toContain(amount)
    }
    expect(body.found[0]).toMatchObject({ status: 'inbound', trackingStatus: 'in_transit' })
  })

  it('names the delivery as the next step once the station near the receiver has the parcel', async () => {
    await seedTestNetwork(test)
    const last = (await coveringStation(test.deps.db, 'my', testReceiver().postcode))?.station.id ?? null
    const elsewhere = (await coveringStation(test.deps.db, 'my', testParty().postcode))?.station.id ?? null
    expect(new Set([last, elsewhere, null]).size).toBe(3)
    const findNextStep = async (overrides: ParcelDefaults) => {
      const { id, tracking_number: number } = await createParcel(test, customer, overrides)
      const { body } = await test.call(publicTrackGet, { query: { no: number ?? '' } })
      const detail = await test.call(getParcel, { params: { id }, token: customer.token })
      return [body.found[0]?.next, detail.body.atLastStation]
    }
    for (const status of ['inbound', 'sorting'] as const) {
      expect(await findNextStep({ status, station_id: last })).toEqual(['last_station', true])
      expect(await findNextStep({ status, station_id: elsewhere })).toEqual(['in_transit', false])
    }
    expect(await findNextStep({ status: 'delivering', station_id: last })).toEqual(['out_for_delivery', false])
    // At a station where the receiver collects it, no rider delivers it.
    const collected = { delivery_mode: 'D2P', station_id: last, self_collection_station_id: last } as const
    expect(await findNextStep({ ...collected, status: 'sorting' })).toEqual(['in_transit', false])
  })

  it('hides a weight difference that was waived, and any event without a public name', async () => {
    const parcel = await createParcel(test, customer, { status: 'inbound', amount_due_minor: 34_567 })
    await tx(test.deps.db, async (trx) => {
      for (const event of ['reweighed_heavier', 'difference_waived', 'sorted', 'departed'] as const) {
        const rows = await lockParcels(trx, customer.accountId, [parcel.id])
        await transitionParcels(test.deps, trx, rows, event, { actorId: null })
      }
    })
    const rename = (to: string) => sql`
      update tracking_events set event = ${to} where parcel_id = ${parcel.id} and event = 'departed'`
    await rename('an_event_of_next_year').execute(test.deps.db)
    const { body } = await test.call(publicTrackGet, { query: { no: parcel.tracking_number ?? '' } })
    expect(body.found[0]?.events.map(({ event }) => event)).toEqual(['sorted', 'picked_up', 'booked', 'created'])
  })

  it('returns thirty numbers with one query, each once, in any spelling', async () => {
    const parcels = await Promise.all(
      Array.from({ length: 30 }, () => createParcel(test, customer, { status: 'outbound' })),
    )
    const numbers = parcels.map(({ tracking_number }) => tracking_number ?? '')
    const queries: string[] = []
    const { pool } = test.deps
    const query = pool.query
    pool.query = ((...args: Parameters<typeof query>) => {
      queries.push(String(args[0]))
      return (query as (...all: unknown[]) => unknown).apply(pool, args)
    }) as typeof query
    const { body } = await test.call(publicTrack, { body: { numbers } })
    pool.query = query
    expect(body.found.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers)
    expect(queries).toHaveLength(1)

    const [first = ''] = numbers
    const spelling = `${first.slice(0, 2).toLowerCase()} ${first.slice(2, 6)}-${first.slice(6)}`
    const again = await test.call(publicTrack, { body: { numbers: [first, spelling] } })
    expect(again.body.found).toHaveLength(1)
  })

  it('combines concurrent requests into shared queries, and returns the right parcel to each', async () => {
    const parcels = await Promise.all(
      Array.from({ length: 12 }, () => createParcel(test, customer, { status: 'sorting' })),
    )
    const { pool } = test.deps
    const query = pool.query
    let queries = 0
    pool.query = ((...args: Parameters<typeof query>) => {
      queries++
      return (query as (...all: unknown[]) => unknown).apply(pool, args)
    }) as typeof query
    const numbers = Array.from({ length: 120 }, (_, n) => parcels[n % 12]?.tracking_number ?? '')
    const answers = await Promise.all(numbers.map((no) => test.call(publicTrackGet, { query: { no } })))
    pool.query = query
    expect(answers.map(({ body }) => body.found.map(({ trackingNumber }) => trackingNumber))).toEqual(
      numbers.map((no) => [no]),
    )
    expect(queries).toBeLessThan(numbers.length)
  })

  it('refuses a thirty-first number and names the field, in both languages', async () => {
    const no = Array.from({ length: 31 }, (_, n) => makeTrackingNumber('WB', n + 1)).join(',')
    for (const language of ['en', 'zh']) {
      const get = await test.call(publicTrackGet, { query: { no }, language })
      expect(get.status).toBe(422)
      expect(get.error.errors?.[0]?.field).toBe('no')
    }
    const post = await test.call(publicTrack, { body: { numbers: no.split(',') } })
    expect(post.status).toBe(422)
    expect(post.error.errors?.[0]?.field).toBe('numbers')
    expect((await test.call(publicTrackGet, { query: { no: ' , ,' } })).status).toBe(422)
  })

  it('returns the reason for each number that is not found, with the found ones', async () => {
    const parcel = await createParcel(test, customer, { status: 'sorting' })
    const right = parcel.tracking_number ?? ''
    const unknown = makeTrackingNumber('WB', 9_876_543_210)
    const slip = `${right.slice(0, -1)}${(Number(right.at(-1)) + 1) % 10}`
    const { body } = await test.call(publicTrack, {
      body: { numbers: [unknown, slip, right, 'hello world', 'RB123456785MY'] },
      language: 'zh',
    })
    expect(body.found.map(({ trackingNumber }) => trackingNumber)).toEqual([right])
    const reasons = body.notFound.map(({ number, reason }) => [number, reason])
    expect(reasons).toEqual([
      [unknown, 'unknown'],
      [slip, 'slip'],
      ['HELLOWORLD', 'format'],
      ['RB123456785MY', 'postal'],
    ])
    for (const { message } of body.notFound) expect(message).toMatch(/[\u4e00-\u9fff]/)
    expect(body.notFound.map(({ link }) => link)).toEqual([null, null, null, postalTracking])
    const owned = await test.call(getParcelByNumber, { params: { no: 'RB123456785MY' }, token: customer.token })
    expect([owned.status, owned.error.code, owned.error.details?.link]).toEqual([
      422,
      'tracking_number_postal',
      postalTracking,
    ])
  })

  it('accepts numbers typed with a Chinese keyboard', async () => {
    const parcels = [
      await createParcel(test, customer, { status: 'sorting' }),
      await createParcel(test, customer, { status: 'inbound' }),
    ]
    const numbers = parcels.map(({ tracking_number }) => tracking_number ?? '')
    // The code points of full-width forms are 0xfee0 above the plain ones.
    const wide = numbers.map((number) =>
      number.replace(/[0-9A-Z]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    )
    const get = await test.call(publicTrackGet, { query: { no: wide.join('，') } })
    expect(get.body.found.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers)
    const post = await test.call(publicTrack, { body: { numbers: wide.map((number) => `　${number}`) } })
    expect(post.body.found.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers)
    const own = await test.call(getParcelByNumber, { params: { no: wide[0] ?? '' }, token: customer.token })
    expect(own.body.trackingNumber).toBe(numbers[0])
  })

  it('expects a parcel that is out for delivery today, and also shows the first expected date', async () => {
    const today = dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')
    const out = await createParcel(test, customer, { status: 'delivering', expected_date: '2999-11-24' })
    const moving = await createParcel(test, customer, { status: 'sorting', expected_date: '2999-11-24' })
    const onTime = await createParcel(test, customer, { status: 'delivering', expected_date: today })
    const rows = [out, moving, onTime]
    const getDays = (parcels: { expectedDate: string | null; promisedDate: string | null }[]) =>
      parcels.map(({ expectedDate, promisedDate }) => [expectedDate, promisedDate])
    const periods = [
      [today, '2999-11-24'],
      ['2999-11-24', null],
      [today, null],
    ]
    const numbers = rows.map(({ tracking_number }) => tracking_number ?? '')
    const { body } = await test.call(publicTrack, { body: { numbers } })
    expect(getDays(body.found)).toEqual(periods)
    const { token } = customer
    const details = rows.map(async ({ id }) => (await test.call(getParcel, { params: { id }, token })).body)
    expect(getDays(await Promise.all(details))).toEqual(periods)
    const listed = (await test.call(listParcels, { query: { limit: 200 }, token })).body.items
    expect(getDays(rows.flatMap(({ id }) => listed.find((each) => each.id === id) ?? []))).toEqual(periods)
  })

  it('suggests the right number if two adjacent digits were swapped', async () => {
    const parcel = await createParcel(test, customer, { status: 'delivering' })
    const right = parcel.tracking_number ?? ''
    const swaps = Array.from({ length: 10 }, (_, n) => n + 2)
      .filter((n) => right[n] !== right[n + 1])
      .map((n) => `${right.slice(0, n)}${right[n + 1]}${right[n]}${right.slice(n + 2)}`)
    const answers = await Promise.all(swaps.map((no) => test.call(publicTrackGet, { query: { no } })))
    const offered = answers.flatMap(({ body }) => body.notFound.filter(({ suggestion }) => suggestion === right))
    expect(offered.length).toBeGreaterThan(0)
    for (const { message, reason } of offered) {
      expect(reason).toBe('slip')
      expect(message).toContain(groupNumbersIn(right))
    }
    const calls = swaps.map((no) => test.call(getParcelByNumber, { params: { no }, token: customer.token }))
    const errors = (await Promise.all(calls)).map(({ error }) => error)
    const matches = errors.filter(({ details }) => details?.suggestion === right)
    expect(matches.length).toBe(offered.length)
    for (const { message } of matches) expect(message).toContain(groupNumbersIn(right))
  })

  it('accepts only tracking numbers, so drafts and cancelled checkouts stay private', async () => {
    const draft = await createParcel(test, customer, { status: 'incart' })
    expect((await test.call(publicTrackGet, { query: { no: draft.id } })).body.found).toEqual([])
  })

  it('shows a parcel with an outstanding amount before handover as pending', async () => {
    const before = await createParcel(test, customer, { status: 'outstanding', delivery_mode: 'P2D' })
    const { body } = await test.call(publicTrackGet, { query: { no: before.tracking_number ?? '' } })
    expect(body.found[0]).toMatchObject({ trackingStatus: 'pending', status: 'pending' })
  })
})
