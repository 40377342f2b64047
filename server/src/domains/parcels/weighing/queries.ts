import type { WeighingState } from '@waybill/contract/parcels/weighing'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ParcelWeighings } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'

type Narrowed = {
  account_id: AccountId
  state: WeighingState
  price_before: PriceBreakdown
  price_after: PriceBreakdown
}
export type WeighingRow = Omit<Selectable<ParcelWeighings>, keyof Narrowed> & Narrowed

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
  const made = await trx
    .insertInto('parcel_weighings')
    .values({
      ...row,
      price_before: JSON.stringify(row.price_before),
      price_after: JSON.stringify(row.price_after),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return made as unknown as WeighingRow
}

/** A parcel by its id, whoever's, locked: for staff. */
export async function lockParcel(trx: DbOrTx, id: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`select * from parcels where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** The latest re-weighing of a parcel. */
export async function latestWeighing(
  db: DbOrTx,
  accountId: AccountId,
  parcelId: string,
  { lock = false } = {},
): Promise<WeighingRow | null> {
  const { rows } = await sql<WeighingRow>`
    select * from parcel_weighings where account_id = ${accountId}::uuid and parcel_id = ${parcelId}::uuid
    order by created_at desc, id desc limit 1 ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** The latest re-weighings of several parcels; `lock` in the order of their ids. */
export async function latestWeighings(
  db: DbOrTx,
  accountId: AccountId,
  parcelIds: readonly string[],
  { lock = false } = {},
): Promise<Map<string, WeighingRow>> {
  const { rows } = await sql<WeighingRow>`
    select * from parcel_weighings w where account_id = ${accountId}::uuid and parcel_id = any(${parcelIds}::uuid[])
      and not exists (select 1 from parcel_weighings n where n.account_id = w.account_id and n.parcel_id = w.parcel_id
        and (n.created_at, n.id) > (w.created_at, w.id))
    order by id ${lock ? sql`for update` : sql``}`.execute(db)
  return new Map(rows.map((row) => [row.parcel_id, row]))
}

/** Whose a re-weighing is, for staff who know only its id: the parcel is locked before the re-weighing. */
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
    | 'paid_minor'
  >
>

/** Writes a locked re-weighing; null when it is no longer the version that was read. */
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

/** Marks the differences of these re-weighings as paid, in full, on an order. */
export async function markDifferencesPaid(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  orderId: string | null,
): Promise<void> {
  await sql`
    update parcel_weighings set paid_minor = difference_minor, paid_order_id = ${orderId}::uuid, version = version + 1
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(trx)
}

/** The orders that a parcel was paid on: its own, and those of its differences. */
export async function listChargedOrders(db: DbOrTx, parcelId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.order_id as id from parcels p where p.id = ${parcelId}::uuid and p.order_id is not null
    union
    select w.paid_order_id from parcels p join parcel_weighings w on w.account_id = p.account_id and w.parcel_id = p.id
    where p.id = ${parcelId}::uuid and w.paid_order_id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Differences of a locked parcel that were paid and are not given back whole, the latest first. */
export async function paidDifferences(
  trx: DbOrTx,
  accountId: AccountId,
  parcelId: string,
): Promise<Pick<WeighingRow, 'account_id' | 'id' | 'paid_order_id' | 'price_before'>[]> {
  const { rows } = await sql<WeighingRow>`
    select account_id, id, paid_order_id, price_before from parcel_weighings
    where account_id = ${accountId}::uuid and parcel_id = ${parcelId}::uuid and paid_minor > 0 order by created_at desc, id desc`.execute(
    trx,
  )
  return rows
}

/** Some of a paid difference is given back. */
export async function takeOffPaid(trx: DbOrTx, accountId: AccountId, id: string, amountMinor: number): Promise<void> {
  await sql`
    update parcel_weighings set paid_minor = paid_minor - ${amountMinor}::bigint, version = version + 1
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(trx)
}

/**
 * Who has said nothing until the deadline has accepted. Parcels are locked before their re-weighings, as everywhere;
 * those that somebody is at work on wait for the next round. Answers how many.
 */
export async function acceptSilence(trx: DbOrTx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select p.account_id, p.id, w.id as weighing_id
      from parcel_weighings w join parcels p on p.account_id = w.account_id and p.id = w.parcel_id
      where w.state = 'open' and w.contest_until <= ${now}::timestamptz
      order by w.contest_until limit ${limit}::int for update of p skip locked
    ), closed as (
      update parcel_weighings w set state = 'accepted', version = w.version + 1
      from due where w.account_id = due.account_id and w.id = due.weighing_id and w.state = 'open' and w.contest_until <= ${now}::timestamptz
      returning w.id
    ), freed as (
      update parcels p set contest_until = null from due
      where p.account_id = due.account_id and p.id = due.id and p.contest_until <= ${now}::timestamptz
    )
    select id from closed`.execute(trx)
  return rows.length
}

/** Clears or sets until when the sender may contest; neither an edit nor a move. */
export async function setContestUntil(
  trx: DbOrTx,
  accountId: AccountId,
  parcelId: string,
  until: Date | null,
): Promise<void> {
  await sql`
    update parcels set contest_until = ${until}::timestamptz where account_id = ${accountId}::uuid and id = ${parcelId}::uuid`.execute(
    trx,
  )
}

/** What a parcel is charged by from now on, and what is due of it; neither an edit nor a move. */
export async function setCharged(
  trx: DbOrTx,
  accountId: AccountId,
  parcelId: string,
  charged: { price?: PriceBreakdown; dueMinor?: number },
): Promise<void> {
  await sql`
    update parcels set
      price = coalesce(${charged.price ? JSON.stringify(charged.price) : null}::jsonb, price),
      price_minor = coalesce(${charged.price?.totalMinor ?? null}::bigint, price_minor),
      chargeable_grams = coalesce(${charged.price?.chargeableGrams ?? null}::int, chargeable_grams),
      volumetric_grams = coalesce(${charged.price?.volumetricGrams ?? null}::int, volumetric_grams),
      amount_due_minor = coalesce(${charged.dueMinor ?? null}::bigint, amount_due_minor)
    where account_id = ${accountId}::uuid and id = ${parcelId}::uuid`.execute(trx)
}

/** Contested re-weighings, the longest waiting first, or decided ones, the latest first. */
export async function disputeRows(
  db: DbOrTx,
  decided: boolean,
  offset: number,
  limit: number,
): Promise<{ rows: WeighingRow[]; total: number }> {
  const fits = decided ? sql`decided_at is not null` : sql`state = 'contested'`
  const [{ rows }, counted] = await Promise.all([
    sql<WeighingRow>`
      select * from parcel_weighings where ${fits}
      order by ${decided ? sql`decided_at desc, id` : sql`contested_at, id`} limit ${limit} offset ${offset}`.execute(
      db,
    ),
    sql<{ total: number }>`
      select count(*) as total from (select 1 from parcel_weighings where ${fits} limit 10000) as counted`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** What is due of an account's parcels in all. */
export async function sumDue(db: DbOrTx, accountId: AccountId, createdBy: string | null): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    select coalesce(sum(amount_due_minor), 0)::bigint as due from parcels
    where account_id = ${accountId}::uuid and status = 'outstanding' and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(
    db,
  )
  return rows[0]?.due ?? 0
}
