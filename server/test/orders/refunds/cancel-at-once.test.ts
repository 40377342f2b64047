import { getInvoice } from '@waybill/contract/orders/orders'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { cancel, expectSoundRefunds, funds, getBalance, placePaidOrder, takeOver } from './cancellations.ts'

describe('concurrent cancellations', () => {
  let test: TestApp
  let rider: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const station = await test.deps.db.selectFrom('stations').select('id').orderBy('code').executeTakeFirstOrThrow()
    rider = await createStaff(test, { stationId: station.id })
  })

  it('refund once for two clicks, two devices or a repeated key', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 2)
    const key = newId()
    const answers = await Promise.all([
      cancel(test, customer, ids, {}, key),
      cancel(test, customer, ids, {}, key),
      cancel(test, customer, ids),
      cancel(test, customer, [ids[0] as string]),
      test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} }),
    ])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    // If the cancellation of the one parcel came first, the other parcel remains.
    await test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })
    expect((await cancel(test, customer, ids)).error).toMatchObject({ code: 'transition_forbidden' })
    expect(
      (await test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })).error,
    ).toMatchObject({ code: 'order_closed' })
    expect(await getBalance(test, customer)).toBe(funds)
    await expectSoundRefunds(test)
  })

  it('of a whole order cancel what remains when they get the lock', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 3)
    const [first, second, third] = ids as [string, string, string]
    // Both read the order with all its parcels before the first of them gets the lock.
    const [one, rest] = await queueBehind(
      test,
      sql`select 1 from orders where id = ${order.id}::uuid for update`,
      () => cancel(test, customer, [first]),
      () => test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} }),
    )
    expect(one.body.items.map(({ id }) => id)).toEqual([first])
    expect([rest.status, rest.body.items?.map(({ id }) => id)]).toEqual([200, [second, third]])
    expect(await getBalance(test, customer)).toBe(funds)
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'refunded' })
    await expectSoundRefunds(test)
  })

  it('of a whole order find it closed if another device came first', async () => {
    const { customer, order } = await placePaidOrder(test, 2)
    const whole = () => test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })
    const lock = sql`select 1 from orders where id = ${order.id}::uuid for update`
    const [one, two] = await queueBehind(test, lock, whole, whole)
    expect(one.status).toBe(200)
    expect(two.error).toMatchObject({ code: 'order_closed', details: { status: 'refunded' } })
    expect(await getBalance(test, customer)).toBe(funds)
  })

  it('wait for a handover, and then are refused', async () => {
    const { customer, ids } = await placePaidOrder(test, 1)
    const handedOver = sql`
      update parcels set status = 'inbound', handed_over = true, version = version + 1 where id = ${ids[0]}::uuid`
    const [answer] = await queueBehind(test, handedOver, () => cancel(test, customer, ids))
    expect(answer.error).toMatchObject({ code: 'cancel_after_hand_over' })
    expect(await getBalance(test, customer)).toBeLessThan(funds)
  })

  it('refund the fee of a pickup that another order paid for, even if the parcel joined it later', async () => {
    const customer = await createPayer(test)
    const payer = await placeOrder(test, customer, { mode: 'D2D' })
    await payCredits(test, customer, payer)
    const joining = await placeOrder(test, customer, { mode: 'D2D' })
    expect(joining.pickup?.joins).toBe(true)
    await payCredits(test, customer, joining)
    await cancel(test, customer, [payer.parcels[0]?.id as string])
    const id = joining.parcels[0]?.id as string
    const { pickup_request_id: visit } = await test.deps.db
      .selectFrom('parcels')
      .select('pickup_request_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    // What a cancellation reads immediately before the payment.
    await sql`update parcels set pickup_request_id = null where id = ${id}::uuid`.execute(test.deps.db)
    const [answer] = await queueBehind(
      test,
      sql`with locked as (select 1 from orders where id = ${joining.id}::uuid for update)
        update parcels set pickup_request_id = ${visit}::uuid where id = ${id}::uuid and exists (select from locked)`,
      () => cancel(test, customer, [id]),
    )
    expect(answer.body.refunds.map(({ orderId }) => orderId).sort()).toEqual([payer.id, joining.id].sort())
    expect(await getBalance(test, customer)).toBe(funds)
    await expectSoundRefunds(test)
  })

  it('and payments leave either a refunded paid order or one that was never paid', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customer = await createPayer(test)
      const order = await placeOrder(test, customer, { count: 2 })
      const ids = order.parcels.map(({ id }) => id)
      const [pay, cancelled] = await Promise.all([payCredits(test, customer, order), cancel(test, customer, ids)])
      expect([200, 409]).toContain(pay.status)
      expect(cancelled.status).toBe(200)
      expect(await getBalance(test, customer)).toBe(funds)
      const { status } = await orderNow(test, customer, order)
      expect(status).toBe(pay.status === 200 ? 'refunded' : 'cancel')
    }
    await expectSoundRefunds(test)
  })

  it('are rejected by the database if they would refund more than was paid, or a parcel twice', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 1)
    const { db } = test.deps
    await expect(
      sql`update orders set refunded_minor = paid_minor + 1 where id = ${order.id}::uuid`.execute(db),
    ).rejects.toMatchObject({ constraint: 'orders_refunded' })
    await cancel(test, customer, ids)
    await expect(
      sql`insert into refunded_parcels select account_id, parcel_id, ${newId()}::uuid, 1 from refunded_parcels
        where parcel_id = ${ids[0]}::uuid`.execute(db),
    ).rejects.toMatchObject({ constraint: 'refunded_parcels_pkey' })
  })

  it('number credit notes without gaps if many run at once and some are refused', async () => {
    const orders: Awaited<ReturnType<typeof placePaidOrder>>[] = []
    for (let n = 0; n < 12; n += 1) orders.push(await placePaidOrder(test, 1))
    const late = orders.filter((_, n) => n % 4 === 3)
    for (const { customer, ids } of late) await takeOver(test, rider, customer, ids[0] as string, 'accepted')
    const answers = await Promise.all(orders.map(({ customer, ids }) => cancel(test, customer, ids)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    const { rows } = await sql<{ number: string }>`
      select number from credit_notes order by number`.execute(test.deps.db)
    const serials = rows.map(({ number }) => Number(/^CN-\d{4}-(\d{6})$/.exec(number)?.[1]))
    expect(serials).toEqual(serials.map((_, n) => n + 1))
  })

  it('number credit notes without gaps if one is rolled back', async () => {
    const [one, two] = [await placePaidOrder(test, 2), await placePaidOrder(test, 1)]
    const [first, second] = one.ids as [string, string]
    await cancel(test, one.customer, [first])
    await takeOver(test, rider, one.customer, second, 'accepted')
    expect((await cancel(test, one.customer, [second])).status).toBe(409)
    await cancel(test, two.customer, two.ids)
    const { rows } = await sql<{ gaps: number }>`
      select max(split_part(number, '-', 3)::int) - count(*) as gaps from credit_notes`.execute(test.deps.db)
    expect(rows[0]?.gaps).toBe(0)
    const invoiced = (await test.call(getInvoice, { token: two.customer.token, params: { id: two.order.id } })).body
    expect(invoiced.totalMinor).toBe(two.order.totalMinor)
  })
})
