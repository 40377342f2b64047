import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { declareLost } from '@waybill/contract/parcels/scanning'
import { receiveBag } from '@waybill/contract/parcels/transport/bags'
import { listMissingLoads } from '@waybill/contract/parcels/transport/trips'
import { beforeAll, describe, expect, it } from 'vitest'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { fillGunny, getNumbers, sendCheck } from '../../testing/factories/gunnies.ts'
import { scanned } from '../../testing/factories/handed-over.ts'
import { buildTripTest, createAtStation, fillNewBag, type TripTest } from '../../testing/factories/trips.ts'

describe('what is missing from all trips', () => {
  let { test, owner, counter, hub, here, there, third, calls } = {} as TripTest
  let supervisor: TestStaff
  beforeAll(async () => {
    ;({ test, owner, counter, hub, here, there, third, calls } = await buildTripTest())
    supervisor = await createStaff(test, { type: 'superadmin' })
  })

  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  const list = async (query: QueryIn<typeof listMissingLoads> = {}, by = hub) =>
    (await test.call(listMissingLoads, { token: by.token, query })).body
  const numbers = async (query: QueryIn<typeof listMissingLoads> = {}, by = hub) =>
    (await list(query, by)).items.map(({ number }) => number)
  const close = async (id: string) => {
    const closed = await calls.close(await calls.read(id))
    expect(closed.status).toBe(200)
    return closed.body
  }
  const loseParcel = async (number: string) => {
    const { id, version } = await calls.findParcel(number)
    const body = { version, note: 'Not on the vehicle.' }
    expect((await test.call(declareLost, { token: supervisor.token, params: { id }, body })).status).toBe(200)
  }
  const sealedGunny = async (sealNumber: string) => {
    const { gunny, numbers } = await fillGunny(test, owner, { count: 2, sealNumber })
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    return { gunny, numbers }
  }

  it('names loads, and the parcels of opened bags, until a station scans them', async () => {
    const [loose = '', comes = '', inside = '', stays = '', sealedIn = ''] = await createNumbers(5)
    const bag = await fillNewBag(test, counter, there, [inside, stays], 'M-1')
    const wholeBag = await fillNewBag(test, counter, there, [sealedIn], 'M-2')
    const { gunny, numbers: packed } = await sealedGunny('M-3')
    const trip = await calls.sendOff([loose, comes, bag.number, wholeBag.number, gunny.number])
    expect(trip.loads.map(({ state }) => state)).toEqual(Array(5).fill('loaded'))
    await calls.arrive(trip)
    await calls.unload(trip.id, comes)
    await calls.unload(trip.id, bag.number, { opened: true })
    await calls.unload(trip.id, inside)
    // Nothing is missing before the unloading has ended.
    expect(await list({ search: trip.number })).toMatchObject({ items: [], total: 0 })
    await close(trip.id)
    const { items, total } = await list({ search: trip.number })
    expect(items.map(({ number }) => number).sort()).toEqual([loose, stays, wholeBag.number, gunny.number].sort())
    expect(total).toBe(4)
    const account = await test.deps.db.selectFrom('accounts').selectAll().where('id', '=', owner.accountId).execute()
    const find = (number: string) => items.find((item) => item.number === number)
    expect(find(loose)).toMatchObject({
      ...{ kind: 'parcel', accountName: account[0]?.name, parcelCount: 1 },
      ...{ tripId: trip.id, tripNumber: trip.number },
    })
    expect([find(loose)?.fromStation.id, find(loose)?.toStation.id]).toEqual([here, there])
    expect(find(stays)).toMatchObject({ kind: 'parcel', accountName: account[0]?.name })
    expect(find(wholeBag.number)).toMatchObject({ kind: 'bag', accountName: null, parcelCount: 1 })
    expect(find(gunny.number)).toMatchObject({ kind: 'gunny', accountName: account[0]?.name, parcelCount: 2 })

    await scanned(test, counter, loose, 'arrived')
    await scanned(test, hub, stays, 'arrived')
    await sendCheck(test, hub, gunny.id, 'arrived', packed)
    expect(await numbers({ search: trip.number })).toEqual([wholeBag.number])
    const onward = await calls.sendOff(await createNumbers(1))
    await calls.arrive(onward)
    await calls.unload(onward.id, wholeBag.number, { sealNumber: 'M-2' })
    expect(await numbers({ search: trip.number })).toEqual([])
    // On the way again is not missing again.
    await calls.sendOff([loose])
    expect(await numbers({ search: trip.number })).toEqual([])
  })

  it('leaves out what was declared lost: that is in the stock of its station', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await calls.sendOff([number])
    await calls.arrive(trip)
    await close(trip.id)
    expect(await numbers({ search: number })).toEqual([number])
    await loseParcel(number)
    expect(await numbers({ search: number })).toEqual([])
  })

  it('names each parcel of an opened bag with the trip from which it is missing', async () => {
    const [stays = '', alone = '', lost = ''] = await createNumbers(3)
    const bag = await fillNewBag(test, counter, there, [stays, alone, lost], 'M-4')
    // One leaves the bag, comes back, and is loaded on its own.
    await scanned(test, counter, alone, 'departed', { nextStationId: there })
    await scanned(test, counter, alone, 'arrived')
    const trip = await calls.sendOff([bag.number, alone])
    await close((await calls.arrive(trip)).body.id)
    expect((await numbers({ search: trip.number })).sort()).toEqual([bag.number, alone].sort())
    // The bag had stayed here, and travels with another trip, where it is opened.
    const body = { sealNumber: 'M-4' }
    const params = { id: bag.id }
    expect((await test.call(receiveBag, { token: counter.token, params, body })).status).toBe(200)
    const second = await calls.sendOff([bag.number])
    await calls.arrive(second)
    await calls.unload(second.id, bag.number, { opened: true })
    await close(second.id)
    expect(await numbers({ search: trip.number })).toEqual([alone])
    expect((await numbers({ search: second.number })).sort()).toEqual([stays, lost].sort())
    await loseParcel(lost)
    expect(await numbers({ search: second.number })).toEqual([stays])
  })

  it('is seen by the two stations of a trip, and by staff of no station', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await calls.sendOff([number])
    await calls.arrive(trip)
    await close(trip.id)
    const stranger = await createStaff(test, { stationId: third })
    for (const by of [counter, hub, supervisor]) expect(await numbers({ search: number }, by)).toEqual([number])
    expect(await numbers({ search: number }, stranger)).toEqual([])
    expect(await numbers({ search: number, stationId: third }, supervisor)).toEqual([])
    expect(await numbers({ search: number, stationId: there }, supervisor)).toEqual([number])
    const refused = await test.call(listMissingLoads, { token: stranger.token, query: { stationId: there } })
    expect([refused.status, refused.error.code]).toEqual([403, 'task_other_station'])
  })

  it('has pages, the latest first', async () => {
    const trip = await calls.sendOff(await createNumbers(3))
    await calls.arrive(trip)
    await close(trip.id)
    const query = { search: trip.number, limit: 2 }
    const [first, second] = [await list(query), await list({ ...query, offset: 2 })]
    expect([first.items.length, first.total, second.items.length]).toEqual([2, 3, 1])
    const numbers = [...first.items, ...second.items].map(({ number }) => number)
    expect(numbers.sort()).toEqual(trip.loads.map(({ number }) => number).sort())
    const [latest] = (await list({ limit: 1 })).items
    expect(latest?.tripNumber).toBe(trip.number)
  })
})
