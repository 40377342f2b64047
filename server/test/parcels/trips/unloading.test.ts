import { declareLost } from '@waybill/contract/parcels/scanning'
import { beforeAll, describe, expect, it } from 'vitest'
import { createStaff } from '../../testing/factories/accounts.ts'
import { getNumbers } from '../../testing/factories/gunnies.ts'
import { scanned } from '../../testing/factories/handed-over.ts'
import {
  buildTripCalls,
  buildTripTest,
  createAtStation,
  fillNewBag,
  findLoadState,
  loadNewTrip,
  type TripTest,
} from '../../testing/factories/trips.ts'

describe('unloading', () => {
  let { test, owner, counter, hub, here, there, third, calls } = {} as TripTest
  beforeAll(async () => {
    ;({ test, owner, counter, hub, here, there, third, calls } = await buildTripTest())
  })

  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  const refusal = (answer: { status: number; error: { code: string } }) => [answer.status, answer.error.code]

  it('name what is missing after unloading, and what was found later', async () => {
    const [there1 = '', lost = '', alone = ''] = await createNumbers(3)
    const trip = await calls.sendOff([there1, lost, alone])
    const arrived = await calls.arrive(trip)
    await calls.unload(trip.id, there1)
    // Scanned on the scan page instead of this one.
    await scanned(test, hub, alone, 'arrived')
    const closed = await calls.close(await calls.read(trip.id))
    expect(closed.body).toMatchObject({ status: 'closed', missingCount: 1, extraCount: 0 })
    expect(arrived.body.loads.map(({ state }) => state)).toEqual(['loaded', 'loaded', 'loaded'])
    expect([there1, lost, alone].map((number) => findLoadState(closed.body, number))).toEqual([
      'arrived',
      'missing',
      'arrived',
    ])
    const entry = await test.deps.db
      .selectFrom('activity_log')
      .select(['level', 'detail'])
      .where('action', '=', 'trips.closed')
      .where('subject', '=', trip.number)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ level: 'WARNING', detail: { missing: [lost], extra: [] } })
    const { status, transport } = await calls.findParcel(lost)
    expect([status, transport.trip?.missing]).toEqual(['outbound', true])
    const { id, version } = await calls.findParcel(lost)
    const body = { version, note: 'Not on the vehicle.' }
    const supervisor = await createStaff(test, { type: 'superadmin' })
    expect((await test.call(declareLost, { token: supervisor.token, params: { id }, body })).status).toBe(200)
    expect(findLoadState(await calls.read(trip.id), lost)).toBe('missing')
    await scanned(test, hub, lost, 'arrived')
    expect(findLoadState(await calls.read(trip.id), lost)).toBe('found')
    expect(refusal(await calls.unload(trip.id, lost))).toEqual([409, 'trip_state'])
  })

  it('accept what is not on the manifest, and say where it should have gone', async () => {
    const [expected = '', stray = ''] = await createNumbers(2)
    const trip = await calls.sendOff([expected])
    const right = third
    await scanned(test, counter, stray, 'departed', { nextStationId: right })
    await calls.arrive(trip)
    const answer = await calls.unload(trip.id, stray)
    expect(answer.body).toMatchObject({ changed: true, load: { number: stray, state: 'extra' } })
    const { id, status, custody } = await calls.findParcel(stray)
    expect([status, custody.station?.id]).toEqual(['inbound', there])
    const logged = await test.deps.db
      .selectFrom('activity_log')
      .select('detail')
      .where('action', '=', 'parcels.misrouted')
      .where('subject', '=', id)
      .executeTakeFirstOrThrow()
    expect(logged.detail).toMatchObject({ trip: trip.number, rightStation: { id: right } })
    // A second scan changes nothing.
    const again = await calls.unload(trip.id, stray)
    expect([again.body.changed, again.body.trip.version]).toEqual([false, answer.body.trip.version])
    expect((await calls.read(trip.id)).loads).toHaveLength(2)
    // Parcels that are not on the way do not come off a vehicle.
    const [atCounter = ''] = await createNumbers(1)
    expect(refusal(await calls.unload(trip.id, atCounter))).toEqual([409, 'transition_forbidden'])
  })

  it('do not count what another station has as arrived', async () => {
    const [stray = '', bagged = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [bagged], 'B-10')
    const trip = await calls.sendOff([stray, bag.number])
    const clerk = await createStaff(test, { stationId: third })
    await scanned(test, clerk, stray, 'arrived')
    const other = buildTripCalls(test, { sender: counter, receiver: clerk, there: third })
    const otherTrip = await other.sendOff(await createNumbers(1))
    await other.arrive(otherTrip)
    expect((await other.unload(otherTrip.id, bag.number, { sealNumber: 'B-10' })).status).toBe(200)
    const { body } = await calls.arrive(trip)
    expect(body.loads.map(({ state }) => state)).toEqual(['loaded', 'loaded'])
    const closed = await calls.close(body)
    expect(closed.body.missingCount).toBe(2)
    expect(closed.body.loads.map(({ state }) => state)).toEqual(['found', 'found'])
  })

  it('open bags whose seal is not their own, and count their parcels', async () => {
    const [one = '', two = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [one, two], 'B-3')
    const trip = await calls.sendOff([bag.number], null)
    expect((await calls.arrive(trip, null)).body.seal).toBe('none')
    for (const sealNumber of [undefined, 'B-4']) {
      const refused = await calls.unload(trip.id, bag.number, sealNumber ? { sealNumber } : {})
      expect(refusal(refused)).toEqual([409, 'seal_differs'])
    }
    const opened = await calls.unload(trip.id, bag.number, { opened: true })
    expect(opened.body.load.missing).toEqual([one, two].sort())
    expect((await calls.unload(trip.id, bag.number, { opened: true })).status).toBe(200)
    const first = await calls.unload(trip.id, one)
    // The answer is about the bag, and other screens see that the trip has changed.
    expect(first.body).toMatchObject({ changed: true, load: { kind: 'bag', missing: [two] } })
    expect(first.body.trip.version).toBe(opened.body.trip.version + 1)
    expect((await calls.unload(trip.id, one)).body).toMatchObject({ changed: false, load: { kind: 'bag' } })
    const closed = await calls.close(await calls.read(trip.id))
    expect(closed.body).toMatchObject({ missingCount: 1, extraCount: 0 })
    expect(findLoadState(closed.body, bag.number)).toBe('missing')
    await scanned(test, hub, two, 'arrived')
    expect(findLoadState(await calls.read(trip.id), bag.number)).toBe('found')
  })

  it('record a broken seal as a warning', async () => {
    const trip = await calls.sendOff(await createNumbers(1))
    expect((await calls.arrive(trip, 'T-9')).body.seal).toBe('broken')
    const { level } = await test.deps.db
      .selectFrom('activity_log')
      .select('level')
      .where('action', '=', 'trips.arrived')
      .where('subject', '=', trip.number)
      .executeTakeFirstOrThrow()
    expect(level).toBe('WARNING')
  })

  it('are received and unloaded only by staff of their destination', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await calls.sendOff([number])
    expect(refusal(await calls.arrive(trip, 'T-1', counter))).toEqual([403, 'task_other_station'])
    expect(refusal(await calls.unload(trip.id, number))).toEqual([409, 'trip_state'])
    const supervisor = await createStaff(test, { type: 'superadmin' })
    expect((await calls.arrive(trip, 'T-1', supervisor)).status).toBe(200)
    expect(refusal(await calls.unload(trip.id, number, {}, counter))).toEqual([403, 'task_other_station'])
    expect(refusal(await calls.close(await calls.read(trip.id), counter))).toEqual([403, 'task_other_station'])
  })

  it('take a bag on unopened with another trip', async () => {
    const [number = ''] = await createNumbers(1)
    const end = third
    const bag = await fillNewBag(test, counter, end, [number], 'B-5')
    const first = await calls.sendOff([bag.number])
    await calls.arrive(first)
    await calls.unload(first.id, bag.number, { sealNumber: 'B-5' })
    const onward = await calls.depart(await loadNewTrip(test, hub, end, [bag.number]), null, { by: hub })
    expect(onward.status).toBe(200)
    const { status, custody } = await calls.findParcel(number)
    expect([status, custody.nextStation?.id]).toEqual(['outbound', end])
    // The first trip has delivered its load, wherever the bag is now.
    expect(findLoadState(await calls.read(first.id), bag.number)).toBe('arrived')
  })
})
