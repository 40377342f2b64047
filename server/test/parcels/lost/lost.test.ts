import { listNotifications } from '@waybill/contract/notifications/notifications'
import { getOrder } from '@waybill/contract/orders/orders'
import { createPrintRun, generateNotes, postNotes } from '@waybill/contract/parcels/labels'
import { listParcels } from '@waybill/contract/parcels/list'
import { listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import { declareLost, scan, staffParcelByNumber, undoScan } from '@waybill/contract/parcels/scanning'
import { staffNotes } from '@waybill/contract/parcels/staff-prints'
import { listStock } from '@waybill/contract/parcels/stock'
import { contestWeighing, getWeighing, listDisputes, reweighParcel } from '@waybill/contract/parcels/weighing'
import { decideClaim } from '@waybill/contract/tickets/staff-tickets'
import { claimOptions } from '@waybill/contract/tickets/tickets'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { findWrongFigures } from '../../../src/domains/dashboard/queries-figures.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { createClaimTicket, createInsured } from '../../testing/factories/tickets.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

describe('a parcel that cannot be found', () => {
  let test: TestApp
  let owner: TestCustomer
  let clerk: TestStaff
  let supervisor: TestStaff
  let here: string
  let there: string
  beforeEach(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createPayer(test)
    ;({ here, there, counter: clerk } = await findCounter(test))
    supervisor = await createStaff(test, { role: 'admin', stationId: here })
  })

  const readForStaff = async (no: string, { token } = supervisor) =>
    (await test.call(staffParcelByNumber, { token, params: { no } })).body
  const declare = async (id: string, by = supervisor, overrides: { version?: number } = {}) => {
    const { version } = await parcelNow(test, owner, id)
    const body = { version, note: 'We searched both stations.', ...overrides }
    return test.call(declareLost, { token: by.token, params: { id }, body })
  }
  const listKinds = async () => {
    await test.settle()
    const { items } = (await test.call(listNotifications, { token: owner.token })).body
    return items.map(({ kind }) => kind)
  }
  /** Lets the time pass in which a scan can be undone: jobs that wait for its end are due. */
  const endUndo = async () => {
    await test.settle()
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db)
  }
  const orderStatus = async (id: string) => {
    await test.settle()
    return (await test.call(getOrder, { token: owner.token, params: { id } })).body.status
  }

  it('ends as lost: its sender gets the note, its order is completed, and the public reads it', async () => {
    const { id, number, orderId } = await handedOver(test, owner, clerk)
    await scanned(test, clerk, number, 'departed', { nextStationId: there })
    expect((await readForStaff(number)).mayDeclareLost).toBe(true)
    const answer = await declare(id)
    expect(answer.body).toMatchObject({ status: 'lost', trackingStatus: 'lost', mayDeclareLost: false })
    expect(answer.body.allowedEvents).toEqual(['arrived'])
    expect(await orderStatus(orderId)).toBe('completed')
    expect(await listKinds()).toContain('parcel_lost')
    const mail = test.mailbox.mails().find(({ subject }) => subject.includes('is lost'))
    expect(mail?.text).toMatch(/We searched both stations\. It was not insured\./)
    const tracked = (await test.call(publicTrackGet, { query: { no: number } })).body
    expect(tracked.found[0]).toMatchObject({ status: 'lost', trackingStatus: 'lost', next: 'lost' })
    expect(tracked.found[0]?.events[0]).toMatchObject({ event: 'lost', trackingStatus: 'lost' })
    expect(JSON.stringify(tracked)).not.toContain('We searched')
    const listed = async (tab: 'problem' | 'moving' | 'cancelled') =>
      (await test.call(listParcels, { token: owner.token, query: { tab } })).body.total
    expect([await listed('problem'), await listed('moving'), await listed('cancelled')]).toEqual([1, 0, 0])
    expect(await findWrongFigures(test.deps.db, owner.accountId)).toEqual([])
  })

  it('continues from the station that finds it, and its sender hears of that', async () => {
    const { id, number, orderId } = await handedOver(test, owner, clerk)
    await declare(id)
    expect(await orderStatus(orderId)).toBe('completed')
    const finder = await createStaff(test, { stationId: there })
    await scanned(test, finder, number, 'arrived')
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'inbound', trackingStatus: 'in_transit' })
    expect((await readForStaff(number, finder)).custody.holder).toBe('station')
    expect(await orderStatus(orderId)).toBe('pending')
    expect(await listKinds()).not.toContain('parcel_found')
    await endUndo()
    expect(await listKinds()).toContain('parcel_found')
    expect(await findWrongFigures(test.deps.db, owner.accountId)).toEqual([])
  })

  it('was not found if the scan is undone, so its sender hears nothing', async () => {
    const { id, number } = await handedOver(test, owner, clerk)
    await declare(id)
    const finder = await createStaff(test, { stationId: there })
    const body = { trackingNumber: number, event: 'arrived' as const }
    const scanned = await test.call(scan, { token: finder.token, body })
    await test.settle()
    await test.call(undoScan, { token: finder.token, params: { id: scanned.body.id } })
    await endUndo()
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'lost' })
    expect(await listKinds()).not.toContain('parcel_found')
    await test.call(scan, { token: finder.token, body })
    await endUndo()
    expect((await listKinds()).filter((kind) => kind === 'parcel_found')).toHaveLength(1)
  })

  it('is listed by the station that had it last, or that expected it, until it is found', async () => {
    const had = await handedOver(test, owner, clerk)
    const expected = await handedOver(test, owner, clerk)
    await scanned(test, clerk, expected.number, 'departed', { nextStationId: there })
    const boss = await createStaff(test, { type: 'superadmin' })
    for (const { id } of [had, expected]) expect((await declare(id, boss)).status).toBe(200)
    const finder = await createStaff(test, { stationId: there })
    const readLost = async ({ token }: TestStaff) => {
      const { items, total, counts } = (await test.call(listStock, { token, query: { tab: 'lost' } })).body
      expect([total, counts.lost]).toEqual([items.length, items.length])
      return items.map(({ trackingNumber, status, next, late }) => [trackingNumber, status, next.step, late])
    }
    expect(await readLost(clerk)).toEqual([[had.number, 'lost', 'find', false]])
    expect(await readLost(finder)).toEqual([[expected.number, 'lost', 'find', false]])
    const all = (await test.call(listStock, { token: clerk.token })).body
    expect([all.total, all.counts.all, all.counts.late]).toEqual([0, 0, 0])
    await scanned(test, finder, had.number, 'arrived')
    expect([await readLost(clerk), (await readLost(finder)).length]).toEqual([[], 1])
  })

  it('has no consignment note until it is found, for its sender, for staff and in a print run', async () => {
    const { id, number } = await handedOver(test, owner, clerk)
    const printAll = async () => {
      const body = { ids: [id], format: 'a6' as const, startAt: 1 }
      const answers = await Promise.all([
        test.call(generateNotes, { token: owner.token, query: { ids: id } }),
        test.call(postNotes, { token: owner.token, body }),
        test.call(createPrintRun, { token: owner.token, body }),
        test.call(staffNotes, { token: clerk.token, query: { ids: id } }),
      ])
      return answers.map(({ status }) => status)
    }
    const isOffered = async () => (await parcelNow(test, owner, id)).allowedActions.includes('print_note')
    expect([await printAll(), await isOffered()]).toEqual([Array(4).fill(200), true])
    await declare(id)
    expect([await printAll(), await isOffered()]).toEqual([Array(4).fill(422), false])
    await scanned(test, clerk, number, 'arrived')
    expect([await printAll(), await isOffered()]).toEqual([Array(4).fill(200), true])
  })

  it('is no longer on a rider’s list, and cannot be declared from old data or a second time', async () => {
    const { id, number } = await handedOver(test, owner, clerk)
    await scanned(test, clerk, number, 'out_for_delivery')
    const countTasks = async () =>
      (await test.call(listDeliveryTasks, { token: clerk.token, query: { rider: 'me' } })).body.total
    expect(await countTasks()).toBe(1)
    const stale = await declare(id, supervisor, { version: 1 })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    expect((await declare(id)).status).toBe(200)
    expect(await countTasks()).toBe(0)
    const again = await declare(id)
    expect([again.status, again.error.code]).toEqual([409, 'transition_forbidden'])
  })

  it('owes nothing any more if it was held for its weight', async () => {
    const { id, orderId } = await handedOver(test, owner, clerk)
    const body = { weightGrams: 6000, confirmed: true }
    await test.call(reweighParcel, { token: clerk.token, params: { id }, body })
    expect((await parcelNow(test, owner, id)).amountDueMinor).toBeGreaterThan(0)
    expect(await orderStatus(orderId)).toBe('outstanding')
    await declare(id)
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'lost', amountDueMinor: 0 })
    expect(await orderStatus(orderId)).toBe('completed')
  })

  it('has no difference to contest or to decide any more if it was held for its weight', async () => {
    const manager = await createStaff(test, { role: 'account_manager' })
    const readWeighing = async (id: string) =>
      (await test.call(getWeighing, { token: owner.token, params: { id } })).body.weighing
    const contest = (id: string) =>
      test.call(contestWeighing, { token: owner.token, params: { id }, body: { reason: 'I weighed it at home.' } })
    const reweigh = async (isContested: boolean) => {
      const { id } = await handedOver(test, owner, clerk)
      await test.call(reweighParcel, {
        token: clerk.token,
        params: { id },
        body: { weightGrams: 6000, confirmed: true },
      })
      if (isContested) expect((await contest(id)).body.state).toBe('contested')
      await declare(id)
      return id
    }
    const open = await reweigh(false)
    expect(await readWeighing(open)).toMatchObject({ state: 'waived', dueMinor: 0, differenceMinor: 0 })
    expect((await contest(open)).error.code).toBe('contest_over')

    const contested = await reweigh(true)
    const weighing = await readWeighing(contested)
    expect(weighing).toMatchObject({ state: 'waived', dueMinor: 0 })
    const count = async (state: 'contested' | 'decided') =>
      (await test.call(listDisputes, { token: manager.token, query: { state } })).body.total
    expect([await count('contested'), await count('decided')]).toEqual([0, 1])
  })

  it('has no choice left after a failed delivery', async () => {
    const { id } = await undelivered(test, owner, clerk)
    expect((await parcelNow(test, owner, id)).allowedActions).toContain('choose_delivery')
    await declare(id)
    expect((await parcelNow(test, owner, id)).allowedActions).not.toContain('choose_delivery')
  })

  it('is declared only by a supervisor, of the station that has it', async () => {
    const { id, number } = await handedOver(test, owner, clerk)
    const other = await createStaff(test, { role: 'admin', stationId: there })
    expect((await readForStaff(number, other)).mayDeclareLost).toBe(false)
    expect((await readForStaff(number, clerk)).mayDeclareLost).toBe(false)
    expect((await declare(id, other)).error.code).toBe('task_other_station')
    expect((await declare(id, clerk)).status).toBe(403)
    const draft = await createParcel(test, owner)
    expect((await declare(draft.id)).status).toBe(404)
    const delivered = await createParcel(test, owner, { status: 'completed' })
    expect((await declare(delivered.id)).error.code).toBe('transition_forbidden')
  })

  it('is lost when a claim for it is paid, and can be claimed for only as lost', async () => {
    const manager = await createStaff(test, { role: 'account_manager' })
    const { id: parcelId } = await createInsured(test, owner)
    const { id, version } = await createClaimTicket(test, owner, { parcelId })
    const body = { version, decision: 'accepted', amountMinor: 40_000 } as const
    await test.call(decideClaim, { token: manager.token, params: { id }, body })
    expect(await parcelNow(test, owner, parcelId)).toMatchObject({ status: 'lost' })
    expect(await listKinds()).not.toContain('parcel_lost')

    const declared = await createInsured(test, owner)
    await declare(declared.id)
    const options = await test.call(claimOptions, { token: owner.token, params: { id: declared.id } })
    expect(options.body.reasons.map(({ reason }) => reason)).toEqual(['lost'])
    const claim = await createClaimTicket(test, owner, { parcelId: declared.id })
    const paid = await test.call(decideClaim, {
      token: manager.token,
      params: { id: claim.id },
      body: { ...body, version: claim.version },
    })
    expect(paid.body).toMatchObject({ claim: { state: 'paid', parcelStatus: 'lost' } })
  })

  it('is reported to finance if it is found after its loss was paid', async () => {
    const manager = await createStaff(test, { role: 'account_manager' })
    const { id: parcelId } = await createInsured(test, owner)
    const { id, number, version } = await createClaimTicket(test, owner, { parcelId })
    const body = { version, decision: 'accepted', amountMinor: 40_000 } as const
    expect((await test.call(decideClaim, { token: manager.token, params: { id }, body })).status).toBe(200)
    const unpaid = await createInsured(test, owner)
    expect((await declare(unpaid.id)).status).toBe(200)
    for (const parcel of [parcelId, unpaid.id]) {
      const { trackingNumber } = await parcelNow(test, owner, parcel)
      await scanned(test, clerk, trackingNumber ?? '', 'arrived')
    }
    await endUndo()
    await test.settle()
    const { items } = (await test.call(listNotifications, { token: manager.token })).body
    const notices = items.filter(({ kind }) => kind === 'claim_found')
    expect(notices.map(({ path }) => path)).toEqual([`/staff/tickets/${id}`])
    expect(notices[0]?.title).toContain(number)
  })
})
