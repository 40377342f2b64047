// Parcels for dossiers, in batches.
import { addMonths } from '@waybill/contract/ground/days'
import { type RawBuilder, sql } from 'kysely'
import { dayBegin } from '../../../db/conditions/local-days.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'

/** Numbered parcels of an account: one, those of an order, or those delivered in a month (`YYYY-MM`). */
export type HistoryScope = {
  accountId: AccountId
  /** Null: of all users of the account. */
  createdBy: string | null
  of: { parcelId: string } | { orderId: string } | { month: string; timeZone: string }
}

/** Midnight of the first day of a month, or of the `next`-th month after it. */
const monthStart = ({ month, timeZone }: { month: string; timeZone: string }, next: number) =>
  dayBegin(`${addMonths(month, next)}-01`, timeZone)

function condition({ accountId, createdBy, of }: HistoryScope): RawBuilder<unknown> {
  const subject =
    'parcelId' in of
      ? sql`p.id = ${of.parcelId}::uuid`
      : 'orderId' in of
        ? sql`p.order_id = ${of.orderId}::uuid`
        : sql`p.id in (
            select parcel_id
            from parcel_proofs
            where account_id = ${accountId}::uuid and at >= ${monthStart(of, 0)} and at < ${monthStart(of, 1)}
          )`
  return sql`p.account_id = ${accountId}::uuid and p.tracking_number is not null and ${subject}
    and (${createdBy}::uuid is null or p.created_by = ${createdBy}::uuid)`
}

export async function countParcelsInScope(db: DbOrTx, scope: HistoryScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from parcels p where ${condition(scope)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The parcels after `after`, in the order of their ids, which is that of their creation. */
export async function parcelsAfter(
  db: DbOrTx,
  scope: HistoryScope,
  after: ParcelRow | null,
  limit: number,
): Promise<ParcelRow[]> {
  const from = after ? sql`and p.id > ${after.id}::uuid` : sql``
  const { rows } = await sql<ParcelRow>`
    select p.* from parcels p where ${condition(scope)} ${from} order by p.id limit ${limit}::int`.execute(db)
  return rows
}
