import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { insertPickup, type PickupRow } from './queries.ts'
import { setParcelsLeft } from './queries-cancel.ts'
import { findPickupRows, lockPickupRows } from './rider-tasks/queries.ts'
import { findVisit } from './visits/join-visit.ts'
import { requireOpenSlot } from './windows/slots.ts'

/**
 * Whether we come to this address on that day in that window; answers the station that does. A full window takes what
 * joins a visit of the account. Throws validation with what is wrong: `pickup.date`, `pickup.window`,
 * `pickup.address.postcode`.
 */
export async function checkPickup(
  deps: Deps,
  accountId: AccountId,
  choice: PickupChoice,
): Promise<{ stationId: string | null }> {
  return requireOpenSlot(deps, choice, { joins: (await findVisit(deps.db, accountId, choice)) !== null })
}

export type Visit = { id: string; orderId: string | null }

const visitOf = ({ id, order_id }: PickupRow): Visit => ({ id, orderId: order_id })

/** The pickups of parcels that are being cancelled, locked: nobody joins them meanwhile. */
export async function lockPickups(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Visit[]> {
  return ids.length === 0 ? [] : (await lockPickupRows(trx, accountId, ids)).map(visitOf)
}

/** Pickups and the orders that paid for them; not locked. */
export async function pickupsWithIds(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Visit[]> {
  return ids.length === 0 ? [] : (await findPickupRows(db, accountId, ids)).map(visitOf)
}

/** Asks the riders to come, once an order is paid. Answers the request's number. */
export async function requestPickup(
  deps: Deps,
  trx: DbOrTx,
  pickup: {
    id: string
    accountId: AccountId
    orderId: string
    choice: PickupChoice
    stationId: string | null
    parcelCount: number
  },
): Promise<string> {
  return insertPickup(trx, { ...pickup, at: deps.clock.now() })
}

/**
 * Parcels of these pickups were cancelled before the rider came: so many are left of each. A pickup with none is
 * cancelled, and its rider is not sent. `left`: parcels by the pickup's id.
 */
export async function parcelsTakenOff(
  deps: Deps,
  trx: DbOrTx,
  accountId: AccountId,
  left: ReadonlyMap<string, number>,
): Promise<void> {
  if (left.size > 0) await setParcelsLeft(trx, accountId, left, deps.clock.now())
}
