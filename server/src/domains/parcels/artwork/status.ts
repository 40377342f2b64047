// The statuses of a company's artwork. Pure.
import type { ArtworkEvent, ArtworkStatus } from '@waybill/contract/parcels/labels'

/** All transitions of an artwork. A rejected one stays rejected: its company submits a new one. */
export const artworkTransitions: readonly { event: ArtworkEvent; from: ArtworkStatus; to: ArtworkStatus }[] = [
  { event: 'submitted', from: 'draft.in_progress', to: 'draft.ready' },
  { event: 'draft_rejected', from: 'draft.ready', to: 'draft.rejected' },
  { event: 'draft_accepted', from: 'draft.ready', to: 'draft.completed' },
  { event: 'artwork_rejected', from: 'draft.completed', to: 'artwork.rejected' },
  { event: 'artwork_approved', from: 'draft.completed', to: 'artwork.approved' },
]

/** The status after an event; null if there is no such transition. */
export function nextArtworkStatus(status: ArtworkStatus, event: ArtworkEvent): ArtworkStatus | null {
  return artworkTransitions.find((line) => line.from === status && line.event === event)?.to ?? null
}

/** The events that are possible in a status. */
export function allowedArtworkEvents(status: ArtworkStatus): ArtworkEvent[] {
  return artworkTransitions.filter(({ from }) => from === status).map(({ event }) => event)
}
