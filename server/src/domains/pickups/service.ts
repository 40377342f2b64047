// Pickups for orders: checked and booked at the checkout, changed with cancellations.
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { findVisit } from '../parcels/pickup-side/visits.ts'
import { findPickups, findPickupsByNumber, insertPickup, type PickupRow, setParcelsLeft } from './queries.ts'
import { lockPickupRows } from './rider-tasks/queries.ts'
import { requireOpenSlot, reserveSlot } from './windows/slots.ts'

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

/**
 * Checks again, before a payment, that the rider can come as agreed at the checkout. `joins`: the rider comes anyway,
 * so a full window is accepted. `approving`: somebody else placed the order, so it has to be declined first. Throws
 * pickup_full, pickup_missed.
 */
export async function requireAgreedPickup(
  deps: Deps,
  db: DbOrTx,
  choice: PickupChoice,
  { joins, approving }: { joins: boolean; approving: boolean },
): Promise<void> {
  try {
    await requireOpenSlot(deps, db, choice, { joins })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation') throw error
    if (approving) throw new AppError('pickup_missed', { text: 'pickup_missed_approval' })
    const isFull = error.extra.fields?.every(({ rule }) => rule === 'windowFull')
    throw new AppError(isFull ? 'pickup_full' : 'pickup_missed')
  }
}

/** `orderId`: the order that paid for it. `date`: the day on which the rider comes. */
export type Visit = { id: string; orderId: string | null; bookedAt: Date; date: string }

const toVisit = ({ id, order_id, created_at, pickup_date }: PickupRow): Visit => ({
  id,
  orderId: order_id,
  bookedAt: created_at,
  date: pickup_date,
})

/** Locks the pickups of parcels that are being cancelled, so that no order joins them meanwhile. */
export async function lockPickups(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Visit[]> {
  return ids.length === 0 ? [] : (await lockPickupRows(trx, accountId, ids)).map(toVisit)
}

/** Pickups with the orders that paid for them, not locked. */
export async function pickupsWithIds(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<Visit[]> {
  return ids.length === 0 ? [] : (await findPickups(db, accountId, ids)).map(toVisit)
}

/** The same by number. */
export async function pickupsWithNumbers(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<Visit[]> {
  return numbers.length === 0 ? [] : (await findPickupsByNumber(db, accountId, numbers)).map(toVisit)
}

/**
 * Requests a pickup for a paid order. Returns its number. `agreed`: its money has already arrived, so it is booked even
 * in a full window. Otherwise its place is reserved. Throws pickup_full.
 */
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
  { agreed }: { agreed: boolean },
): Promise<string> {
  if (!agreed) await reserveSlot(trx, pickup.stationId, pickup.choice, null)
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
