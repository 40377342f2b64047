// Cancels paid orders, and checks the money and the books afterwards.
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from '../../testing/app.ts'
import type { TestCustomer, TestStaff } from '../../testing/factories/accounts.ts'
import { parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer, expectSoundBooks } from '../../testing/factories/wallet.ts'

/** The credits of a new payer, in minor units. */
export const funds = 100_000

/** An order of a new customer, paid with credits. */
export async function placePaidOrder(
  test: TestApp,
  count: number,
  mode: DeliveryMode = 'P2D',
): Promise<{ customer: TestCustomer; order: OrderDetail; ids: string[] }> {
  const customer = await createPayer(test, { creditsMinor: funds })
  const order = await placeOrder(test, customer, { count, mode })
  expect((await payCredits(test, customer, order)).status).toBe(200)
  return { customer, order, ids: order.parcels.map(({ id }) => id) }
}

/** Cancels parcels; returns any response. */
export const cancel = (
  test: TestApp,
  { token }: TestCustomer,
  ids: string[],
  overrides: Omit<BodyIn<typeof cancelParcels>, 'ids'> = {},
  key?: string,
) =>
  test.call(cancelParcels, {
    token,
    body: { ids, ...overrides },
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

/** The credits of a customer, in minor units. */
export const getBalance = async (test: TestApp, { token }: TestCustomer) =>
  (await test.call(getWallet, { token })).body.balanceMinor

/** Takes a parcel over, so that it can no longer be cancelled. */
export async function takeOver(
  test: TestApp,
  rider: TestStaff,
  customer: TestCustomer,
  id: string,
  event: 'picked_up' | 'accepted',
): Promise<void> {
  await scanned(test, rider, (await parcelNow(test, customer, id)).trackingNumber ?? '', event)
}

/** Expects correct books, and that each order refunded the sum of its refunds and no more than was paid. */
export async function expectSoundRefunds(test: TestApp): Promise<void> {
  await expectSoundBooks(test)
  const { rows } = await sql<{ wrong: number }>`
    select count(*) as wrong from orders o
      where refunded_minor <> (select coalesce(sum(amount_minor), 0) from refunds r where r.order_id = o.id)
      or refunded_minor > paid_minor`.execute(test.deps.db)
  expect(rows[0]?.wrong).toBe(0)
}
