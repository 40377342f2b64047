import { getParcelActions, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { bookPickup, cancelPickup, waitingParcels } from '@waybill/contract/pickups/pickups'
import {
  assignPickup,
  completePickup,
  getPickupTask,
  listPickupTasks,
  scanPickup,
  startPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { beforeAll, describe, expect, it } from 'vitest'
import { coveringStation } from '../../../src/domains/stations/network.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testPickup } from '../../testing/factories/orders.ts'
import { createParcel, testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer, testPin } from '../../testing/factories/wallet.ts'

describe('a paid return', () => {
  let test: TestApp
  let owner: TestCustomer
  let stationId: string
  let rider: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createPayer(test, { creditsMinor: 1_000_000 })
    const { country, postcode } = testReceiver()
    stationId = (await coveringStation(test.deps.db, country, postcode))?.station.id ?? ''
    rider = await createStaff(test, { stationId })
  })

  const requestReturn = async (overrides: Parameters<typeof createParcel>[2] = {}) => {
    const parcel = await createParcel(test, owner, { status: 'completed', ...overrides })
    const now = (await test.call(getParcelActions, { token: owner.token, params: { id: parcel.id } })).body
    const body = { version: now.version, expectedFeeMinor: now.return.fee.totalMinor, pin: testPin }
    return {
      parcel,
      now,
      answer: await test.call(returnParcel, { token: owner.token, params: { id: parcel.id }, body }),
    }
  }
  const getTasks = async () =>
    (await test.call(listPickupTasks, { token: rider.token, query: { limit: 200 } })).body.items
  const assignAndStart = async (id: string) => {
    const task = (await test.call(getPickupTask, { token: rider.token, params: { id } })).body
    const assignment = await test.call(assignPickup, {
      token: rider.token,
      params: { id },
      body: { version: task.version, riderId: rider.userId },
    })
    return test.call(startPickup, { token: rider.token, params: { id }, body: { version: assignment.body.version } })
  }

  it('creates a task with address and window for the receiver’s station, which a rider completes', async () => {
    const { parcel, answer } = await requestReturn({
      status: 'collected',
      delivery_mode: 'D2P',
      self_collection_station_id: stationId,
    })
    expect(answer.status).toBe(200)
    const { pickup } = answer.body
    const task = (await getTasks()).find(({ id }) => id === pickup.id)
    expect(task).toMatchObject({
      number: pickup.number,
      leg: 'return',
      status: 'new',
      stationId,
      date: pickup.date,
      window: pickup.window,
      parcelCount: 1,
      pickedCount: 0,
      address: { line1: testReceiver().line1, contactName: testReceiver().contactName },
    })
    const assignment = await assignAndStart(pickup.id)
    expect(assignment.body.expected).toMatchObject([{ trackingNumber: parcel.tracking_number, picked: false }])
    const scanned = await test.call(scanPickup, {
      token: rider.token,
      params: { id: pickup.id },
      body: { trackingNumber: parcel.tracking_number ?? '' },
    })
    expect(scanned.body.scanned).toEqual({ trackingNumber: parcel.tracking_number, extra: false, repeated: false })
    const ended = await test.call(completePickup, {
      token: rider.token,
      params: { id: pickup.id },
      body: { version: scanned.body.version },
    })
    expect(ended.body).toMatchObject({ status: 'completed', pickedCount: 1 })
    const now = (await test.call(getParcel, { token: owner.token, params: { id: parcel.id } })).body
    expect(now).toMatchObject({ status: 'inbound', leg: 'return' })
    expect(now.events[0]).toMatchObject({ event: 'return_picked_up', place: testReceiver().city })
  })

  it('can be picked up on another day after its sender cancels the pickup', async () => {
    const { parcel, answer } = await requestReturn()
    const { id } = answer.body.pickup
    const own = { token: owner.token }
    const { version } = (await getTasks()).find((task) => task.id === id) ?? { version: 0 }
    await test.call(cancelPickup, { ...own, params: { id }, body: { version } })
    const waiting = (await test.call(waitingParcels, own)).body.items.find((each) => each.id === parcel.id)
    expect(waiting?.fetchedFrom?.line1).toBe(testReceiver().line1)
    const outbound = await createParcel(test, owner, { status: 'pending_pickup' })
    const slot = { ...testPickup(test), address: testReceiver() }
    const mixed = await test.call(bookPickup, { ...own, body: { ...slot, parcelIds: [parcel.id, outbound.id] } })
    expect(mixed.error.code).toBe('transition_forbidden')
    const far = { ...slot, address: testParty(), parcelIds: [parcel.id] }
    const otherZone = await test.call(bookPickup, { ...own, body: far })
    expect([otherZone.status, otherZone.error.errors?.[0]?.field]).toEqual([422, 'address.postcode'])
    const again = await test.call(bookPickup, { ...own, body: { ...slot, parcelIds: [parcel.id] } })
    expect(again.body).toMatchObject({ leg: 'return', parcels: [{ id: parcel.id }] })
    const now = (await test.call(getParcel, { ...own, params: { id: parcel.id } })).body
    // The rider on the way out is another one: the sender reads when the return is fetched.
    expect(now).toMatchObject({ status: 'reverse_pickup', returnPickupId: again.body.id, pickupRequestId: null })
  })

  it('is refused in areas without pickups: nothing is charged and no request stays open', async () => {
    const abroad = await requestReturn({ scope: 'international' })
    expect(abroad.now.return).toMatchObject({ open: false, reason: 'not_covered' })
    expect(abroad.answer.error.code).toBe('not_covered')
    const nowhere = await requestReturn({ receiver: testReceiver({ postcode: '99999' }) })
    expect([nowhere.answer.status, nowhere.answer.error.code]).toEqual([422, 'not_covered'])
    const now = (await test.call(getParcel, { token: owner.token, params: { id: nowhere.parcel.id } })).body
    expect(now.status).toBe('completed')
  })

  it('can be assigned only by staff of its station', async () => {
    const { answer } = await requestReturn()
    const { id } = answer.body.pickup
    const far = await createStaff(test, {
      stationId: (
        await test.deps.db.selectFrom('stations').select('id').where('id', '<>', stationId).executeTakeFirstOrThrow()
      ).id,
    })
    const take = (by: TestStaff, to: TestStaff) =>
      test.call(assignPickup, { token: by.token, params: { id }, body: { version: 1, riderId: to.userId } })
    const takeover = await take(far, far)
    expect([takeover.status, takeover.error.code]).toEqual([403, 'task_other_station'])
    expect((await take(rider, far)).error.errors?.[0]?.field).toBe('riderId')
    const read = await test.call(getPickupTask, { token: far.token, params: { id } })
    expect([read.status, read.error.code]).toEqual([403, 'task_other_station'])
  })
})
