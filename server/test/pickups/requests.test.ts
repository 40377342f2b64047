import { cancelParcels } from '@waybill/contract/orders/refunds'
import {
  bookPickup,
  cancelPickup,
  exportPickupRequests,
  getPickupRequest,
  listPickupRequests,
  reschedulePickup,
  waitingParcels,
} from '@waybill/contract/pickups/pickups'
import { pickupSlots } from '@waybill/contract/pickups/slots'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoHolidays } from '../../src/demo/network/holidays.ts'
import { days, later } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { testPickup } from '../testing/factories/orders.ts'
import { createParcel, testParty } from '../testing/factories/parcels.ts'
import { requestPickup, setPickupStatus } from '../testing/factories/pickups.ts'
import { workingDay } from '../testing/factories/working-day.ts'

describe('a pickup after the checkout', () => {
  let test: TestApp
  let siti: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    siti = await createCustomer(test)
  })

  const move = (
    id: string,
    version: number,
    overrides: Partial<Parameters<typeof testPickup>[1]> = {},
    token = siti.token,
  ) => test.call(reschedulePickup, { token, params: { id }, body: { ...testPickup(test), ...overrides, version } })
  const getFields = (answer: { error: { errors?: { field: string; message: string }[] } }) =>
    answer.error.errors?.map(({ field }) => field)
  const setStatus = (id: string, status: string) => setPickupStatus(test, id, status)

  it('moves to another day and window if the version matches', async () => {
    const pickup = await requestPickup(test, siti)
    const date = workingDay(test, 4)
    const change = await move(pickup.id, pickup.version, { date, window: '15:00-18:00' })
    expect(change.body).toMatchObject({ date, window: '15:00-18:00', status: 'new', version: pickup.version + 1 })
    const stale = await move(pickup.id, pickup.version)
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const view = await test.call(getPickupRequest, { token: siti.token, params: { id: pickup.id } })
    expect(view.body).toMatchObject({ date, mayReschedule: true, mayCancel: true })
    expect(view.body.parcels).toHaveLength(1)
  })

  it('is listed by its day and the beginning of its window, on every page', async () => {
    const customer = await createCustomer(test)
    const [first, second] = [workingDay(test, 3), workingDay(test, 4)]
    const slots = [
      [second, '15:00-18:00'],
      [first, '12:00-15:00'],
      [second, '09:00-12:00'],
      [first, '09:00-12:00'],
      [second, '12:00-15:00'],
    ] as const
    for (const [date, window] of slots) {
      const pickup = await requestPickup(test, customer)
      expect((await move(pickup.id, pickup.version, { date, window }, customer.token)).status).toBe(200)
    }
    const readPages = async (sort: string) => {
      const pages = await Promise.all(
        [0, 2, 4].map((offset) =>
          test.call(listPickupRequests, { token: customer.token, query: { sort, offset, limit: 2 } }),
        ),
      )
      return pages.flatMap(({ body }) => body.items.map(({ date, window }) => [date, window]))
    }
    const byTime = [...slots].map(([date, window]) => [date, window]).sort((a, b) => `${a}`.localeCompare(`${b}`))
    expect(await readPages('+date')).toEqual(byTime)
    expect(await readPages('-date')).toEqual(byTime.reverse())
  })

  it('cannot move to a past day, a rest day, a holiday, or an area without pickups', async () => {
    const pickup = await requestPickup(test, siti)
    const sunday = [2, 3, 4, 5, 6, 7, 8]
      .map((n) => later(test.clock.now(), days(n)).toISOString().slice(0, 10))
      .find((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0)
    const yesterday = later(test.clock.now(), -days(2)).toISOString().slice(0, 10)
    expect(getFields(await move(pickup.id, pickup.version, { date: yesterday }))).toEqual(['date'])
    expect(getFields(await move(pickup.id, pickup.version, { date: sunday ?? '' }))).toEqual(['date'])
    const nowhere = testParty({ postcode: '00000' })
    expect(getFields(await move(pickup.id, pickup.version, { address: nowhere }))).toEqual(['address.postcode'])
    const date = workingDay(test, 3)
    await test.deps.db.insertInto('holidays').values({ country: 'my', day: date, state: null, name: 'Feast' }).execute()
    expect(getFields(await move(pickup.id, pickup.version, { date }))).toEqual(['date'])
    await test.deps.db.deleteFrom('holidays').where('name', '=', 'Feast').execute()
    expect((await move(pickup.id, pickup.version, { date })).status).toBe(200)
    expect(demoHolidays.length).toBeGreaterThan(0)
  })

  it('gets the last place in a window only once under concurrent requests', async () => {
    const [first, second] = [await requestPickup(test, siti), await requestPickup(test, siti)]
    const date = workingDay(test, 6)
    const station = await test.deps.db
      .selectFrom('pickup_requests')
      .select('station_id')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    const capacity = (per_window: number) =>
      sql`insert into station_pickup_capacity (station_id, per_window) values (${station.station_id}, ${per_window})
        on conflict (station_id) do update set per_window = excluded.per_window`.execute(test.deps.db)
    await capacity(1)
    const answers = await Promise.all(
      [first, second].map(({ id, version }) => move(id, version, { date, window: '12:00-15:00' })),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => [409, 422].includes(status))).toHaveLength(1)
    const slots = await test.call(pickupSlots, { token: siti.token, query: { postcode: '59100', country: 'my' } })
    const slot = slots.body.items.find((each) => each.date === date && each.window === '12:00-15:00')
    expect(slot?.closed).toBe('full')
    const third = await createParcel(test, siti, { status: 'pending_pickup' })
    const body = { ...testPickup(test, { date, window: '12:00-15:00' as const }), parcelIds: [third.id] }
    expect(getFields(await test.call(bookPickup, { token: siti.token, body }))).toEqual(['window'])
    await capacity(40)
    expect((await test.call(bookPickup, { token: siti.token, body })).status).toBe(200)
  })

  it('omits the weekly rest days from its slots', async () => {
    const query = { postcode: '59100', country: 'my', days: 14 }
    const { body } = await test.call(pickupSlots, { token: siti.token, query })
    expect(body.items).toHaveLength(42)
    for (const { date, closed } of body.items.slice(3))
      if (new Date(`${date}T00:00:00Z`).getUTCDay() === 0) expect([date, closed]).toEqual([date, 'rest_day'])
    expect(body.items.some(({ closed }) => closed === null)).toBe(true)
  })

  it('is hidden from other accounts, which receive 404', async () => {
    const pickup = await requestPickup(test, siti)
    const stranger = await createCustomer(test)
    const params = { id: pickup.id }
    const { token } = stranger
    const answers = await Promise.all([
      test.call(getPickupRequest, { token, params }),
      move(pickup.id, pickup.version, {}, token),
      test.call(cancelPickup, { token, params, body: { version: pickup.version } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('is hidden from members without a parcel on it: in the list, counts, spreadsheet and detail', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const book = async (...senders: TestCustomer[]) => {
      const parcels = await Promise.all(senders.map((by) => createParcel(test, by, { status: 'pending_pickup' })))
      const body = { ...testPickup(test), parcelIds: parcels.map(({ id }) => id) }
      return (await test.call(bookPickup, { token: owner.token, body })).body
    }
    const clerk = await createMember(test, owner, ['parcels.create', 'pay'])
    const colleague = await createMember(test, owner, ['parcels.create', 'parcels.view_all'])
    const [shared, foreign, emptied] = [await book(owner, clerk), await book(owner), await book(clerk)]
    const fetched = await book(owner)
    const back = await createParcel(test, clerk, { status: 'reverse_pickup' })
    await test.deps.db.updateTable('parcels').set({ return_pickup_id: fetched.id }).where('id', '=', back.id).execute()
    const all = [shared, foreign, emptied, fetched].map(({ id }) => id)
    const readAs = async ({ token }: TestCustomer) => {
      const { body } = await test.call(listPickupRequests, { token })
      const sheet = await test.call(exportPickupRequests, { token, query: { format: 'csv' } })
      const single = await Promise.all(all.map((id) => test.call(getPickupRequest, { token, params: { id } })))
      return {
        list: body.items.map(({ id }) => id).sort(),
        single: all.filter((_, n) => single[n]?.status === 200).sort(),
        total: [body.total, body.counts.all, sheet.raw.toString().trim().split('\n').length - 1],
      }
    }
    const whole = { list: [...all].sort(), single: [...all].sort(), total: [4, 4, 4] }
    expect([await readAs(owner), await readAs(colleague)]).toEqual([whole, whole])
    const own = [shared, emptied, fetched].map(({ id }) => id).sort()
    expect(await readAs(clerk)).toEqual({ list: own, single: own, total: [3, 3, 3] })
    // A cancelled pickup has no parcels any more, so it belongs to no member.
    const params = { id: emptied.id }
    await test.call(cancelPickup, { token: clerk.token, params, body: { version: emptied.version } })
    const left = [shared, fetched].map(({ id }) => id).sort()
    expect(await readAs(clerk)).toEqual({ list: left, single: left, total: [2, 2, 2] })
    expect(await readAs(owner)).toEqual(whole)
  })

  it('cannot be changed once the rider is under way or it is completed', async () => {
    const pickup = await requestPickup(test, siti)
    for (const status of ['in_progress', 'completed']) {
      await setStatus(pickup.id, status)
      const change = await move(pickup.id, pickup.version)
      expect([change.status, change.error.code, change.error.details]).toEqual([409, 'task_forbidden', { status }])
      const cancellation = await test.call(cancelPickup, {
        token: siti.token,
        params: { id: pickup.id },
        body: { version: pickup.version },
      })
      expect(cancellation.error.code).toBe('task_forbidden')
    }
    await setStatus(pickup.id, 'failed')
    expect((await move(pickup.id, pickup.version)).body.status).toBe('open')
  })

  it('stays cancelled when a colleague, whose parcel was on it, cancels that parcel', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const clerk = await createMember(test, owner, ['parcels.create', 'pay'])
    const { accountId } = owner
    const ofOwner = await Promise.all([1, 2].map(() => createParcel(test, owner, { status: 'pending_pickup' })))
    const own = await createParcel(test, { accountId, userId: clerk.userId }, { status: 'pending_pickup' })
    const parcelIds = [...ofOwner, own].map(({ id }) => id)
    const booked = await test.call(bookPickup, { token: owner.token, body: { ...testPickup(test), parcelIds } })
    const params = { id: booked.body.id }
    const body = { version: booked.body.version }
    const cancellation = await test.call(cancelPickup, { token: clerk.token, params, body })
    expect(cancellation.body.parcels.map(({ id }) => id)).toEqual([own.id])
    const [first] = ofOwner
    const cancelled = await test.call(cancelParcels, { token: owner.token, body: { ids: [first?.id ?? ''] } })
    expect(cancelled.status).toBe(200)
    const { body: pickup } = await test.call(getPickupRequest, { token: owner.token, params })
    expect(pickup).toMatchObject({ mayReschedule: false, mayCancel: false, parcels: [] })
    expect(pickup.cancelledAt).not.toBeNull()
    const waiting = await test.call(waitingParcels, { token: owner.token })
    expect(waiting.body.items.map(({ id }) => id).sort()).toEqual([ofOwner[1]?.id, own.id].sort())
  })

  it('can be cancelled; its parcels stay paid and can be booked on another one', async () => {
    const owner = await createCustomer(test)
    const pickup = await requestPickup(test, owner, 2)
    const { token } = owner
    const cancellation = await test.call(cancelPickup, {
      token,
      params: { id: pickup.id },
      body: { version: pickup.version },
    })
    expect(cancellation.body).toMatchObject({ mayReschedule: false, mayCancel: false })
    expect(cancellation.body.cancelledAt).not.toBeNull()
    expect((await move(pickup.id, cancellation.body.version, {}, token)).error.code).toBe('task_forbidden')
    const waiting = await test.call(waitingParcels, { token })
    expect(waiting.body.items.map(({ status }) => status)).toEqual(['pending_pickup', 'pending_pickup'])
    const parcelIds = waiting.body.items.map(({ id }) => id)
    const body = { ...testPickup(test), parcelIds }
    const key = { 'idempotency-key': `book-${pickup.id}` }
    const [first, again] = [
      await test.call(bookPickup, { token, body, headers: key }),
      await test.call(bookPickup, { token, body, headers: key }),
    ]
    expect(first.body).toMatchObject({ orderId: null, parcelCount: 2, status: 'new' })
    expect(again.body.id).toBe(first.body.id)
    const twice = await test.call(bookPickup, { token, body })
    expect([twice.status, twice.error.code]).toEqual([409, 'parcel_on_pickup'])
    const list = await test.call(listPickupRequests, { token, query: { tab: 'coming' } })
    expect(list.body).toMatchObject({ total: 1, waitingParcels: 0, counts: { coming: 1, failed: 1, all: 2 } })
    const byNumber = await test.call(listPickupRequests, { token, query: { search: first.body.number } })
    expect(byNumber.body.items.map(({ id }) => id)).toEqual([first.body.id])
    expect(byNumber.body.counts).toMatchObject({ coming: 1, failed: 0, all: 1 })
    const sheet = await test.call(exportPickupRequests, { token, query: { tab: 'coming', format: 'csv' } })
    expect(sheet.headers['content-disposition']).toMatch(/^attachment; filename="pickups-\d{4}-\d{2}-\d{2}\.csv"$/)
    const lines = sheet.raw.toString().trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(first.body.number)
  })

  it('is for the parcels at one door, whatever its spelling', async () => {
    const { token, ...owner } = await createCustomer(test)
    const at = async (line1: string) =>
      (await createParcel(test, owner, { status: 'pending_pickup', sender: testParty({ line1 }) })).id
    const [first, same, other] = [await at('1 Jalan Telawi'), await at('1, JALAN TELAWI'), await at('9 Jalan Maarof')]
    const book = (parcelIds: string[]) =>
      test.call(bookPickup, { token, body: { ...testPickup(test, { date: workingDay(test, 4) }), parcelIds } })
    const refused = await book([first, other, same])
    expect([refused.status, getFields(refused)]).toEqual([422, ['parcelIds']])
    expect(refused.error.errors?.[0]?.message).toContain('one address')
    const waiting = async () => (await test.call(waitingParcels, { token })).body.items.map(({ id }) => id)
    expect((await waiting()).sort()).toEqual([first, same, other].sort())
    expect((await book([first, same])).status).toBe(200)
    expect(await waiting()).toEqual([other])
  })

  it('is refused for parcels of other accounts and for parcels that do not wait for a rider', async () => {
    const stranger = await createCustomer(test)
    const foreign = await createParcel(test, stranger, { status: 'pending_pickup' })
    const parcel = await createParcel(test, siti, { status: 'inbound' })
    const getStatus = async (id: string) =>
      (await test.call(bookPickup, { token: siti.token, body: { ...testPickup(test), parcelIds: [id] } })).status
    expect([await getStatus(foreign.id), await getStatus(parcel.id)]).toEqual([404, 409])
  })
})
