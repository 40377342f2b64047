// The rule of misroutes. Pure.
import type { StationType } from '@waybill/contract/ground/enums/enums'
import type { Misroute } from '@waybill/contract/parcels/transport/misroute'

/** A station passes parcels on to stations of a lower rank, and they hand theirs to one of a higher rank. */
const ranks: Record<StationType, number> = {
  warehouse: 3,
  service_center_t1: 2,
  service_center_t2: 1,
  service_center_3rd_party: 0,
}

type Place = { id: string; type: StationType }

/**
 * Why it is probably a misroute to send something from one station to another. `lastStations`: any of them may be the
 * last one; none if unknown. Null: no misroute. A station of a higher rank than the one before it, or than the last
 * one, passes on what it gets.
 */
export function findMisroute(lastStations: readonly Place[], from: Place, to: Place): Misroute['reason'] | null {
  const [last] = lastStations
  if (!last || lastStations.some(({ id }) => id === to.id)) return null
  if (lastStations.some(({ id }) => id === from.id)) return 'ends_here'
  const isPassedOn = ranks[to.type] > ranks[from.type] || ranks[to.type] > ranks[last.type]
  return isPassedOn ? null : 'elsewhere'
}
