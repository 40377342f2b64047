// SQL that moves parcels: status, timeline and outbox are written by one statement, so none can be missing.
import type { Leg, ParcelStatus, TrackingStatus } from '@waybill/contract/ground/enums/parcel-enums'
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

/** A planned transition: parcels that move by one event, with the facts that they share. */
export type PlannedTransition = { moves: readonly Move[]; facts: EventFacts }

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
 * The CTEs of transitions, all of different parcels. `moved` has the updated rows; `moves` has the input with its order
 * `n` and the facts.
 */
function moveCtes(
  transitions: readonly PlannedTransition[],
  { checkout, returning }: { checkout: boolean; returning: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const allMoves = transitions.flatMap(({ moves }, transition) => moves.map((move) => ({ transition, ...move })))
  const columns = writable.filter((column) => allMoves.some(({ changes }) => changes[column] !== undefined))
  const values = allMoves.map((move, n) => {
    const { transition, row, status, trackingStatus, handedOver, leg, eventId, changes } = move
    return {
      n,
      transition,
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
    }
  })
  const facts = transitions.map(({ facts: { event, at, actorId, stationId, place, note, detail } }, transition) => ({
    transition,
    event,
    event_at: at,
    actor_id: actorId,
    event_station_id: stationId,
    place,
    note,
    detail,
  }))
  const assignments = sql.raw(columns.map((column) => `, ${column} = g.${column}`).join(''))
  // Prices and orders are written without a new version, so a checkout compares them, too.
  const sameCheckout = sql`
        and p.order_id is not distinct from g.was_order_id
        and p.price_minor is not distinct from g.was_price_minor`
  return sql`
    moves as materialized (
      select *
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        n int, transition int, account_id uuid, id uuid, version int, from_status text, status text,
        tracking_status text, handed_over boolean, leg text, event_id uuid
        ${checkout ? sql`, was_order_id uuid, was_price_minor bigint` : sql``}${columnTypes(columns)})
      join json_to_recordset(${JSON.stringify(facts)}::json) as f(
        transition int, event text, event_at timestamptz, actor_id uuid, event_station_id uuid, place text, note text,
        detail jsonb)
      using (transition)
    ), moved as (
      update parcels p
      set status = g.status, handed_over = g.handed_over, leg = g.leg, version = p.version + 1,
        updated_at = ${afterLastEvent(sql`g.event_at`)},
        last_event_at = ${afterLastEvent(sql`g.event_at`)}${assignments}
      from moves g
      where p.account_id = g.account_id and p.id = g.id and p.version = g.version${checkout ? sameCheckout : sql``}
      returning ${returning}
    ), move_timeline as (
      insert into tracking_events (
        account_id, parcel_id, id, at, event, from_status, status, leg, station_id, place, note, actor_id, detail)
      select m.account_id, m.id, g.event_id, m.last_event_at, g.event, g.from_status, m.status, m.leg,
        g.event_station_id, g.place, g.note, g.actor_id, g.detail
      from moved m
      join moves g on g.id = m.id
    ), move_events as (
      ${insertEvents(
        'parcel.moved',
        movedPayload(),
        sql`moved m
      join moves e on e.id = m.id
      order by e.n`,
        sql`e.event_at`,
      )}
    )`
}

/**
 * Writes a transition of any number of parcels. Returns the updated rows, in the order of `moves`; a parcel whose
 * version has changed since it was read is skipped, so fewer rows come back.
 */
export async function applyMoves(trx: DbOrTx, transition: PlannedTransition): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    with ${moveCtes([transition], { checkout: false, returning: sql`p.*` })}
    select m.* from moved m
    join moves g on g.id = m.id
    order by g.n`.execute(trx)
  return rows
}

/**
 * `applyMoves` for any number of transitions, as a write that shares its statement with others. It fails with
 * version_conflict if a parcel's version has changed since it was read; for a checkout also if its price or order has.
 */
export function movesWrite(transitions: readonly PlannedTransition[], { checkout }: { checkout: boolean }): Write {
  return {
    ctes: moveCtes(transitions, { checkout, returning: eventColumns }),
    cte: 'moved',
    expected: transitions.reduce((count, { moves }) => count + moves.length, 0),
    refused: () => new AppError('version_conflict'),
  }
}

/**
 * Locks the parcels of these numbers, unordered. Those that are locked already or unknown are left out, so it waits for
 * nothing.
 */
export async function lockFreeParcels(trx: DbOrTx, trackingNumbers: readonly string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where tracking_number = any(${trackingNumbers}::text[]) for update skip locked`.execute(trx)
  return rows
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
