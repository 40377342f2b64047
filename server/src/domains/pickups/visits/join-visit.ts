// A second order for the same address, day and window joins the visit that is booked already, without a pickup fee.
import { type Door, isSamePlace, type PickupChoice, type PickupVisit } from '@waybill/contract/pickups/pickup-choice'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { PickupRow } from '../queries.ts'
import { changePickup, lockVisits, openVisits } from '../rider-tasks/queries.ts'

const readChoice = (row: PickupRow) => row.address as PickupChoice['address']

/** The booked visit for this choice that has not started; null if there is none. */
export async function findVisit(db: DbOrTx, accountId: AccountId, choice: PickupChoice): Promise<PickupRow | null> {
  const { date, window, address } = choice
  const rows = await openVisits(db, accountId, { date, window }, { lock: false })
  return rows.find((row) => isSamePlace(readChoice(row), address)) ?? null
}

/** `findVisit` with a lock, so that only one order at a time looks for a visit or books one. */
export async function lockVisit(trx: DbOrTx, accountId: AccountId, choice: PickupChoice): Promise<PickupRow | null> {
  const { date, window, address } = choice
  await lockVisits(trx, accountId, date, window)
  const rows = await openVisits(trx, accountId, { date, window }, { lock: true })
  return rows.find((row) => isSamePlace(readChoice(row), address)) ?? null
}

/** The booked visits to an address from a day on, the earliest first. */
export async function listVisitsTo(
  db: DbOrTx,
  accountId: AccountId,
  address: Door,
  from: string,
): Promise<PickupVisit[]> {
  const rows = await openVisits(db, accountId, { from }, { lock: false })
  return rows.filter((row) => isSamePlace(readChoice(row), address)).map(presentVisit)
}

/** Formats a visit for the API. */
export const presentVisit = (row: PickupRow): PickupVisit => ({
  number: row.number,
  date: row.pickup_date,
  window: row.pickup_window as PickupVisit['window'],
})

/** Adds parcels to a locked visit. Returns its number. */
export async function joinVisit(trx: DbOrTx, visit: PickupRow, parcelCount: number, at: Date): Promise<string> {
  await changePickup(trx, visit, { parcel_count: visit.parcel_count + parcelCount }, at)
  return visit.number
}
