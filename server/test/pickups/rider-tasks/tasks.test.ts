import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { recentScans, staffParcelByNumber, undoScan } from '@waybill/contract/parcels/scanning'
import {
  bookPickup,
  cancelPickup,
  getPickupRequest,
  reschedulePickup,
  waitingParcels,
} from '@waybill/contract/pickups/pickups'
import {
  assignPickup,
  completePickup,
  failPickup,
  getPickupTask,
  listPickupTasks,
  listRiders,
  scanPickup,
  startPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { countTakenWindows } from '../../../src/domains/pickups/rider-tasks/queries.ts'
import { nextPickupStatus, transitions } from '../../../src/domains/pickups/status.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { listServiceCentres, seedTestNetwork } from '../../testing/factories/network.ts'
import { testPickup } from '../../testing/factories/orders.ts'
import { createParcel, testParty } from '../../testing/factories/parcels.ts'

describe('the transition table of a task', () => {
  it('has these transitions and no others', () => {
    const moves = labelValues(taskStatusLabels).flatMap((status) =>
      [...new Set(transitions.map(({ event }) => event))].flatMap((event) => {
        const next = nextPickupStatus({ status, cancelled: false }, event)
        return next && next !== status ? [`${status} ${event} ${next}`] : []
      }),
    )
    expect(moves.sort()).toEqual([
      'failed assigned open',
      'failed rescheduled open',
      'in_progress assigned open',
      'in_progress completed completed',
      'in_progress failed failed',
      'new assigned open',
      'new cancelled failed',
      'open cancelled failed',
      'open started in_progress',
    ])
    for (const { event } of transitions)
      for (const status of labelValues(taskStatusLabels))
        expect(nextPickupStatus({ status, cancelled: true }, event)).toBeNull()
  })
})

describe('a pickup task', () => {
  let test: TestApp
  let siti: TestCustomer
  let rider: TestStaff
  let other: TestStaff
  let stationId: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    siti = await createCustomer(test)
    const first = await requestPickup(1)
    const row = await test.deps.db
      .selectFrom('pickup_requests')
      .select('station_id')
      .where('id', '=', first.pickup.id)
      .executeTakeFirstOrThrow()
    stationId = row.station_id as string
    rider = await createStaff(test, { stationId })
    other = await createStaff(test, { stationId })
  })

  async function requestPickup(count: number, owner = siti) {
    const parcels: ParcelRow[] = []
    for (let n = 0; n < count; n += 1) parcels.push(await createParcel(test, owner, { status: 'pending_pickup' }))
    const parcelIds = parcels.map(({ id }) => id)
    const { body } = await test.call(bookPickup, { token: owner.token, body: { ...testPickup(test), parcelIds } })
    return { pickup: body, parcels }
  }
  const at = (id: string, version: number) => ({ params: { id }, body: { version } })
  const assign = (id: string, version: number, to = rider) =>
    test.call(assignPickup, { token: other.token, params: { id }, body: { version, riderId: to.userId } })
  const startedTask = async (count: number) => {
    const { pickup, parcels } = await requestPickup(count)
    const assignment = await assign(pickup.id, pickup.version)
    const started = await test.call(startPickup, { token: rider.token, ...at(pickup.id, assignment.body.version) })
    return { task: started.body, parcels }
  }
  const readTask = async (id: string) => {
    const admin = await createStaff(test, { type: 'superadmin' })
    return (await test.call(getPickupTask, { token: admin.token, params: { id } })).body
  }
  const scan = (id: string, parcel: ParcelRow, token = rider.token) =>
    test.call(scanPickup, { token, params: { id }, body: { trackingNumber: parcel.tracking_number ?? '' } })
  const readParcel = async ({ id }: ParcelRow) =>
    (await test.call(getParcel, { token: siti.token, params: { id } })).body

  it('can be assigned to any rider of the station, however many there are', async () => {
    const [station] = await listServiceCentres(test)
    const stationId = station?.id ?? ''
    const last = await createStaff(test, { stationId })
    await sql`
      insert into users (id, kind, email, name, status, staff_type, staff_role, station_id)
      select gen_random_uuid(), 'staff', 'many-' || n || '@riders.example', 'Aaron ' || n, 'active', 'staff',
        'normal_staff', ${stationId}::uuid
      from generate_series(1, 201) n`.execute(test.deps.db)
    const boss = await createStaff(test, { type: 'superadmin' })
    const { items } = (await test.call(listRiders, { token: boss.token, query: { stationId } })).body
    expect(items.length).toBeGreaterThan(201)
    expect(items.map(({ id }) => id)).toContain(last.userId)
  })

  it('is assigned, started, scanned parcel by parcel and completed', async () => {
    const { pickup, parcels } = await requestPickup(2)
    const query = { date: pickup.date, rider: 'nobody' } as const
    const open = await test.call(listPickupTasks, { token: rider.token, query })
    expect(open.body.items.map(({ id }) => id)).toContain(pickup.id)
    const { body: riders } = await test.call(listRiders, { token: rider.token })
    expect(riders.items.map(({ id }) => id)).toEqual(expect.arrayContaining([rider.userId, other.userId]))
    const assignment = await assign(pickup.id, pickup.version)
    expect(assignment.body).toMatchObject({ status: 'open', riderId: rider.userId, pickedCount: 0 })
    const mine = await test.call(listPickupTasks, { token: rider.token, query: { rider: 'me' } })
    expect(mine.body.items.map(({ id }) => id)).toEqual([pickup.id])
    const started = await test.call(startPickup, { token: rider.token, ...at(pickup.id, assignment.body.version) })
    expect(started.body).toMatchObject({ status: 'in_progress', allowed: ['assign', 'complete', 'fail', 'scan'] })
    for (const parcel of parcels) expect((await scan(pickup.id, parcel)).body.scanned.extra).toBe(false)
    expect(await readParcel(parcels[0] as ParcelRow)).toMatchObject({ status: 'inbound' })
    const { version } = await readParcel(parcels[0] as ParcelRow)
    const again = await scan(pickup.id, parcels[0] as ParcelRow)
    expect(again.body).toMatchObject({ pickedCount: 2, scanned: { extra: false, repeated: true } })
    expect((await readParcel(parcels[0] as ParcelRow)).version).toBe(version)
    const view = await test.call(getPickupTask, { token: rider.token, params: { id: pickup.id } })
    const completion = await test.call(completePickup, { token: rider.token, ...at(pickup.id, view.body.version) })
    expect(completion.body).toMatchObject({ status: 'completed', pickedCount: 2, missing: [], extra: [], allowed: [] })
  })

  it('reports missing and unexpected parcels', async () => {
    const { task, parcels } = await startedTask(2)
    const extra = await createParcel(test, siti, { status: 'pending_pickup' })
    await scan(task.id, parcels[0] as ParcelRow)
    const scanned = await scan(task.id, extra)
    expect(scanned.body.scanned).toMatchObject({ extra: true, repeated: false })
    expect((await scan(task.id, extra)).body.scanned).toMatchObject({ extra: true, repeated: true })
    const stranger = await createCustomer(test)
    const foreign = await createParcel(test, stranger, { status: 'pending_pickup' })
    const refused = await scan(task.id, foreign)
    expect([refused.status, refused.error.code]).toEqual([409, 'pickup_foreign'])
    const missing = parcels[1] as ParcelRow
    const early = await test.call(completePickup, { token: rider.token, ...at(task.id, scanned.body.version) })
    expect([early.status, early.error.code]).toEqual([409, 'pickup_missing'])
    expect(early.error.details).toEqual({ missing: [missing.tracking_number] })
    const spaced = early.error.message.replaceAll('\u00a0', ' ')
    expect(spaced).toContain(groupTrackingNumber(missing.tracking_number ?? ''))
    const completion = await test.call(completePickup, {
      token: rider.token,
      params: { id: task.id },
      body: { version: scanned.body.version, acceptMissing: true },
    })
    expect(completion.body.missing.map(({ id }) => id)).toEqual([missing.id])
    expect(completion.body.extra.map(({ id }) => id)).toEqual([extra.id])
    const waiting = await test.call(waitingParcels, { token: siti.token })
    expect(waiting.body.items.map(({ id }) => id)).toContain(missing.id)
  })

  it('loses a parcel that the rider of another one takes along, and is cancelled with its last parcel', async () => {
    const { task } = await startedTask(1)
    const { pickup, parcels } = await requestPickup(2)
    const [first, last] = parcels as [ParcelRow, ParcelRow]
    const readPickup = async () =>
      (await test.call(getPickupRequest, { token: siti.token, params: { id: pickup.id } })).body
    const countTaken = async () => {
      const { date, window } = pickup
      const windows = await countTakenWindows(test.deps.db, stationId, date, date, null)
      return windows.find((each) => each.window === window)?.taken ?? 0
    }
    const before = await countTaken()
    await test.settle()
    const mails = test.mailbox.mails().length
    expect((await scan(task.id, first)).body.scanned).toMatchObject({ extra: true })
    expect(await readPickup()).toMatchObject({ parcelCount: 1, status: 'new', cancelledAt: null })
    expect((await scan(task.id, last)).body.scanned).toMatchObject({ extra: true })
    expect(await readPickup()).toMatchObject({ parcelCount: 0, parcels: [], mayReschedule: false, mayCancel: false })
    expect((await readPickup()).cancelledAt).not.toBeNull()
    expect(await countTaken()).toBe(before - 1)
    expect((await test.call(getPickupTask, { token: rider.token, params: { id: pickup.id } })).status).toBe(404)
    expect((await scan(task.id, last)).body.scanned).toMatchObject({ extra: true, repeated: true })
    await test.settle()
    expect(test.mailbox.mails()).toHaveLength(mails)
  })

  it('never stays open and empty, even if two riders take each other’s parcels along at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, two] = [await startedTask(2), await startedTask(2)]
      const answers = await Promise.all([
        ...two.parcels.map((parcel) => scan(one.task.id, parcel)),
        ...one.parcels.map((parcel) => scan(two.task.id, parcel)),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      const views = await Promise.all(
        [one, two].map(({ task }) => test.call(getPickupRequest, { token: siti.token, params: { id: task.id } })),
      )
      for (const { body } of views) expect(body.parcels.length === 0).toBe(body.cancelledAt !== null)
    }
  })

  it('hands its parcel back when the rider undoes the scan', async () => {
    const { task, parcels } = await startedTask(1)
    const [parcel] = parcels as [ParcelRow]
    await scan(task.id, parcel)
    const [latest] = (await test.call(recentScans, { token: rider.token })).body.items
    const undone = await test.call(undoScan, { token: rider.token, params: { id: latest?.id ?? '' } })
    expect(undone.body).toMatchObject({ toStatus: 'pending_pickup' })
    const params = { no: parcel.tracking_number ?? '' }
    const { custody } = (await test.call(staffParcelByNumber, { token: rider.token, params })).body
    expect(custody).toMatchObject({ holder: 'customer', rider: null })
  })

  it('fails only with a reason and before any parcel is picked up, and is then open again', async () => {
    const { task, parcels } = await startedTask(1)
    const fail = (body: object) =>
      test.call(failPickup, { token: rider.token, params: { id: task.id }, body: body as never })
    const without = await fail({ version: task.version })
    expect([without.status, without.error.errors?.[0]?.field]).toEqual([422, 'reason'])
    const empty = await test.call(completePickup, { token: rider.token, ...at(task.id, task.version) })
    expect([empty.status, empty.error.code]).toEqual([409, 'pickup_empty'])
    const failed = await fail({ version: task.version, reason: 'nobody_there', note: 'rang twice' })
    expect(failed.body).toMatchObject({ status: 'failed', failureReason: 'nobody_there', failureNote: 'rang twice' })
    const reopened = await assign(task.id, failed.body.version)
    expect(reopened.body).toMatchObject({ status: 'open', failureReason: null })
    await test.call(startPickup, { token: rider.token, ...at(task.id, reopened.body.version) })
    const scanned = await scan(task.id, parcels[0] as ParcelRow)
    const late = await fail({ version: scanned.body.version, reason: 'refused' })
    expect([late.status, late.error.code]).toEqual([409, 'task_forbidden'])
  })

  it('cannot be started by anybody before it has a rider', async () => {
    const { pickup, parcels } = await requestPickup(1)
    const assignment = await assign(pickup.id, pickup.version)
    // At an address of another station it loses its rider, and stays open.
    const address = testParty({ postcode: '40000', city: 'Shah Alam', state: 'Selangor' })
    const other = await test.call(reschedulePickup, {
      token: siti.token,
      params: { id: pickup.id },
      body: { ...testPickup(test), address, version: assignment.body.version },
    })
    expect(other.body.status).toBe('open')
    const there = await createStaff(test, { stationId: (await readTask(pickup.id)).stationId })
    const start = (version: number) => test.call(startPickup, { token: there.token, ...at(pickup.id, version) })
    const refused = await start(other.body.version)
    expect([refused.status, refused.error.code]).toEqual([409, 'task_taken'])
    expect(refused.error.message).toContain('no rider yet')
    expect(await readTask(pickup.id)).toMatchObject({ status: 'open', riderId: null })
    const takeover = await test.call(assignPickup, {
      token: there.token,
      params: { id: pickup.id },
      body: { version: other.body.version, riderId: there.userId },
    })
    expect((await start(takeover.body.version)).status).toBe(200)
    expect((await scan(pickup.id, parcels[0] as ParcelRow, there.token)).status).toBe(200)
  })

  it('belongs to one rider: of two concurrent assignments, one is refused', async () => {
    const { pickup, parcels } = await requestPickup(1)
    const answers = await Promise.all([assign(pickup.id, pickup.version), assign(pickup.id, pickup.version, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const winner = answers.find(({ status }) => status === 200)?.body
    const [mine, theirs] = winner?.riderId === rider.userId ? [rider, other] : [other, rider]
    const version = winner?.version ?? 0
    const refusal = await test.call(startPickup, { token: theirs.token, ...at(pickup.id, version) })
    expect([refusal.status, refusal.error.code]).toEqual([409, 'task_taken'])
    const both = await Promise.all(
      [1, 2].map(() => test.call(startPickup, { token: mine.token, ...at(pickup.id, version) })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await scan(pickup.id, parcels[0] as ParcelRow, theirs.token)).error.code).toBe('task_taken')
  })

  it('can be reassigned under way: the new rider continues, and the previous one is notified', async () => {
    const { task, parcels } = await startedTask(2)
    const scanned = await scan(task.id, parcels[0] as ParcelRow)
    const note = 'van broke down'
    const give = (version: number) =>
      test.call(assignPickup, {
        token: other.token,
        params: { id: task.id },
        body: { version, riderId: other.userId, note },
      })
    expect((await give(task.version + 5)).error.code).toBe('version_conflict')
    const handover = await give(scanned.body.version)
    const { startedAt } = task
    expect(handover.body).toMatchObject({ status: 'open', riderId: other.userId, pickedCount: 1, startedAt })
    expect((await scan(task.id, parcels[1] as ParcelRow)).error.code).toBe('task_taken')
    const started = await test.call(startPickup, { token: other.token, ...at(task.id, handover.body.version) })
    expect((await scan(task.id, parcels[1] as ParcelRow, other.token)).status).toBe(200)
    const view = await test.call(getPickupTask, { token: other.token, params: { id: task.id } })
    const completion = await test.call(completePickup, { token: other.token, ...at(task.id, view.body.version) })
    expect(started.status).toBe(200)
    const { riderName } = handover.body
    expect(completion.body.steps).toMatchObject([
      { step: 'assigned', from: null, note: null, by: riderName },
      { step: 'started' },
      { step: 'assigned', from: task.riderName, rider: riderName, note, by: riderName },
      { step: 'started', rider: riderName, by: riderName },
      { step: 'completed', rider: riderName },
    ])
  })

  it('cannot be cancelled or rescheduled by the sender while one rider hands it over to another', async () => {
    const { task, parcels } = await startedTask(2)
    const scanned = await scan(task.id, parcels[0] as ParcelRow)
    const reassign = (version: number) => assign(task.id, version, other)
    expect((await reassign(scanned.body.version)).body.status).toBe('open')
    const body = (await reassign(scanned.body.version + 1)).body
    const pickup = (await test.call(getPickupRequest, { token: siti.token, params: { id: task.id } })).body
    expect(pickup).toMatchObject({ status: 'open', mayCancel: false, mayReschedule: false })
    const change = { token: siti.token, params: { id: task.id } }
    const answers = [
      await test.call(cancelPickup, { ...change, body: { version: body.version } }),
      await test.call(reschedulePickup, { ...change, body: { ...testPickup(test), version: body.version } }),
    ]
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(Array(2).fill([409, 'task_forbidden']))
    const parcel = await test.call(getParcel, { token: siti.token, params: { id: parcels[0]?.id ?? '' } })
    expect(parcel.body.pickupRequestId).toBe(task.id)
  })

  it('accepts only existing riders, and disappears for riders when the sender cancels the pickup', async () => {
    const { pickup } = await requestPickup(1)
    const nobody = await assign(pickup.id, pickup.version, { ...rider, userId: siti.userId })
    expect([nobody.status, nobody.error.errors?.[0]?.field]).toEqual([422, 'riderId'])
    await test.call(cancelPickup, { token: siti.token, ...at(pickup.id, pickup.version) })
    const view = await test.call(getPickupTask, { token: rider.token, params: { id: pickup.id } })
    expect(view.status).toBe(404)
    expect((await assign(pickup.id, pickup.version + 1)).status).toBe(404)
  })
})
