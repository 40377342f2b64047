/** Dashboard queries on parcels that need attention, and on arrangements. */
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { type RawBuilder, sql } from 'kysely'
import { type DbOrTx, literals } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import type { FigureScope } from './queries-figures.ts'
import type { WidgetPlacement } from './rules.ts'

/** Parcels of a scope. Without the second condition an index-only scan suffices. */
const own = ({ accountId, createdBy }: FigureScope) =>
  createdBy === null
    ? sql`account_id = ${accountId}::uuid`
    : sql`account_id = ${accountId}::uuid and created_by = ${createdBy}::uuid`

/**
 * Counts parcels in these statuses whose last event was before `silentSince`. Counting stops at `limit`: a number that
 * grows just by time passing has no stored figure. The statuses are literals, so that the planner can prove that the
 * partial index covers them.
 */
export async function countSilent(
  db: DbOrTx,
  scope: FigureScope,
  statuses: readonly ParcelStatus[],
  silentSince: Date,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (
      select 1
      from parcels
      where ${own(scope)} and status in (${literals(statuses)})
        and last_event_at < ${silentSince}::timestamptz
      limit ${limit}::int
    ) p`.execute(db)
  return rows[0]?.count ?? 0
}

export type FailedDeliveryRow = Pick<ParcelRow, 'id' | 'tracking_number' | 'receiver'>

/** The latest failed deliveries. */
export async function listFailed(db: DbOrTx, scope: FigureScope, limit: number): Promise<FailedDeliveryRow[]> {
  const { rows } = await sql<FailedDeliveryRow>`
    select id, tracking_number, receiver
    from parcels
    where ${own(scope)} and status = 'fail-to-deliver'
    order by last_event_at desc, id desc
    limit ${limit}::int`.execute(db)
  return rows
}

/**
 * Whether the account has a complete parcel (in the cart or further), and one in `shippedStatuses`, which the courier
 * has received.
 */
export async function readParcelSteps(
  db: DbOrTx,
  accountId: AccountId,
  shippedStatuses: readonly ParcelStatus[],
): Promise<{ shipped: boolean; complete: boolean }> {
  const inStatus = (condition: RawBuilder<boolean>) =>
    sql<boolean>`exists (select 1 from parcels where account_id = ${accountId}::uuid and ${condition})`
  const { rows } = await sql<{ shipped: boolean; complete: boolean }>`
    select
      ${inStatus(sql`status = any(${shippedStatuses}::text[])`)} as shipped,
      ${inStatus(sql`status not in ('pending', 'cancel')`)} as complete`.execute(db)
  return rows[0] ?? { shipped: false, complete: false }
}

export type Arrangement = { version: number; widgets: WidgetPlacement[] }

/** A user's stored arrangement; undefined if there is none. */
export async function findArrangement(db: DbOrTx, userId: string): Promise<Arrangement | undefined> {
  const row = await db
    .selectFrom('dashboards')
    .select(['version', 'widgets'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // Only `saveArrangement` writes the column.
  return row as Arrangement | undefined
}

/** Stores an arrangement as the version after `version`. False if another one was stored meanwhile. */
export async function saveArrangement(
  trx: DbOrTx,
  owner: { accountId: string; userId: string },
  { version, widgets }: Arrangement,
  { isNew, at }: { isNew: boolean; at: Date },
): Promise<boolean> {
  const values = { version: version + 1, widgets: JSON.stringify(widgets), updated_at: at }
  const row = isNew
    ? await trx
        .insertInto('dashboards')
        .values({ user_id: owner.userId, account_id: owner.accountId, ...values })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
    : await trx
        .updateTable('dashboards')
        .set(values)
        .where('user_id', '=', owner.userId)
        .where('version', '=', version)
        .returning('user_id')
        .executeTakeFirst()
  return row !== undefined
}
