// SQL that creates parcels: the rows, their first timeline entries and events are written by one statement.
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Write } from '../../../db/writes.ts'
import type { AccountId } from '../../../http/caller.ts'
import { later } from '../../../lib/clock.ts'
import { insertEvents } from '../../../outbox/outbox.ts'
import { emptyParcel, type NewParcel, type ParcelRow, writable } from '../queries.ts'
import { columnTypes, eventColumns, movedPayload } from '../queries-transition.ts'
import { nextParcelState, type ParcelState, toTrackingStatus } from '../status.ts'

/** Who creates a parcel, when, and whether it goes to the cart at once. */
export type StartOfParcel = { accountId: AccountId; createdBy: string; at: Date; inCart: boolean }

/** A new parcel with the ids of its first timeline entries: created, and put in the cart. */
export type StartedParcel = { columns: NewParcel; eventId: string; cartEventId: string; start: StartOfParcel }

/** The first entries of a timeline. */
const firstSteps = (() => {
  const draft: ParcelState = { status: 'pending', deliveryMode: null, handedOver: false, leg: 'outbound' }
  const cart = nextParcelState(draft, 'added_to_cart')
  if (!cart) throw new Error('A draft can not go to the cart.')
  return [
    { event: 'created', from_status: null, status: draft.status },
    { event: 'added_to_cart', from_status: draft.status, status: cart.status },
  ].map((entry, step) => ({ ...entry, step, tracking_status: toTrackingStatus(entry.status, draft.handedOver) }))
})()

const firstStepsJson = JSON.stringify(firstSteps)

/** The number of the last entry, which has the parcel's status. */
const lastStep = ({ inCart }: StartOfParcel) => (inCart ? 1 : 0)

/** The columns of a new parcel. If absent, the other two take the table's default; these are nullable. */
const newParcelColumns = sql.raw(
  writable.filter((column) => column !== 'amount_due_minor' && column !== 'holder').join(', '),
)
const writableColumnTypes = columnTypes(writable)

/**
 * The CTEs that insert parcels with their timeline and events, as drafts or in the cart. They use a single insert: a
 * draft that moves to the cart at once would be written to every index twice. `created` has the rows, `input` their
 * order `n`.
 */
function insertCtes(parcels: readonly StartedParcel[], returning: RawBuilder<unknown>) {
  const values = parcels.map(({ columns, eventId, cartEventId, start }, n) => ({
    ...columns,
    n,
    account_id: start.accountId,
    created_by: start.createdBy,
    created_at: start.at,
    last_step: lastStep(start),
    event_id: eventId,
    cart_event_id: cartEventId,
  }))
  const stepAt = (createdAt: RawBuilder<unknown>) => sql`${createdAt} + s.step * interval '1 millisecond'`
  return sql`
    input as materialized (
      select *
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        n int, account_id uuid, created_by uuid, created_at timestamptz, last_step int, id uuid, event_id uuid,
        cart_event_id uuid${writableColumnTypes})
    ), steps as materialized (
      select *
      from json_to_recordset(${firstStepsJson}::json) as t(
        step int, event text, from_status text, status text, tracking_status text)
    ), created as (
      insert into parcels as p (account_id, id, created_by, status, created_at, updated_at, last_event_at,
        ${newParcelColumns})
      select account_id, id, created_by, s.status, created_at, ${stepAt(sql`created_at`)}, ${stepAt(sql`created_at`)},
        ${newParcelColumns}
      from input
      join steps s on s.step = last_step
      order by n
      returning ${returning}
    ), timeline as (
      insert into tracking_events (account_id, parcel_id, id, at, event, from_status, status, actor_id)
      select m.account_id, m.id, case s.step when 0 then g.event_id else g.cart_event_id end,
        ${stepAt(sql`g.created_at`)}, s.event, s.from_status, s.status, m.created_by
      from created m
      join input g on g.id = m.id
      join steps s on s.step <= g.last_step
    ), events as (
      ${insertEvents(
        'parcel.moved',
        movedPayload(sql`e.status`),
        sql`created m
      join (
        select g.id, g.n, ${stepAt(sql`g.created_at`)} as at, s.* from input g join steps s on s.step <= g.last_step
      ) e on e.id = m.id
      order by e.n, e.step`,
        sql`e.at`,
      )}
    )`
}

/** Inserts parcels. Returns their rows in the given order. */
export async function insertParcels(trx: DbOrTx, parcels: readonly StartedParcel[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    with ${insertCtes(parcels, sql`p.*`)}
    select m.* from created m
    join input g on g.id = m.id
    order by g.n`.execute(trx)
  return rows
}

/** `insertParcels` as a write that shares its statement with others. */
export function parcelsWrite(parcels: readonly StartedParcel[]): Write {
  return {
    ctes: insertCtes(parcels, eventColumns),
    cte: 'created',
    expected: parcels.length,
    refused: () => new Error('a parcel was not written'),
  }
}

/** The row that `parcelsWrite` writes. */
export function toNewRow({ columns, start }: StartedParcel): ParcelRow {
  const { accountId, createdBy, at } = start
  const step = lastStep(start)
  const lastEventAt = later(at, step)
  return {
    ...emptyParcel,
    ...columns,
    account_id: accountId,
    created_by: createdBy,
    status: firstSteps[step]?.status as ParcelStatus,
    created_at: at,
    updated_at: lastEventAt,
    last_event_at: lastEventAt,
  }
}
