import type { Look } from '@waybill/contract/ground/status/status-look'
import type { GunnyStatus } from '@waybill/contract/parcels/gunny'

/** Colour and icon of a gunny's status. */
export const gunnyLooks: Record<GunnyStatus, Look> = {
  open: { tone: 'waiting', icon: 'walk' },
  at_station: { tone: 'moving', icon: 'building' },
  in_transit: { tone: 'moving', icon: 'truck' },
  closed: { tone: 'success', icon: 'check' },
  dissolved: { tone: 'neutral', icon: 'cross' },
}
