/** The transition table of claims. Pure. */
import type { ClaimEvent, ClaimState } from '@waybill/contract/tickets/claims'

/** Who causes a claim's transition. */
type ClaimActor = 'customer' | 'staff' | 'clock'

/** All transitions of a claim. `paid` and `withdrawn` are final; every other state has a way out. */
export const claimTransitions: readonly {
  event: ClaimEvent
  from: ClaimState
  to: ClaimState
  by: ClaimActor
}[] = [
  { event: 'completed', from: 'documents', to: 'submitted', by: 'customer' },
  { event: 'withdrawn', from: 'documents', to: 'withdrawn', by: 'customer' },
  { event: 'lapsed', from: 'documents', to: 'withdrawn', by: 'clock' },
  { event: 'withdrawn', from: 'submitted', to: 'withdrawn', by: 'customer' },
  { event: 'documents_requested', from: 'submitted', to: 'documents', by: 'staff' },
  { event: 'accepted', from: 'submitted', to: 'paid', by: 'staff' },
  { event: 'refused', from: 'submitted', to: 'refused', by: 'staff' },
  { event: 'reconsidered', from: 'refused', to: 'submitted', by: 'staff' },
]

/** The state after an event; null if there is no such transition. */
export function nextClaimState(state: ClaimState, event: ClaimEvent): ClaimState | null {
  return claimTransitions.find((line) => line.from === state && line.event === event)?.to ?? null
}

/** The events that one side can cause in a state. */
export function allowedClaimEvents(state: ClaimState, by: ClaimActor): ClaimEvent[] {
  return claimTransitions.filter((line) => line.from === state && line.by === by).map(({ event }) => event)
}
