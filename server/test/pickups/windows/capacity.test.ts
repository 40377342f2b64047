import { bookPickup } from '@waybill/contract/pickups/pickups'
import { pickupSlots } from '@waybill/contract/pickups/slots'
import { getPickupCapacity, putPickupCapacity, type StationCapacity } from '@waybill/contract/pickups/windows'
import { beforeAll, describe, expect, it } from 'vitest'
import { windowCapacity } from '../../../src/domains/pickups/rules.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testPickup } from '../../testing/factories/orders.ts'
import { createParcel, testParty } from '../../testing/factories/parcels.ts'
import { workingDay } from '../../testing/factories/working-day.ts'

describe('the capacity of a window', () => {
  it('is set by the date, otherwise by the day of the week, otherwise by the default', () => {
    const plan = {
      perWindow: 40,
      week: [{ weekday: 6, window: '15:00-18:00', pickups: 0 }],
      days: [{ day: '2026-11-28', window: '15:00-18:00', pickups: 5 }],
    }
    expect(windowCapacity(plan, '2026-11-27', '15:00-18:00')).toBe(40)
    expect(windowCapacity(plan, '2026-11-21', '15:00-18:00')).toBe(0)
    expect(windowCapacity(plan, '2026-11-21', '09:00-12:00')).toBe(40)
    expect(windowCapacity(plan, '2026-11-28', '15:00-18:00')).toBe(5)
    const sundays = { perWindow: 1, week: [{ weekday: 7, window: 'x', pickups: 9 }], days: [] }
    expect(windowCapacity(sundays, '2026-11-22', 'x')).toBe(9)
  })
})

describe("a station's capacity", () => {
  let test: TestApp
  let siti: TestCustomer
  let clerk: TestStaff
  let admin: TestStaff
  let stationId: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    siti = await createCustomer(test)
    const { id } = await createBooking()
    const row = await test.deps.db
      .selectFrom('pickup_requests')
      .select('station_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    stationId = row.station_id as string
    clerk = await createStaff(test, { stationId })
    admin = await createStaff(test, { type: 'admin' })
  })

  async function book(overrides: Parameters<typeof testPickup>[1] = {}) {
    const parcel = await createParcel(test, siti, { status: 'pending_pickup' })
    return test.call(bookPickup, {
      token: siti.token,
      body: { ...testPickup(test, overrides), parcelIds: [parcel.id] },
    })
  }
  async function createBooking() {
    return (await book()).body
  }
  const getCapacity = async (by = clerk) =>
    (await test.call(getPickupCapacity, { token: by.token, params: { id: stationId } })).body
  const saveCapacity = (changes: Partial<StationCapacity>, present: StationCapacity, by = clerk, id = stationId) => {
    const { version, perWindow, cutOffTime, week, days } = { ...present, ...changes }
    return test.call(putPickupCapacity, {
      token: by.token,
      params: { id },
      body: { version, perWindow, cutOffTime, week, days },
    })
  }
  const slot = async (date: string, window: string) => {
    const query = { postcode: testParty().postcode, country: 'my' }
    const { items } = (await test.call(pickupSlots, { token: siti.token, query })).body
    return items.find((one) => one.date === date && one.window === window)
  }

  it('is forty per window by default, and is shown with the bookings', async () => {
    const capacity = await getCapacity()
    expect(capacity).toMatchObject({ perWindow: 40, week: [], days: [], version: 0, mayChange: true, changes: [] })
    expect(capacity.load).toHaveLength(14)
    const { date, window } = testPickup(test)
    const day = capacity.load.find((one) => one.day === date)
    expect(day?.rests).toBe(false)
    expect(day?.windows.find((one) => one.window === window)).toEqual({ window, pickups: 40, booked: 1 })
    expect(capacity.load.filter(({ rests }) => rests).length).toBeGreaterThan(0)
  })

  it('closes a window if it is zero, keeps existing bookings, and opens the window again', async () => {
    const { date, window } = testPickup(test)
    const closed = await saveCapacity({ days: [{ day: date, window: '09:00-12:00', pickups: 0 }] }, await getCapacity())
    expect(closed.body).toMatchObject({ version: 1, days: [{ day: date, window, pickups: 0 }] })
    expect(closed.body.load.find(({ day }) => day === date)?.windows[0]).toMatchObject({ pickups: 0, booked: 1 })
    expect(await slot(date, window)).toMatchObject({ closed: 'full' })
    const refused = await book()
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([422, 'window'])
    const opened = await saveCapacity({ days: [] }, closed.body)
    expect(opened.body.days).toEqual([])
    expect((await book()).status).toBe(200)
  })

  it('for a day of the week applies to every such day', async () => {
    const date = workingDay(test, 5)
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
    const changed = await saveCapacity({ week: [{ weekday, window: '12:00-15:00', pickups: 1 }] }, await getCapacity())
    expect(changed.status).toBe(200)
    expect((await book({ date, window: '12:00-15:00' })).status).toBe(200)
    expect((await book({ date, window: '12:00-15:00' })).status).toBe(422)
    expect((await book({ date, window: '09:00-12:00' })).status).toBe(200)
  })

  it('includes one cut-off time for the whole area, after which pickups today are refused', async () => {
    const present = await getCapacity()
    const changed = await saveCapacity({ cutOffTime: '00:00' }, present)
    expect(changed.body).toMatchObject({ cutOffTime: '00:00', cutOffTimes: ['00:00'] })
    const today = changed.body.load[0]?.day ?? ''
    for (const window of ['09:00-12:00', '15:00-18:00'])
      await expect.poll(() => slot(today, window)).toMatchObject({ closed: 'past' })
    expect((await saveCapacity({ cutOffTime: '25:00' }, changed.body)).error.errors?.[0]?.field).toBe('cutOffTime')
  })

  it('can be changed by staff of the station and admins, one at a time, and records each change', async () => {
    const present = await getCapacity()
    const stranger = await createStaff(test, {})
    expect((await getCapacity(stranger)).mayChange).toBe(false)
    expect((await saveCapacity({ perWindow: 3 }, present, stranger)).error.code).toBe('forbidden')
    const rates = await createStaff(test, { role: 'product_manager' })
    expect((await saveCapacity({ perWindow: 3 }, present, rates)).status).toBe(403)
    const answers = await Promise.all([
      saveCapacity({ perWindow: 12 }, present),
      saveCapacity({ perWindow: 13 }, present, admin),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = await getCapacity()
    expect(after.version).toBe(present.version + 1)
    expect(after.changes[0]).toMatchObject({
      by: expect.stringMatching(/^Staff/),
      parts: [{ part: 'perWindow', from: '40', to: String(after.perWindow) }],
    })
    expect(after.changes.map(({ parts }) => parts.map(({ part }) => part).join())).toEqual([
      'perWindow',
      'cutOffTime',
      'week',
      'days',
      'days',
    ])
  })

  it('refuses past days, duplicates, negative numbers and unknown stations', async () => {
    const present = await getCapacity()
    const fields = async (changes: Partial<StationCapacity>) =>
      (await saveCapacity(changes, present)).error.errors?.map(({ field }) => field)
    const { date } = testPickup(test)
    expect(await fields({ days: [{ day: '2020-01-01', window: '09:00-12:00', pickups: 1 }] })).toEqual(['days.0.day'])
    const twice = { day: date, window: '09:00-12:00' as const, pickups: 1 }
    expect(await fields({ days: [twice, twice] })).toEqual(['days.1.window'])
    expect(await fields({ perWindow: -1 })).toEqual(['perWindow'])
    expect((await saveCapacity({}, present, admin, newId())).status).toBe(404)
    expect((await getCapacity()).version).toBe(present.version)
  })
})
