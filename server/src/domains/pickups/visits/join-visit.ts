/**
 * A rider who comes anyway takes more parcels along: a second order for the same address, day and window joins the
 * visit and pays no pickup fee.
 */
import type { PickupChoice, PickupVisit } from '@waybill/contract/pickups/pickup-choice'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { PickupRow } from '../queries.ts'
import { changePickup, lockVisits, openVisits } from '../rider-tasks/queries.ts'
import { type Door, isSamePlace } from '../rules.ts'

const choiceOf = (row: PickupRow) => row.address as PickupChoice['address']

/** The visit that is booked for this choice and has not begun; null: there is none. */
export async function findVisit(db: DbOrTx, accountId: AccountId, choice: PickupChoice): Promise<PickupRow | null> {
  const { date, window, address } = choice
  const rows = await openVisits(db, accountId, { date, window }, { lock: false })
  return rows.find((row) => isSamePlace(choiceOf(row), address)) ?? null
}

/**
 * `findVisit`, where only one order at a time looks for a visit or books one. The visit is locked until the
 * transaction ends.
 */
export async function lockVisit(trx: DbOrTx, accountId: AccountId, choice: PickupChoice): Promise<PickupRow | null> {
  const { date, window, address } = choice
  await lockVisits(trx, accountId, date, window)
  const rows = await openVisits(trx, accountId, { date, window }, { lock: true })
  return rows.find((row) => isSamePlace(choiceOf(row), address)) ?? null
}

/** Every booked visit to an address from a day on, the earliest first. */
export async function listVisitsTo(
  db: DbOrTx,
  accountId: AccountId,
  address: Door,
  from: string,
): Promise<PickupVisit[]> {
  const rows = await openVisits(db, accountId, { from }, { lock: false })
  return rows.filter((row) => isSamePlace(choiceOf(row), address)).map(presentVisit)
}

export const presentVisit = (row: PickupRow): PickupVisit => ({
  number: row.number,
  date: row.pickup_date,
  window: row.pickup_window as PickupVisit['window'],
})

/** So many more parcels for a locked visit. Answers its number. */
export async function joinVisit(trx: DbOrTx, visit: PickupRow, parcelCount: number, at: Date): Promise<string> {
  await changePickup(trx, visit, { parcel_count: visit.parcel_count + parcelCount }, at)
  return visit.number
}
