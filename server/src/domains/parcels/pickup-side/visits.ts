// A second order for the same address, day and window joins the visit that is booked already, without a pickup fee.
import {
  type Door,
  isSamePlace,
  isSlotPast,
  type PickupChoice,
  type PickupVisit,
  pickupDays,
} from '@waybill/contract/pickups/pickup-choice'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { minuteIn } from '../../../lib/clock.ts'
import { isWorkingDay } from '../../pricing/expected-date.ts'
import { getRates } from '../../pricing/rate-cards/rates.ts'
import { fetchingStation } from '../../stations/network.ts'
import { countWithoutRider, listVisitsOfOrder, lockVisits, openVisits, type VisitRow } from './queries-visits.ts'

export { countWithoutRider, listVisitsOfOrder, type VisitRow }

const readChoice = (row: VisitRow) => row.address as PickupChoice['address']

/** The booked visit for this choice that has not started; null if there is none. */
export async function findVisit(db: DbOrTx, accountId: AccountId, choice: PickupChoice): Promise<VisitRow | null> {
  const { date, window, address } = choice
  const rows = await openVisits(db, accountId, { date, window }, { lock: false })
  return rows.find((row) => isSamePlace(readChoice(row), address)) ?? null
}

/** `findVisit` with a lock, so that only one order at a time looks for a visit or books one. */
export async function lockVisit(trx: DbOrTx, accountId: AccountId, choice: PickupChoice): Promise<VisitRow | null> {
  const { date, window, address } = choice
  await lockVisits(trx, accountId, date, window)
  const rows = await openVisits(trx, accountId, { date, window }, { lock: true })
  return rows.find((row) => isSamePlace(readChoice(row), address)) ?? null
}

const getNow = ({ clock, settings }: Deps) => minuteIn(clock.now(), settings.get('timezone'))

/** The booked visits to an address that an order can still join, the earliest first. */
export async function listVisitsTo(
  deps: Deps,
  db: DbOrTx,
  accountId: AccountId,
  address: Door,
): Promise<PickupVisit[]> {
  const { day: today, time } = getNow(deps)
  const [rows, covering, { holidays }] = await Promise.all([
    openVisits(db, accountId, { from: today }, { lock: false }),
    fetchingStation(deps.db, address.country, address.postcode),
    getRates(deps),
  ])
  if (!covering) return []
  const { station, cutOffTime: cutOff } = covering
  const restDays = holidays.get(address.country) ?? []
  return rows
    .filter((row) => isSamePlace(readChoice(row), address))
    .map(presentVisit)
    .filter((visit) => !isSlotPast(visit, { today, time, cutOff }) && isWorkingDay(visit.date, station.state, restDays))
}

/** Formats a visit for the API. */
const presentVisit = (row: VisitRow): PickupVisit => ({
  number: row.number,
  date: row.pickup_date,
  window: row.pickup_window as PickupVisit['window'],
})

/**
 * The visit that the cart joins until the sender chooses another time: the earliest on the days that are offered, which
 * the cart preselects. Null: it books a new visit.
 */
export function findProposedVisit(deps: Deps, visits: readonly PickupVisit[]): PickupVisit | null {
  const days = pickupDays(getNow(deps).day)
  return visits.find(({ date }) => days.includes(date)) ?? null
}
