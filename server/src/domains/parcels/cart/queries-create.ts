// SQL that creates parcels: the rows, their first timeline entries and events are written by one statement.
import type { ParcelStatus } from '@waybill/contract/ground/enums'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Write } from '../../../db/writes.ts'
import type { AccountId } from '../../../http/caller.ts'
import { later } from '../../../lib/clock.ts'
import { insertEvents } from '../../../outbox/outbox.ts'
import { emptyParcel, type NewParcel, type ParcelRow, writable } from '../queries.ts'
import { columnTypes, eventColumns, movedPayload } from '../queries-transition.ts'
import { nextParcelState, type ParcelState, toTrackingStatus } from '../status.ts'

/** A new parcel with the ids of its first timeline entries: created, and put in the cart. */
export type ParcelStart = NewParcel & { eventId: string; cartEventId: string }

/** The first entries of a timeline; the last one has the parcel's status. */
function firstSteps(inCart: boolean) {
  const draft: ParcelState = { status: 'pending', deliveryMode: null, handedOver: false, leg: 'outbound' }
  const cart = nextParcelState(draft, 'added_to_cart')
  if (!cart) throw new Error('A draft can not go to the cart.')
  return [
    { event: 'created', from_status: null, status: draft.status },
    ...(inCart ? [{ event: 'added_to_cart', from_status: draft.status, status: cart.status }] : []),
  ].map((entry, step) => ({ ...entry, step, tracking_status: toTrackingStatus(entry.status, draft.handedOver) }))
}

/** The columns of a new parcel. If absent, the other two take the table's default; these are nullable. */
const newParcelColumns = sql.raw(
  writable.filter((column) => column !== 'amount_due_minor' && column !== 'holder').join(', '),
)
const writableColumnTypes = columnTypes(writable)

/** When parcels are created, and whether they go to the cart at once. */
type StartOfParcels = { at: Date; inCart: boolean }

/**
 * The CTEs that insert parcels with their timeline and events, as drafts or in the cart. They use a single insert: a
 * draft that moves to the cart at once would be written to every index twice. `created` has the rows, `input` their
 * order `n`.
 */
function insertCtes(
  accountId: AccountId,
  createdBy: string,
  parcels: readonly ParcelStart[],
  { at, inCart }: StartOfParcels,
  returning: RawBuilder<unknown>,
) {
  const values = parcels.map((parcel, n) => ({
    ...parcel,
    n,
    event_id: parcel.eventId,
    cart_event_id: parcel.cartEventId,
  }))
  const steps = firstSteps(inCart)
  const last = steps.at(-1) as (typeof steps)[number]
  const stepAt = (step: RawBuilder<unknown>) => sql`${at}::timestamptz + ${step} * interval '1 millisecond'`
  return sql`
    input as materialized (
      select *
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        n int, id uuid, event_id uuid, cart_event_id uuid${writableColumnTypes})
    ), steps as materialized (
      select *
      from json_to_recordset(${JSON.stringify(steps)}::json) as t(
        step int, event text, from_status text, status text, tracking_status text)
    ), created as (
      insert into parcels as p (account_id, id, created_by, status, created_at, updated_at, last_event_at,
        ${newParcelColumns})
      select ${accountId}::uuid, id, ${createdBy}::uuid, ${last.status}, ${at}::timestamptz,
        ${stepAt(sql`${last.step}::int`)}, ${stepAt(sql`${last.step}::int`)}, ${newParcelColumns}
      from input
      order by n
      returning ${returning}
    ), timeline as (
      insert into tracking_events (account_id, parcel_id, id, at, event, from_status, status, actor_id)
      select m.account_id, m.id, case s.step when 0 then g.event_id else g.cart_event_id end,
        ${stepAt(sql`s.step`)}, s.event, s.from_status, s.status, m.created_by
      from created m
      join input g on g.id = m.id
      cross join steps s
    ), events as (
      ${insertEvents(
        'parcel.moved',
        movedPayload(sql`e.status`),
        sql`created m
      join (select g.id, g.n, s.* from input g cross join steps s) e on e.id = m.id
      order by e.n, e.step`,
        stepAt(sql`e.step`),
      )}
    )`
}

/** Inserts parcels. Returns their rows in the given order. */
export async function insertParcels(
  trx: DbOrTx,
  accountId: AccountId,
  createdBy: string,
  parcels: readonly ParcelStart[],
  start: StartOfParcels,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    with ${insertCtes(accountId, createdBy, parcels, start, sql`p.*`)}
    select m.* from created m
    join input g on g.id = m.id
    order by g.n`.execute(trx)
  return rows
}

/** `insertParcels` for one parcel, as a write that shares its statement with others, and the row that it writes. */
export function parcelWrite(
  accountId: AccountId,
  createdBy: string,
  parcel: ParcelStart,
  start: StartOfParcels,
): { write: Write; row: ParcelRow } {
  const ctes = insertCtes(accountId, createdBy, [parcel], start, eventColumns)
  const last = firstSteps(start.inCart).at(-1) as { status: ParcelStatus; step: number }
  const { eventId: _, cartEventId: __, ...columns } = parcel
  const lastEventAt = later(start.at, last.step)
  return {
    write: { ctes, cte: 'created', expected: 1, refused: () => new Error('the parcel was not written') },
    row: {
      ...emptyParcel,
      ...columns,
      account_id: accountId,
      created_by: createdBy,
      status: last.status,
      created_at: start.at,
      updated_at: lastEventAt,
      last_event_at: lastEventAt,
    },
  }
}
