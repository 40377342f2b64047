/** Queries on collections and payouts of cash on delivery. */

import { countLimit } from '@waybill/contract/ground/paging'
import { type Selectable, sql } from 'kysely'
import { dayBegin, dayEnd } from '../../../db/conditions/local-days.ts'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CodCollections, CodPayouts } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

export type CollectionRow = Omit<Selectable<CodCollections>, 'account_id'> & { account_id: AccountId }
export type PayoutRow = Omit<Selectable<CodPayouts>, 'account_id'> & { account_id: AccountId }
type NewPayout = Omit<PayoutRow, 'number' | 'fee_order_id'>
type PayoutFilter = { accountId: AccountId | null; from: string | null; to: string | null; timeZone: string }

export type NewCollection = {
  accountId: string
  parcelId: string
  amountMinor: number
  currency: string
  stationId: string | null
  collectedBy: string
  at: Date
}

/**
 * Inserts collections and returns the new ones. The station of a rider without one is that of the delivery task, or
 * else of the collection.
 */
export async function insertCollections(trx: DbOrTx, rows: readonly NewCollection[]): Promise<CollectionRow[]> {
  const records = rows.map((row) => ({
    account_id: row.accountId,
    parcel_id: row.parcelId,
    amount_minor: row.amountMinor,
    currency: row.currency,
    station_id: row.stationId,
    collected_by: row.collectedBy,
    collected_at: row.at,
  }))
  const { rows: inserted } = await sql<CollectionRow>`
    insert into cod_collections (
      account_id, parcel_id, tracking_number, amount_minor, currency, station_id, collected_by, collected_at
    )
    select g.account_id, g.parcel_id, p.tracking_number, g.amount_minor, g.currency,
      coalesce(g.station_id, u.station_id, t.station_id), g.collected_by, coalesce(p.last_event_at, g.collected_at)
    from json_to_recordset(${JSON.stringify(records)}::json) as g(
      account_id uuid, parcel_id uuid, amount_minor bigint, currency text, station_id uuid, collected_by uuid,
      collected_at timestamptz
    )
    left join parcels p on p.account_id = g.account_id and p.id = g.parcel_id
    left join users u on u.id = g.collected_by
    left join delivery_tasks t on t.account_id = g.account_id and t.parcel_id = g.parcel_id
    on conflict do nothing
    returning *`.execute(trx)
  return inserted
}

/** What a user collected and has not handed in, locked. */
export async function lockHeldCash(trx: DbOrTx, collectedBy: string, currency: string): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select *
    from cod_collections
    where collected_by = ${collectedBy}::uuid and currency = ${currency} and handed_in_at is null
    order by account_id, parcel_id
    for update`.execute(trx)
  return rows
}

/** Marks locked collections as handed in. Cash that the rider collects meanwhile is not counted, so it stays out. */
export async function setHandedIn(
  trx: DbOrTx,
  collections: readonly Pick<CollectionRow, 'account_id' | 'parcel_id'>[],
  to: { drawerId: string; handInId: string; at: Date },
): Promise<void> {
  const parcels = collections.map(({ account_id, parcel_id }) => ({ account_id, parcel_id }))
  await sql`
    update cod_collections c
    set handed_in_at = ${to.at}::timestamptz, drawer_id = ${to.drawerId}::uuid, hand_in_id = ${to.handInId}::uuid
    from json_to_recordset(${JSON.stringify(parcels)}::json) as g(account_id uuid, parcel_id uuid)
    where c.account_id = g.account_id and c.parcel_id = g.parcel_id`.execute(trx)
}

/** The collections of a hand-in. */
export async function listHandInCollections(
  db: DbOrTx,
  handInId: string,
): Promise<{ tracking_number: string | null; amount_minor: number; collected_at: Date }[]> {
  const { rows } = await sql<{ tracking_number: string | null; amount_minor: number; collected_at: Date }>`
    select tracking_number, amount_minor, collected_at
    from cod_collections
    where hand_in_id = ${handInId}::uuid
    order by collected_at, parcel_id`.execute(db)
  return rows
}

/** The users of a station who still hold cash; a user without a station counts at every station. */
export async function listCashHolders(
  db: DbOrTx,
  stationId: string,
  currency: string,
): Promise<{ collected_by: string; count: number; amount_minor: number; since: Date }[]> {
  const { rows } = await sql<{ collected_by: string; count: number; amount_minor: number; since: Date }>`
    select c.collected_by, count(*)::int as count, sum(c.amount_minor)::bigint as amount_minor,
      min(c.collected_at) as since
    from cod_collections c
    join users u on u.id = c.collected_by
    where c.handed_in_at is null
      and c.currency = ${currency}
      and coalesce(u.station_id, c.station_id, ${stationId}::uuid) = ${stationId}::uuid
    group by c.collected_by
    order by min(c.collected_at)`.execute(db)
  return rows
}

/** The tracking number of a collection's parcel `c`; null if this user (null: all) did not create the parcel. */
const numberFor = (createdBy: string | null) => sql`case
  when ${createdBy}::uuid is null or exists (
    select from parcels q
    where q.account_id = c.account_id and q.id = c.parcel_id and q.created_by = ${createdBy}::uuid
  ) then c.tracking_number end`

/** `createdBy`: the user whose parcels are shown with their number; null: all. */
export type CodFilter = {
  createdBy: string | null
  state: 'owed' | 'paid_out' | null
  offset: number
  limit: number
}
export type CodItemRow = CollectionRow & { payout_number: string | null; paid_out_at: Date | null }

/** A page of an account's collections, newest first. */
export async function collectionPage(
  db: DbOrTx,
  accountId: AccountId,
  { createdBy, state, offset, limit }: CodFilter,
): Promise<{ rows: CodItemRow[]; total: number }> {
  const fits = sql`c.account_id = ${accountId}::uuid
      and (${state}::text is null or (c.payout_id is null) = (${state}::text = 'owed'))`
  return readPage(
    db,
    sql<CodItemRow>`
      select c.*, ${numberFor(createdBy)} as tracking_number, p.number as payout_number, p.created_at as paid_out_at
      from cod_collections c
      left join cod_payouts p on p.account_id = c.account_id and p.id = c.payout_id
      where ${fits}
      order by c.collected_at desc, c.parcel_id
      limit ${limit}::int offset ${offset}::int`,
    sql`cod_collections c where ${fits}`,
    countLimit,
  )
}

/** The sum that an account is owed. */
export async function sumOwed(db: DbOrTx, accountId: AccountId, currency: string): Promise<number> {
  const { rows } = await sql<{ owed: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as owed
    from cod_collections
    where account_id = ${accountId}::uuid and currency = ${currency} and payout_id is null`.execute(db)
  return rows[0]?.owed ?? 0
}

/** The sum of an account's payouts, before fees. */
export async function sumPaidOut(db: DbOrTx, accountId: AccountId, currency: string): Promise<number> {
  const { rows } = await sql<{ paid: number }>`
    select coalesce(sum(collected_minor), 0)::bigint as paid
    from cod_payouts
    where account_id = ${accountId}::uuid and currency = ${currency}`.execute(db)
  return rows[0]?.paid ?? 0
}

export type OwedRow = {
  account_id: AccountId
  parcel_count: number
  owed_minor: number
  with_riders_minor: number
  oldest_at: Date
}

/** Accounts with what they are owed, the longest waiting first, and the sum over all. */
export async function listOwedPage(
  db: DbOrTx,
  currency: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: OwedRow[]; total: number; owedMinor: number }> {
  const owedCollections = sql`cod_collections where payout_id is null and currency = ${currency}`
  const [page, totals] = await Promise.all([
    sql<OwedRow>`
      select account_id, count(*)::int as parcel_count, sum(amount_minor)::bigint as owed_minor,
        coalesce(sum(amount_minor) filter (where handed_in_at is null), 0)::bigint as with_riders_minor,
        min(collected_at) as oldest_at
      from ${owedCollections}
      group by account_id
      order by min(collected_at), account_id
      limit ${limit}::int offset ${offset}::int`.execute(db),
    sql<{ total: number; owed: number }>`
      select count(distinct account_id)::int as total, coalesce(sum(amount_minor), 0)::bigint as owed
      from ${owedCollections}`.execute(db),
  ])
  return { rows: page.rows, total: totals.rows[0]?.total ?? 0, owedMinor: totals.rows[0]?.owed ?? 0 }
}

export type OutstandingRow = {
  parcels: number
  owed_minor: number
  with_riders_minor: number
  days0to7_minor: number
  days8to30_minor: number
  over30_minor: number
}

/** The total owed to all senders, by the time since its collection. */
export async function sumOutstanding(db: DbOrTx, currency: string, now: Date): Promise<OutstandingRow> {
  const age = sql`(${now}::timestamptz - collected_at)`
  const { rows } = await sql<OutstandingRow>`
    select count(*)::int as parcels, coalesce(sum(amount_minor), 0)::bigint as owed_minor,
      coalesce(sum(amount_minor) filter (where handed_in_at is null), 0)::bigint as with_riders_minor,
      coalesce(sum(amount_minor) filter (where ${age} < '8 days'), 0)::bigint as days0to7_minor,
      coalesce(sum(amount_minor) filter (where ${age} >= '8 days' and ${age} < '31 days'), 0)::bigint
        as days8to30_minor,
      coalesce(sum(amount_minor) filter (where ${age} >= '31 days'), 0)::bigint as over30_minor
    from cod_collections
    where payout_id is null and currency = ${currency}`.execute(db)
  return rows[0] as OutstandingRow
}

/** Every account that is owed money which was collected up to `until`. */
export async function listOwedAccounts(db: DbOrTx, currency: string, until: Date): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select distinct account_id
    from cod_collections
    where payout_id is null and currency = ${currency} and collected_at <= ${until}
    order by account_id`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/**
 * Assigns what these accounts are owed to their payouts, if it is more than `moreThan`. `until`: only what was
 * collected up to this time; null: everything. A second caller finds nothing left. Returns the sums by account.
 */
export async function claimOwedForPayout(
  trx: DbOrTx,
  payouts: readonly { accountId: AccountId; payoutId: string }[],
  { currency, moreThan, until }: { currency: string; moreThan: number; until: Date | null },
): Promise<Map<AccountId, { count: number; minor: number }>> {
  const claims = JSON.stringify(
    payouts.map(({ accountId, payoutId }) => ({ account_id: accountId, payout_id: payoutId })),
  )
  const { rows } = await sql<{ account_id: AccountId; count: number; minor: number }>`
    with owed as (
      select account_id, parcel_id, amount_minor
      from cod_collections
      where account_id in (select account_id from json_to_recordset(${claims}::json) as w(account_id uuid))
        and payout_id is null
        and currency = ${currency}
        and (${until}::timestamptz is null or collected_at <= ${until})
      order by account_id, parcel_id
      for update
    ), sums as (
      select account_id, count(*)::int as count, sum(amount_minor)::bigint as minor
      from owed
      group by account_id
      having sum(amount_minor) > ${moreThan}::bigint
    ), taken as (
      update cod_collections c
      set payout_id = w.payout_id
      from owed o
      join sums s on s.account_id = o.account_id
      join json_to_recordset(${claims}::json) as w(account_id uuid, payout_id uuid) on w.account_id = o.account_id
      where c.account_id = o.account_id and c.parcel_id = o.parcel_id
    )
    select *
    from sums`.execute(trx)
  return new Map(rows.map(({ account_id, count, minor }) => [account_id, { count, minor }]))
}

/** Inserts payouts, with their numbers. */
export async function insertPayouts(trx: DbOrTx, rows: readonly NewPayout[]): Promise<PayoutRow[]> {
  const { rows: inserted } = await sql<PayoutRow>`
    insert into cod_payouts (
      account_id, id, number, currency, parcel_count, collected_minor, fee_minor, created_by, created_at
    )
    select account_id, id, 'COD-' || lpad(nextval('cod_payout_serial')::text, 8, '0'), currency, parcel_count,
      collected_minor, fee_minor, created_by, created_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as g(
      account_id uuid, id uuid, currency text, parcel_count int, collected_minor bigint, fee_minor bigint,
      created_by uuid, created_at timestamptz
    )
    order by account_id
    returning *`.execute(trx)
  return inserted
}

/** Stores the order that charges the fee of a payout. */
export async function setFeeOrder(trx: DbOrTx, payout: PayoutRow, orderId: string): Promise<void> {
  const update = trx.updateTable('cod_payouts').set({ fee_order_id: orderId })
  await update.where('account_id', '=', payout.account_id).where('id', '=', payout.id).execute()
}

/** Payouts of an account (null: of all), newest first. */
export async function payoutPage(
  db: DbOrTx,
  { accountId, from, to, timeZone }: PayoutFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: PayoutRow[]; total: number }> {
  const fits = sql`(${accountId}::uuid is null or account_id = ${accountId}::uuid)
    and (${from}::date is null or created_at >= ${dayBegin(from, timeZone)})
    and (${to}::date is null or created_at < ${dayEnd(to, timeZone)})`
  return readPage(
    db,
    sql<PayoutRow>`
      select * from cod_payouts where ${fits}
      order by created_at desc, id
      limit ${limit}::int offset ${offset}::int`,
    sql`cod_payouts where ${fits}`,
    countLimit,
  )
}

/** One payout; `accountId` null: of any account. */
export async function findPayout(db: DbOrTx, accountId: AccountId | null, id: string): Promise<PayoutRow | undefined> {
  const { rows } = await sql<PayoutRow>`
    select *
    from cod_payouts
    where id = ${id}::uuid and (${accountId}::uuid is null or account_id = ${accountId}::uuid)`.execute(db)
  return rows[0]
}

/** The parcels of a payout in the order of collection, after a given one. */
export async function listCollectionsOfPayout(
  db: DbOrTx,
  payout: PayoutRow,
  createdBy: string | null,
  after: CollectionRow | null,
  limit: number,
): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select c.*, ${numberFor(createdBy)} as tracking_number
    from cod_collections c
    where account_id = ${payout.account_id}::uuid
      and payout_id = ${payout.id}::uuid
      and (
        ${after === null}::boolean
        or (collected_at, parcel_id) > (
          ${after?.collected_at ?? null}::timestamptz, ${after?.parcel_id ?? null}::uuid
        )
      )
    order by collected_at, parcel_id
    limit ${limit}::int`.execute(db)
  return rows
}
