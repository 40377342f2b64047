import type { Look } from '@waybill/contract/ground/status/status-look'
import type { ArtworkStatus } from '@waybill/contract/parcels/labels'

/** Colour and icon of an artwork's status. */
export const artworkLooks: Record<ArtworkStatus, Look> = {
  'draft.in_progress': { tone: 'neutral', icon: 'edit' },
  'draft.ready': { tone: 'waiting', icon: 'clock' },
  'draft.rejected': { tone: 'danger', icon: 'cross' },
  'draft.completed': { tone: 'moving', icon: 'check' },
  'artwork.rejected': { tone: 'danger', icon: 'cross' },
  'artwork.approved': { tone: 'success', icon: 'check' },
}
