// What was paid for a parcel besides its own order: differences after re-weighings and for corrected addresses.
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'

/** A difference that was paid on a separate order and is not refunded in full. */
type PaidDifference = {
  kind: 'weighing' | 'correction'
  id: string
  paid_order_id: string | null
  price_before: PriceBreakdown
  /** What is not refunded. */
  paid_minor: number
}

/** The orders on which a parcel was paid: its own, and those of its differences. */
export async function listChargedOrders(db: DbOrTx, parcelId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.order_id as id
    from parcels p
    where p.id = ${parcelId}::uuid and p.order_id is not null
    union
    select w.paid_order_id
    from parcels p
    join parcel_weighings w on w.account_id = p.account_id and w.parcel_id = p.id
    where p.id = ${parcelId}::uuid and w.paid_order_id is not null
    union
    select c.paid_order_id
    from parcels p
    join delivery_choices c on c.account_id = p.account_id and c.parcel_id = p.id
    where p.id = ${parcelId}::uuid and c.paid_order_id is not null and c.price_before is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** The paid differences of a locked parcel that are not refunded in full, the latest first. */
export async function paidDifferences(trx: DbOrTx, accountId: AccountId, parcelId: string): Promise<PaidDifference[]> {
  const { rows } = await sql<PaidDifference>`
    select kind, id, paid_order_id, price_before, paid_minor
    from (
      select 'weighing' as kind, id, paid_order_id, price_before, paid_minor, created_at as at
      from parcel_weighings
      where account_id = ${accountId}::uuid and parcel_id = ${parcelId}::uuid and paid_minor > 0
      union all
      select 'correction', id, paid_order_id, price_before, paid_minor, at
      from delivery_choices
      where account_id = ${accountId}::uuid and parcel_id = ${parcelId}::uuid and paid_minor > 0
    ) differences
    order by at desc, id desc`.execute(trx)
  return rows
}

/** Records a refund of a paid difference, so that nothing is refunded twice. Its parcel is locked. */
export async function deductRefund(
  trx: DbOrTx,
  accountId: AccountId,
  { kind, id }: Pick<PaidDifference, 'kind' | 'id'>,
  refundMinor: number,
): Promise<void> {
  await trx
    .updateTable(kind === 'weighing' ? 'parcel_weighings' : 'delivery_choices')
    .set((value) => ({ paid_minor: value('paid_minor', '-', refundMinor) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}
