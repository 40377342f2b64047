import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { getParcel } from '@waybill/contract/parcels/parcels'
import {
  assignDelivery,
  getDeliveryTask,
  listDeliveryTasks,
  startDelivery,
} from '@waybill/contract/parcels/rider-tasks'
import { recentScans, scan, undoScan, undoSeconds } from '@waybill/contract/parcels/scanning'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recallAbandoned } from '../../../src/domains/parcels/failed-delivery/jobs.ts'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { days, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { uploadPhoto } from '../../testing/factories/attachments.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'

type Event = BodyIn<typeof scan>['event']
const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }

describe('scans and deliveries of riders', () => {
  let test: TestApp
  let owner: TestCustomer
  let stationId: string
  let rider: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const stations = await test.deps.db.selectFrom('stations').select('id').orderBy('code').execute()
    stationId = stations[0]?.id ?? ''
  })
  // Sessions expire when a test advances the clock.
  beforeEach(async () => {
    owner = await createCustomer(test)
    rider = await createStaff(test, { stationId })
  })

  const report = (parcel: ParcelRow, event: Event, fields: Partial<BodyIn<typeof scan>> = {}, by = rider) =>
    test.call(scan, { token: by.token, body: { trackingNumber: parcel.tracking_number ?? '', event, ...fields } })
  const undo = (id: string, by = rider) => test.call(undoScan, { token: by.token, params: { id } })
  const detail = async ({ id }: ParcelRow) => (await test.call(getParcel, { params: { id }, token: owner.token })).body
  const tasks = async (query: object = {}, by = rider) =>
    (await test.call(listDeliveryTasks, { token: by.token, query: query as never })).body

  describe('an undone scan', () => {
    it('restores the previous state, and the timeline shows both events', async () => {
      const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
      const scan = await report(parcel, 'accepted')
      expect(scan.body.undoUntil).not.toBeNull()
      const back = await undo(scan.body.id)
      expect(back.body).toMatchObject({ fromStatus: 'inbound', toStatus: 'pending_dropoff' })
      const view = await detail(parcel)
      expect(view.status).toBe('pending_dropoff')
      expect(view.events.slice(0, 2).map(({ event }) => event)).toEqual(['scan_undone', 'accepted'])
      const row = await test.deps.db
        .selectFrom('parcels')
        .select(['handed_over', 'station_id'])
        .where('id', '=', parcel.id)
        .executeTakeFirst()
      expect(row).toEqual({ handed_over: false, station_id: null })
      expect((await report(parcel, 'accepted')).status).toBe(200)
    })

    it('returns custody to the previous station', async () => {
      const parcel = await createParcel(test, owner, { status: 'inbound', station_id: stationId })
      const departure = await report(parcel, 'out_for_delivery')
      expect((await tasks()).items).toHaveLength(1)
      await undo(departure.body.id)
      expect((await tasks()).items).toHaveLength(0)
      const row = await test.deps.db
        .selectFrom('parcels')
        .select('station_id')
        .where('id', '=', parcel.id)
        .executeTakeFirst()
      expect(row?.station_id).toBe(stationId)
    })

    it('keeps the choice that the sender made after a failed delivery', async () => {
      const parcel = await createParcel(test, owner, { status: 'inbound', station_id: stationId })
      await report(parcel, 'out_for_delivery')
      await report(parcel, 'attempt_failed', { failureReason: 'not_home' })
      const call = { token: owner.token, params: { id: parcel.id } }
      const [date] = (await test.call(getDeliveryChoice, call)).body.dates
      const choice = { kind: 'retry', date, expectedFeeMinor: 0 } as const
      expect((await test.call(makeDeliveryChoice, { ...call, body: choice as never })).status).toBe(200)
      await undo((await report(parcel, 'out_for_delivery', { beforeChosenDay: true })).body.id)
      expect((await test.call(getDeliveryChoice, call)).body).toMatchObject({ waiting: false, chosen: { date } })
      expect((await detail(parcel)).allowedActions).not.toContain('choose_delivery')
      const old = later(test.clock.now(), -days(6))
      await test.deps.db.updateTable('parcels').set({ last_event_at: old }).where('id', '=', parcel.id).execute()
      await recallAbandoned(test.deps)
      expect((await detail(parcel)).status).toBe('fail-to-deliver')
    })

    it('keeps the last day of collection', async () => {
      const parcel = await createParcel(test, owner, {
        status: 'outbound',
        delivery_mode: 'D2P',
        self_collection_station_id: stationId,
      })
      await report(parcel, 'arrived')
      const { collectUntil } = await detail(parcel)
      expect(collectUntil).not.toBeNull()
      const away = await test.deps.db
        .selectFrom('stations')
        .select('id')
        .where('id', '<>', stationId)
        .executeTakeFirstOrThrow()
      await undo((await report(parcel, 'departed', { nextStationId: away.id })).body.id)
      expect(await detail(parcel)).toMatchObject({ status: 'inbound', collectUntil })
    })

    describe('of the rider’s task', () => {
      const readTask = async ({ id }: ParcelRow) => {
        const query = test.deps.db.selectFrom('delivery_tasks').selectAll().where('parcel_id', '=', id)
        return { ...(await query.executeTakeFirstOrThrow()), version: 0, updated_at: null }
      }

      it('keeps the failed attempt with its rider, reason, note and time', async () => {
        const parcel = await createParcel(test, owner, { status: 'inbound', station_id: stationId })
        await report(parcel, 'out_for_delivery')
        await report(parcel, 'attempt_failed', { failureReason: 'not_home', note: 'gate locked' })
        const failed = await readTask(parcel)
        expect(failed).toMatchObject({ status: 'failed', failure_reason: 'not_home', failure_note: 'gate locked' })
        test.clock.advance(1000)
        const other = await createStaff(test, { stationId })
        await undo((await report(parcel, 'out_for_delivery', { stationId }, other)).body.id, other)
        expect(await readTask(parcel)).toEqual(failed)
      })

      it('keeps the delivery to the receiver when its return goes out by mistake', async () => {
        const parcel = await createParcel(test, owner, { status: 'inbound', station_id: stationId })
        await report(parcel, 'out_for_delivery')
        await report(parcel, 'delivered', signed)
        const delivered = await readTask(parcel)
        await test.deps.db
          .updateTable('parcels')
          .set({ status: 'inbound', leg: 'return', holder: 'station', station_id: stationId })
          .where('id', '=', parcel.id)
          .execute()
        await undo((await report(parcel, 'out_for_delivery')).body.id)
        expect(await readTask(parcel)).toEqual(delivered)
      })
    })

    it('is refused for scans of others, after a later scan, too late, twice, and with proof of delivery', async () => {
      const parcel = await createParcel(test, owner, { status: 'inbound', station_id: stationId })
      const sorted = await report(parcel, 'sorted')
      const colleague = await createStaff(test, { stationId })
      expect((await undo(sorted.body.id, colleague)).status).toBe(404)
      const departure = await report(parcel, 'out_for_delivery')
      expect((await undo(sorted.body.id)).error.code).toBe('undo_impossible')
      const recent = await test.call(recentScans, { token: rider.token })
      expect(recent.body.items.map(({ undoUntil }) => undoUntil !== null)).toEqual([true, false])
      const both = await Promise.all([undo(departure.body.id), undo(departure.body.id)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      await report(parcel, 'out_for_delivery')
      const delivered = await report(parcel, 'delivered', signed)
      expect(delivered.body.undoUntil).toBeNull()
      expect((await undo(delivered.body.id)).error.code).toBe('undo_impossible')
      const late = await createParcel(test, owner, { status: 'inbound', station_id: stationId })
      const scanned = await report(late, 'sorted')
      test.clock.advance((undoSeconds + 1) * 1000)
      expect((await undo(scanned.body.id)).error.code).toBe('undo_too_late')
    })
  })

  describe('a delivery', () => {
    const sendOut = async (overrides: Parameters<typeof createParcel>[2] = {}) => {
      const parcel = await createParcel(test, owner, { status: 'inbound', station_id: stationId, ...overrides })
      await report(parcel, 'out_for_delivery')
      return parcel
    }

    it('belongs to the rider from leaving the station until the proof', async () => {
      const parcel = await sendOut()
      const [task] = (await tasks()).items
      expect(task).toMatchObject({ parcelId: parcel.id, status: 'open', attempts: 1, riderId: rider.userId })
      const version = task?.version ?? 0
      const params = { id: task?.id ?? '' }
      const other = await createStaff(test, { stationId })
      const refusal = await test.call(startDelivery, { token: other.token, params, body: { version } })
      expect(refusal.error.code).toBe('task_taken')
      const start = await test.call(startDelivery, { token: rider.token, params, body: { version } })
      expect(start.body.status).toBe('in_progress')
      const photo = await uploadPhoto(test, rider.token, 'proof_photo')
      const delivery = await report(parcel, 'delivered', { recipientName: 'Siti', photoIds: [photo.id] })
      expect(delivery.status).toBe(200)
      expect((await tasks()).items).toHaveLength(0)
      const today = await tasks({ state: 'done' })
      expect(today.items[0]).toMatchObject({ status: 'completed', parcelStatus: 'completed' })
      expect(today.summary).toEqual({ underWay: 0, completed: 1, failed: 0, codCollectedMinor: 0 })
      const late = await test.call(assignDelivery, {
        token: rider.token,
        params,
        body: { version: start.body.version + 1, riderId: other.userId },
      })
      expect(late.error.code).toBe('task_forbidden')
    })

    it('is reassigned to another rider while under way, and the previous rider is notified', async () => {
      const parcel = await sendOut()
      const [task] = (await tasks()).items
      const params = { id: task?.id ?? '' }
      const start = await test.call(startDelivery, {
        token: rider.token,
        params,
        body: { version: task?.version ?? 0 },
      })
      const other = await createStaff(test, { stationId })
      const give = (version: number, riderId: string) =>
        test.call(assignDelivery, { token: rider.token, params, body: { version, riderId, note: 'a flat tyre' } })
      expect((await give(start.body.version, owner.userId)).error.errors?.[0]?.field).toBe('riderId')
      const handover = await give(start.body.version, other.userId)
      expect(handover.body).toMatchObject({ status: 'open', riderId: other.userId })
      expect((await give(start.body.version, rider.userId)).error.code).toBe('version_conflict')
      expect((await tasks()).items).toEqual([])
      const view = await test.call(getDeliveryTask, { token: other.token, params })
      expect(view.body).toMatchObject({ id: params.id, mayAssign: true })
      expect(view.body.steps).toMatchObject([
        { step: 'started', rider: task?.riderName },
        {
          step: 'assigned',
          by: task?.riderName,
          from: task?.riderName,
          rider: handover.body.riderName,
          note: 'a flat tyre',
        },
      ])
      expect((await report(parcel, 'delivered', signed, other)).status).toBe(200)
      expect((await test.call(getDeliveryTask, { token: other.token, params })).body.mayAssign).toBe(false)
      const nowhere = await test.call(getDeliveryTask, { token: other.token, params: { id: parcel.id } })
      expect(nowhere.status).toBe(404)
    })

    it('keeps its task for the second attempt after a failure', async () => {
      const parcel = await sendOut()
      expect((await report(parcel, 'attempt_failed')).error.errors?.[0]?.field).toBe('failureReason')
      await report(parcel, 'attempt_failed', { failureReason: 'not_home', note: 'gate locked' })
      const [failed] = (await tasks({ state: 'done' })).items
      expect(failed).toMatchObject({ status: 'failed', failureReason: 'not_home', failureNote: 'gate locked' })
      const other = await createStaff(test, { stationId })
      await report(parcel, 'out_for_delivery', { stationId }, other)
      const [again] = (await tasks({}, other)).items
      expect(again).toMatchObject({ id: failed?.id, status: 'open', attempts: 2, riderId: other.userId })
    })

    it('requires the full cash on delivery first, and reports it once', async () => {
      const parcel = await sendOut({ collection_mode: 'cod', cod_amount_minor: 4990 })
      const [task] = (await tasks()).items
      expect(task?.codAmountMinor).toBe(4990)
      for (const codCollectedMinor of [undefined, 4900, 5000]) {
        const wrong = await report(parcel, 'delivered', {
          ...signed,
          ...(codCollectedMinor ? { codCollectedMinor } : {}),
        })
        expect([wrong.status, wrong.error.code]).toEqual([422, 'cod_required'])
      }
      expect((await report(parcel, 'delivered', { ...signed, codCollectedMinor: 4990 })).status).toBe(200)
      expect((await tasks({ state: 'done' })).summary.codCollectedMinor).toBe(4990)
      const free = await sendOut()
      expect((await report(free, 'delivered', { ...signed, codCollectedMinor: 100 })).error.code).toBe('cod_required')
    })

    it('refuses a photo of another user or purpose as proof', async () => {
      const parcel = await sendOut()
      const other = await createStaff(test, { stationId })
      const theirs = await uploadPhoto(test, other.token, 'proof_photo')
      const mine = await uploadPhoto(test, rider.token, 'reweigh_photo')
      for (const { id } of [theirs, mine]) {
        const wrong = await report(parcel, 'delivered', { recipientName: 'Siti', photoIds: [id] })
        expect([wrong.status, wrong.error.errors?.[0]?.field]).toEqual([422, 'photoIds'])
      }
      expect((await report(parcel, 'delivered', { recipientName: 'Siti' })).error.code).toBe('proof_required')
    })
  })
})
