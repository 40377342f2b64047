import type { Look } from '@waybill/contract/ground/status/status-look'
import type { BagStatus } from '@waybill/contract/parcels/transport/bags'

/** Colour and icon of a bag's status. */
export const bagLooks: Record<BagStatus, Look> = {
  open: { tone: 'waiting', icon: 'edit' },
  sealed: { tone: 'moving', icon: 'building' },
  in_transit: { tone: 'moving', icon: 'truck' },
  at_station: { tone: 'waiting', icon: 'building' },
  emptied: { tone: 'success', icon: 'check' },
}
