import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import { getOrder } from '@waybill/contract/orders/orders'
import {
  bookPickup,
  cancelPickup,
  listPickupRequests,
  reschedulePickup,
  waitingParcels,
} from '@waybill/contract/pickups/pickups'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { testPickup } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { requestPickup, setPickupStatus } from '../testing/factories/pickups.ts'
import { workingDay } from '../testing/factories/working-day.ts'

describe('the pickup of parcels', () => {
  let test: TestApp
  let siti: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    siti = await createCustomer(test)
  })

  it('is work for today while no rider comes: cancelled, or failed', async () => {
    const mina = await createCustomer(test)
    const readTodo = async () => {
      const { body } = await test.call(getDashboard, { token: mina.token })
      return [body.todo.withoutPickup, body.todo.failedPickups]
    }
    const { id, version } = await requestPickup(test, mina, 2)
    expect(await readTodo()).toEqual([0, 0])
    await setPickupStatus(test, id, 'failed')
    expect(await readTodo()).toEqual([0, 2])
    await setPickupStatus(test, id, 'new')
    await test.call(cancelPickup, { token: mina.token, params: { id }, body: { version } })
    expect(await readTodo()).toEqual([2, 0])
  })

  it('is the visit of its order as it is now: moved, cancelled, and booked again at another time', async () => {
    const { id, version, orderId } = await requestPickup(test, siti)
    const readVisits = async () => {
      const { body } = await test.call(getOrder, { token: siti.token, params: { id: orderId ?? '' } })
      return { body, visits: body.visits.map((visit) => [visit.id, visit.date, visit.window, visit.status]) }
    }
    const [date, window] = [workingDay(test, 4), '15:00-18:00' as const]
    const { version: movedVersion } = (
      await test.call(reschedulePickup, {
        token: siti.token,
        params: { id },
        body: { ...testPickup(test), date, window, version },
      })
    ).body
    expect((await readVisits()).visits).toEqual([[id, date, window, 'new']])
    await test.call(cancelPickup, { token: siti.token, params: { id }, body: { version: movedVersion } })
    const { body, visits } = await readVisits()
    expect(visits).toEqual([])
    const parcelIds = body.parcels.map((parcel) => parcel.id)
    const { address } = body.pickup ?? testPickup(test)
    const choice = { ...testPickup(test, { address }), date: workingDay(test, 5) }
    const booked = await test.call(bookPickup, { token: siti.token, body: { ...choice, parcelIds } })
    expect((await readVisits()).visits).toEqual([[booked.body.id, choice.date, choice.window, 'new']])
    await setPickupStatus(test, booked.body.id, 'failed')
    expect((await readVisits()).visits).toEqual([[booked.body.id, choice.date, choice.window, 'failed']])
  })

  it('can be booked for a parcel without one, however many older ones wait for their rider', async () => {
    const busy = await createCustomer(test)
    const pickup = await requestPickup(test, busy)
    await sql`
      insert into parcels
        (account_id, id, created_by, scope, currency, status, sender, receiver, pickup_request_id, created_at)
      select account_id, gen_random_uuid(), created_by, scope, currency, status, sender, receiver, pickup_request_id,
        created_at - interval '1 day'
      from parcels, generate_series(1, 1000)
      where pickup_request_id = ${pickup.id}::uuid`.execute(test.deps.db)
    const parcel = await createParcel(test, busy, { status: 'pending_pickup' })
    const waiting = await test.call(waitingParcels, { token: busy.token })
    expect(waiting.body.items.map(({ id }) => id)).toEqual([parcel.id])
    expect((await test.call(listPickupRequests, { token: busy.token })).body.waitingParcels).toBe(1)
  })
})
