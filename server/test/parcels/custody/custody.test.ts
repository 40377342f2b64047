import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import { checkGunny, createGunny, emptyGunny } from '@waybill/contract/parcels/gunny'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { assignDelivery, listDeliveryTasks, startDelivery } from '@waybill/contract/parcels/rider-tasks'
import { recentScans, scan, staffParcelByNumber, undoScan } from '@waybill/contract/parcels/scanning'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recallAbandoned } from '../../../src/domains/parcels/failed-delivery/jobs.ts'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { days } from '../../../src/lib/clock.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { listServiceCentres, seedTestNetwork, type TestStation } from '../../testing/factories/network.ts'
import { createParcel, testParty } from '../../testing/factories/parcels.ts'

type Event = BodyIn<typeof scan>['event']
type ScanFields = Partial<BodyIn<typeof scan>>
const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }
const identity = { idDocument: 'identity_card', idLast4: '5678' } as const

describe('custody', () => {
  let test: TestApp
  let owner: TestCustomer
  let kajang: TestStation
  let penang: TestStation
  let sabah: TestStation
  let atKajang: TestStaff
  let atPenang: TestStaff
  let atSabah: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const byCity = Map.groupBy(await listServiceCentres(test), ({ city }) => city)
    ;[kajang, penang, sabah] = [...byCity.values()].map(([first]) => first) as [TestStation, TestStation, TestStation]
  })
  // Sessions expire when a test advances the clock.
  beforeEach(async () => {
    owner = await createCustomer(test)
    atKajang = await createStaff(test, { stationId: kajang.id })
    atPenang = await createStaff(test, { stationId: penang.id })
    atSabah = await createStaff(test, { stationId: sabah.id })
  })

  const report = ({ tracking_number }: ParcelRow, event: Event, by: TestStaff, fields: ScanFields = {}) =>
    test.call(scan, { token: by.token, body: { trackingNumber: tracking_number ?? '', event, ...fields } })
  const reportOk = async (parcel: ParcelRow, event: Event, by: TestStaff, fields: ScanFields = {}) => {
    const answer = await report(parcel, event, by, fields)
    expect(answer.status, `${event}: ${JSON.stringify(answer.error)}`).toBe(200)
    return answer.body
  }
  const refusal = async (parcel: ParcelRow, event: Event, by: TestStaff, fields: ScanFields = {}) => {
    const { status, error } = await report(parcel, event, by, fields)
    return [status, error.code]
  }
  const getCustody = async ({ tracking_number }: ParcelRow, { token } = atKajang) =>
    (await test.call(staffParcelByNumber, { token, params: { no: tracking_number ?? '' } })).body
  const inKajang = (overrides: Parameters<typeof createParcel>[2] = {}) =>
    createParcel(test, owner, { status: 'inbound', station_id: kajang.id, ...overrides })

  describe('of a station', () => {
    it('requires and records a reason before another station takes the parcel over', async () => {
      const parcel = await inKajang()
      const answer = await report(parcel, 'sorted', atPenang)
      expect([answer.status, answer.error.code]).toEqual([409, 'custody_take_over'])
      expect(answer.error.message).toContain(kajang.name)
      expect(answer.error.details).toEqual({
        holder: 'station',
        station: { id: kajang.id, name: kajang.name },
        rider: null,
        gunny: null,
        nextStation: null,
        trackingNumber: parcel.tracking_number,
      })
      expect((await getCustody(parcel)).custody).toMatchObject({ holder: 'station', station: { id: kajang.id } })
      // Naming the holding station in the request does not bypass the check.
      expect(await refusal(parcel, 'sorted', atPenang, { stationId: kajang.id })).toEqual([409, 'custody_take_over'])
      await reportOk(parcel, 'sorted', atPenang, { takeOver: { reason: 'came with the night van' } })
      expect((await getCustody(parcel)).custody).toMatchObject({ holder: 'station', station: { id: penang.id } })
      const [entry] = await listActivities(test, { action: 'parcels.taken_over', subject: parcel.id })
      expect(entry).toMatchObject({ level: 'WARNING', user_id: atPenang.userId })
      expect(entry?.detail).toMatchObject({
        takeOverReason: 'came with the night van',
        takenOverFrom: { holder: 'station', name: kajang.name },
      })
      const departure = await refusal(parcel, 'departed', atKajang, { nextStationId: penang.id })
      expect(departure).toEqual([409, 'custody_take_over'])
    })

    it('prevents a re-weighing at another station, which does not offer it', async () => {
      const parcel = await inKajang()
      expect((await getCustody(parcel)).mayWeigh).toBe(true)
      expect((await getCustody(parcel, atPenang)).mayWeigh).toBe(false)
      const answer = await test.call(reweighParcel, {
        token: atPenang.token,
        params: { id: parcel.id },
        body: { weightGrams: 1200, scaleReading: '1.200 kg' },
      })
      expect([answer.status, answer.error.code]).toEqual([409, 'custody_refused'])
    })

    it('is restored by undoing a scan', async () => {
      const parcel = await inKajang()
      const { id } = await reportOk(parcel, 'departed', atKajang, { nextStationId: penang.id })
      expect((await getCustody(parcel)).custody).toMatchObject({ holder: 'carrier', nextStation: { id: penang.id } })
      await test.call(undoScan, { token: atKajang.token, params: { id } })
      const { custody } = await getCustody(parcel)
      expect(custody).toMatchObject({ holder: 'station', station: { id: kajang.id }, nextStation: null })
    })
  })

  it('warns about a parcel for another station, names the right one, and records it', async () => {
    const parcel = await inKajang()
    await reportOk(parcel, 'departed', atKajang, { nextStationId: penang.id })
    const arrived = await reportOk(parcel, 'arrived', atSabah)
    expect(arrived.rightStation).toEqual({ id: penang.id, name: penang.name })
    expect(await listActivities(test, { action: 'parcels.misrouted', subject: parcel.id })).toHaveLength(1)
    const recent = await test.call(recentScans, { token: atSabah.token })
    expect(recent.body.items[0]?.rightStation?.name).toBe(penang.name)
    await reportOk(parcel, 'departed', atSabah, { nextStationId: penang.id })
    expect((await reportOk(parcel, 'arrived', atPenang)).rightStation).toBeNull()
  })

  it('warns about a parcel that leaves for an address which another station serves', async () => {
    const parcel = await inKajang()
    const out = await reportOk(parcel, 'out_for_delivery', atKajang)
    expect(out.rightStation?.name).toBe((await getCustody(parcel)).lastStation?.name)
    expect(out.rightStation).not.toBeNull()
  })

  it('of a gunny ends when the gunny is emptied, or when a parcel is taken out with a reason', async () => {
    const overrides = { status: 'pending_dropoff', delivery_mode: 'P2D' } as const
    const [first, second] = [await createParcel(test, owner, overrides), await createParcel(test, owner, overrides)]
    const numbers = [first, second].map(({ tracking_number }) => tracking_number ?? '')
    const gunny = (await test.call(createGunny, { token: owner.token, body: { numbers } })).body
    const params = { id: gunny.id }
    const at = { token: atKajang.token, params }
    const received = await test.call(checkGunny, { ...at, body: { event: 'received', numbers } })
    expect((await getCustody(first)).custody).toMatchObject({ holder: 'gunny', gunny: gunny.number })
    const answer = await report(first, 'sorted', atKajang)
    expect(answer.error).toMatchObject({ statusCode: 409, code: 'custody_take_over' })
    expect(answer.error.message).toContain(groupNumbersIn(gunny.number))
    await reportOk(first, 'sorted', atKajang, { takeOver: { reason: 'the gunny is torn' } })
    const after = (await getCustody(first)).custody
    expect(after).toMatchObject({ holder: 'station', station: { id: kajang.id }, gunny: null })
    const out = await test.call(checkGunny, {
      ...at,
      body: { event: 'departed', numbers, nextStationId: penang.id },
    })
    // A parcel that was taken out stays at the station, and travels on once it is put back.
    expect(out.status).toBe(200)
    expect((await getCustody(second)).custody).toMatchObject({ holder: 'gunny', nextStation: { id: penang.id } })
    const wrong = await test.call(checkGunny, {
      token: atSabah.token,
      params,
      body: { event: 'arrived', numbers },
    })
    expect(wrong.status).toBe(200)
    const [line] = await test.deps.db
      .selectFrom('tracking_events')
      .select('detail')
      .where('parcel_id', '=', second.id)
      .where('event', '=', 'arrived')
      .execute()
    expect(line?.detail).toMatchObject({ rightStation: { id: penang.id } })
    await test.call(emptyGunny, { token: atSabah.token, params, body: { version: wrong.body.version } })
    expect((await getCustody(second)).custody).toMatchObject({ holder: 'station', station: { id: sabah.id } })
    await reportOk(second, 'sorted', atSabah)
    expect(received.status).toBe(200)
  })

  describe('of a rider', () => {
    const cod = { collection_mode: 'cod', cod_amount_minor: 8850 } as const
    const delivery = { ...signed, codCollectedMinor: 8850 }

    it('allows reports only by that rider or a supervisor, and books the cash to the rider in both cases', async () => {
      const parcel = await inKajang(cod)
      await reportOk(parcel, 'out_for_delivery', atKajang)
      const colleague = await createStaff(test, { stationId: kajang.id })
      const far = await createStaff(test, { role: 'admin', stationId: sabah.id })
      for (const by of [atSabah, colleague, far]) {
        expect(await refusal(parcel, 'delivered', by, delivery)).toEqual([403, 'report_not_yours'])
        expect(await refusal(parcel, 'attempt_failed', by, { failureReason: 'not_home' })).toEqual([
          403,
          'report_not_yours',
        ])
      }
      const mayReport = async (by: TestStaff) =>
        (await test.call(listDeliveryTasks, { token: by.token, query: { rider: 'all' } })).body.items.find(
          ({ parcelId }) => parcelId === parcel.id,
        )?.mayReport
      expect([await mayReport(atKajang), await mayReport(colleague)]).toEqual([true, false])
      const supervisor = await createStaff(test, { role: 'admin', stationId: kajang.id })
      await reportOk(parcel, 'delivered', supervisor, delivery)
      await test.deps.outbox.drain()
      const collection = await test.deps.db
        .selectFrom('cod_collections')
        .select(['collected_by', 'station_id'])
        .where('parcel_id', '=', parcel.id)
        .executeTakeFirstOrThrow()
      expect(collection).toEqual({ collected_by: atKajang.userId, station_id: kajang.id })
    })

    it('limits the offered events to users who may report them', async () => {
      const parcel = await inKajang()
      await reportOk(parcel, 'out_for_delivery', atKajang)
      const listAllowedEvents = async ({ token }: TestStaff) => {
        const params = { no: parcel.tracking_number ?? '' }
        return (await test.call(staffParcelByNumber, { token, params })).body.allowedEvents
      }
      const colleague = await createStaff(test, { stationId: kajang.id })
      const supervisor = await createStaff(test, { role: 'admin', stationId: kajang.id })
      const elsewhere = await createStaff(test, { role: 'admin', stationId: penang.id })
      expect(await listAllowedEvents(atKajang)).toEqual(['delivered', 'attempt_failed'])
      expect(await listAllowedEvents(supervisor)).toEqual(['delivered', 'attempt_failed'])
      for (const other of [colleague, elsewhere, atPenang]) expect(await listAllowedEvents(other)).toEqual([])
      await reportOk(parcel, 'attempt_failed', atKajang, { failureReason: 'not_home' })
      expect(await listAllowedEvents(colleague)).toEqual(['out_for_delivery'])
      expect(await listAllowedEvents(atPenang)).toEqual([])
      expect(await refusal(parcel, 'out_for_delivery', atPenang)).toEqual([409, 'custody_refused'])
    })

    it('can be taken over only by a supervisor, and ends without one at the rider’s own station', async () => {
      const parcel = await createParcel(test, owner, { status: 'pending_pickup' })
      await reportOk(parcel, 'picked_up', atKajang)
      const colleague = await createStaff(test, { stationId: kajang.id })
      const reason = { takeOver: { reason: 'it is here' } }
      expect(await refusal(parcel, 'sorted', atPenang, reason)).toEqual([409, 'custody_refused'])
      await reportOk(parcel, 'sorted', colleague)
      const other = await createParcel(test, owner, { status: 'pending_pickup' })
      await reportOk(other, 'picked_up', atKajang)
      const supervisor = await createStaff(test, { role: 'admin', stationId: penang.id })
      expect(await refusal(other, 'sorted', supervisor)).toEqual([409, 'custody_take_over'])
      await reportOk(other, 'sorted', supervisor, reason)
    })

    it('moves with the task to another rider, who must belong to the station of the task', async () => {
      const parcel = await inKajang()
      await reportOk(parcel, 'out_for_delivery', atKajang)
      const { items } = (await test.call(listDeliveryTasks, { token: atKajang.token })).body
      const params = { id: items[0]?.id ?? '' }
      const version = items[0]?.version ?? 0
      const give = (by: TestStaff, to: TestStaff) =>
        test.call(assignDelivery, { token: by.token, params, body: { version, riderId: to.userId } })
      const foreign = await give(atSabah, atSabah)
      expect([foreign.status, foreign.error.code]).toEqual([403, 'task_other_station'])
      expect((await give(atKajang, atSabah)).error.errors?.[0]?.field).toBe('riderId')
      const colleague = await createStaff(test, { stationId: kajang.id })
      expect((await give(atKajang, colleague)).status).toBe(200)
      expect(await refusal(parcel, 'delivered', atKajang, signed)).toEqual([403, 'report_not_yours'])
      const start = await test.call(startDelivery, { token: atKajang.token, params, body: { version: version + 1 } })
      expect(start.error.code).toBe('task_taken')
      await reportOk(parcel, 'delivered', colleague, signed)
    })

    it('requires a rider of the station that sends the parcel out', async () => {
      const parcel = await inKajang()
      const answer = await report(parcel, 'out_for_delivery', atKajang, { riderId: atSabah.userId })
      expect([answer.status, answer.error.errors?.[0]?.field]).toEqual([422, 'riderId'])
    })
  })

  describe('after failed attempts', () => {
    const failing = async (parcel: ParcelRow, by: TestStaff, times: number) => {
      for (let n = 0; n < times; n += 1) {
        await reportOk(parcel, 'out_for_delivery', by)
        await reportOk(parcel, 'attempt_failed', by, { failureReason: 'not_home' })
      }
    }

    it('stop at the limit, after which a rider is offered no event', async () => {
      const parcel = await inKajang()
      const max = test.deps.settings.get('delivery.maxAttempts')
      await failing(parcel, atKajang, max)
      expect(await refusal(parcel, 'out_for_delivery', atKajang)).toEqual([409, 'attempts_used'])
      expect((await getCustody(parcel)).allowedEvents).toEqual([])
      test.clock.advance(days(2))
      await recallAbandoned(test.deps)
      // The sender's session has ended by now.
      const row = test.deps.db.selectFrom('parcels').select('status').where('id', '=', parcel.id)
      expect((await row.executeTakeFirst())?.status).toBe('recall')
    })

    it('leave the parcel at the station for collection after the last one on the return leg', async () => {
      const home = { sender: testParty(), drop_off_station_id: kajang.id }
      const parcel = await inKajang({ leg: 'return', ...home })
      await failing(parcel, atKajang, test.deps.settings.get('delivery.maxAttempts'))
      expect(await refusal(parcel, 'out_for_delivery', atKajang)).toEqual([409, 'attempts_used'])
      test.clock.advance(days(2))
      await recallAbandoned(test.deps)
      const clerk = await createStaff(test, { stationId: kajang.id })
      await reportOk(parcel, 'return_received', clerk, { ...signed, ...identity })
    })
  })

  describe('of a return', () => {
    it('ends at the sender’s door or counter, regardless of the outbound delivery mode', async () => {
      for (const mode of ['D2P', 'P2P', 'D2D'] as const) {
        const back = {
          delivery_mode: mode,
          leg: 'return',
          drop_off_station_id: kajang.id,
          self_collection_station_id: null,
        }
        const toCounter = await inKajang({ ...back, leg: 'return' })
        const handed = await reportOk(toCounter, 'return_received', atKajang, { ...signed, ...identity })
        expect(handed.toStatus).toBe('completed')
        const toDoor = await inKajang({ ...back, leg: 'return' })
        await reportOk(toDoor, 'out_for_delivery', atKajang)
        expect((await reportOk(toDoor, 'delivered', atKajang, signed)).toStatus).toBe('completed')
        const elsewhere = await inKajang({ ...back, leg: 'return', station_id: penang.id })
        const wrong = await report(elsewhere, 'return_received', atPenang, { ...signed, ...identity })
        expect([wrong.status, wrong.error.code]).toEqual([409, 'wrong_station'])
      }
    })

    it('ends only with a handover at the sender’s station and with proof', async () => {
      const parcel = await inKajang({ status: 'recall', station_id: penang.id, drop_off_station_id: kajang.id })
      const elsewhere = await refusal(parcel, 'return_received', atPenang, { ...signed, ...identity })
      expect(elsewhere).toEqual([409, 'wrong_station'])
      await reportOk(parcel, 'departed', atPenang, { nextStationId: kajang.id })
      await reportOk(parcel, 'arrived', atKajang)
      expect(await refusal(parcel, 'return_received', atKajang)).toEqual([422, 'proof_required'])
      const handed = await reportOk(parcel, 'return_received', atKajang, signed)
      expect([handed.fromStatus, handed.toStatus]).toEqual(['recall', 'completed'])
      const detail = (await test.call(getParcel, { token: owner.token, params: { id: parcel.id } })).body
      expect(detail).toMatchObject({ leg: 'return', proof: signed })
      expect(detail.events.slice(0, 3).map(({ event }) => event)).toEqual(['return_received', 'arrived', 'departed'])
    })

    it('ends with the event “returned to the sender” in every view, not “delivered”', async () => {
      const parcel = await createParcel(test, owner, { status: 'reverse_pickup', drop_off_station_id: kajang.id })
      await reportOk(parcel, 'picked_up', atKajang)
      await reportOk(parcel, 'out_for_delivery', atKajang)
      await reportOk(parcel, 'delivered', atKajang, signed)
      const [tracked] = (await test.call(publicTrackGet, { query: { no: parcel.tracking_number ?? '' } })).body.found
      expect(tracked).toMatchObject({ leg: 'return', status: 'completed' })
      const names = tracked?.events.map(({ event }) => event) ?? []
      expect(names[0]).toBe('return_received')
      // The outbound delivery to the receiver still counts as a delivery.
      expect(names.filter((name) => name === 'delivered')).toHaveLength(1)
      const detail = (await test.call(getParcel, { token: owner.token, params: { id: parcel.id } })).body
      expect(detail.events[0]?.event).toBe('return_received')
    })
  })
})
