// Moves parcels along the transition table. Everything that changes a parcel's status comes through here.
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { onlyCreatedBy } from './access.ts'
import { custodyAfter, type HandedTo } from './custody/service.ts'
import { findParcels, type ParcelChanges, type ParcelRow } from './queries.ts'
import { applyMoves, type MovableParcel, type Move, type PlannedTransition } from './queries-transition.ts'
import { getParcelState, holderAfter, nextParcelState, type ParcelEvent, toTrackingStatus } from './status.ts'
import { expectedDayAfter } from './timeline/expected-day.ts'

/**
 * Who moved a parcel, where and to whom. `place` is a city, because it is public. `actorId` null: a gateway or a job.
 */
export type MovedBy = HandedTo & {
  place?: string | null
  note?: string | null
  detail?: Record<string, unknown>
  /** The id of the timeline entry, if one parcel is moved and the caller needs it. */
  eventId?: string
  /** When it happened, if a scanner or a carrier reports it; else now. */
  at?: Date
}

/**
 * Locks parcels of an account, in the order of their ids. With `caller` only those that the caller may see. Throws
 * not_found unless all are found.
 */
export async function lockParcels(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  caller?: CustomerCaller,
): Promise<ParcelRow[]> {
  const unique = [...new Set(ids)]
  const rows = await findParcels(trx, accountId, unique, caller ? onlyCreatedBy(caller) : null, { lock: true })
  if (rows.length !== unique.length) throw new AppError('not_found')
  return rows
}

/** Locks a parcel that the caller may see. Throws not_found. */
export async function lockParcel(trx: DbOrTx, caller: CustomerCaller, id: string): Promise<ParcelRow> {
  const [row] = await lockParcels(trx, caller.accountId, [id], caller)
  if (!row) throw new AppError('not_found')
  return row
}

export type ChangesOf<R extends MovableParcel = ParcelRow> = (row: R) => ParcelChanges
const noChanges = () => ({})

/**
 * Plans the transitions of rows by an event, without writing them. Throws transition_forbidden with `details.status`
 * for the first row that has no such transition.
 */
export async function planTransition<R extends MovableParcel>(
  deps: Deps,
  rows: readonly R[],
  event: ParcelEvent,
  by: MovedBy,
  changes: ChangesOf<R>,
): Promise<PlannedTransition> {
  const at = by.at ?? deps.clock.now()
  const moves: Move[] = []
  for (const row of rows) {
    const state = getParcelState(row)
    const next = nextParcelState(state, event)
    if (!next) throw transitionForbidden(row, event)
    moves.push({
      row,
      status: next.status,
      trackingStatus: toTrackingStatus(next.status, next.handedOver),
      handedOver: next.handedOver,
      leg: next.leg,
      eventId: by.eventId ?? newId(),
      changes: {
        ...custodyAfter(holderAfter(state, event), row, by),
        ...(await expectedDayAfter(deps, row, event, at)),
        ...changes(row),
      },
    })
  }
  const facts = {
    event,
    at,
    actorId: by.actorId,
    stationId: by.stationId ?? null,
    place: by.place ?? null,
    note: by.note ?? null,
    detail: { ...(by.nextStationId ? { nextStationId: by.nextStationId } : {}), ...by.detail },
  }
  return { moves, facts }
}

/**
 * Moves locked parcels by an event of the transition table: status, version, timeline and outbox in one statement.
 * `changes` returns further columns to write for a row. Returns the updated rows in the same order. Throws
 * transition_forbidden with `details.status`, and version_conflict if a row has changed since it was read.
 */
export async function transitionParcels<R extends MovableParcel>(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly R[],
  event: ParcelEvent,
  by: MovedBy,
  changes: ChangesOf<R> = noChanges,
): Promise<ParcelRow[]> {
  if (rows.length === 0) return []
  const movedRows = await applyMoves(trx, await planTransition(deps, rows, event, by, changes))
  if (movedRows.length !== rows.length) throw new AppError('version_conflict')
  return movedRows
}

/** `transitionParcels` for one parcel. */
export async function transitionParcel(
  deps: Deps,
  trx: DbOrTx,
  row: ParcelRow,
  event: ParcelEvent,
  by: MovedBy,
  changes: ChangesOf = noChanges,
): Promise<ParcelRow> {
  const [movedRow] = await transitionParcels(deps, trx, [row], event, by, changes)
  if (!movedRow) throw new AppError('version_conflict')
  return movedRow
}

/** A 409 with the current status: in the message by its label, in `details` by its value. */
export function transitionForbidden(
  row: Pick<ParcelRow, 'id' | 'status' | 'tracking_number'>,
  event: string,
): AppError {
  return new AppError('transition_forbidden', {
    text: 'transition_forbidden_status',
    labels: { status: parcelStatusLabels[row.status] },
    details: { status: row.status, event, parcelId: row.id, trackingNumber: row.tracking_number },
  })
}
