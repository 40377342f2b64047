/** The data of other stations that staff may see and change (docs/rules/roles.md). */
import {
  assignDelivery,
  exportDeliveryTasks,
  exportFailedDeliveries,
  getDeliveryTask,
  listDeliveryTasks,
  listFailedDeliveries,
  startDelivery,
} from '@waybill/contract/parcels/rider-tasks'
import { exportStock } from '@waybill/contract/parcels/stock'
import { bookPickup } from '@waybill/contract/pickups/pickups'
import {
  assignPickup,
  getPickupTask,
  listPickupTasks,
  listRiders,
  startPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { getPickupCapacity, putPickupCapacity } from '@waybill/contract/pickups/windows'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testPickup } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'

describe('staff of another station', () => {
  let test: TestApp
  let rider: TestStaff
  let colleague: TestStaff
  let stranger: TestStaff
  let branchAdmin: TestStaff
  let office: TestStaff
  let chief: TestStaff
  let here: string
  let deliveryId: string
  let pickupId: string
  let pickupStation: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const owner = await createCustomer(test)
    await fundWallet(test, owner, 100_000)
    await setWalletPin(test, owner)
    const parcel = await createParcel(test, owner, { status: 'pending_pickup' })
    const body = { ...testPickup(test), parcelIds: [parcel.id] }
    pickupId = (await test.call(bookPickup, { token: owner.token, body })).body.id
    const { station_id } = await test.deps.db
      .selectFrom('pickup_requests')
      .select('station_id')
      .where('id', '=', pickupId)
      .executeTakeFirstOrThrow()
    pickupStation = station_id ?? ''
    const stations = await findCounter(test)
    here = stations.here
    const away = stations.there === pickupStation ? here : stations.there
    rider = await createStaff(test, { stationId: here })
    colleague = await createStaff(test, { stationId: here })
    stranger = await createStaff(test, { stationId: away })
    branchAdmin = await createStaff(test, { type: 'admin', stationId: away })
    office = await createStaff(test, { type: 'admin' })
    chief = await createStaff(test, { type: 'superadmin', stationId: away })
    const { number } = await handedOver(test, owner, rider)
    await scanned(test, rider, number, 'out_for_delivery')
    const tasks = await test.call(listDeliveryTasks, { token: rider.token })
    deliveryId = tasks.body.items[0]?.id ?? expect.unreachable('no delivery')
  })

  const statusAndCode = ({ status, error }: { status: number; error?: { code?: string } }) =>
    status === 200 ? 'ok' : `${status} ${error?.code}`
  const elsewhere = '403 task_other_station'

  it('see none of its deliveries, in lists or by id', async () => {
    const list = async (who: TestStaff, query: object) =>
      statusAndCode(await test.call(listDeliveryTasks, { token: who.token, query: { rider: 'all', ...query } }))
    const listFailed = async (who: TestStaff) =>
      statusAndCode(await test.call(listFailedDeliveries, { token: who.token, query: { stationId: here } }))
    // A refused export is an error too, not a file that breaks off.
    const exportAll = (who: TestStaff) =>
      Promise.all(
        [
          test.call(exportDeliveryTasks, { token: who.token, query: { rider: 'all', stationId: here } }),
          test.call(exportFailedDeliveries, { token: who.token, query: { stationId: here } }),
          test.call(exportStock, { token: who.token, query: { stationId: here } }),
        ].map(async (answer) => statusAndCode(await answer)),
      )
    const getOne = async (who: TestStaff) =>
      statusAndCode(await test.call(getDeliveryTask, { token: who.token, params: { id: deliveryId } }))
    for (const who of [stranger, branchAdmin]) {
      expect(await list(who, { stationId: here })).toBe(elsewhere)
      expect(await list(who, {})).toBe('ok')
      expect(await listFailed(who)).toBe(elsewhere)
      expect(new Set(await exportAll(who))).toEqual(new Set([elsewhere]))
      expect(await getOne(who)).toBe(elsewhere)
      const own = await test.call(listDeliveryTasks, { token: who.token, query: { rider: 'all' } })
      expect(own.body).toMatchObject({ total: 0, summary: { underWay: 0 } })
    }
    for (const who of [rider, colleague, office, chief]) {
      expect(await list(who, { stationId: here })).toBe('ok')
      expect(await listFailed(who)).toBe('ok')
      expect(new Set(await exportAll(who))).toEqual(new Set(['ok']))
      expect(await getOne(who)).toBe('ok')
    }
    const whole = await test.call(listDeliveryTasks, { token: office.token, query: { rider: 'all' } })
    expect(whole.body.items.map(({ id }) => id)).toEqual([deliveryId])
  })

  it('see none of its pickups and riders', async () => {
    const pickups = async (who: TestStaff, query: object) =>
      statusAndCode(await test.call(listPickupTasks, { token: who.token, query }))
    const riders = async (who: TestStaff) =>
      statusAndCode(await test.call(listRiders, { token: who.token, query: { stationId: pickupStation } }))
    const getOne = async (who: TestStaff) =>
      statusAndCode(await test.call(getPickupTask, { token: who.token, params: { id: pickupId } }))
    const stationId = pickupStation
    for (const who of [stranger, branchAdmin]) {
      expect(await pickups(who, { stationId })).toBe(elsewhere)
      expect(await pickups(who, { stationId, rider: 'nobody' })).toBe(elsewhere)
      expect(await pickups(who, { rider: 'me' })).toBe('ok')
      expect(await riders(who)).toBe(elsewhere)
      expect(await getOne(who)).toBe(elsewhere)
    }
    const own = await createStaff(test, { stationId })
    for (const who of [own, office, chief]) {
      expect(await pickups(who, { stationId })).toBe('ok')
      expect(await riders(who)).toBe('ok')
      expect(await getOne(who)).toBe('ok')
    }
    // Riders keep their assigned tasks after a move to another station.
    const set = { rider_id: stranger.userId }
    await test.deps.db.updateTable('pickup_requests').set(set).where('id', '=', pickupId).execute()
    expect(await getOne(stranger)).toBe('ok')
  })

  it('start the tasks that they had before the move, but do not assign them', async () => {
    const set = { rider_id: stranger.userId }
    const assigned = { ...set, status: 'open' as const }
    await test.deps.db.updateTable('pickup_requests').set(assigned).where('id', '=', pickupId).execute()
    await test.deps.db.updateTable('delivery_tasks').set(set).where('id', '=', deliveryId).execute()
    const { token } = stranger
    const pickup = (await test.call(getPickupTask, { token, params: { id: pickupId } })).body
    const delivery = (await test.call(getDeliveryTask, { token, params: { id: deliveryId } })).body
    expect([pickup.allowed.includes('assign'), delivery.mayAssign]).toEqual([false, false])
    const own = await test.call(listDeliveryTasks, { token })
    const station = await test.call(listDeliveryTasks, { token: colleague.token, query: { rider: 'all' } })
    const mayAssign = [own, station].map(({ body }) => body.items.find(({ id }) => id === deliveryId)?.mayAssign)
    expect(mayAssign).toEqual([false, true])
    const params = { id: pickupId }
    const body = { version: pickup.version, riderId: rider.userId, note: null }
    expect(statusAndCode(await test.call(assignPickup, { token, params, body }))).toBe(elsewhere)
    const deliveryBody = { version: delivery.version, riderId: rider.userId, note: null }
    const assignment = { token, params: { id: deliveryId }, body: deliveryBody }
    expect(statusAndCode(await test.call(assignDelivery, assignment))).toBe(elsewhere)
    expect(statusAndCode(await test.call(startPickup, { token, params, body: { version: pickup.version } }))).toBe('ok')
    const start = { token, params: { id: deliveryId }, body: { version: delivery.version } }
    expect(statusAndCode(await test.call(startDelivery, start))).toBe('ok')
  })

  it('see its pickup capacity, which contains no customer, but change only their own', async () => {
    const params = { id: pickupStation }
    const own = await createStaff(test, { stationId: pickupStation })
    const save = async (who: TestStaff) => {
      const { body } = await test.call(getPickupCapacity, { token: who.token, params })
      const { version, perWindow, cutOffTime, week, days, mayChange } = body
      const changed = { version, perWindow: perWindow + 1, cutOffTime, week, days }
      const answer = await test.call(putPickupCapacity, { token: who.token, params, body: changed })
      expect(mayChange).toBe(answer.status === 200)
      return statusAndCode(answer)
    }
    expect(await save(stranger)).toBe('403 forbidden')
    expect(await save(branchAdmin)).toBe('403 forbidden')
    expect(await save(own)).toBe('ok')
    expect(await save(office)).toBe('ok')
    expect(await save(chief)).toBe('ok')
  })
})
