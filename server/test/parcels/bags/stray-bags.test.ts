import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { bagByNumber, emptyBag, listBags, receiveBag } from '@waybill/contract/parcels/transport/bags'
import {
  getTrip,
  listMissingLoads,
  listTrips,
  type TripDetail,
  tripManifest,
} from '@waybill/contract/parcels/transport/trips'
import { beforeAll, describe, expect, it } from 'vitest'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { getNumbers } from '../../testing/factories/gunnies.ts'
import { scanned } from '../../testing/factories/handed-over.ts'
import {
  buildTripTest,
  createAtStation,
  fillNewBag,
  findLoadState,
  loadNewTrip,
  type TripTest,
} from '../../testing/factories/trips.ts'

describe('a bag that turns up without its trip', () => {
  let { test, owner, counter, hub, here, there, third, calls } = {} as TripTest
  let stranger: TestStaff
  let supervisor: TestStaff
  beforeAll(async () => {
    ;({ test, owner, counter, hub, here, there, third, calls } = await buildTripTest())
    stranger = await createStaff(test, { stationId: third })
    supervisor = await createStaff(test, { type: 'superadmin' })
  })

  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  const receive = (id: string, body: BodyIn<typeof receiveBag>, by = hub, key?: string) =>
    test.call(receiveBag, {
      token: by.token,
      params: { id },
      body,
      headers: key ? { 'idempotency-key': key } : {},
    })
  const refusal = (answer: { status: number; error: { code: string } }) => [answer.status, answer.error.code]
  const findBag = async (no: string) => (await test.call(bagByNumber, { token: hub.token, params: { no } })).body
  const listMissing = async ({ number: search }: TripDetail) => {
    const { body } = await test.call(listMissingLoads, { token: hub.token, query: { search } })
    return body.items.map(({ number }) => number)
  }
  const listActivities = (subject: string) =>
    test.deps.db
      .selectFrom('activity_log')
      .select(['action', 'level', 'detail'])
      .where('subject', '=', subject)
      .execute()
  /** A bag on its way with a trip. */
  const send = async (seal: string, count = 1) => {
    const numbers = await createNumbers(count)
    const bag = await fillNewBag(test, counter, there, numbers, seal)
    return { numbers, bag, trip: await calls.sendOff([bag.number]) }
  }
  /** A bag without which its trip was closed. */
  const lose = async (seal: string, count = 1) => {
    const { trip, ...rest } = await send(seal, count)
    return { ...rest, trip: (await calls.close((await calls.arrive(trip)).body)).body }
  }

  it('is received by its seal where its trip was closed without it', async () => {
    const { bag, numbers, trip } = await lose('F-1', 2)
    expect(await findBag(bag.number)).toMatchObject({ status: 'in_transit', tripId: trip.id, isMissing: true })
    const answer = await receive(bag.id, { sealNumber: ' F-1 ' })
    expect(answer.body).toMatchObject({
      ...{ status: 'at_station', station: { id: there }, nextStation: null, parcelCount: 2 },
      ...{ tripId: null, isMissing: false },
    })
    for (const number of numbers) {
      const { status, custody } = await calls.findParcel(number)
      expect([status, custody.station?.id]).toEqual(['inbound', there])
    }
    expect(findLoadState(await calls.read(trip.id), bag.number)).toBe('found')
    expect(await listMissing(trip)).toEqual([])
    const { action, level } = (await listActivities(bag.number)).at(-1) ?? {}
    expect([action, level]).toEqual(['bags.arrived', 'INFO'])
    // It is emptied as usual.
    const body = { version: answer.body.version }
    expect((await test.call(emptyBag, { token: hub.token, params: { id: bag.id }, body })).status).toBe(200)
    expect(await listMissing(trip)).toEqual([])
  })

  it('is opened if it has another seal: its parcels stay missing until they are scanned', async () => {
    const { bag, numbers, trip } = await lose('F-2', 2)
    for (const body of [{}, { sealNumber: 'F-3' }]) {
      expect(refusal(await receive(bag.id, body))).toEqual([409, 'seal_differs'])
      expect(await findBag(bag.number)).toMatchObject({ status: 'in_transit', parcelCount: 2 })
    }
    const answer = await receive(bag.id, { opened: true })
    expect(answer.body).toMatchObject({ status: 'emptied', station: { id: there }, parcelCount: 0 })
    expect((await listMissing(trip)).sort()).toEqual([...numbers].sort())
    const { action, level } = (await listActivities(bag.number)).at(-1) ?? {}
    expect([action, level]).toEqual(['bags.emptied', 'WARNING'])
    const [one = '', two = ''] = numbers
    await scanned(test, hub, one, 'arrived')
    expect(await listMissing(trip)).toEqual([two])
    await scanned(test, hub, two, 'arrived')
    expect(findLoadState(await calls.read(trip.id), bag.number)).toBe('found')
  })

  it('is received at a wrong station, which is recorded, and goes on from there', async () => {
    const { bag, numbers, trip } = await lose('F-4')
    const answer = await receive(bag.id, { sealNumber: 'F-4' }, stranger)
    expect(answer.body).toMatchObject({ status: 'at_station', station: { id: third }, toStation: { id: there } })
    const { id } = await calls.findParcel(numbers[0] ?? '')
    const misroute = (await listActivities(id)).find(({ action }) => action === 'parcels.misrouted')
    expect(misroute).toMatchObject({ level: 'WARNING', detail: { bag: bag.number, rightStation: { id: there } } })
    expect((await listActivities(bag.number)).at(-1)).toMatchObject({
      ...{ action: 'bags.arrived', level: 'WARNING' },
      detail: { stationId: third, rightStation: { id: there } },
    })
    const event = await test.deps.db
      .selectFrom('tracking_events')
      .select(['detail', 'station_id'])
      .where('parcel_id', '=', id)
      .where('event', '=', 'arrived')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ station_id: third, detail: { bag: bag.number, rightStation: { id: there } } })
    expect(await listMissing(trip)).toEqual([])
    const onward = await calls.depart(await loadNewTrip(test, stranger, there, [bag.number]), null, { by: stranger })
    expect(onward.status).toBe(200)
    await calls.arrive(onward.body, null)
    await calls.unload(onward.body.id, bag.number, { sealNumber: 'F-4' })
    expect((await findBag(bag.number)).parcelCount).toBe(1)
  })

  it('is unloaded by its destination while its trip is not closed; another station receives it', async () => {
    const { bag, trip } = await send('F-5')
    expect(await findBag(bag.number)).toMatchObject({ tripId: trip.id, isMissing: false })
    const reading = { sealNumber: 'F-5' }
    const refused = await receive(bag.id, reading)
    expect(refusal(refused)).toEqual([409, 'bag_comes_with_trip'])
    expect(refused.error.details).toMatchObject({ trip: trip.number })
    const { body: arrivedTrip } = await calls.arrive(trip)
    expect(refusal(await receive(bag.id, reading))).toEqual([409, 'bag_comes_with_trip'])
    expect((await receive(bag.id, reading, stranger)).status).toBe(200)
    const closed = await calls.close(arrivedTrip)
    expect([closed.body.missingCount, findLoadState(closed.body, bag.number)]).toEqual([1, 'found'])
  })

  it('is received once, even if the request is repeated', async () => {
    const { bag } = await lose('F-6')
    const reading = { sealNumber: 'F-6' }
    const first = await receive(bag.id, reading, hub, 'stray-bag-1')
    expect((await receive(bag.id, reading, hub, 'stray-bag-1')).body).toEqual(first.body)
    expect(refusal(await receive(bag.id, reading, hub, 'stray-bag-2'))).toEqual([409, 'bag_state'])
    expect((await listActivities(bag.number)).filter(({ action }) => action === 'bags.arrived')).toHaveLength(1)
  })

  it('is received by staff of the station where it is, and by staff of no station for one', async () => {
    const { bag } = await lose('F-7')
    const reading = { sealNumber: 'F-7' }
    expect(refusal(await receive(bag.id, { ...reading, stationId: there }, counter))).toEqual([
      403,
      'task_other_station',
    ])
    for (const body of [reading, { ...reading, stationId: bag.id }]) {
      const refused = await receive(bag.id, body, supervisor)
      expect([refused.status, refused.error.errors?.map(({ field }) => field)]).toEqual([422, ['stationId']])
    }
    const answer = await receive(bag.id, { ...reading, stationId: there }, supervisor)
    expect(answer.body.station.id).toBe(there)
  })

  it('can be looked up by any station, and its trip, too', async () => {
    const { bag, trip } = await lose('F-9')
    const { token } = stranger
    const query = { stationId: there }
    const answers = [
      await test.call(bagByNumber, { token, params: { no: bag.number } }),
      await test.call(listBags, { token, query }),
      await test.call(getTrip, { token, params: { id: trip.id } }),
      await test.call(tripManifest, { token, params: { id: trip.id } }),
      await test.call(listTrips, { token, query }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    // What is missing is work for the two stations of the trip.
    const refused = await test.call(listMissingLoads, { token, query })
    expect(refusal(refused)).toEqual([403, 'task_other_station'])
  })

  it('has to be on its way', async () => {
    const [number = ''] = await createNumbers(1)
    const bag = await fillNewBag(test, counter, there, [number], 'F-8')
    expect(refusal(await receive(bag.id, { sealNumber: 'F-8' }, counter))).toEqual([409, 'bag_state'])
    expect(refusal(await receive(owner.userId, { sealNumber: 'F-8' }))).toEqual([404, 'bag_unknown'])
  })
})
