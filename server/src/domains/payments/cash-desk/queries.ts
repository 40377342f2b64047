/** Queries on drawers and their movements. */
import type { CashMovement, CashPiece } from '@waybill/contract/payments/cash-desk'
import { type Selectable, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CashDrawers, CashMovements } from '../../../db/schema.ts'

export type DrawerRow = Omit<Selectable<CashDrawers>, 'day' | 'pieces'> & {
  /** `YYYY-MM-DD` */
  day: string
  pieces: CashPiece[] | null
}

/** A drawer with the sums of its movements by kind. */
export type SummedDrawer = DrawerRow & {
  sales_minor: number
  sales_count: number
  handed_in_minor: number
  cash_in_minor: number
  cash_out_minor: number
  bank_minor: number
}

const columns = sql`d.id, d.station_id, d.day::text as day, d.currency, d.carried_minor, d.float_minor,
    d.balance_minor, d.float_reason, d.opened_by, d.opened_at, d.counted_minor, d.pieces, d.difference_minor,
    d.reason, d.closed_by, d.closed_at, d.version`

/**
 * The open drawer of a station, locked before orders and parcels. Everything that moves its cash waits for this lock.
 */
export async function lockOpenDrawer(trx: DbOrTx, stationId: string): Promise<DrawerRow | undefined> {
  const { rows } = await sql<DrawerRow>`
    select ${columns}
    from cash_drawers d
    where d.station_id = ${stationId}::uuid and d.closed_at is null
    for update`.execute(trx)
  return rows[0]
}

/** A drawer of a station, locked. */
export async function lockDrawerRow(trx: DbOrTx, stationId: string, id: string): Promise<DrawerRow | undefined> {
  const { rows } = await sql<DrawerRow>`
    select ${columns}
    from cash_drawers d
    where d.id = ${id}::uuid and d.station_id = ${stationId}::uuid
    for update`.execute(trx)
  return rows[0]
}

/** The open drawer of a station. */
export async function findOpenDrawer(db: DbOrTx, stationId: string): Promise<DrawerRow | undefined> {
  const { rows } = await sql<DrawerRow>`
    select ${columns}
    from cash_drawers d
    where d.station_id = ${stationId}::uuid and d.closed_at is null`.execute(db)
  return rows[0]
}

/** The drawer that a station closed last: its count is the cash that is still there. */
export async function findLastClosedDrawer(db: DbOrTx, stationId: string): Promise<DrawerRow | undefined> {
  const { rows } = await sql<DrawerRow>`
    select ${columns}
    from cash_drawers d
    where d.station_id = ${stationId}::uuid and d.closed_at is not null
    order by d.day desc
    limit 1`.execute(db)
  return rows[0]
}

type NewDrawer = Pick<
  DrawerRow,
  | 'id'
  | 'station_id'
  | 'day'
  | 'currency'
  | 'carried_minor'
  | 'float_minor'
  | 'float_reason'
  | 'opened_by'
  | 'opened_at'
>

/** Inserts a drawer. False if another one is open, or the day already had one: of two parallel calls, one succeeds. */
export async function insertDrawer(trx: DbOrTx, row: NewDrawer): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into cash_drawers (
      id, station_id, day, currency, carried_minor, float_minor, balance_minor, float_reason, opened_by, opened_at
    )
    values (
      ${row.id}::uuid, ${row.station_id}::uuid, ${row.day}::date, ${row.currency}, ${row.carried_minor}::bigint,
      ${row.float_minor}::bigint, ${row.float_minor}::bigint, ${row.float_reason}, ${row.opened_by}::uuid,
      ${row.opened_at}::timestamptz
    )
    on conflict do nothing
    returning id`.execute(trx)
  return rows.length > 0
}

export type CashMovementRow = Omit<Selectable<CashMovements>, 'kind'> & { kind: CashMovement['kind'] }
export type NewMovement = Omit<CashMovementRow, 'balance_after_minor' | 'receipt_prints'>

/** Moves cash of a locked drawer. */
export async function insertMovement(trx: DbOrTx, row: NewMovement): Promise<CashMovementRow> {
  const { rows } = await sql<CashMovementRow>`
    with moved as (
      update cash_drawers
      set balance_minor = balance_minor + ${row.amount_minor}::bigint, version = version + 1
      where id = ${row.drawer_id}::uuid
      returning balance_minor
    )
    insert into cash_movements (
      drawer_id, id, kind, amount_minor, balance_after_minor, reference, reason, given_minor, account_id, order_id,
      payment_id, receipt_number, created_by, created_at
    )
    select ${row.drawer_id}::uuid, ${row.id}::uuid, ${row.kind}::text, ${row.amount_minor}::bigint, balance_minor,
      ${row.reference}::text, ${row.reason}::text, ${row.given_minor}::bigint, ${row.account_id}::uuid,
      ${row.order_id}::uuid, ${row.payment_id}::uuid, ${row.receipt_number}::text, ${row.created_by}::uuid,
      ${row.created_at}::timestamptz
    from moved
    returning *`.execute(trx)
  return rows[0] as CashMovementRow
}

/** Movements of a drawer, newest first. */
export async function listMovementPage(
  db: DbOrTx,
  drawerId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: CashMovementRow[]; total: number }> {
  return readPage(
    db,
    sql<CashMovementRow>`
      select *
      from cash_movements
      where drawer_id = ${drawerId}::uuid
      order by id desc
      limit ${limit}::int offset ${offset}::int`,
    sql`cash_movements where drawer_id = ${drawerId}::uuid`,
  )
}

/** Movements of a drawer in order, after an id; for its report. */
export async function listMovementsAfter(
  db: DbOrTx,
  drawerId: string,
  after: string | null,
  limit: number,
): Promise<CashMovementRow[]> {
  const { rows } = await sql<CashMovementRow>`
    select *
    from cash_movements
    where drawer_id = ${drawerId}::uuid and (${after}::uuid is null or id > ${after}::uuid)
    order by id
    limit ${limit}::int`.execute(db)
  return rows
}

/** The number of sales of a locked drawer. */
export async function countSales(trx: DbOrTx, drawerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from cash_movements
    where drawer_id = ${drawerId}::uuid and kind = 'sale'`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Counts one more print of a sale's receipt; undefined if it is no sale of the station. */
export async function countPrint(trx: DbOrTx, stationId: string, id: string): Promise<CashMovementRow | undefined> {
  const { rows } = await sql<CashMovementRow>`
    update cash_movements m
    set receipt_prints = m.receipt_prints + 1
    from cash_drawers d
    where d.id = m.drawer_id and d.station_id = ${stationId}::uuid and m.id = ${id}::uuid and m.kind = 'sale'
    returning m.*`.execute(trx)
  return rows[0]
}

/** A sale of a station, with the account whose order it paid. */
export async function findSale(db: DbOrTx, stationId: string, id: string): Promise<CashMovementRow | undefined> {
  const { rows } = await sql<CashMovementRow>`
    select m.*
    from cash_movements m
    join cash_drawers d on d.id = m.drawer_id
    where d.station_id = ${stationId}::uuid and m.id = ${id}::uuid and m.kind = 'sale'`.execute(db)
  return rows[0]
}

/** Closes a locked drawer. */
export async function setClosed(
  trx: DbOrTx,
  drawer: DrawerRow,
  set: { countedMinor: number; pieces: CashPiece[] | null; reason: string | null; by: string; at: Date },
): Promise<void> {
  await sql`
    update cash_drawers
    set counted_minor = ${set.countedMinor}::bigint, pieces = ${set.pieces && JSON.stringify(set.pieces)}::jsonb,
      difference_minor = ${set.countedMinor}::bigint - balance_minor, reason = ${set.reason}::text,
      closed_by = ${set.by}::uuid, closed_at = ${set.at}::timestamptz, version = version + 1
    where id = ${drawer.id}::uuid`.execute(trx)
}

const drawersWithSums = sql`
  select ${columns}, coalesce(s.sales, 0)::bigint as sales_minor, coalesce(s.sales_count, 0)::int as sales_count,
    coalesce(s.handed_in, 0)::bigint as handed_in_minor, coalesce(s.cash_in, 0)::bigint as cash_in_minor,
    coalesce(s.cash_out, 0)::bigint as cash_out_minor, coalesce(s.bank, 0)::bigint as bank_minor
  from cash_drawers d
  left join lateral (
    select sum(amount_minor) filter (where kind = 'sale') as sales,
      count(*) filter (where kind = 'sale') as sales_count,
      sum(amount_minor) filter (where kind = 'hand_in') as handed_in,
      sum(amount_minor) filter (where kind = 'cash_in') as cash_in,
      sum(amount_minor) filter (where kind = 'cash_out') as cash_out,
      sum(amount_minor) filter (where kind = 'bank') as bank
    from cash_movements m
    where m.drawer_id = d.id
  ) s on true`

/** A drawer with its sums; `stationId` null: of any station. */
export async function findSummedDrawer(
  db: DbOrTx,
  stationId: string | null,
  id: string,
): Promise<SummedDrawer | undefined> {
  const { rows } = await sql<SummedDrawer>`
    ${drawersWithSums}
    where d.id = ${id}::uuid and (${stationId}::uuid is null or d.station_id = ${stationId}::uuid)`.execute(db)
  return rows[0]
}

export type DrawerFilter = {
  stationId: string | null
  from: string | null
  to: string | null
  /** Only drawers with, or without, a difference. */
  difference: 'any' | 'none' | null
  ascending: boolean
}

/** A page of drawers with their sums, by day. */
export async function drawerPage(
  db: DbOrTx,
  filter: DrawerFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: SummedDrawer[]; total: number }> {
  const fits = sql`(${filter.stationId}::uuid is null or d.station_id = ${filter.stationId}::uuid)
      and (${filter.from}::date is null or d.day >= ${filter.from}::date)
      and (${filter.to}::date is null or d.day <= ${filter.to}::date)
      and (
        ${filter.difference}::text is null
        or (d.difference_minor is not null and (d.difference_minor <> 0) = (${filter.difference}::text = 'any'))
      )`
  const direction = sql.raw(filter.ascending ? 'asc' : 'desc')
  return readPage(
    db,
    sql<SummedDrawer>`
      ${drawersWithSums}
      where ${fits}
      order by d.day ${direction}, d.id ${direction}
      limit ${limit}::int offset ${offset}::int`,
    sql`cash_drawers d where ${fits}`,
  )
}
