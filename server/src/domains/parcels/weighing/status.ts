// The states of a re-weighing. Pure.
import type { WeighingState } from '@waybill/contract/parcels/weighing'
import type { WeighingRow } from './queries.ts'

/**
 * All transitions of a re-weighing. Payment is not one of them: a sender who pays to release the parcel may still
 * contest until the deadline.
 */
export const weighingTransitions = [
  { event: 'accept', from: 'open', to: 'accepted' },
  { event: 'silence', from: 'open', to: 'accepted' },
  { event: 'contest', from: 'open', to: 'contested' },
  { event: 'uphold', from: 'contested', to: 'upheld' },
  { event: 'adjust', from: 'contested', to: 'adjusted' },
  { event: 'waive', from: 'contested', to: 'waived' },
  { event: 'withdraw', from: 'open', to: 'withdrawn' },
  // The parcel is lost, so nothing is due for it any more.
  { event: 'lost', from: 'open', to: 'waived' },
  { event: 'lost', from: 'contested', to: 'waived' },
  { event: 'lost', from: 'accepted', to: 'waived' },
  { event: 'lost', from: 'upheld', to: 'waived' },
  { event: 'lost', from: 'adjusted', to: 'waived' },
] as const satisfies readonly { event: string; from: WeighingState; to: WeighingState }[]

export type WeighingEvent = (typeof weighingTransitions)[number]['event']

/** The state after an event; null if there is no such transition. */
export function nextWeighingState(state: WeighingState, event: WeighingEvent): WeighingState | null {
  return weighingTransitions.find((line) => line.from === state && line.event === event)?.to ?? null
}

/** Whether the difference of a re-weighing was paid, even if it is refunded since. */
export function isPaid({ paid_order_id, paid_minor }: Pick<WeighingRow, 'paid_order_id' | 'paid_minor'>): boolean {
  return paid_order_id !== null || paid_minor > 0
}

/** Whether the sender may still accept or contest a re-weighing. */
export function isAnswerable(
  { state, contest_until }: Pick<WeighingRow, 'state' | 'contest_until'>,
  now: Date,
): boolean {
  return state === 'open' && contest_until !== null && contest_until > now
}
