import type { AccountStatus } from '@waybill/contract/ground/enums/enums'
import type { Look } from '@waybill/contract/ground/status/status-look'
import type { ApprovalStatus } from '@waybill/contract/orders/approvals'

export const memberLooks: Record<AccountStatus, Look> = {
  active: { tone: 'success', icon: 'check' },
  inactive: { tone: 'waiting', icon: 'clock' },
  blacklisted: { tone: 'danger', icon: 'cross' },
}

export const approvalLooks: Record<ApprovalStatus, Look> = {
  pending: { tone: 'waiting', icon: 'clock' },
  approved: { tone: 'success', icon: 'check' },
  declined: { tone: 'danger', icon: 'cross' },
  withdrawn: { tone: 'neutral', icon: 'back' },
  expired: { tone: 'neutral', icon: 'clock' },
}
