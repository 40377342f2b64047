import type { TaskStatus } from '@waybill/contract/ground/enums'

/** The life of a task as data (docs/rules/parcels.md): new -> open -> in_progress -> completed or failed -> open. */
export const transitions = [
  { event: 'assigned', from: 'new', to: 'open' },
  { event: 'assigned', from: 'open', to: 'open' },
  { event: 'assigned', from: 'failed', to: 'open' },
  // The rider on the way can go no further: another one begins anew. What has been fetched stays fetched.
  { event: 'assigned', from: 'in_progress', to: 'open' },
  { event: 'started', from: 'open', to: 'in_progress' },
  { event: 'completed', from: 'in_progress', to: 'completed' },
  { event: 'failed', from: 'in_progress', to: 'failed' },
  // By the sender: nobody is under way yet, or somebody was in vain. Who had it keeps it.
  { event: 'rescheduled', from: 'new', to: 'new' },
  { event: 'rescheduled', from: 'open', to: 'open' },
  { event: 'rescheduled', from: 'failed', to: 'open' },
  { event: 'cancelled', from: 'new', to: 'failed' },
  { event: 'cancelled', from: 'open', to: 'failed' },
  { event: 'cancelled', from: 'failed', to: 'failed' },
] as const satisfies readonly { event: string; from: TaskStatus; to: TaskStatus }[]

export type PickupEvent = (typeof transitions)[number]['event']

/** Nothing follows a cancellation. */
export type PickupState = { status: TaskStatus; cancelled: boolean }

/** The status after an event; null when the table has no such transition. */
export function nextPickupStatus({ status, cancelled }: PickupState, event: PickupEvent): TaskStatus | null {
  if (cancelled) return null
  return transitions.find((line) => line.event === event && line.from === status)?.to ?? null
}
