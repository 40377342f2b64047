import { declareLost, scan, undoScan, undoSeconds } from '@waybill/contract/parcels/scanning'
import { emptyBag } from '@waybill/contract/parcels/transport/bags'
import { listMissingLoads } from '@waybill/contract/parcels/transport/trips'
import { beforeEach, describe, expect, it } from 'vitest'
import { addJob } from '../../../src/jobs/jobs.ts'
import { seconds } from '../../../src/lib/clock.ts'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { fillGunny, getNumbers, sendCheck } from '../../testing/factories/gunnies.ts'
import { scanned } from '../../testing/factories/handed-over.ts'
import { buildTripTest, createAtStation, fillNewBag, type TripTest } from '../../testing/factories/trips.ts'
import { explainSent } from '../../testing/plans.ts'

describe('loads that are no longer missing', () => {
  let { test, owner, counter, hub, here, there, calls } = {} as TripTest
  let supervisor: TestStaff
  // Each with its own clock: a session would end before the last wait.
  beforeEach(async () => {
    ;({ test, owner, counter, hub, here, there, calls } = await buildTripTest())
    supervisor = await createStaff(test, { type: 'superadmin' })
  })

  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  /** A trip that was closed without any of its loads. */
  const closeWithout = async (numbers: readonly string[]) => {
    const { body } = await calls.arrive(await calls.sendOff(numbers))
    return (await calls.close(body)).body
  }
  const list = async (search: string) => {
    const { body } = await test.call(listMissingLoads, { token: hub.token, query: { search } })
    return body.items.map(({ number }) => number).sort()
  }
  const sweep = async () => {
    await addJob(test.deps.db, 'housekeeping:sweep', {})
    await test.settle()
  }
  const waitForUndo = () => test.clock.advance(2 * seconds(undoSeconds))
  /** The numbers of the loads of a trip that the list still examines. */
  const examined = async (tripId: string) => {
    const rows = await test.deps.db
      .selectFrom('trip_loads')
      .select('id')
      .where('trip_id', '=', tripId)
      .where('missing_at', 'is not', null)
      .where('missing_until', 'is', null)
      .execute()
    const { loads } = await calls.read(tripId)
    return loads.flatMap(({ id, number }) => (rows.some((row) => row.id === id) ? [number] : [])).sort()
  }

  it('are not examined again: found, gone on, lost, or arrived in a bag or a gunny', async () => {
    const [foundNumber = '', sentOn = '', lost = '', stays = '', inside = ''] = await createNumbers(5)
    const bag = await fillNewBag(test, counter, there, [inside], 'E-1')
    const wholeBag = await fillNewBag(test, counter, there, await createNumbers(1), 'E-2')
    const { gunny, numbers: packed } = await fillGunny(test, owner, { count: 1, sealNumber: 'E-3' })
    await sendCheck(test, counter, gunny.id, 'received', packed)
    const trip = await closeWithout([foundNumber, sentOn, lost, stays, bag.number, wholeBag.number, gunny.number])
    expect(await examined(trip.id)).toHaveLength(7)
    await scanned(test, hub, foundNumber, 'arrived')
    await scanned(test, counter, sentOn, 'arrived')
    await calls.sendOff([sentOn])
    const { id, version } = await calls.findParcel(lost)
    const body = { version, note: 'Not on the vehicle.' }
    expect((await test.call(declareLost, { token: supervisor.token, params: { id }, body })).status).toBe(200)
    await sendCheck(test, hub, gunny.id, 'arrived', packed)
    const onward = (await calls.arrive(await calls.sendOff(await createNumbers(1)))).body
    await calls.unload(onward.id, bag.number, { sealNumber: 'E-1' })
    waitForUndo()
    await sweep()
    expect(await examined(trip.id)).toEqual([stays, wholeBag.number].sort())
    expect(await list(trip.number)).toEqual([stays, wholeBag.number].sort())
  })

  it('are not in the index that the list and its count read', async () => {
    const plans = await explainSent(test, 'from trip_loads l', () => list('TR'), { asLarge: true })
    expect(plans).toHaveLength(2)
    for (const plan of plans) expect(plan).toContain('trip_loads_may_be_missing')
  })

  it('are examined until their scan can no longer be undone', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await closeWithout([number])
    const body = { trackingNumber: number, event: 'arrived' as const }
    const { id } = (await test.call(scan, { token: hub.token, body })).body
    await sweep()
    expect([await list(trip.number), await examined(trip.id)]).toEqual([[], [number]])
    expect((await test.call(undoScan, { token: hub.token, params: { id } })).status).toBe(200)
    waitForUndo()
    await sweep()
    expect([await list(trip.number), await examined(trip.id)]).toEqual([[number], [number]])
  })

  it('are examined for as long after a scan that an offline scanner reports late', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await closeWithout([number])
    const scannedAt = test.clock.now().toISOString()
    waitForUndo()
    const body = { trackingNumber: number, event: 'arrived' as const, scannedAt }
    expect((await test.call(scan, { token: hub.token, body })).status).toBe(200)
    await sweep()
    expect(await examined(trip.id)).toEqual([number])
    waitForUndo()
    await sweep()
    expect(await examined(trip.id)).toEqual([])
  })

  it('are examined while a parcel of their opened bag is missing', async () => {
    const [one = '', two = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [one, two], 'E-4')
    const trip = await calls.sendOff([bag.number])
    await calls.arrive(trip)
    await calls.unload(trip.id, bag.number, { opened: true })
    await calls.unload(trip.id, one)
    await calls.close(await calls.read(trip.id))
    waitForUndo()
    await sweep()
    expect([await list(trip.number), await examined(trip.id)]).toEqual([[two], [bag.number]])
    await scanned(test, hub, two, 'arrived')
    waitForUndo()
    await sweep()
    expect([await list(trip.number), await examined(trip.id)]).toEqual([[], []])
  })

  it('are examined while a parcel may be missing from their bag once that is emptied', async () => {
    const [stays = '', leaves = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [stays, leaves], 'E-5')
    const trip = await closeWithout([bag.number])
    // One is scanned on its own while the bag arrives without it, and then the scan is undone.
    const body = { trackingNumber: leaves, event: 'arrived' as const }
    const { id } = (await test.call(scan, { token: counter.token, body })).body
    const onward = (await calls.arrive(await calls.sendOff(await createNumbers(1)))).body
    await calls.unload(onward.id, bag.number, { sealNumber: 'E-5' })
    expect((await test.call(undoScan, { token: counter.token, params: { id } })).status).toBe(200)
    waitForUndo()
    await sweep()
    const emptied = await test.call(emptyBag, {
      token: hub.token,
      params: { id: bag.id },
      body: { version: (await calls.findBag(bag.number)).version },
    })
    expect(emptied.status).toBe(200)
    expect(await list(trip.number)).toEqual([leaves])
  })
})
