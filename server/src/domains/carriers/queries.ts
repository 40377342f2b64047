// Queries on carrier bookings, their labels and checkpoints.

import type { BookingState, BookingTab, CarrierProblem } from '@waybill/contract/carriers/carriers'
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { type Selectable, sql } from 'kysely'
import { beginningWith } from '../../db/conditions/like.ts'
import { countRows } from '../../db/page.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { CarrierBookings } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'

type ColumnTypes = { carrier: Carrier; state: BookingState; problem: CarrierProblem | null }
export type BookingRow = Omit<Selectable<CarrierBookings>, keyof ColumnTypes> & ColumnTypes

export type NewBooking = { accountId: string; parcelId: string; carrier: Carrier; trackingNumber: string }

/** Inserts a booking for each parcel that has none. Returns the ids of the parcels whose bookings are new. */
export async function insertBookings(trx: DbOrTx, bookings: readonly NewBooking[], at: Date): Promise<string[]> {
  if (bookings.length === 0) return []
  const values = bookings.map((booking) => ({
    account_id: booking.accountId,
    parcel_id: booking.parcelId,
    carrier: booking.carrier,
    tracking_number: booking.trackingNumber,
  }))
  const { rows } = await sql<{ parcel_id: string }>`
    insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, next_try_at, created_at, updated_at)
    select account_id, parcel_id, carrier, tracking_number, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(values)}::json) as t(
      account_id uuid, parcel_id uuid, carrier text, tracking_number text)
    order by parcel_id
    on conflict (account_id, parcel_id) do nothing
    returning parcel_id`.execute(trx)
  return rows.map(({ parcel_id }) => parcel_id)
}

/**
 * Cancels the bookings of parcels: at once if the carrier was never contacted, else by a request to the carrier.
 * Returns the ids of the parcels whose carriers must be contacted.
 */
export async function requestCancels(trx: DbOrTx, parcelIds: readonly string[], at: Date): Promise<string[]> {
  if (parcelIds.length === 0) return []
  const { rows } = await sql<{ parcel_id: string; state: BookingState }>`
    update carrier_bookings
    set cancel_requested = true,
      version = version + 1,
      updated_at = ${at}::timestamptz,
      attempts = 0,
      next_look_at = null,
      problem = null,
      problem_said = null,
      state = case when state <> 'booked' and not sent then 'cancelled' else state end,
      next_try_at = case when state <> 'booked' and not sent then null else ${at}::timestamptz end
    where parcel_id = any(${[...parcelIds]}::uuid[]) and state <> 'cancelled' and not cancel_requested
    returning parcel_id, state`.execute(trx)
  return rows.filter(({ state }) => state !== 'cancelled').map(({ parcel_id }) => parcel_id)
}

/**
 * Leases the next step of a booking to this process until `until`; null if none is due, or if another process has it.
 * The returned `sent` is the previous value: with the lease a request may already be in progress.
 */
export async function claimBookingStep(
  db: DbOrTx,
  parcelId: string,
  at: Date,
  until: Date,
): Promise<BookingRow | null> {
  const { rows } = await sql<BookingRow & { sent_before: boolean }>`
    with due as materialized (
      select account_id, parcel_id, sent as sent_before
      from carrier_bookings
      where parcel_id = ${parcelId}::uuid and next_try_at <= ${at}::timestamptz
        and (leased_until is null or leased_until < ${at}::timestamptz)
      for update skip locked
    )
    update carrier_bookings b
    set leased_until = ${until}::timestamptz,
      attempts = b.attempts + 1,
      updated_at = ${at}::timestamptz,
      sent = b.sent or (b.state = 'waiting' and not b.cancel_requested)
    from due
    where b.account_id = due.account_id and b.parcel_id = due.parcel_id
    returning b.*, due.sent_before`.execute(db)
  const [row] = rows
  return row ? { ...row, sent: row.sent_before } : null
}

export type StepResult = Partial<
  Pick<
    BookingRow,
    | 'state'
    | 'carrier_number'
    | 'simulated'
    | 'sent'
    | 'attempts'
    | 'problem'
    | 'problem_said'
    | 'booked_at'
    | 'next_look_at'
  >
> & { next_try_at: Date | null }

/** Writes the result of a step and ends its lease. A cancellation that was requested meanwhile is the next step. */
export async function finishBookingStep(db: DbOrTx, row: BookingRow, result: StepResult, at: Date): Promise<void> {
  await db
    .updateTable('carrier_bookings')
    .set((eb) => ({
      ...result,
      // The cancellation was requested during the booking request, so it is due now.
      next_try_at: sql<Date | null>`
        case
          when cancel_requested and not ${row.cancel_requested}::boolean then ${at}::timestamptz
          else ${result.next_try_at}::timestamptz
        end`,
      leased_until: null,
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('account_id', '=', row.account_id)
    .where('parcel_id', '=', row.parcel_id)
    .execute()
}

/** The parcels whose bookings at a carrier have a step due, the longest overdue first. */
export async function dueSteps(db: DbOrTx, carrier: Carrier, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<Pick<BookingRow, 'parcel_id'>>`
    select parcel_id
    from carrier_bookings
    where carrier = ${carrier} and next_try_at <= ${at}::timestamptz
      and (leased_until is null or leased_until < ${at}::timestamptz)
    order by next_try_at
    limit ${limit}::int`.execute(db)
  return rows.map(({ parcel_id }) => parcel_id)
}

/** Leases booked parcels whose tracking is due to this process until `until`. */
export async function claimTrackingChecks(
  db: DbOrTx,
  carrier: Carrier,
  at: Date,
  until: Date,
  limit: number,
): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    with due as materialized (
      select account_id, parcel_id
      from carrier_bookings
      where carrier = ${carrier} and next_look_at <= ${at}::timestamptz and state = 'booked'
      order by next_look_at
      limit ${limit}::int
      for update skip locked
    )
    update carrier_bookings b
    set next_look_at = ${until}::timestamptz
    from due
    where b.account_id = due.account_id and b.parcel_id = due.parcel_id
    returning b.*`.execute(db)
  return rows
}

/** Sets when each parcel is tracked next; null: never again. */
export async function scheduleTrackingChecks(
  db: DbOrTx,
  looks: readonly { parcelId: string; at: Date | null }[],
): Promise<void> {
  if (looks.length === 0) return
  const values = looks.map(({ parcelId, at }) => ({ parcel_id: parcelId, at }))
  await sql`
    update carrier_bookings b
    set next_look_at = t.at
    from json_to_recordset(${JSON.stringify(values)}::json) as t(parcel_id uuid, at timestamptz)
    where b.parcel_id = t.parcel_id and not b.cancel_requested`.execute(db)
}

export async function setSubscribed(db: DbOrTx, parcelIds: readonly string[]): Promise<void> {
  await sql`update carrier_bookings set subscribed = true where parcel_id = any(${[...parcelIds]}::uuid[])`.execute(db)
}

export type KnownCheckpoint = { parcel_id: string; key: string }

export async function listCheckpoints(db: DbOrTx, parcelIds: readonly string[]): Promise<KnownCheckpoint[]> {
  const { rows } = await sql<KnownCheckpoint>`
    select parcel_id, key
    from carrier_checkpoints
    where parcel_id = any(${[...parcelIds]}::uuid[])`.execute(db)
  return rows
}

export type NewCheckpoint = { accountId: string; parcelId: string; key: string; code: string; at: Date }

/** Stores checkpoints. Returns the keys that were not stored before. */
export async function insertCheckpoints(trx: DbOrTx, checkpoints: readonly NewCheckpoint[]): Promise<Set<string>> {
  if (checkpoints.length === 0) return new Set()
  const values = checkpoints.map(({ accountId, parcelId, key, code, at }) => ({
    account_id: accountId,
    parcel_id: parcelId,
    key,
    code,
    at,
  }))
  const { rows } = await sql<{ key: string }>`
    insert into carrier_checkpoints (account_id, parcel_id, key, code, at)
    select account_id, parcel_id, key, code, at
    from json_to_recordset(${JSON.stringify(values)}::json) as t(
      account_id uuid, parcel_id uuid, key text, code text, at timestamptz)
    on conflict do nothing
    returning key`.execute(trx)
  return new Set(rows.map(({ key }) => key))
}

export async function saveLabel(db: DbOrTx, row: BookingRow, pdf: Buffer, at: Date): Promise<void> {
  await sql`
    insert into carrier_labels (account_id, parcel_id, pdf, at)
    values (${row.account_id}, ${row.parcel_id}, ${pdf}, ${at})
    on conflict (account_id, parcel_id) do update
    set pdf = excluded.pdf, at = excluded.at`.execute(db)
}

export async function findCarrierLabel(db: DbOrTx, accountId: AccountId, parcelId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('carrier_labels')
    .select('pdf')
    .where('account_id', '=', accountId)
    .where('parcel_id', '=', parcelId)
    .executeTakeFirst()
  return row?.pdf ?? null
}

/** A booking, and whether its label is stored. */
export type ShownBooking = BookingRow & { has_label: boolean }

const withLabel = sql`
      b.*,
      exists (
        select 1 from carrier_labels l where l.account_id = b.account_id and l.parcel_id = b.parcel_id
      ) as has_label`

/** The booking of a parcel; `accountId` null: of any account, for staff. */
export async function findBookingOfParcel(
  db: DbOrTx,
  parcelId: string,
  accountId: AccountId | null,
): Promise<ShownBooking | null> {
  const { rows } = await sql<ShownBooking>`
    select ${withLabel}
    from carrier_bookings b
    where b.parcel_id = ${parcelId}::uuid
      and (${accountId}::uuid is null or b.account_id = ${accountId}::uuid)`.execute(db)
  return rows[0] ?? null
}

export async function lockBooking(trx: DbOrTx, parcelId: string): Promise<ShownBooking | null> {
  const { rows } = await sql<ShownBooking>`
    select ${withLabel}
    from carrier_bookings b
    where b.parcel_id = ${parcelId}::uuid
    for update of b`.execute(trx)
  return rows[0] ?? null
}

/** Makes the next step of a booking due now, with all attempts left. */
export async function restart(trx: DbOrTx, row: BookingRow, at: Date): Promise<void> {
  await sql`
    update carrier_bookings
    set state = case
        when state = 'failed' and carrier_number is not null then 'booked'
        when state = 'failed' then 'waiting'
        else state
      end,
      attempts = 0,
      next_try_at = ${at},
      problem = null,
      problem_said = null,
      version = version + 1,
      updated_at = ${at}
    where account_id = ${row.account_id} and parcel_id = ${row.parcel_id}`.execute(trx)
}

/** Carriers' numbers, or the parcels that have some. */
export type NumberedBy = { carrierNumbers: readonly string[] } | { parcelIds: readonly string[] }

/** Our tracking numbers by the carriers' numbers. If a carrier reused a number, the latest booking counts. */
export async function mapTrackingNumbers(db: DbOrTx, by: NumberedBy): Promise<Map<string, string>> {
  const condition =
    'parcelIds' in by
      ? sql`parcel_id = any(${[...by.parcelIds]}::uuid[])`
      : sql`carrier_number = any(${[...by.carrierNumbers]}::text[])`
  const { rows } = await sql<{ carrier_number: string; tracking_number: string }>`
    select carrier_number, tracking_number
    from carrier_bookings
    where ${condition} and carrier_number is not null
    order by booked_at`.execute(db)
  return new Map(rows.map((row) => [row.carrier_number, row.tracking_number]))
}

/** The carriers' numbers of booked parcels, by parcel. */
export async function findTrackingNumbers(db: DbOrTx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  if (parcelIds.length === 0) return new Map()
  const { rows } = await sql<{ parcel_id: string; carrier_number: string }>`
    select parcel_id, carrier_number
    from carrier_bookings
    where parcel_id = any(${parcelIds}::uuid[]) and carrier_number is not null and state = 'booked'`.execute(db)
  return new Map(rows.map((row) => [row.parcel_id, row.carrier_number]))
}

const tabConditions: Record<BookingTab, ReturnType<typeof sql<boolean>>> = {
  attention: sql<boolean>`b.state = 'failed'`,
  waiting: sql<boolean>`b.state = 'waiting'`,
  booked: sql<boolean>`b.state = 'booked'`,
  cancelled: sql<boolean>`b.state = 'cancelled'`,
  all: sql<boolean>`true`,
}

export type BookingFilter = { tab: BookingTab; carrier: Carrier | null; search: string | null }

function buildCondition({ tab, carrier, search }: BookingFilter) {
  const prefix = search === null ? null : beginningWith(search)
  return sql<boolean>`
    ${tabConditions[tab]}
    and (${carrier}::text is null or b.carrier = ${carrier}::text)
    ${prefix === null ? sql`` : sql`and (b.tracking_number like ${prefix} or b.carrier_number like ${prefix})`}`
}

export async function listBookingRows(
  db: DbOrTx,
  filter: BookingFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ShownBooking[]> {
  const { rows } = await sql<ShownBooking>`
    select ${withLabel}
    from carrier_bookings b
    where ${buildCondition(filter)}
    order by b.updated_at desc, b.parcel_id
    limit ${limit}::int offset ${offset}::int`.execute(db)
  return rows
}

/** The number of matching bookings, at most `countLimit`. */
export async function countBookings(db: DbOrTx, filter: BookingFilter): Promise<number> {
  return countRows(db, sql`from carrier_bookings b where ${buildCondition(filter)}`, countLimit)
}
