// The statuses of a pickup task (docs/rules/parcels.md). Pure.
import type { TaskStatus } from '@waybill/contract/ground/enums/enums'

/** All transitions of a pickup task. */
export const transitions = [
  { event: 'assigned', from: 'new', to: 'open' },
  { event: 'assigned', from: 'open', to: 'open' },
  { event: 'assigned', from: 'failed', to: 'open' },
  // The rider cannot continue, and another one takes over. Parcels that were picked up stay so.
  { event: 'assigned', from: 'in_progress', to: 'open' },
  { event: 'started', from: 'open', to: 'in_progress' },
  { event: 'completed', from: 'in_progress', to: 'completed' },
  { event: 'failed', from: 'in_progress', to: 'failed' },
  // By the sender, while no rider has started. An assigned rider stays assigned.
  { event: 'rescheduled', from: 'new', to: 'new' },
  { event: 'rescheduled', from: 'open', to: 'open' },
  { event: 'rescheduled', from: 'failed', to: 'open' },
  { event: 'cancelled', from: 'new', to: 'failed' },
  { event: 'cancelled', from: 'open', to: 'failed' },
  { event: 'cancelled', from: 'failed', to: 'failed' },
] as const satisfies readonly { event: string; from: TaskStatus; to: TaskStatus }[]

export type PickupEvent = (typeof transitions)[number]['event']

/** A cancelled task has no transitions. */
export type PickupState = { status: TaskStatus; cancelled: boolean }

/** The status after an event; null where there is no such transition. */
export function nextPickupStatus({ status, cancelled }: PickupState, event: PickupEvent): TaskStatus | null {
  if (cancelled) return null
  return transitions.find((line) => line.event === event && line.from === status)?.to ?? null
}
