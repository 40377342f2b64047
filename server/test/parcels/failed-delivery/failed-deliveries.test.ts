import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { getDeliveryTask, listDeliveryTasks, listFailedDeliveries } from '@waybill/contract/parcels/rider-tasks'
import { recentScans, staffParcelByNumber, undoScan } from '@waybill/contract/parcels/scanning'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayIn, days, hours } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, scanned, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

type Tab = 'due' | 'later' | 'waiting'

describe('failed deliveries for staff', () => {
  let test: TestApp
  let owner: TestCustomer
  let clerk: TestStaff
  let here: string
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ here, there } = await findCounter(test))
  })
  // Each test starts with an empty list: the parcels of earlier tests are removed from it.
  beforeEach(async () => {
    await test.deps.db.updateTable('parcels').set({ status: 'completed' }).execute()
    owner = await createCustomer(test)
    clerk = await createStaff(test, { stationId: here })
    await fundWallet(test, owner, 100_000)
    await setWalletPin(test, owner)
  })

  const options = async (id: string) =>
    (await test.call(getDeliveryChoice, { token: owner.token, params: { id } })).body
  const choose = async (id: string, body: Record<string, unknown>) => {
    const fee = (await options(id)).options.find(({ kind }) => kind === body.kind)?.feeMinor ?? 0
    const whole = { expectedFeeMinor: fee, pin: fee > 0 ? testPin : null, ...body }
    const choice = await test.call(makeDeliveryChoice, { token: owner.token, params: { id }, body: whole as never })
    expect(choice.status).toBe(200)
    return choice.body
  }
  const list = async (tab: Tab, who = clerk, query: { stationId?: string; limit?: number; offset?: number } = {}) =>
    (await test.call(listFailedDeliveries, { token: who.token, query: { tab, ...query } })).body
  const listIds = async (tab: Tab, who = clerk) => (await list(tab, who)).items.map(({ parcelId }) => parcelId)
  const onCounter = async (no: string) =>
    (await test.call(staffParcelByNumber, { token: clerk.token, params: { no } })).body
  const tasks = async (state: 'under_way' | 'done') =>
    (await test.call(listDeliveryTasks, { token: clerk.token, query: { rider: 'me', state } })).body.items

  it('lists a parcel as waiting for a choice, then as later, and as due from the chosen day on', async () => {
    const { id, number } = await undelivered(test, owner, clerk)
    const { decideUntil, dates } = await options(id)
    const waiting = await list('waiting')
    expect(waiting.counts).toEqual({ due: 0, later: 0, waiting: 1 })
    expect(waiting.items).toMatchObject([
      {
        parcelId: id,
        trackingNumber: number,
        failedAttempt: { attempt: 1, attemptsAllowed: 3, attemptsUsed: false, reason: 'not_home', decideUntil },
      },
    ])
    expect(waiting.items[0]?.failedAttempt.chosen).toBeNull()

    await choose(id, { kind: 'retry', date: dates[0] })
    const later = await list('later')
    expect([later.total, later.counts]).toEqual([1, { due: 0, later: 1, waiting: 0 }])
    expect(later.items[0]?.failedAttempt).toMatchObject({
      decideUntil: null,
      chosen: { kind: 'retry', by: 'sender', date: dates[0], station: null },
    })

    const until = Date.parse(`${dates[0]}T12:00:00+08:00`)
    test.clock.advance(until - test.clock.now().getTime())
    expect(dayIn(test.clock.now(), test.deps.settings.get('timezone'))).toBe(dates[0])
    clerk = await createStaff(test, { stationId: here })
    expect((await list('due')).counts).toEqual({ due: 1, later: 0, waiting: 0 })
    test.clock.advance(days(3))
    clerk = await createStaff(test, { stationId: here })
    expect(await listIds('due')).toEqual([id])
    await scanned(test, clerk, number, 'out_for_delivery')
    expect((await list('due')).counts).toEqual({ due: 0, later: 0, waiting: 0 })
  })

  it('lists a parcel as due once its address is corrected, and removes it after a diversion or recall', async () => {
    const corrected = await undelivered(test, owner, clerk)
    const diverted = await undelivered(test, owner, clerk)
    const recalled = await undelivered(test, owner, clerk)
    await choose(corrected.id, { kind: 'correct', receiver: testReceiver({ line1: '9 Lebuh Pantai' }) })
    const [station] = (await options(diverted.id)).stations
    await choose(diverted.id, { kind: 'divert', stationId: station?.id })
    await choose(recalled.id, { kind: 'recall' })
    const due = await list('due')
    expect(due.counts).toEqual({ due: 1, later: 0, waiting: 0 })
    expect(due.items[0]).toMatchObject({
      parcelId: corrected.id,
      to: { line1: '9 Lebuh Pantai' },
      failedAttempt: { chosen: { kind: 'correct', by: 'sender', date: null } },
    })
    expect((await onCounter(diverted.number)).failedAttempt).toMatchObject({
      decideUntil: null,
      chosen: { kind: 'divert', by: 'sender', station: station?.name },
    })
    expect((await onCounter(recalled.number)).failedAttempt?.chosen).toMatchObject({ kind: 'recall', by: 'sender' })
  })

  it('lists parcels at the attempt limit first, with their shorter deadline', async () => {
    const first = await undelivered(test, owner, clerk)
    const used = await undelivered(test, owner, clerk, 3)
    const { items } = await list('waiting')
    expect(items.map(({ parcelId }) => parcelId)).toEqual([used.id, first.id])
    const [{ failedAttempt } = { failedAttempt: null }] = items
    expect(failedAttempt).toMatchObject({ attempt: 3, attemptsAllowed: 3, attemptsUsed: true })
    expect(Date.parse(failedAttempt?.decideUntil ?? '') - Date.parse(failedAttempt?.at ?? '')).toBe(hours(24))
    const page = await list('waiting', clerk, { limit: 1, offset: 1 })
    expect([page.total, page.items.map(({ parcelId }) => parcelId)]).toEqual([2, [first.id]])
  })

  it('lists a return as due without any choice, until no attempts are left', async () => {
    const row = await createParcel(test, owner, {
      status: 'inbound',
      leg: 'return',
      station_id: here,
      sender: testParty({ line1: '1 Jalan Pengirim' }),
    })
    // A delivery choice of the outbound leg does not apply to the return leg.
    await test.deps.db
      .insertInto('delivery_choices')
      .values({
        ...{ account_id: owner.accountId, parcel_id: row.id, attempt: 1, id: newId() },
        ...{ kind: 'retry', chosen_by: 'sender', retry_on: '2026-01-05', currency: row.currency },
      })
      .execute()
    const number = row.tracking_number ?? ''
    const attempt = async () => {
      await scanned(test, clerk, number, 'out_for_delivery')
      await scanned(test, clerk, number, 'attempt_failed', { failureReason: 'closed', note: 'gate is locked' })
    }
    await attempt()
    expect((await list('due')).items).toMatchObject([
      {
        parcelId: row.id,
        to: { line1: '1 Jalan Pengirim' },
        failedAttempt: { goingBack: true, note: 'gate is locked', decideUntil: null, chosen: null },
      },
    ])
    await attempt()
    await attempt()
    expect((await list('due')).counts).toEqual({ due: 0, later: 0, waiting: 1 })
    expect((await list('waiting')).items[0]?.failedAttempt).toMatchObject({ attemptsUsed: true, decideUntil: null })
  })

  it('keeps the door of a failed task, although its parcel is recalled and goes back to its sender', async () => {
    const { id } = await undelivered(test, owner, clerk)
    const [before] = await tasks('done')
    await test.deps.db.updateTable('parcels').set({ status: 'recall' }).where('id', '=', id).execute()
    const [after] = await tasks('done')
    expect(after).toMatchObject({ parcelId: id, parcelStatus: 'recall', to: before?.to })
  })

  it('hides parcels from clerks of other stations, and refuses their requests for them', async () => {
    const { id } = await undelivered(test, owner, clerk)
    const other = await createStaff(test, { stationId: there })
    expect((await list('waiting', other)).counts).toEqual({ due: 0, later: 0, waiting: 0 })
    const refused = await test.call(listFailedDeliveries, { token: other.token, query: { stationId: here } })
    expect([refused.status, refused.error.code]).toEqual([403, 'task_other_station'])
    const everywhere = await createStaff(test, {})
    expect(await listIds('waiting', everywhere)).toEqual([id])
    expect((await list('waiting', everywhere, { stationId: there })).total).toBe(0)
    const customer = await test.call(listFailedDeliveries, { token: owner.token })
    expect(customer.status).toBe(403)
  })

  it('shows the rider the choice with the failed task and the next attempt, and none afterwards', async () => {
    const { id, number } = await undelivered(test, owner, clerk)
    const [done] = await tasks('done')
    expect(done).toMatchObject({ parcelId: id, failedAttempt: { attempt: 1, chosen: null } })
    const { dates } = await options(id)
    await choose(id, { kind: 'retry', date: dates[1] })
    await scanned(test, clerk, number, 'out_for_delivery', { beforeChosenDay: true })
    const [again] = await tasks('under_way')
    const choice = { kind: 'retry', by: 'sender', date: dates[1] }
    expect(again).toMatchObject({ attempts: 2, failedAttempt: { attempt: 1, decideUntil: null, chosen: choice } })
    const detail = await test.call(getDeliveryTask, { token: clerk.token, params: { id: again?.id ?? '' } })
    expect(detail.body.failedAttempt?.chosen).toMatchObject(choice)
    expect((await onCounter(number)).failedAttempt?.chosen).toMatchObject(choice)
    await scanned(test, clerk, number, 'delivered', { recipientName: 'Tan', signaturePath: 'M10,20 L30,40' })
    expect((await tasks('done'))[0]).toMatchObject({ status: 'completed', failedAttempt: null })
    expect((await onCounter(number)).failedAttempt).toBeNull()
  })

  it('does not count an undone report as an attempt', async () => {
    const { id, number } = await handedOver(test, owner, clerk)
    await scanned(test, clerk, number, 'out_for_delivery')
    await scanned(test, clerk, number, 'attempt_failed', { failureReason: 'refused' })
    const [report] = (await test.call(recentScans, { token: clerk.token })).body.items
    const undone = await test.call(undoScan, { token: clerk.token, params: { id: report?.id ?? '' } })
    expect(undone.status).toBe(200)
    expect((await onCounter(number)).failedAttempt).toBeNull()
    await scanned(test, clerk, number, 'attempt_failed', { failureReason: 'closed' })
    expect((await onCounter(number)).failedAttempt).toMatchObject({ attempt: 1, reason: 'closed' })
    expect(await options(id)).toMatchObject({ attempt: 1, failureReason: 'closed' })
  })

  it('shows the remarks of the address to the rider and at the counter', async () => {
    const receiver = testReceiver({ remarks: 'Gate code 4711, beware of the dog' })
    const row = await createParcel(test, owner, { status: 'inbound', station_id: here, receiver })
    const number = row.tracking_number ?? ''
    await scanned(test, clerk, number, 'out_for_delivery')
    expect((await tasks('under_way'))[0]?.to?.remarks).toBe(receiver.remarks)
    expect((await onCounter(number)).receiver?.remarks).toBe(receiver.remarks)
  })
})
