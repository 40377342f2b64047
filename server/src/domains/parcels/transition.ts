import { parcelStatusLabels } from '@waybill/contract/ground/enums'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { onlyCreatedBy } from './access.ts'
import { custodyAfter, type HandedTo } from './custody/service.ts'
import { lockOwnParcels, type ParcelChanges, type ParcelRow } from './queries.ts'
import { applyMoves } from './queries-transition.ts'
import { holderAfter, nextParcelState, type ParcelEvent, stateOf, toTrackingStatus } from './status.ts'

/**
 * Who moved a parcel, where and to whom. `place` is a city: the public may see it. `actorId` null: a gateway, a job.
 */
export type MovedBy = HandedTo & {
  place?: string | null
  note?: string | null
  detail?: Record<string, unknown>
  /** The id of the timeline's new line, where one parcel is moved and the caller needs to know it. */
  eventId?: string
  /** When it happened, where that was told from outside; else now. */
  at?: Date
}

/**
 * The parcels with these ids, locked in the order of their ids until the transaction ends, and in that order.
 * `caller`: also refuses what a member without parcels.view_all may not see. Throws not_found unless every id is the
 * account's.
 */
export async function lockParcels(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  caller?: CustomerCaller,
): Promise<ParcelRow[]> {
  const wanted = new Set(ids)
  const rows = await lockOwnParcels(trx, accountId, [...wanted], caller ? onlyCreatedBy(caller) : null)
  if (rows.length !== wanted.size) throw new AppError('not_found')
  return rows
}

export type ChangesOf = (row: ParcelRow) => ParcelChanges
const noChanges: ChangesOf = () => ({})

/**
 * The rows' states after an event, by the transition table. Throws transition_forbidden with `details.status` for the
 * first that may not.
 */
export function planTransition(
  deps: Deps,
  rows: readonly ParcelRow[],
  event: ParcelEvent,
  by: MovedBy,
  changes: ChangesOf,
) {
  const moves = rows.map((row) => {
    const state = stateOf(row)
    const next = nextParcelState(state, event)
    if (!next) throw transitionForbidden(row, event)
    return {
      row,
      status: next.status,
      trackingStatus: toTrackingStatus(next.status, next.handedOver),
      handedOver: next.handedOver,
      leg: next.leg,
      eventId: by.eventId ?? newId(),
      changes: { ...custodyAfter(holderAfter(state, event), row, by), ...changes(row) },
    }
  })
  const facts = {
    event,
    at: by.at ?? deps.clock.now(),
    actorId: by.actorId,
    stationId: by.stationId ?? null,
    place: by.place ?? null,
    note: by.note ?? null,
    detail: { ...(by.nextStationId ? { nextStationId: by.nextStationId } : {}), ...by.detail },
  }
  return { moves, facts }
}

/**
 * Takes locked parcels through one event of the transition table: status, version, timeline and outbox in one
 * statement, for any number of them. `changes` answers further columns to write for a row. Answers the rows as they are
 * now, in the same order. Throws transition_forbidden with `details.status` (the first parcel that may not),
 * version_conflict when a row was changed since it was read.
 */
export async function transitionParcels(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  event: ParcelEvent,
  by: MovedBy,
  changes: ChangesOf = noChanges,
): Promise<ParcelRow[]> {
  if (rows.length === 0) return []
  const { moves, facts } = planTransition(deps, rows, event, by, changes)
  const moved = await applyMoves(trx, moves, facts)
  if (moved.length !== rows.length) throw new AppError('version_conflict')
  return moved
}

/** 409 that names the present status: in the message by its label, in `details` by its value. */
export function transitionForbidden(row: ParcelRow, event: string): AppError {
  return new AppError('transition_forbidden', {
    // i18next takes the text that names the status.
    vars: { context: 'status' },
    labels: { status: parcelStatusLabels[row.status] },
    details: { status: row.status, event, parcelId: row.id, trackingNumber: row.tracking_number },
  })
}
