import type { ApprovalStatus } from '@waybill/contract/orders/approvals'

/**
 * The life of a request for approval as data: whatever it comes to, it comes to once. The order is paid with `approve`,
 * and ends with everything else.
 */
export const approvalSteps = [
  { event: 'approve', from: 'pending', to: 'approved' },
  { event: 'decline', from: 'pending', to: 'declined' },
  // Whoever asked, or whoever may, gives the checkout up or cancels its parcels.
  { event: 'withdraw', from: 'pending', to: 'withdrawn' },
  { event: 'expire', from: 'pending', to: 'expired' },
] as const satisfies readonly { event: string; from: ApprovalStatus; to: ApprovalStatus }[]

export type ApprovalEvent = (typeof approvalSteps)[number]['event']

/** The status after an event; null when there is no such step. */
export function nextApprovalStatus(status: ApprovalStatus, event: ApprovalEvent): ApprovalStatus | null {
  return approvalSteps.find((step) => step.event === event && step.from === status)?.to ?? null
}
