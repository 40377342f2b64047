/**
 * A payment with credits locks nothing before its single statement. It must notice every change between its read and
 * its write.
 */
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer, expectSoundBooks } from '../../testing/factories/wallet.ts'
import { queueBehind } from '../../testing/lock-queue.ts'

describe('a concurrent change between the read and the write of a payment', () => {
  let test: TestApp
  let customer: TestCustomer
  let order: OrderDetail
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const prepare = async () => {
    customer = await createPayer(test, { creditsMinor: 100_000 })
    order = await placeOrder(test, customer, { count: 2, mode: 'P2D' })
  }
  const balance = async () => (await test.call(getWallet, { token: customer.token })).body.balanceMinor
  const orderNow = async () => (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body

  /** Pays while a concurrent transaction runs `change`, which commits once the payment waits for it. */
  const payDuring = async (change: RawBuilder<unknown>) => {
    const [answer] = await queueBehind(test, change, () => payCredits(test, customer, order))
    return answer
  }

  it('is detected if the order was cancelled', async () => {
    await prepare()
    const answer = await payDuring(
      sql`update orders set status = 'cancel', version = version + 1 where id = ${order.id}::uuid`,
    )
    expect(answer.status).toBe(409)
    expect(answer.error).toMatchObject({ code: 'order_closed', details: { status: 'cancel' } })
    expect(await balance()).toBe(100_000)
    expect((await orderNow()).parcels.map(({ status }) => status)).toEqual(['incart', 'incart'])
  })

  it('is detected if a parcel has another price, which is written without a new version', async () => {
    await prepare()
    const answer = await payDuring(sql`
      update parcels set price_minor = price_minor + 100,
        price = jsonb_set(price, '{lines,0,amountMinor}', to_jsonb((price #>> '{lines,0,amountMinor}')::int + 100))
      where id = ${order.parcels[1]?.id ?? ''}::uuid`)
    expect(answer.status).toBe(409)
    expect(answer.error).toMatchObject({
      code: 'price_changed',
      details: { expectedTotalMinor: order.totalMinor, totalMinor: order.totalMinor + 100 },
    })
    expect(await balance()).toBe(100_000)
    expect((await orderNow()).invoiceNumber).toBeNull()
  })

  it('is detected if a parcel was moved to another order', async () => {
    await prepare()
    const answer = await payDuring(
      sql`update parcels set order_id = null where id = ${order.parcels[0]?.id ?? ''}::uuid`,
    )
    expect(answer.error).toMatchObject({ code: 'order_closed' })
    expect(await balance()).toBe(100_000)
  })

  it('is ignored if the order can still be paid', async () => {
    await prepare()
    const answer = await payDuring(sql`update orders set version = version + 1 where id = ${order.id}::uuid`)
    expect(answer.status).toBe(200)
    expect(await balance()).toBe(100_000 - order.totalMinor)
    expect(await orderNow()).toMatchObject({ status: 'pending', paidMinor: order.totalMinor })
    await expectSoundBooks(test)
  })
})
