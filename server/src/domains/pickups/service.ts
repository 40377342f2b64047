import type { QueryOf, ResponseOf } from '@waybill/contract/endpoint'
import type { PickupChoice } from '@waybill/contract/orders'
import { parseSort } from '@waybill/contract/paging'
import type { listPickupRequests } from '@waybill/contract/pickups'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { type FieldProblem, invalid } from '../../http/errors.ts'
import { dayIn, days, later, timeIn } from '../../lib/clock.ts'
import { coveringStation } from '../stations/service.ts'
import { presentPickup } from './present.ts'
import { insertPickup, listPickups } from './queries.ts'
import { setParcelsLeft } from './queries-cancel.ts'
import { furthestDays, timeProblems } from './rules.ts'

/**
 * Whether we come to this address on that day in that window; answers the station that does. Throws validation with what is wrong: `pickup.date`,
 * `pickup.window`, `pickup.address.postcode`.
 */
export async function checkPickup(deps: Deps, choice: PickupChoice): Promise<{ stationId: string | null }> {
  const { postcode, country } = choice.address
  const covering = await coveringStation(deps.db, country, postcode)
  const fetched = covering?.station.serviceCodes.some((code) => code.endsWith('.pickup')) ?? false
  const problems: FieldProblem[] = fetched ? [] : [{ field: 'pickup.address.postcode', rule: 'notCovered' }]
  const [now, timeZone] = [deps.clock.now(), deps.settings.get('timezone')]
  const wall = {
    today: dayIn(now, timeZone),
    time: timeIn(now, timeZone),
    lastDay: dayIn(later(now, days(furthestDays)), timeZone),
  }
  problems.push(...timeProblems(choice, wall, covering?.cutOffTime ?? null))
  if (problems.length > 0) throw invalid(...problems)
  return { stationId: covering?.station.id ?? null }
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

/** Pickups of the account, the latest made first. */
export async function pickupsOf(
  deps: Deps,
  accountId: AccountId,
  { status, sort, offset, limit }: QueryOf<typeof listPickupRequests>,
): Promise<ResponseOf<typeof listPickupRequests>> {
  const { rows, total } = await listPickups(deps.db, accountId, { status, sort: parseSort(sort), offset, limit })
  return { items: rows.map(presentPickup), total, offset, limit }
}

/**
 * Parcels of these pickups were cancelled before the rider came: so many are left of each. A pickup with none is cancelled, and its rider is not sent. `left`: parcels by the
 * pickup's id.
 */
export async function parcelsTakenOff(
  deps: Deps,
  trx: DbOrTx,
  accountId: AccountId,
  left: ReadonlyMap<string, number>,
): Promise<void> {
  if (left.size > 0) await setParcelsLeft(trx, accountId, left, deps.clock.now())
}
