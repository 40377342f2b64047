// Pickups for orders: checked and booked at the checkout, changed with cancellations.
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { findPickups, insertPickup, type PickupRow, setParcelsLeft } from './queries.ts'
import { lockPickupRows } from './rider-tasks/queries.ts'
import { findVisit } from './visits/join-visit.ts'
import { requireOpenSlot } from './windows/slots.ts'

/**
 * Checks that a rider comes to this address on this day in this window, and returns the station. A full window is
 * accepted if the account has a visit then. Throws validation (`pickup.date`, `pickup.window`,
 * `pickup.address.postcode`).
 */
export async function checkPickup(
  deps: Deps,
  db: DbOrTx,
  accountId: AccountId,
  choice: PickupChoice,
): Promise<{ stationId: string | null }> {
  return requireOpenSlot(deps, db, choice, { joins: (await findVisit(db, accountId, choice)) !== null })
}

export type Visit = { id: string; orderId: string | null }

const toVisit = ({ id, order_id }: PickupRow): Visit => ({ id, orderId: order_id })

/** Locks the pickups of parcels that are being cancelled, so that no order joins them meanwhile. */
export async function lockPickups(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Visit[]> {
  return ids.length === 0 ? [] : (await lockPickupRows(trx, accountId, ids)).map(toVisit)
}

/** Pickups with the orders that paid for them, not locked. */
export async function pickupsWithIds(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Visit[]> {
  return ids.length === 0 ? [] : (await findPickups(db, accountId, ids)).map(toVisit)
}

/** Requests a pickup for a paid order. Returns its number. */
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
 * Sets the remaining number of parcels of each pickup (by id) after cancellations. One without parcels is cancelled.
 */
export async function recountPickups(
  deps: Deps,
  trx: DbOrTx,
  accountId: AccountId,
  parcelCounts: ReadonlyMap<string, number>,
): Promise<void> {
  if (parcelCounts.size > 0) await setParcelsLeft(trx, accountId, parcelCounts, deps.clock.now())
}
