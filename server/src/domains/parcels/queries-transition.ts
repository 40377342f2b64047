// SQL that moves parcels: status, timeline and outbox are written by one statement, so none can be missing.
import type { Leg, ParcelStatus, TrackingStatus } from '@waybill/contract/ground/enums'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Write } from '../../db/writes.ts'
import { AppError } from '../../http/errors.ts'
import { insertEvents } from '../../outbox/outbox.ts'
import { type CheckoutParcel, type ParcelChanges, type ParcelRow, writable, writableTypes } from './queries.ts'
import type { TimelineEvent } from './timeline/events.ts'

/** The columns that a transition needs, plus every column that it changes for any of the parcels (`valueAfter`). */
export type MovableParcel = CheckoutParcel & Partial<ParcelRow>

/** One parcel as it was read, and its state after the event. */
export type Move = {
  row: MovableParcel
  status: ParcelStatus
  trackingStatus: TrackingStatus
  handedOver: boolean
  leg: Leg
  eventId: string
  changes: ParcelChanges
}

/** Facts shared by all parcels of a transition. */
export type EventFacts = {
  event: TimelineEvent
  at: Date
  actorId: string | null
  stationId: string | null
  place: string | null
  note: string | null
  detail: Record<string, unknown>
}

/** The columns of a moved parcel that its timeline entry and its event are written from. */
export const eventColumns = sql`
        p.account_id, p.id, p.created_by, p.tracking_number, p.status, p.leg, p.collect_until, p.last_event_at`

/** The payload of `parcel.moved`: `m` is the row of `parcels`, `e` has the event and the statuses around it. */
export const movedPayload = (status = sql`m.status`) => sql`jsonb_build_object(
        'accountId', m.account_id,
        'parcelId', m.id,
        'createdBy', m.created_by,
        'trackingNumber', m.tracking_number,
        'event', e.event,
        'fromStatus', e.from_status,
        'status', ${status},
        'leg', m.leg,
        'trackingStatus', e.tracking_status,
        'collectUntil', m.collect_until)`

/**
 * `at`, but never before the latest timeline entry: with a slow clock the newest entry would otherwise not be the one
 * that set the status. `p` is the row of `parcels`.
 */
const afterLastEvent = (at: RawBuilder<unknown>) => sql`greatest(${at}, p.last_event_at + interval '1 millisecond')`

/** The time that `afterLastEvent` writes for a locked row. */
export function eventTime({ last_event_at: last }: Pick<ParcelRow, 'last_event_at'>, at: Date): Date {
  return last === null ? at : new Date(Math.max(at.getTime(), last.getTime() + 1))
}

/**
 * `, name type` for each column, to continue the column list of `json_to_recordset`. It is one piece of SQL: with a
 * piece for each column, building the statement of a new parcel took eight times as long.
 */
export const columnTypes = (columns: readonly (keyof typeof writableTypes)[]) =>
  sql.raw(columns.map((column) => `, ${column} ${writableTypes[column]}`).join(''))

function valueAfter(row: MovableParcel, column: (typeof writable)[number], changes: ParcelChanges): unknown {
  if (changes[column] !== undefined) return changes[column]
  // A column that was not read would be cleared.
  if (row[column] === undefined) throw new Error(`the column ${column} was not read`)
  return row[column]
}

/**
 * The CTEs of a transition; their names begin with the event's name. `<event>_moved` has the updated rows,
 * `<event>_input` their order `n`.
 */
function moveCtes(
  moves: readonly Move[],
  facts: EventFacts,
  { checkout, returning }: { checkout: boolean; returning: RawBuilder<unknown> },
) {
  const columns = writable.filter((column) => moves.some(({ changes }) => changes[column] !== undefined))
  const values = moves.map(({ row, status, trackingStatus, handedOver, leg, eventId, changes }, n) => ({
    n,
    account_id: row.account_id,
    id: row.id,
    version: row.version,
    ...(checkout ? { was_order_id: row.order_id, was_price_minor: row.price_minor } : {}),
    from_status: row.status,
    status,
    tracking_status: trackingStatus,
    handed_over: handedOver,
    leg,
    event_id: eventId,
    ...Object.fromEntries(columns.map((column) => [column, valueAfter(row, column, changes)])),
  }))
  const assignments = sql.raw(columns.map((column) => `, ${column} = g.${column}`).join(''))
  // Prices and orders are written without a new version, so a checkout compares them, too.
  const sameCheckout = sql`
        and p.order_id is not distinct from g.was_order_id
        and p.price_minor is not distinct from g.was_price_minor`
  const name = (part: string) => sql.ref(`${facts.event}_${part}`)
  const input = name('input')
  const movedRows = name('moved')
  const fact = name('facts')
  const ctes = sql`
    ${input} as materialized (
      select *
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        n int, account_id uuid, id uuid, version int, from_status text, status text, tracking_status text,
        handed_over boolean, leg text, event_id uuid
        ${checkout ? sql`, was_order_id uuid, was_price_minor bigint` : sql``}${columnTypes(columns)})
    ), ${fact} as (
      select ${facts.event}::text as event,
        ${facts.at}::timestamptz as at,
        ${facts.stationId}::uuid as station_id,
        ${facts.place}::text as place,
        ${facts.note}::text as note,
        ${facts.actorId}::uuid as actor_id,
        ${JSON.stringify(facts.detail)}::jsonb as detail
    ), ${movedRows} as (
      update parcels p
      set status = g.status, handed_over = g.handed_over, leg = g.leg, version = p.version + 1,
        updated_at = ${afterLastEvent(sql`f.at`)}, last_event_at = ${afterLastEvent(sql`f.at`)}${assignments}
      from ${input} g, ${fact} f
      where p.account_id = g.account_id and p.id = g.id and p.version = g.version${checkout ? sameCheckout : sql``}
      returning ${returning}
    ), ${name('timeline')} as (
      insert into tracking_events (
        account_id, parcel_id, id, at, event, from_status, status, leg, station_id, place, note, actor_id, detail)
      select m.account_id, m.id, g.event_id, m.last_event_at, f.event, g.from_status, m.status, m.leg, f.station_id,
        f.place, f.note, f.actor_id, f.detail
      from ${movedRows} m
      join ${input} g on g.id = m.id, ${fact} f
    ), ${name('events')} as (
      ${insertEvents(
        'parcel.moved',
        movedPayload(),
        sql`${movedRows} m
      join (
        select g.id, g.n, g.from_status, g.tracking_status, f.event, f.at from ${input} g, ${fact} f
      ) e on e.id = m.id
      order by e.n`,
        sql`e.at`,
      )}
    )`
  return { ctes, input, movedRows }
}

/**
 * Writes a transition of any number of parcels. Returns the updated rows, in the order of `moves`; a parcel whose
 * version has changed since it was read is skipped, so fewer rows come back.
 */
export async function applyMoves(trx: DbOrTx, moves: readonly Move[], facts: EventFacts): Promise<ParcelRow[]> {
  const { ctes, input, movedRows } = moveCtes(moves, facts, { checkout: false, returning: sql`p.*` })
  const { rows } = await sql<ParcelRow>`
    with ${ctes}
    select m.* from ${movedRows} m
    join ${input} g on g.id = m.id
    order by g.n`.execute(trx)
  return rows
}

/**
 * `applyMoves` as a write that shares its statement with others. It fails with version_conflict if a parcel's version
 * has changed since it was read; for a checkout also if its price or order has.
 */
export function movesWrite(moves: readonly Move[], facts: EventFacts, options: { checkout: boolean }): Write {
  return {
    ctes: moveCtes(moves, facts, { ...options, returning: eventColumns }).ctes,
    cte: `${facts.event}_moved`,
    expected: moves.length,
    refused: () => new AppError('version_conflict'),
  }
}

/** A timeline entry that does not change the status, such as a delivery choice or a carrier's checkpoint. */
type Note = {
  id: string
  event: TimelineEvent
  at: Date
  actorId?: string | null
  place?: string | null
  note?: string | null
  detail: Record<string, unknown>
}

/** Writes a note on a locked parcel, with its `parcel.moved` event. Returns the updated row. */
export async function insertNote(
  trx: DbOrTx,
  row: ParcelRow,
  trackingStatus: TrackingStatus,
  { id, event, at, actorId = null, place = null, note = null, detail }: Note,
): Promise<ParcelRow> {
  const { rows } = await sql<ParcelRow>`
    with noted as (
      update parcels p
      set last_event_at = ${afterLastEvent(sql`${at}::timestamptz`)}
      where p.account_id = ${row.account_id}::uuid and p.id = ${row.id}::uuid
      returning p.*
    ), written as (
      insert into tracking_events (
        account_id, parcel_id, id, at, event, from_status, status, leg, place, note, actor_id, detail)
      select account_id, id, ${id}::uuid, last_event_at, ${event}::text, status, status, leg, ${place}::text,
        ${note}::text, ${actorId}::uuid, ${JSON.stringify(detail)}::jsonb
      from noted
    ), emitted as (
      ${insertEvents(
        'parcel.moved',
        movedPayload(),
        sql`noted m, (
          select ${event}::text as event, ${row.status}::text as from_status, ${trackingStatus}::text as tracking_status
        ) e`,
      )}
    )
    select * from noted`.execute(trx)
  return rows[0] ?? row
}
