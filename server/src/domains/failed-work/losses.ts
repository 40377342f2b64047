/** Which failed work staff may discard, and what is lost with it. */
import type { DiscardLoss, FailedWorkKind } from '@waybill/contract/failed-work/failed-work'
import type { JobName } from '../../jobs/jobs.ts'
import type { OutboxTopic } from '../../outbox/outbox.ts'

/**
 * Null: cannot be discarded. The job books money, changes records, or erases data; or it is a scheduled job, which is
 * listed only until its next run succeeds.
 */
const lossByJob: Record<JobName, DiscardLoss | null> = {
  'mail:send': 'message',
  'parcels:report-found': 'message',
  'notifications:push': 'message',
  'accounts:resend-registration': 'message',
  'accounts:forgot-password': 'message',
  'tracking:mail-followers': 'message',
  'tracking:push-follower': 'message',
  'addresses:read-import': 'file',
  'parcels:read-bulk': 'file',
  'orders:make-dossier': 'file',
  'reports:make-file': 'file',
  // `parcels:book-carriers` takes the same steps every minute.
  'parcels:book-carrier': 'time',
  // Deliveries are stored, and the next event of the webhook sends them.
  'webhooks:deliver': 'time',
  'webhooks:retry': 'time',
  'account-closure:erase': null,
  // Its import would stay half saved.
  'addresses:save-import': null,
  'dashboard:recount': null,
  'payments:expire': null,
  'payments:check': null,
  'payments:cod-pay-account': null,
  'notifications:deliver': null,
  'dashboard:add-up': null,
  'payments:cod-payout': null,
  'orders:statements': null,
  'orders:expire': null,
  'parcels:book-carriers': null,
  'parcels:track-carriers': null,
  'parcels:weights-accepted': null,
  'parcels:undelivered': null,
  'parcels:collection-days': null,
  'parcels:tell-stuck': null,
  'parcels:ensure-partitions': null,
  'tickets:deadlines': null,
  'housekeeping:sweep': null,
  'wallet:trial-balance': null,
  'failed-work:tell': null,
}

/** The subscribers of these three only notify. Those of the others change orders, payments, approvals or the ledger. */
const lossByTopic: Record<OutboxTopic, DiscardLoss | null> = {
  'wallet.moved': 'message',
  'payment.settled': 'message',
  'parcel.found': 'message',
  'parcel.moved': null,
  'parcel.deleted': null,
  'order.cancelled': null,
  'checkout.parcel_left': null,
  'company.member_limited': null,
  'company.owner_changed': null,
  'cod.collected': null,
}

/** What is lost if failed work is discarded; null if it must not be. Work of another release must not. */
export function findLoss({ kind, name }: { kind: FailedWorkKind; name: string }): DiscardLoss | null {
  const losses: Partial<Record<string, DiscardLoss | null>> = kind === 'job' ? lossByJob : lossByTopic
  return losses[name] ?? null
}
