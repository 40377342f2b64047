import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { recentScans, scan, undoScan, undoSeconds } from '@waybill/contract/parcels/scanning'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { scanTime } from '../../../src/domains/parcels/scanning/repeat-scan.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { findOtherStation } from '../../testing/factories/stations.ts'

type Body = BodyIn<typeof scan>

const minute = 60_000

describe('repeated and delayed scans', () => {
  let test: TestApp
  let owner: TestCustomer
  let here: string
  let there: string
  let clerk: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const stations = await test.deps.db.selectFrom('stations').select('id').orderBy('code').execute()
    here = stations[0]?.id ?? ''
    there = stations[1]?.id ?? ''
  })
  // Sessions expire when a test advances the clock.
  beforeEach(async () => {
    owner = await createCustomer(test)
    clerk = await createStaff(test, { stationId: here })
  })

  const report = (parcel: ParcelRow, event: Body['event'], more: Partial<Body> = {}, by = clerk, key?: string) =>
    test.call(scan, {
      token: by.token,
      body: { trackingNumber: parcel.tracking_number ?? '', event, ...more },
      headers: key ? { 'idempotency-key': key } : {},
    })
  const listEvents = async ({ id }: ParcelRow) =>
    (await test.call(getParcel, { params: { id }, token: owner.token })).body.events
  const ago = (milliseconds: number) => new Date(test.clock.now().getTime() - milliseconds).toISOString()
  const parked = { status: 'pending_dropoff', delivery_mode: 'P2D' } as const
  const waiting = () => createParcel(test, owner, parked)

  describe('a repeated scan', () => {
    it('returns the first one, and adds no entry to the timeline', async () => {
      const parcel = await waiting()
      const first = await report(parcel, 'accepted')
      test.clock.advance(minute)
      const second = await report(parcel, 'accepted')
      expect(second.status).toBe(200)
      expect(second.body).toEqual({ ...first.body, repeated: { byYou: true, byName: null } })
      expect((await listEvents(parcel)).filter(({ event }) => event === 'accepted')).toHaveLength(1)
      // The same key returns the stored response.
      const keyed = await report(parcel, 'accepted', {}, clerk, 'a-scan-of-today')
      expect((await report(parcel, 'accepted', {}, clerk, 'a-scan-of-today')).body).toEqual(keyed.body)
    })

    it('names the colleague who made the first one, and only that colleague may undo it', async () => {
      const colleague = await createStaff(test, { stationId: here })
      const parcel = await waiting()
      const first = await report(parcel, 'accepted', {}, colleague)
      const second = await report(parcel, 'accepted')
      expect(second.body.repeated).toEqual({ byYou: false, byName: expect.stringMatching(/\S/) })
      expect(second.body).toMatchObject({ id: first.body.id, undoUntil: null })
    })

    it('is refused at another station, for another next station, after another scan, and after an undo', async () => {
      const parcel = await waiting()
      const accepted = await report(parcel, 'accepted')
      expect((await report(parcel, 'accepted', { stationId: there })).error.code).toBe('transition_forbidden')
      await test.call(undoScan, { token: clerk.token, params: { id: accepted.body.id } })
      expect((await report(parcel, 'accepted')).body.repeated).toBeUndefined()
      await report(parcel, 'sorted')
      expect((await report(parcel, 'accepted')).error.code).toBe('transition_forbidden')
      await report(parcel, 'departed', { nextStationId: there })
      expect((await report(parcel, 'departed', { nextStationId: there })).body.repeated).toBeDefined()
      const third = await findOtherStation(test, [here, there])
      expect((await report(parcel, 'departed', { nextStationId: third })).error.code).toBe('transition_forbidden')
    })

    it('is refused for events whose proof or reason may differ from the first', async () => {
      const parcel = await createParcel(test, owner, { status: 'inbound', station_id: here, delivery_mode: 'P2D' })
      await report(parcel, 'out_for_delivery')
      const failed = { failureReason: 'not_home' } as const
      await report(parcel, 'attempt_failed', failed)
      expect((await report(parcel, 'attempt_failed', failed)).error.code).toBe('transition_forbidden')
      await report(parcel, 'out_for_delivery')
      const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }
      await report(parcel, 'delivered', signed)
      expect((await report(parcel, 'delivered', signed)).error.code).toBe('transition_forbidden')
    })
  })

  describe('a delayed scan', () => {
    it('appears in the timeline at the time of the scan, and can be undone after it arrives', async () => {
      const before = new Date(ago(20 * minute))
      const parcel = await createParcel(test, owner, { ...parked, last_event_at: before })
      const scannedAt = ago(15 * minute)
      const { status, body } = await report(parcel, 'accepted', { scannedAt })
      expect(status).toBe(200)
      expect(body.at).toBe(scannedAt)
      expect((await listEvents(parcel))[0]).toMatchObject({ event: 'accepted', at: scannedAt })
      const until = body.undoUntil ?? ''
      const remainder = Date.parse(until) - test.clock.now().getTime()
      expect(remainder).toBeGreaterThan((undoSeconds - 60) * 1000)
      expect(remainder).toBeLessThanOrEqual(undoSeconds * 1000)
      const recent = await test.call(recentScans, { token: clerk.token })
      expect(recent.body.items[0]).toMatchObject({ id: body.id, undoUntil: until })
      const undone = await test.call(undoScan, { token: clerk.token, params: { id: body.id } })
      expect(undone.body).toMatchObject({ toStatus: 'pending_dropoff' })
    })

    it('keeps the order of the timeline, regardless of the clock of the scanner', async () => {
      const parcel = await waiting()
      await report(parcel, 'accepted')
      test.clock.advance(minute)
      await report(parcel, 'sorted', { scannedAt: ago(2 * minute) })
      const future = new Date(test.clock.now().getTime() + 60 * minute).toISOString()
      test.clock.advance(minute)
      await report(parcel, 'departed', { nextStationId: there, scannedAt: future })
      const events = (await listEvents(parcel)).slice(0, 3)
      expect(events.map(({ event }) => event)).toEqual(['departed', 'sorted', 'accepted'])
      expect(Date.parse(events[0]?.at ?? '')).toBeLessThanOrEqual(test.clock.now().getTime())
    })

    it('is never later than now and never before the last event (property)', () => {
      const now = new Date('2026-03-10T08:00:00Z')
      const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
      fc.assert(
        fc.property(moments, fc.nat(20_000), (reportedAt, minutesAgo) => {
          const last = new Date(now.getTime() - minutesAgo * minute)
          const at = scanTime(reportedAt.toISOString(), { created_at: last, last_event_at: last }, now)
          expect(at <= now).toBe(true)
          expect(at > last || at.getTime() === now.getTime()).toBe(true)
          const believable =
            reportedAt < now && reportedAt > last && now.getTime() - reportedAt.getTime() < 7 * 24 * 60 * minute
          if (believable) expect(at).toEqual(reportedAt)
        }),
      )
    })
  })
})
