// Whether a parcel or a bag probably goes the wrong way. Pure.
import type { StationType } from '@waybill/contract/ground/enums/enums'
import type { WrongWay } from '@waybill/contract/parcels/transport/wrong-way'

/** A station passes parcels on to stations of a lower rank, and they hand theirs to one of a higher rank. */
const ranks: Record<StationType, number> = {
  warehouse: 3,
  service_center_t1: 2,
  service_center_t2: 1,
  service_center_3rd_party: 0,
}

type Place = { id: string; type: StationType }

/**
 * Why a destination is probably wrong for something whose way may end at `ends` (none: unknown, the first one is
 * named); null: it may be right. A station of a higher rank than the one before or the one at the end passes it on.
 */
export function findWrongWay(ends: readonly Place[], from: Place, to: Place): WrongWay['reason'] | null {
  const [end] = ends
  if (!end || ends.some(({ id }) => id === to.id)) return null
  if (ends.some(({ id }) => id === from.id)) return 'ends_here'
  const isPassedOn = ranks[to.type] > ranks[from.type] || ranks[to.type] > ranks[end.type]
  return isPassedOn ? null : 'elsewhere'
}
