// Re-weighings, and what they change in their parcels.
import { countLimit } from '@waybill/contract/ground/paging'
import type { DisputeTab, WeighingState } from '@waybill/contract/parcels/weighing'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { countRows } from '../../../db/page.ts'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { ParcelWeighings } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

type ColumnTypes = {
  account_id: AccountId
  state: WeighingState
  price_before: PriceBreakdown
  price_after: PriceBreakdown
}
export type WeighingRow = Omit<Selectable<ParcelWeighings>, keyof ColumnTypes> & ColumnTypes

/** A contested re-weighing with the size that the sender declared. */
export type DisputeRow = WeighingRow & {
  declared_length_mm: number | null
  declared_width_mm: number | null
  declared_height_mm: number | null
}

export type NewWeighing = Pick<
  WeighingRow,
  | 'account_id'
  | 'id'
  | 'parcel_id'
  | 'tracking_number'
  | 'state'
  | 'station_id'
  | 'weighed_by'
  | 'weight_grams'
  | 'length_mm'
  | 'width_mm'
  | 'height_mm'
  | 'scale_reading'
  | 'photo_id'
  | 'declared_grams'
  | 'price_before'
  | 'price_after'
  | 'difference_minor'
  | 'paid_minor'
  | 'currency'
  | 'contest_until'
  | 'created_at'
>

export async function insertWeighing(trx: DbOrTx, row: NewWeighing): Promise<WeighingRow> {
  const inserted = await trx
    .insertInto('parcel_weighings')
    .values({
      ...row,
      price_before: JSON.stringify(row.price_before),
      price_after: JSON.stringify(row.price_after),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return inserted as unknown as WeighingRow
}

/**
 * The current re-weighing of a parcel: the one that the sender may contest or staff decide, else the one whose
 * difference is unpaid, else the latest. At most one is open or contested, because readings after it are noted without
 * raising the price.
 */
export async function findCurrentWeighing(
  db: DbOrTx,
  accountId: AccountId,
  parcelId: string,
  { lock = false } = {},
): Promise<WeighingRow | null> {
  const { rows } = await sql<WeighingRow>`
    select *
    from parcel_weighings
    where account_id = ${accountId}::uuid and parcel_id = ${parcelId}::uuid
    order by state in ('open', 'contested') desc,
      state in ('accepted', 'upheld', 'adjusted') and difference_minor > 0 and paid_order_id is null
        and paid_minor <= 0 desc,
      created_at desc, id desc
    limit 1
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** The latest reading of a parcel that was not withdrawn; null: it was not weighed again. */
export async function findLatestReading(
  db: DbOrTx,
  accountId: AccountId,
  parcelId: string,
): Promise<Pick<WeighingRow, 'created_at' | 'weight_grams' | 'length_mm' | 'width_mm' | 'height_mm'> | null> {
  const row = await db
    .selectFrom('parcel_weighings')
    .select(['created_at', 'weight_grams', 'length_mm', 'width_mm', 'height_mm'])
    .where('account_id', '=', accountId)
    .where('parcel_id', '=', parcelId)
    .where('state', '<>', 'withdrawn')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/**
 * The re-weighings that hold these parcels, by parcel: the latest one with a difference. Readings during a dispute are
 * only noted. `lock` locks them in the order of their ids.
 */
export async function findHoldingWeighings(
  db: DbOrTx,
  accountId: AccountId,
  parcelIds: readonly string[],
  { lock = false } = {},
): Promise<Map<string, WeighingRow>> {
  const { rows } = await sql<WeighingRow>`
    select *
    from parcel_weighings w
    where account_id = ${accountId}::uuid
      and parcel_id = any(${parcelIds}::uuid[])
      and state not in ('noted', 'withdrawn')
      and not exists (
        select 1
        from parcel_weighings n
        where n.account_id = w.account_id and n.parcel_id = w.parcel_id
          and n.state not in ('noted', 'withdrawn')
          and (n.created_at, n.id) > (w.created_at, w.id)
      )
    order by id
    ${lock ? sql`for update` : sql``}`.execute(db)
  return new Map(rows.map((row) => [row.parcel_id, row]))
}

/** A re-weighing of any account, not locked, because its parcel must be locked first. For staff. */
export async function findWeighing(db: DbOrTx, id: string): Promise<WeighingRow | null> {
  const { rows } = await sql<WeighingRow>`select * from parcel_weighings where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

export type WeighingChanges = Partial<
  Pick<
    WeighingRow,
    | 'state'
    | 'contest_until'
    | 'reason'
    | 'photo_ids'
    | 'contested_by'
    | 'contested_at'
    | 'decided_by'
    | 'decided_at'
    | 'decision_note'
    | 'price_after'
    | 'difference_minor'
  >
>

/** Updates a locked re-weighing; null when its version has changed since it was read. */
export async function updateWeighing(
  trx: DbOrTx,
  row: WeighingRow,
  { price_after, ...changes }: WeighingChanges,
): Promise<WeighingRow | null> {
  const updated = await trx
    .updateTable('parcel_weighings')
    .set({
      ...changes,
      ...(price_after ? { price_after: JSON.stringify(price_after) } : {}),
      version: row.version + 1,
    })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirst()
  return (updated as unknown as WeighingRow | undefined) ?? null
}

/** Marks the differences of these re-weighings as paid in full on an order. */
export async function markDifferencesPaid(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  orderId: string | null,
): Promise<void> {
  await sql`
    update parcel_weighings
    set paid_minor = difference_minor, paid_order_id = ${orderId}::uuid, version = version + 1
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[])`.execute(trx)
}

/** A re-weighing whose deadline has passed without an answer. */
type SilentWeighing = { account_id: AccountId; parcel_id: string; id: string }

/**
 * Finds re-weighings whose deadline has passed without an answer, and locks their parcels, which come before
 * re-weighings in the order of locks. Parcels that are locked elsewhere wait for the next run.
 */
export async function takeSilent(
  trx: DbOrTx,
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<SilentWeighing[]> {
  const { rows } = await sql<SilentWeighing>`
    select p.account_id, p.id as parcel_id, w.id
    from parcel_weighings w
    join parcels p on p.account_id = w.account_id and p.id = w.parcel_id
    where w.state = 'open' and w.contest_until <= ${now}::timestamptz and w.id <> all(${except}::uuid[])
    order by w.contest_until
    limit ${limit}::int
    for update of p skip locked`.execute(trx)
  return rows
}

/** Accepts re-weighings whose parcels are locked, unless the deadline has just been moved. */
export async function acceptSilent(trx: DbOrTx, now: Date, rows: readonly SilentWeighing[]): Promise<void> {
  await sql`
    with due as materialized (
      select *
      from json_to_recordset(${JSON.stringify(rows)}::json) as t(account_id uuid, parcel_id uuid, id uuid)
    ), accepted as (
      update parcel_weighings w
      set state = 'accepted', version = w.version + 1
      from due
      where w.account_id = due.account_id and w.id = due.id
        and w.state = 'open' and w.contest_until <= ${now}::timestamptz
    )
    update parcels p
    set contest_until = null
    from due
    where p.account_id = due.account_id and p.id = due.parcel_id and p.contest_until <= ${now}::timestamptz`.execute(
    trx,
  )
}

/** Clears the sender's deadline to contest. This does not count as an edit of the parcel, so its version stays. */
export async function clearContestUntil(trx: DbOrTx, accountId: AccountId, parcelId: string): Promise<void> {
  await sql`
    update parcels
    set contest_until = null
    where account_id = ${accountId}::uuid and id = ${parcelId}::uuid`.execute(trx)
}

/**
 * Sets the price of a parcel and the amount due. This does not count as an edit of the parcel, so its version stays.
 */
export async function setCharged(
  trx: DbOrTx,
  accountId: AccountId,
  parcelId: string,
  charge: { price?: PriceBreakdown; dueMinor?: number },
): Promise<void> {
  await sql`
    update parcels
    set price = coalesce(${charge.price ? JSON.stringify(charge.price) : null}::jsonb, price),
      price_minor = coalesce(${charge.price?.totalMinor ?? null}::bigint, price_minor),
      chargeable_grams = coalesce(${charge.price?.chargeableGrams ?? null}::int, chargeable_grams),
      volumetric_grams = coalesce(${charge.price?.volumetricGrams ?? null}::int, volumetric_grams),
      amount_due_minor = coalesce(${charge.dueMinor ?? null}::bigint, amount_due_minor)
    where account_id = ${accountId}::uuid and id = ${parcelId}::uuid`.execute(trx)
}

const disputeConditions = {
  contested: sql`w.state = 'contested'`,
  decided: sql`w.decided_at is not null and w.state <> 'withdrawn'`,
} as const satisfies Record<DisputeTab, RawBuilder<unknown>>

/**
 * Contested re-weighings, the longest waiting first, or decided ones, the latest first. One that a station withdrew was
 * never contested.
 */
export async function listDisputeRows(
  db: DbOrTx,
  tab: DisputeTab,
  offset: number,
  limit: number,
): Promise<DisputeRow[]> {
  const { rows } = await sql<DisputeRow>`
    select w.*, p.length_mm as declared_length_mm, p.width_mm as declared_width_mm, p.height_mm as declared_height_mm
    from parcel_weighings w
    join parcels p on p.account_id = w.account_id and p.id = w.parcel_id
    where ${disputeConditions[tab]}
    order by ${tab === 'decided' ? sql`w.decided_at desc, w.id` : sql`w.contested_at, w.id`}
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** The number of disputes in a tab, at most `countLimit`. */
export async function countDisputes(db: DbOrTx, tab: DisputeTab): Promise<number> {
  return countRows(db, sql`from parcel_weighings w where ${disputeConditions[tab]}`, countLimit)
}

/** The latest reading after each of these re-weighings while it is contested, by parcel. For staff. */
export async function findReadingsDuringDisputes(
  db: DbOrTx,
  ids: readonly string[],
): Promise<Map<string, WeighingRow>> {
  const { rows } = await sql<WeighingRow>`
    select distinct on (n.parcel_id) n.*
    from parcel_weighings w
    join parcel_weighings n on n.account_id = w.account_id and n.parcel_id = w.parcel_id
      and (n.created_at, n.id) > (w.created_at, w.id)
    where w.id = any(${ids}::uuid[]) and w.state = 'contested'
    order by n.parcel_id, n.created_at desc, n.id desc`.execute(db)
  return new Map(rows.map((row) => [row.parcel_id, row]))
}

/** The sum of the amounts due of an account's parcels; `createdBy` null: of all its users. */
export async function sumDue(db: DbOrTx, accountId: AccountId, createdBy: string | null): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    select coalesce(sum(amount_due_minor), 0)::bigint as due
    from parcels
    where account_id = ${accountId}::uuid
      and status = 'outstanding'
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows[0]?.due ?? 0
}
