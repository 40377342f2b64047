/**
 * Queries on the shifts of drawers, and their movements. A row of `cash_drawers` is a shift (decision 95): `drawer_id`
 * is the id of a shift, and a drawer is a station with a number.
 */

import { countLimit } from '@waybill/contract/ground/paging'
import { type CashMovement, mostDrawers } from '@waybill/contract/payments/cash-desk'
import type { CashPiece } from '@waybill/contract/payments/coins'
import { type Selectable, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CashDrawers, CashMovements } from '../../../db/schema.ts'

/** A shift of a drawer. */
export type ShiftRow = Omit<Selectable<CashDrawers>, 'day' | 'pieces'> & {
  /** `YYYY-MM-DD` */
  day: string
  pieces: CashPiece[] | null
}

/** A shift with the sums of its movements by kind. */
export type SummedShift = ShiftRow & {
  sales_minor: number
  sales_count: number
  handed_in_minor: number
  cash_in_minor: number
  cash_out_minor: number
  bank_minor: number
  /** No later shift of the drawer has begun. */
  latest: boolean
}

const columns = sql`d.id, d.station_id, d.number, d.day::text as day, d.shift, d.currency, d.carried_minor,
    d.float_minor, d.balance_minor, d.float_reason, d.opened_by, d.opened_at, d.counted_minor, d.pieces,
    d.difference_minor, d.reason, d.closed_by, d.closed_at, d.reopened_by, d.reopened_at, d.reopen_reason, d.version`

/** A drawer: its station and number. */
export type DrawerPlace = { stationId: string; number: number }

/**
 * The open shift of a drawer, locked before orders and parcels. Everything that moves its cash waits for this lock.
 */
export async function lockOpenShiftRow(trx: DbOrTx, { stationId, number }: DrawerPlace): Promise<ShiftRow | undefined> {
  const { rows } = await sql<ShiftRow>`
    select ${columns}
    from cash_drawers d
    where d.station_id = ${stationId}::uuid and d.number = ${number}::int and d.closed_at is null
    for update`.execute(trx)
  return rows[0]
}

/** A shift of a drawer, locked; `stationId` null: of any station. */
export async function lockShift(trx: DbOrTx, stationId: string | null, id: string): Promise<ShiftRow | undefined> {
  const { rows } = await sql<ShiftRow>`
    select ${columns}
    from cash_drawers d
    where d.id = ${id}::uuid and (${stationId}::uuid is null or d.station_id = ${stationId}::uuid)
    for update`.execute(trx)
  return rows[0]
}

/**
 * The shift of a drawer that was closed last, locked: its count is the cash that is still there. A supervisor cannot
 * reopen it while the next shift begins.
 */
export async function lockLastClosedShift(
  trx: DbOrTx,
  { stationId, number }: DrawerPlace,
): Promise<ShiftRow | undefined> {
  const { rows } = await sql<ShiftRow>`
    select ${columns}
    from cash_drawers d
    where d.station_id = ${stationId}::uuid and d.number = ${number}::int and d.closed_at is not null
    order by d.day desc, d.shift desc
    limit 1
    for update`.execute(trx)
  return rows[0]
}

/** Whether a drawer was ever opened. */
export async function hasDrawer(db: DbOrTx, { stationId, number }: DrawerPlace): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from cash_drawers
    where station_id = ${stationId}::uuid and number = ${number}::int
    limit 1`.execute(db)
  return rows.length > 0
}

type NewShift = Pick<
  ShiftRow,
  | 'id'
  | 'station_id'
  | 'number'
  | 'day'
  | 'currency'
  | 'carried_minor'
  | 'float_minor'
  | 'float_reason'
  | 'opened_by'
  | 'opened_at'
>

/** Begins the next shift of a drawer. False if one is open: of two parallel calls, one succeeds. */
export async function insertShift(trx: DbOrTx, row: NewShift): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into cash_drawers (
      id, station_id, number, day, shift, currency, carried_minor, float_minor, balance_minor, float_reason, opened_by,
      opened_at
    )
    select ${row.id}::uuid, ${row.station_id}::uuid, ${row.number}::int, ${row.day}::date, coalesce(max(shift), 0) + 1,
      ${row.currency}, ${row.carried_minor}::bigint, ${row.float_minor}::bigint, ${row.float_minor}::bigint,
      ${row.float_reason}::text, ${row.opened_by}::uuid, ${row.opened_at}::timestamptz
    from cash_drawers
    where station_id = ${row.station_id}::uuid and number = ${row.number}::int and day = ${row.day}::date
    on conflict do nothing
    returning id`.execute(trx)
  return rows.length > 0
}

export type CashMovementRow = Omit<Selectable<CashMovements>, 'kind'> & { kind: CashMovement['kind'] }
/** The columns that not every kind of movement has. */
type OptionalColumn = 'reference' | 'given_minor' | 'account_id' | 'order_id' | 'payment_id' | 'receipt_number'
export type NewMovement = Omit<CashMovementRow, 'balance_after_minor' | 'receipt_prints' | 'seq' | OptionalColumn> &
  Partial<Pick<CashMovementRow, OptionalColumn>>

/** Moves cash in a locked shift. */
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
      ${row.reference ?? null}::text, ${row.reason}::text, ${row.given_minor ?? null}::bigint,
      ${row.account_id ?? null}::uuid, ${row.order_id ?? null}::uuid, ${row.payment_id ?? null}::uuid,
      ${row.receipt_number ?? null}::text, ${row.created_by}::uuid, ${row.created_at}::timestamptz
    from moved
    returning *`.execute(trx)
  return rows[0] as CashMovementRow
}

/** Movements of a shift, newest first. */
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
      order by seq desc
      limit ${limit}::int offset ${offset}::int`,
    sql`cash_movements where drawer_id = ${drawerId}::uuid`,
    countLimit,
  )
}

/** Movements of a shift in order, after one of them (`seq`); for its report. */
export async function listMovementsAfter(
  db: DbOrTx,
  drawerId: string,
  after: number,
  limit: number,
): Promise<CashMovementRow[]> {
  const { rows } = await sql<CashMovementRow>`
    select *
    from cash_movements
    where drawer_id = ${drawerId}::uuid and seq > ${after}::bigint
    order by seq
    limit ${limit}::int`.execute(db)
  return rows
}

/** The number of sales of a drawer on the day of a locked shift, in all shifts of that day. */
export async function countSales(trx: DbOrTx, drawer: ShiftRow): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from cash_drawers d
    join cash_movements m on m.drawer_id = d.id
    where d.station_id = ${drawer.station_id}::uuid and d.number = ${drawer.number}::int
      and d.day = ${drawer.day}::date and m.kind = 'sale'`.execute(trx)
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

const shiftsWithSums = sql`
  select ${columns}, coalesce(s.sales, 0)::bigint as sales_minor, coalesce(s.sales_count, 0)::int as sales_count,
    coalesce(s.handed_in, 0)::bigint as handed_in_minor, coalesce(s.cash_in, 0)::bigint as cash_in_minor,
    coalesce(s.cash_out, 0)::bigint as cash_out_minor, coalesce(s.bank, 0)::bigint as bank_minor,
    not exists (
      select
      from cash_drawers later
      where later.station_id = d.station_id and later.number = d.number
        and (later.day, later.shift) > (d.day, d.shift)
    ) as latest
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

/** A shift with its sums; `stationId` null: of any station. */
export async function findSummedShift(
  db: DbOrTx,
  stationId: string | null,
  id: string,
): Promise<SummedShift | undefined> {
  const { rows } = await sql<SummedShift>`
    ${shiftsWithSums}
    where d.id = ${id}::uuid and (${stationId}::uuid is null or d.station_id = ${stationId}::uuid)`.execute(db)
  return rows[0]
}

/** Of each drawer of a station the open shift and the one that was closed last, by number. */
export async function listStationDrawers(db: DbOrTx, stationId: string): Promise<SummedShift[]> {
  const { rows } = await sql<SummedShift>`
    ${shiftsWithSums}
    where d.id in (
      select newest.id
      from generate_series(1, ${mostDrawers}::int) as place(number)
      cross join lateral (
        (
          select id
          from cash_drawers
          where station_id = ${stationId}::uuid and number = place.number and closed_at is null
        )
        union all
        (
          select id
          from cash_drawers
          where station_id = ${stationId}::uuid and number = place.number and closed_at is not null
          order by day desc, shift desc
          limit 1
        )
      ) newest
    )
    order by d.number`.execute(db)
  return rows
}

export type ShiftFilter = {
  stationId: string | null
  from: string | null
  to: string | null
  /** Only shifts with, or without, a difference. */
  difference: 'any' | 'none' | null
  ascending: boolean
}

/** A page of shifts of drawers with their sums, by day. */
export async function shiftPage(
  db: DbOrTx,
  filter: ShiftFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: SummedShift[]; total: number }> {
  // Only the conditions of this filter, so that the plan uses the index of the station or of the day.
  const conditions = [
    filter.stationId !== null && sql`d.station_id = ${filter.stationId}::uuid`,
    filter.from !== null && sql`d.day >= ${filter.from}::date`,
    filter.to !== null && sql`d.day <= ${filter.to}::date`,
    filter.difference === 'any' && sql`d.difference_minor <> 0`,
    filter.difference === 'none' && sql`d.difference_minor = 0`,
  ].filter((condition) => condition !== false)
  const fits = sql.join([sql`true`, ...conditions], sql` and `)
  const direction = sql.raw(filter.ascending ? 'asc' : 'desc')
  return readPage(
    db,
    sql<SummedShift>`
      ${shiftsWithSums}
      where ${fits}
      order by d.day ${direction}, d.id ${direction}
      limit ${limit}::int offset ${offset}::int`,
    sql`cash_drawers d where ${fits}`,
    countLimit,
  )
}
