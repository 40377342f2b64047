import type { ArtworkEvent, ArtworkStatus } from '@waybill/contract/parcels/labels'

/**
 * The way of a company's own artwork, the specification's statuses of branding tickets: draft.in_progress -> draft.ready -> draft.rejected | draft.completed
 * -> artwork.rejected | artwork.approved. What was rejected stays as it is: its owner begins anew.
 */
export const artworkTransitions: readonly { event: ArtworkEvent; from: ArtworkStatus; to: ArtworkStatus }[] = [
  { event: 'submitted', from: 'draft.in_progress', to: 'draft.ready' },
  { event: 'draft_rejected', from: 'draft.ready', to: 'draft.rejected' },
  { event: 'draft_accepted', from: 'draft.ready', to: 'draft.completed' },
  { event: 'artwork_rejected', from: 'draft.completed', to: 'artwork.rejected' },
  { event: 'artwork_approved', from: 'draft.completed', to: 'artwork.approved' },
]

/** The status after an event; null when the table has no such transition. */
export function nextArtworkStatus(status: ArtworkStatus, event: ArtworkEvent): ArtworkStatus | null {
  return artworkTransitions.find((line) => line.from === status && line.event === event)?.to ?? null
}

export function allowedArtworkEvents(status: ArtworkStatus): ArtworkEvent[] {
  return artworkTransitions.filter(({ from }) => from === status).map(({ event }) => event)
}
