// Where a rider may pick up parcels: at their door, or where a pickup costs the same. Their price is for that door.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Deps } from '../../../deps.ts'
import { validationError } from '../../../http/errors.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { fetchingStation, findZoneOfPlace } from '../../stations/network.ts'

type DoorRow = Pick<ParcelRow, 'scope' | 'status' | 'sender' | 'receiver'>

/** The door of a parcel: its sender's, or for a return its receiver's. */
export const getDoor = (row: DoorRow) => (row.status === 'reverse_pickup' ? row.receiver : row.sender)

/**
 * Checks that riders come to an address, and that it has the zone and the surcharge of the parcels' doors. `prefix`:
 * the path of the choice in the request. Throws validation (`pickup.address.postcode`).
 */
export async function requirePickupPlace(
  deps: Deps,
  address: Party,
  parcels: readonly DoorRow[],
  prefix = 'pickup.',
): Promise<void> {
  const field = `${prefix}address.postcode`
  if (!(await fetchingStation(deps.db, address.country, address.postcode))) {
    throw validationError({ field, rule: 'notCovered' })
  }
  const doors = new Map(
    parcels.flatMap((row) => {
      const door = getDoor(row)
      return door ? [[`${row.scope} ${door.country} ${door.postcode}`, { scope: row.scope, door }]] : []
    }),
  )
  for (const { scope, door } of doors.values()) {
    const [here, there] = await Promise.all([
      findZoneOfPlace(deps.db, scope, address),
      findZoneOfPlace(deps.db, scope, door),
    ])
    const samePrice = here?.zone === there?.zone && here?.remoteSurchargeMinor === there?.remoteSurchargeMinor
    if (!samePrice) throw validationError({ field, rule: 'otherPrice' })
  }
}
