import type { PickupChoice } from '@waybill/contract/orders'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { insertPickup } from './queries.ts'
import { setParcelsLeft } from './queries-cancel.ts'
import { checkChoice } from './slots.ts'

/**
 * Whether we come to this address on that day in that window; answers the station that does. Throws validation with what is wrong: `pickup.date`,
 * `pickup.window`, `pickup.address.postcode`.
 */
export async function checkPickup(deps: Deps, choice: PickupChoice): Promise<{ stationId: string | null }> {
  return checkChoice(deps, choice)
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
