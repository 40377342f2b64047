import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { recentScans, scan, scanEvents, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { allowedScans, type ParcelState, toParcelEvent } from '../../../src/domains/parcels/status.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { modelNext } from '../status-model.ts'

type Body = BodyIn<typeof scan>
type ScanFields = Partial<Body>
const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }

describe('scans', () => {
  let test: TestApp
  let owner: TestCustomer
  let here: { id: string; name: string; city: string }
  let there: { id: string; name: string; city: string }
  let counter: TestStaff
  let far: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    const stations = await test.deps.db
      .selectFrom('stations')
      .select(['id', 'name', 'city'])
      .where('type', '=', 'service_center_t1')
      .orderBy('code')
      .execute()
    here = stations[0] as typeof here
    there = stations.find(({ city }) => city !== here.city) as typeof there
    counter = await createStaff(test, { stationId: here.id })
    far = await createStaff(test, { stationId: there.id })
  })

  const report = (
    parcel: ParcelRow,
    event: Body['event'],
    fields: ScanFields = {},
    options: { token?: string; language?: string; key?: string } = {},
  ) =>
    test.call(scan, {
      body: { trackingNumber: parcel.tracking_number ?? '', event, ...fields },
      token: options.token ?? counter.token,
      language: options.language,
      headers: options.key ? { 'idempotency-key': options.key } : {},
    })
  const getStatus = async ({ id }: ParcelRow) =>
    (await test.call(getParcel, { params: { id }, token: owner.token })).body

  it('move a parcel from the counter to the door, each with its place in the timeline', async () => {
    const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const absent: ScanFields = { failureReason: 'not_home', note: 'gate locked' }
    const steps: [TestStaff, Body['event'], ScanFields, string, string | null][] = [
      [counter, 'accepted', {}, 'inbound', here.city],
      [counter, 'sorted', {}, 'sorting', here.city],
      [counter, 'departed', { nextStationId: there.id }, 'outbound', here.city],
      [far, 'arrived', {}, 'inbound', there.city],
      [far, 'out_for_delivery', {}, 'delivering', there.city],
      [far, 'attempt_failed', absent, 'fail-to-deliver', testReceiver().city],
      [far, 'out_for_delivery', {}, 'delivering', there.city],
      [far, 'delivered', signed, 'completed', testReceiver().city],
    ]
    for (const [by, event, fields, toStatus, place] of steps) {
      const { status, body } = await report(parcel, event, fields, { token: by.token })
      expect(status).toBe(200)
      expect(body).toMatchObject({ event, toStatus, place, trackingNumber: parcel.tracking_number })
    }
    const detail = await getStatus(parcel)
    expect(detail.status).toBe('completed')
    expect(detail.proof).toMatchObject(signed)
    expect(detail.events.map(({ event }) => event).slice(0, 8)).toEqual([
      'delivered',
      'next_attempt',
      'attempt_failed',
      'out_for_delivery',
      'arrived',
      'departed',
      'sorted',
      'accepted',
    ])
    const [start, end] = [Array(3).fill(here.name), [null, there.name, null, there.name, there.name]]
    expect(detail.events.map(({ station }) => station).slice(0, 8)).toEqual([...end, ...start])
    const failed = detail.events.find(({ event }) => event === 'attempt_failed')
    expect(failed?.note).toBe('Nobody home · gate locked')
    const pub = await test.call(publicTrackGet, { query: { no: parcel.tracking_number ?? '' } })
    expect(pub.body.found[0]?.trackingStatus).toBe('delivered')
    expect(pub.raw.toString()).not.toContain('gate locked')

    const recent = await test.call(recentScans, { query: { limit: 3 }, token: far.token })
    expect(recent.body.items.map(({ event }) => event)).toEqual(['delivered', 'out_for_delivery', 'attempt_failed'])
    expect(recent.body.items[0]).toMatchObject({ fromStatus: 'delivering', toStatus: 'completed' })
  })

  it('hand a parcel out only at its self-collection station, after its arrival and with proof', async () => {
    const parcel = await createParcel(test, owner, {
      status: 'inbound',
      delivery_mode: 'D2P',
      self_collection_station_id: there.id,
      station_id: here.id,
    })
    const wrong = await report(parcel, 'handed_over', signed)
    expect([wrong.status, wrong.error.code]).toEqual([409, 'wrong_station'])
    expect(wrong.error.details).toMatchObject({ rightStation: { id: there.id } })
    const [{ name }] = (await test.deps.db
      .selectFrom('stations')
      .select('name')
      .where('id', '=', there.id)
      .execute()) as [{ name: string }]
    expect(wrong.error.message).toContain(name)
    const atThere = { token: far.token }
    const notYet = await report(parcel, 'handed_over', signed, atThere)
    expect([notYet.status, notYet.error.code]).toEqual([409, 'custody_take_over'])
    await report(parcel, 'departed', { nextStationId: there.id })
    await report(parcel, 'arrived', {}, atThere)
    const bare = await report(parcel, 'handed_over', {}, atThere)
    expect([bare.status, bare.error.code]).toEqual([422, 'proof_required'])
    expect(bare.error.errors?.map(({ field }) => field)).toEqual(['recipientName', 'signaturePath'])
    const nobody = await report(parcel, 'handed_over', signed, atThere)
    expect([nobody.status, nobody.error.code]).toEqual([422, 'proof_required'])
    expect(nobody.error.errors?.map(({ field }) => field)).toEqual(['idDocument', 'idLast4'])
    const identity = { idDocument: 'identity_card', idLast4: '5678' } as const
    const right = await report(parcel, 'handed_over', { ...signed, ...identity }, atThere)
    expect(right.body.toStatus).toBe('collected')
    expect((await report(parcel, 'out_for_delivery')).status).toBe(409)
  })

  it('are refused with the name of a missing field: next station, reason, proof', async () => {
    const inbound = await createParcel(test, owner, { status: 'inbound', station_id: here.id })
    for (const fields of [{}, { nextStationId: here.id }]) {
      const departed = await report(inbound, 'departed', fields)
      expect(departed.status).toBe(422)
      expect(departed.error.errors?.[0]?.field).toBe('nextStationId')
    }
    const unknown = await report(inbound, 'departed', { nextStationId: owner.accountId })
    expect(unknown.error.errors?.[0]?.field).toBe('nextStationId')
    const delivering = await createParcel(test, owner, { status: 'delivering', rider_id: counter.userId })
    expect((await report(delivering, 'attempt_failed')).error.errors?.[0]?.field).toBe('failureReason')
    for (const fields of [{}, { recipientName: 'Siti' }, { signaturePath: 'M1,1' }]) {
      expect((await report(delivering, 'delivered', fields)).error.code).toBe('proof_required')
    }
    expect((await report(delivering, 'delivered', { ...signed, signaturePath: '<script>' })).status).toBe(422)
    const rider = await createStaff(test)
    const nowhere = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const homeless = await report(nowhere, 'accepted', {}, { token: rider.token })
    expect(homeless.error.errors?.[0]?.field).toBe('stationId')
  })

  it('are refused if the table forbids the transition, with the current status in the caller’s language', async () => {
    const parcel = await createParcel(test, owner, { status: 'completed' })
    const english = await report(parcel, 'arrived')
    expect([english.status, english.error.code]).toEqual([409, 'transition_forbidden'])
    expect(english.error.message).toContain(parcelStatusLabels.completed[0])
    expect(english.error.details).toMatchObject({ status: 'completed' })
    const chinese = await report(parcel, 'arrived', {}, { language: 'zh' })
    expect(chinese.error.message).toContain(parcelStatusLabels.completed[1])
  })

  it('distinguish a typing error from an unknown number', async () => {
    const parcel = await createParcel(test, owner, { status: 'inbound' })
    const no = parcel.tracking_number ?? ''
    const slip = `${no.slice(0, -1)}${(Number(no.at(-1)) + 3) % 10}`
    const wrong = await test.call(scan, { body: { trackingNumber: slip, event: 'sorted' }, token: counter.token })
    expect([wrong.status, wrong.error.code]).toEqual([422, 'tracking_number_slip'])
    const foreign = await test.call(scan, {
      body: { trackingNumber: '1234567890123', event: 'sorted' },
      token: counter.token,
    })
    expect([foreign.status, foreign.error.code]).toEqual([404, 'parcel_unknown'])
    const view = await test.call(staffParcelByNumber, { params: { no: slip }, token: counter.token })
    expect(view.error.code).toBe('tracking_number_slip')
  })

  it('are offered with a parcel of any account to staff who may scan', async () => {
    const parcel = await createParcel(test, owner, { status: 'inbound', station_id: here.id })
    const { body } = await test.call(staffParcelByNumber, {
      params: { no: parcel.tracking_number ?? '' },
      token: counter.token,
    })
    expect(body).toMatchObject({ id: parcel.id, status: 'inbound', allowedActions: [] })
    expect(body.accountName).toMatch(/^Customer/)
    expect(body.allowedEvents).toEqual(['sorted', 'departed', 'out_for_delivery'])
    const marketing = await createStaff(test, { role: 'e_marketing' })
    expect((await report(parcel, 'sorted', {}, { token: marketing.token })).status).toBe(403)
    expect((await report(parcel, 'sorted', {}, { token: owner.token })).status).toBe(403)
  })

  it('count once if the request is repeated', async () => {
    const parcel = await createParcel(test, owner, { status: 'inbound', station_id: here.id })
    const key = `scan-${parcel.id}`
    const answers = await Promise.all([1, 2, 3].map(() => report(parcel, 'sorted', {}, { key })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const other = await report(parcel, 'departed', { nextStationId: there.id }, { key })
    expect([other.status, other.error.code]).toEqual([409, 'idempotency_conflict'])
  })

  it('succeed once if two are sent at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const parcel = await createParcel(test, owner, { status: 'delivering', rider_id: counter.userId })
      const answers = await Promise.all([
        report(parcel, 'delivered', signed),
        report(parcel, 'attempt_failed', { failureReason: 'refused' }),
        report(parcel, 'delivered', signed),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      const detail = await getStatus(parcel)
      expect(detail.events.filter(({ status }) => status !== 'delivering' && status === detail.status)).toHaveLength(1)
    }
  })

  it('wait for a change of the parcel, and are checked against its new status', async () => {
    const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const cancelled = sql`update parcels set status = 'cancel', version = version + 1 where id = ${parcel.id}::uuid`
    const [answer] = await queueBehind(test, cancelled, () => report(parcel, 'accepted'))
    expect(answer.error).toMatchObject({ code: 'transition_forbidden', details: { status: 'cancel' } })
  })

  it('agree with the model in random walks over HTTP', async () => {
    const modes = ['D2D', 'D2P', 'P2D', 'P2P'] as const
    const arrivals = ['accepted', 'arrived']
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...modes),
        fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
        async (mode, choices) => {
          const start = mode[0] === 'D' ? 'pending_pickup' : 'pending_dropoff'
          const parcel = await createParcel(test, owner, {
            status: start,
            delivery_mode: mode,
            self_collection_station_id: mode[2] === 'P' ? here.id : null,
            drop_off_station_id: here.id,
          })
          let failed = 0
          let state: ParcelState = { status: start, deliveryMode: mode, handedOver: false, leg: 'outbound' }
          let version = parcel.version
          let last: string | null = null
          for (const choice of choices) {
            const allowed = allowedScans(state)
            const anything = choice % 4 === 0 || allowed.length === 0
            const event = (
              anything ? scanEvents[choice % scanEvents.length] : allowed[choice % allowed.length]
            ) as Body['event']
            const parcelEvent = toParcelEvent(event, state.status)
            const usedUp = parcelEvent === 'next_attempt' && failed >= test.deps.settings.get('delivery.maxAttempts')
            // At its self-collection station a parcel is not sorted after its arrival.
            const waits =
              event === 'sorted' && mode[2] === 'P' && state.leg === 'outbound' && arrivals.includes(last ?? '')
            const expected = usedUp || waits ? null : modelNext(state, parcelEvent)
            const answer = await report(parcel, event, {
              stationId: here.id,
              nextStationId: there.id,
              failureReason: 'closed',
              takeOver: { reason: 'it is here' },
              idDocument: 'passport',
              idLast4: 'A123',
              ...signed,
            })
            // A repeated scan returns the first one, unless it contains a proof or a reason.
            const repeated =
              !expected && event === last && !['delivered', 'attempt_failed', 'handed_over'].includes(event)
            const allowedNow = expected || repeated ? 200 : 409
            expect([event, state.status, answer.status]).toEqual([event, state.status, allowedNow])
            expect(answer.status === 200 && answer.body.repeated !== undefined).toBe(repeated)
            if (!expected) continue
            last = event
            version++
            if (parcelEvent === 'attempt_failed') failed++
            const row = await test.deps.db
              .selectFrom('parcels')
              .select(['status', 'handed_over', 'leg', 'version'])
              .where('id', '=', parcel.id)
              .executeTakeFirstOrThrow()
            expect(row).toEqual({
              status: expected.status,
              handed_over: expected.handedOver,
              leg: expected.leg,
              version,
            })
            state = expected
          }
        },
      ),
      { numRuns: 12 },
    )
  })
})
