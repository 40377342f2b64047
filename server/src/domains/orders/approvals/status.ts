/** Statuses of a request for approval. */
import type { ApprovalStatus } from '@waybill/contract/orders/approvals'

/** Every transition of a request. It is decided once: `approve` pays the order; all others end it. */
export const approvalSteps = [
  { event: 'approve', from: 'pending', to: 'approved' },
  { event: 'decline', from: 'pending', to: 'declined' },
  // A user abandons the checkout, or cancels its parcels.
  { event: 'withdraw', from: 'pending', to: 'withdrawn' },
  { event: 'expire', from: 'pending', to: 'expired' },
] as const satisfies readonly { event: string; from: ApprovalStatus; to: ApprovalStatus }[]

export type ApprovalEvent = (typeof approvalSteps)[number]['event']

/** The status after an event; null if there is no such transition. */
export function nextApprovalStatus(status: ApprovalStatus, event: ApprovalEvent): ApprovalStatus | null {
  return approvalSteps.find((step) => step.event === event && step.from === status)?.to ?? null
}
