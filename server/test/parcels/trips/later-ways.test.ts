import { declareLost, scan, undoScan } from '@waybill/contract/parcels/scanning'
import { bagByNumber, emptyBag } from '@waybill/contract/parcels/transport/bags'
import { beforeAll, describe, expect, it } from 'vitest'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { fillGunny, getNumbers, sendCheck } from '../../testing/factories/gunnies.ts'
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

describe('a trip and the later ways of its loads', () => {
  let { test, owner, counter, hub, here, there, third, calls } = {} as TripTest
  let clerk: TestStaff
  let supervisor: TestStaff
  let callsOfThird: ReturnType<typeof buildTripCalls>
  beforeAll(async () => {
    ;({ test, owner, counter, hub, here, there, third, calls } = await buildTripTest())
    clerk = await createStaff(test, { stationId: third })
    supervisor = await createStaff(test, { type: 'superadmin' })
    callsOfThird = buildTripCalls(test, { sender: counter, receiver: clerk, there: third })
  })

  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  const findBag = async (no: string) => (await test.call(bagByNumber, { token: hub.token, params: { no } })).body
  const refusal = (answer: { status: number; error: { code: string } }) => [answer.status, answer.error.code]
  /** A trip that was closed without any of its loads. */
  const closeWithout = async (numbers: readonly string[]) => {
    const { body } = await calls.arrive(await calls.sendOff(numbers))
    return (await calls.close(body)).body
  }
  const lose = async (number: string) => {
    const { id, version } = await calls.findParcel(number)
    const body = { version, note: 'Not in the vehicle.' }
    expect((await test.call(declareLost, { token: supervisor.token, params: { id }, body })).status).toBe(200)
  }
  /** A trip to the third station that is being unloaded there. */
  const unloadAtThird = async () => {
    const trip = await callsOfThird.sendOff(await createNumbers(1))
    return (await callsOfThird.arrive(trip)).body
  }

  it('do not make a parcel missing again that was found and is on the way again', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await closeWithout([number])
    expect(findLoadState(trip, number)).toBe('missing')
    // It had stayed at the first station.
    await scanned(test, counter, number, 'arrived')
    expect(findLoadState(await calls.read(trip.id), number)).toBe('found')
    const second = await calls.sendOff([number])
    expect(findLoadState(await calls.read(trip.id), number)).toBe('found')
    expect((await calls.findParcel(number)).transport.trip).toMatchObject({ id: second.id, missing: false })
  })

  it('do not count a parcel as arrived that has gone another way', async () => {
    const [number = '', other = ''] = await createNumbers(2)
    const trip = await calls.sendOff([number, other])
    await scanned(test, counter, number, 'arrived')
    await calls.sendOff([number])
    const { body } = await calls.arrive(trip)
    expect(findLoadState(body, number)).toBe('loaded')
    await calls.unload(trip.id, other)
    const closed = await calls.close(await calls.read(trip.id))
    expect([closed.body.missingCount, findLoadState(closed.body, number)]).toEqual([1, 'found'])
  })

  it('count a parcel as on the way whose arrival was undone', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await closeWithout([number])
    const body = { trackingNumber: number, event: 'arrived' as const }
    const { id } = (await test.call(scan, { token: hub.token, body })).body
    expect((await test.call(undoScan, { token: hub.token, params: { id } })).status).toBe(200)
    expect(findLoadState(await calls.read(trip.id), number)).toBe('missing')
  })

  it('accept a gunny that was counted at its destination already', async () => {
    const { gunny, numbers } = await fillGunny(test, owner, { count: 1, sealNumber: 'G-27' })
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    const trip = await calls.sendOff([gunny.number])
    await calls.arrive(trip)
    await sendCheck(test, hub, gunny.id, 'arrived', numbers)
    const answer = await calls.unload(trip.id, gunny.number)
    expect(answer.body).toMatchObject({ changed: false, load: { state: 'arrived' } })
  })

  it('do not make a parcel missing again that was found and is lost later', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await closeWithout([number])
    await scanned(test, hub, number, 'arrived')
    await lose(number)
    expect(findLoadState(await calls.read(trip.id), number)).toBe('found')
    expect((await calls.findParcel(number)).transport.trip).toBeNull()
  })

  it('do not make a bag or a gunny missing again that is on the way again', async () => {
    const bag = await fillNewBag(test, counter, there, await createNumbers(1), 'B-20')
    const { gunny, numbers } = await fillGunny(test, owner, { count: 1, sealNumber: 'G-20' })
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    const trip = await closeWithout([bag.number, gunny.number])
    expect(trip.loads.map(({ state }) => state)).toEqual(['missing', 'missing'])
    const wrong = await unloadAtThird()
    await callsOfThird.unload(wrong.id, bag.number, { sealNumber: 'B-20' })
    await callsOfThird.unload(wrong.id, gunny.number, { sealNumber: 'G-20' })
    const onward = await loadNewTrip(test, clerk, there, [bag.number, gunny.number])
    expect((await calls.depart(onward, null, { by: clerk })).status).toBe(200)
    expect((await calls.read(trip.id)).loads.map(({ state }) => state)).toEqual(['found', 'found'])
  })

  it('keep a parcel out of a bag that it has left, wherever it travels', async () => {
    const [stays = '', leaves = '', back = ''] = await createNumbers(3)
    const bag = await fillNewBag(test, counter, there, [stays, leaves, back], 'B-21')
    // One goes ahead to the same station; the other comes back to this one.
    await scanned(test, counter, leaves, 'departed', { nextStationId: there })
    await scanned(test, counter, back, 'departed', { nextStationId: there })
    await scanned(test, hub, back, 'arrived')
    await scanned(test, hub, back, 'departed', { nextStationId: here })
    await scanned(test, counter, back, 'arrived')
    expect((await findBag(bag.number)).parcels.map(({ trackingNumber }) => trackingNumber)).toEqual([stays])
    const trip = await calls.sendOff([bag.number])
    expect(trip.parcelCount).toBe(1)
    const { status, custody } = await calls.findParcel(back)
    expect([status, custody.station?.id]).toEqual(['inbound', here])
    await calls.arrive(trip)
    await scanned(test, hub, leaves, 'arrived')
    await calls.unload(trip.id, bag.number, { sealNumber: 'B-21' })
    expect((await findBag(bag.number)).parcelCount).toBe(1)
  })

  it('name the parcels of a bag that was opened at a wrong station', async () => {
    const [one = '', two = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [one, two], 'B-22')
    const trip = await calls.sendOff([bag.number])
    const wrong = await unloadAtThird()
    await callsOfThird.unload(wrong.id, bag.number, { opened: true })
    await callsOfThird.unload(wrong.id, one)
    const atThird = await callsOfThird.read(wrong.id)
    expect(atThird.loads.find(({ number }) => number === bag.number)).toMatchObject({ state: 'extra', missing: [two] })
    const { body } = await calls.arrive(trip)
    expect(body.loads[0]).toMatchObject({ state: 'loaded', missing: [two] })
    const closed = await calls.close(body)
    expect(closed.body.missingCount).toBe(1)
    expect(closed.body.loads[0]).toMatchObject({ state: 'missing', missing: [two] })
    // It is missing from its own trip, not from the one that brought it, from which another parcel is missing.
    expect((await callsOfThird.close(atThird)).body).toMatchObject({ missingCount: 1, extraCount: 1 })
    await scanned(test, clerk, two, 'arrived')
    expect((await calls.read(trip.id)).loads[0]).toMatchObject({ state: 'found', missing: [] })
  })

  it('do not hold a bag that another station has unloaded', async () => {
    const bag = await fillNewBag(test, counter, there, await createNumbers(1), 'B-23')
    await calls.sendOff([bag.number])
    const wrong = await unloadAtThird()
    await callsOfThird.unload(wrong.id, bag.number, { sealNumber: 'B-23' })
    const now = await findBag(bag.number)
    expect(now).toMatchObject({ status: 'at_station', tripNumber: null })
    const onward = await loadNewTrip(test, clerk, there, [bag.number])
    expect((await findBag(bag.number)).tripNumber).toBe(onward.number)
    const body = { version: now.version }
    const refused = await test.call(emptyBag, { token: clerk.token, params: { id: bag.id }, body })
    expect(refusal(refused)).toEqual([409, 'bag_on_trip'])
    expect((await callsOfThird.takeOff(onward.id, onward.loads[0]?.id ?? '', clerk)).status).toBe(200)
    expect((await test.call(emptyBag, { token: clerk.token, params: { id: bag.id }, body })).status).toBe(200)
  })

  it('name a gunny that may no longer depart', async () => {
    const { gunny, numbers } = await fillGunny(test, owner, { count: 1, sealNumber: 'G-24' })
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    const [loose = ''] = await createNumbers(1)
    const trip = await loadNewTrip(test, counter, there, [gunny.number, loose])
    await lose(numbers[0] ?? '')
    const refused = await calls.depart(trip)
    expect(refusal(refused)).toEqual([409, 'trip_not_ready'])
    expect(refused.error.details).toEqual({ numbers: [gunny.number] })
    const { gunny: openGunny, numbers: inside } = await fillGunny(test, owner, { count: 1, sealNumber: 'G-25' })
    await sendCheck(test, counter, openGunny.id, 'received', inside)
    const other = await loadNewTrip(test, counter, there, [openGunny.number])
    await sendCheck(test, counter, openGunny.id, 'departed', inside, { nextStationId: there })
    expect(refusal(await calls.depart(other))).toEqual([409, 'trip_not_ready'])
  })

  it('do not count a parcel that was lost before the departure', async () => {
    const [stays = '', lost = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [stays, lost], 'B-26')
    await lose(lost)
    const trip = await calls.sendOff([bag.number])
    expect(trip).toMatchObject({ loadCount: 1, parcelCount: 1 })
    const { body } = await calls.arrive(trip)
    const opened = await calls.unload(trip.id, bag.number, { opened: true })
    expect(opened.status).toBe(200)
    expect((await calls.read(body.id)).loads[0]?.missing).toEqual([stays])
  })
})
