import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { staffGunnyByNumber } from '@waybill/contract/parcels/gunny'
import { bagByNumber, emptyBag } from '@waybill/contract/parcels/transport/bags'
import {
  cancelTrip,
  createTrip,
  listTrips,
  tripLimit,
  tripManifest,
  unloadBeforeDeparture,
  updateTrip,
} from '@waybill/contract/parcels/transport/trips'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillGunny, getNumbers, sendCheck } from '../../testing/factories/gunnies.ts'
import { scanned } from '../../testing/factories/handed-over.ts'
import {
  buildTripTest,
  createAtStation,
  fillNewBag,
  loadNewTrip,
  type TripTest,
} from '../../testing/factories/trips.ts'
import { openPaper } from '../../testing/paper.ts'

describe('trips', () => {
  let { test, owner, counter, hub, here, there, calls } = {} as TripTest
  beforeAll(async () => {
    ;({ test, owner, counter, hub, here, there, calls } = await buildTripTest())
  })

  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  const refusal = (answer: { status: number; error: { code: string } }) => [answer.status, answer.error.code]
  /** A sealed gunny that a station has. */
  const sealedGunny = async (sealNumber = 'G-1') => {
    const { gunny, numbers } = await fillGunny(test, owner, { count: 2, sealNumber })
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    return { gunny, numbers }
  }

  it('take parcels, bags and gunnies from one station to another, in one step', async () => {
    const [loose = '', ...bagged] = await createNumbers(3)
    const bag = await fillNewBag(test, counter, there, bagged, 'B-1')
    const { gunny, numbers: packed } = await sealedGunny()
    const trip = await loadNewTrip(test, counter, there, [loose, bag.number, gunny.sscc])
    expect(trip).toMatchObject({ status: 'loading', loadCount: 3, parcelCount: 5, vehicle: 'VAA 1234' })
    expect(trip.number).toMatch(/^TR\d{9}$/)
    expect(trip.loads.map(({ kind, number }) => [kind, number])).toEqual([
      ['gunny', gunny.number],
      ['bag', bag.number],
      ['parcel', loose],
    ])
    const departed = await calls.depart(trip)
    expect(departed.body).toMatchObject({ status: 'under_way', sealNumber: 'T-1', seal: null })
    const onTrip = { id: trip.id, number: trip.number, missing: false }
    expect((await calls.findParcel(loose)).transport).toEqual({ bagNumber: null, trip: onTrip })
    expect((await calls.findParcel(bagged[0] ?? '')).transport).toEqual({ bagNumber: bag.number, trip: onTrip })
    expect((await calls.findParcel(packed[0] ?? '')).transport).toEqual({ bagNumber: null, trip: onTrip })
    for (const number of [loose, ...bagged, ...packed]) {
      const { status, custody } = await calls.findParcel(number)
      expect([status, custody.nextStation?.id]).toEqual(['outbound', there])
    }

    const arrived = await calls.arrive(departed.body)
    expect(arrived.body).toMatchObject({ status: 'unloading', seal: 'intact' })
    await calls.unload(trip.id, loose)
    await calls.unload(trip.id, bag.sscc, { sealNumber: 'B-1' })
    await calls.unload(trip.id, gunny.number, { sealNumber: 'G-1' })
    const unloaded = await calls.read(trip.id)
    expect(unloaded.loads.map(({ state }) => state)).toEqual(['arrived', 'arrived', 'arrived'])
    for (const number of [loose, ...bagged]) {
      const { status, custody } = await calls.findParcel(number)
      expect([status, custody.holder, custody.station?.id]).toEqual(['inbound', 'station', there])
    }
    const atHub = await test.call(staffGunnyByNumber, { token: hub.token, params: { no: gunny.number } })
    expect([atHub.body.status, atHub.body.station?.id]).toEqual(['at_station', there])
    const closed = await calls.close(unloaded)
    expect(closed.body).toMatchObject({ status: 'closed', missingCount: 0, extraCount: 0 })
    expect((await calls.findParcel(bagged[0] ?? '')).transport).toEqual({ bagNumber: bag.number, trip: null })
    const bagNow = await test.call(bagByNumber, { token: hub.token, params: { no: bag.number } })
    expect(bagNow.body).toMatchObject({ status: 'at_station', parcelCount: 2, tripNumber: null })
    const params = { id: bag.id }
    const emptied = await test.call(emptyBag, { token: hub.token, params, body: { version: bagNow.body.version } })
    expect(emptied.body.status).toBe('emptied')
  })

  it('are begun, departed and closed once, even if a request is repeated', async () => {
    const body = { toStationId: there, vehicle: 'VBB 1', driverName: 'Tan' }
    const headers = { 'idempotency-key': 'trip-once-1' }
    const first = await test.call(createTrip, { token: counter.token, body, headers })
    expect((await test.call(createTrip, { token: counter.token, body, headers })).body).toEqual(first.body)
    const [number = ''] = await createNumbers(1)
    const { trip } = (await calls.load(first.body.id, number)).body
    const departed = await calls.depart(trip, null, { key: 'trip-depart-1' })
    expect((await calls.depart(trip, null, { key: 'trip-depart-1' })).body).toEqual(departed.body)
    expect(refusal(await calls.depart(trip, null))).toEqual([409, 'trip_state'])
  })

  it('depart once if several people send them off at the same time', async () => {
    const trip = await loadNewTrip(test, counter, there, await createNumbers(3))
    const answers = await Promise.all([1, 2, 3].map(() => calls.depart(trip)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('load everything once, and nothing that may not depart from here', async () => {
    const [one = '', two = ''] = await createNumbers(2)
    const trip = await loadNewTrip(test, counter, there, [one])
    const again = await calls.load(trip.id, one)
    expect([again.body.trip.loadCount, again.body.trip.version]).toEqual([1, trip.version])
    expect([again.body.changed, again.body.load.number]).toEqual([false, one])
    const other = await loadNewTrip(test, counter, there, [two])
    expect(refusal(await calls.load(other.id, one))).toEqual([409, 'trip_other'])
    const [away = ''] = getNumbers(await createAtStation(test, owner, there))
    expect(refusal(await calls.load(trip.id, away))).toEqual([409, 'custody_refused'])
    const [inBag = ''] = await createNumbers(1)
    const open = await fillNewBag(test, counter, there, [inBag])
    expect(refusal(await calls.load(trip.id, inBag))).toEqual([409, 'parcel_in_bag'])
    expect(refusal(await calls.load(trip.id, open.number))).toEqual([409, 'bag_state'])
    const { gunny, numbers } = await fillGunny(test, owner)
    expect(refusal(await calls.load(trip.id, gunny.number))).toEqual([409, 'gunny_not_here'])
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    expect(refusal(await calls.load(trip.id, gunny.number))).toEqual([409, 'gunny_unsealed'])
    expect(refusal(await calls.load(trip.id, two, hub))).toEqual([403, 'task_other_station'])
    expect((await calls.read(trip.id)).loadCount).toBe(1)
  })

  it('depart with the parcels that are still in a bag or a gunny', async () => {
    const [stays = '', leaves = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [stays, leaves], 'B-11')
    const trip = await loadNewTrip(test, counter, there, [bag.number])
    await scanned(test, counter, leaves, 'out_for_delivery')
    const { body } = await calls.depart(trip)
    expect(body).toMatchObject({ status: 'under_way', loadCount: 1, parcelCount: 1, weightGrams: 1200 })
    expect(body.loads[0]?.parcelCount).toBe(1)
  })

  it('load a parcel, a bag or a gunny once, even if two trips load it at the same time', async () => {
    const [loose = '', bagged = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [bagged], 'B-8')
    const { gunny } = await sealedGunny()
    const trips = [await loadNewTrip(test, counter, there, []), await loadNewTrip(test, counter, there, [])]
    for (const number of [loose, bag.number, gunny.number]) {
      const answers = await Promise.all(trips.map(({ id }) => calls.load(id, number)))
      expect(answers.map(({ status }) => status).sort(), number).toEqual([200, 409])
      expect(answers.map(({ error }) => error?.code)).toContain('trip_other')
    }
  })

  it('load nothing that another station has, and no more than fits', async () => {
    const [number = '', bagged = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [bagged], 'B-9')
    const { gunny } = await sealedGunny()
    const elsewhere = await loadNewTrip(test, hub, here, [])
    expect(refusal(await calls.load(elsewhere.id, bag.number, hub))).toEqual([409, 'bag_elsewhere'])
    expect(refusal(await calls.load(elsewhere.id, gunny.number, hub))).toEqual([409, 'gunny_elsewhere'])
    const trip = await loadNewTrip(test, counter, there, [])
    await test.deps.db.updateTable('trips').set({ parcel_count: tripLimit }).where('id', '=', trip.id).execute()
    const full = await calls.load(trip.id, number)
    expect(refusal(full)).toEqual([409, 'trip_full'])
    expect(full.error.message).toContain('3000')
  })

  it('can be changed and unloaded until they depart, or cancelled', async () => {
    const [one = '', two = ''] = await createNumbers(2)
    const trip = await loadNewTrip(test, counter, there, [one, two])
    const params = { id: trip.id, loadId: trip.loads[0]?.id ?? '' }
    const lighter = await test.call(unloadBeforeDeparture, { token: counter.token, params })
    expect(lighter.body).toMatchObject({ loadCount: 1, parcelCount: 1, weightGrams: 1200 })
    expect((await test.call(unloadBeforeDeparture, { token: counter.token, params })).status).toBe(404)
    const body = { version: trip.version, toStationId: there, vehicle: 'VCC 9', driverName: 'Lim' }
    const change = (more: object) =>
      test.call(updateTrip, { token: counter.token, params: { id: trip.id }, body: { ...body, ...more } })
    expect(refusal(await change({}))).toEqual([409, 'version_conflict'])
    const wrong = await change({ version: lighter.body.version, toStationId: here })
    expect(wrong.error.errors?.map(({ field }) => field)).toEqual(['toStationId'])
    const changed = await change({ version: lighter.body.version })
    expect(changed.body).toMatchObject({ vehicle: 'VCC 9', driverName: 'Lim' })
    const cancel = (version: number) =>
      test.call(cancelTrip, { token: counter.token, params: { id: trip.id }, body: { version } })
    expect((await cancel(changed.body.version)).body.status).toBe('cancelled')
    expect(refusal(await calls.load(trip.id, two))).toEqual([409, 'trip_state'])
    // What was loaded is free again.
    expect((await loadNewTrip(test, counter, there, [one, two])).loadCount).toBe(2)
  })

  it('do not depart empty, or with something that was scanned elsewhere since', async () => {
    const bare = await loadNewTrip(test, counter, there, [])
    expect(refusal(await calls.depart(bare))).toEqual([409, 'trip_empty'])
    const [one = '', two = '', three = ''] = await createNumbers(3)
    const bag = await fillNewBag(test, counter, there, [two], 'B-2')
    const trip = await loadNewTrip(test, counter, there, [one, bag.number, three])
    await scanned(test, counter, one, 'departed', { nextStationId: there })
    await scanned(test, counter, two, 'out_for_delivery')
    const refused = await calls.depart(trip)
    expect(refusal(refused)).toEqual([409, 'trip_not_ready'])
    expect((refused.error.details as { numbers: string[] }).numbers.sort()).toEqual([bag.number, one].sort())
    // Nothing has departed.
    expect((await calls.findParcel(three)).status).toBe('inbound')
    expect((await calls.read(trip.id)).status).toBe('loading')
  })

  it('leave no bag on the way for ever: when all its parcels were scanned alone, it can be emptied', async () => {
    const [number = ''] = await createNumbers(1)
    const bag = await fillNewBag(test, counter, there, [number], 'B-6')
    await calls.sendOff([bag.number])
    const now = async () => (await test.call(bagByNumber, { token: hub.token, params: { no: bag.number } })).body
    const empty = async () =>
      test.call(emptyBag, { token: hub.token, params: { id: bag.id }, body: { version: (await now()).version } })
    expect(refusal(await empty())).toEqual([409, 'bag_state'])
    await scanned(test, hub, number, 'arrived')
    expect((await empty()).body.status).toBe('emptied')
  })

  it('are listed by station, status, vehicle and driver, with counts', async () => {
    const body = { toStationId: there, vehicle: 'PKL 7788', driverName: 'Zainab binti Omar' }
    const { body: trip } = await test.call(createTrip, { token: counter.token, body })
    const list = async (query: QueryIn<typeof listTrips>) =>
      (await test.call(listTrips, { token: hub.token, query })).body
    for (const search of ['pkl7788', 'PKL 7788', 'zainab', trip.number.toLowerCase()]) {
      expect(
        (await list({ search })).items.map(({ id }) => id),
        search,
      ).toEqual([trip.id])
    }
    const narrowed = await list({ search: 'zainab', stationId: there, status: 'closed' })
    expect([narrowed.total, narrowed.counts.all, narrowed.counts.loading]).toEqual([0, 1, 1])
    expect((await list({ search: '%' })).total).toBe(0)
  })

  it('have a manifest with every load and lines for signatures', async () => {
    const [loose = '', bagged = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [bagged], 'B-7')
    const trip = await calls.sendOff([loose, bag.number], 'SEAL-9')
    const manifest = await test.call(tripManifest, { token: hub.token, params: { id: trip.id } })
    expect(manifest.headers['content-type']).toBe('application/pdf')
    const { pages } = await openPaper(manifest.raw)
    const text = pages.map((page) => page.text).join('\n')
    for (const each of [loose, bag.number, trip.number]) expect(text.replace(/\s/g, '')).toContain(each)
    for (const each of ['SEAL-9', 'B-7', 'VAA 1234', 'Ravi a/l Kumar']) expect(text).toContain(each)
  })
})
