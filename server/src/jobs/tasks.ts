/** The functions that run the queued jobs. */
import { readFromReplicas } from '../db/replicas/read-scope.ts'
import type { Deps } from '../deps.ts'
import { eraseStored } from '../domains/account-closure/jobs.ts'
import { sendReset } from '../domains/accounts/profile/own-user.ts'
import { resendCode } from '../domains/accounts/sign-in/registration.ts'
import { readImportFile } from '../domains/addresses/import/read-import.ts'
import { saveImport } from '../domains/addresses/import/save-import.ts'
import { addUpFigures, recountAllFigures } from '../domains/dashboard/jobs.ts'
import { notifyFailedWork } from '../domains/failed-work/jobs.ts'
import { deliverWebhooks } from '../domains/integrations/webhooks/jobs.ts'
import { deliverNotifications } from '../domains/notifications/deliver.ts'
import { sendPush } from '../domains/notifications/push/send-push.ts'
import { makeDossier } from '../domains/orders/dossier/jobs.ts'
import { makeStatements } from '../domains/orders/monthly-billing/statements.ts'
import { expireUnpaid } from '../domains/orders/service.ts'
import { readBulk } from '../domains/parcels/bulk-rows/read-file.ts'
import { bookCarrier, bookCarriers } from '../domains/parcels/carrier-handover/bookings.ts'
import { trackCarriers } from '../domains/parcels/carrier-handover/tracking.ts'
import { recallAbandoned } from '../domains/parcels/failed-delivery/jobs.ts'
import { reportFound } from '../domains/parcels/lost/jobs.ts'
import { notifyStuckParcels } from '../domains/parcels/scanning/jobs.ts'
import { enforceCollectionDays } from '../domains/parcels/self-collection/holding.ts'
import { closeSilent } from '../domains/parcels/weighing/answers.ts'
import { payOutAccount, payOutWeekly } from '../domains/payments/cod/service.ts'
import { checkPayment, expirePayment } from '../domains/payments/jobs.ts'
import { makeReportFile } from '../domains/reports/files/jobs.ts'
import { closeLapsedTickets } from '../domains/tickets/jobs.ts'
import { mailFollowers } from '../domains/tracking/following/jobs.ts'
import { pushFollower } from '../domains/tracking/following/push-followers.ts'
import { saveNightlyTrialBalance } from '../domains/wallet/ledger/books.ts'
import { ensurePartitions, sweep } from './housekeeping.ts'
import type { JobName, JobRun, Jobs } from './jobs.ts'
import { sendMailJob } from './send-mail.ts'

/** Resolves with 'dropped' if the work had become useless and was left undone. */
type Task<N extends JobName> = (deps: Deps, payload: Jobs[N], job?: JobRun) => Promise<unknown>
export type Tasks = { [N in JobName]?: Task<N> }

/** Every kind of job and the function that runs it. */
export const tasks: Tasks = {
  'mail:send': sendMailJob,
  'notifications:deliver': deliverNotifications,
  'notifications:push': sendPush,
  'accounts:resend-registration': resendCode,
  'accounts:forgot-password': sendReset,
  'account-closure:erase': eraseStored,
  'addresses:read-import': readImportFile,
  'addresses:save-import': saveImport,
  'dashboard:add-up': addUpFigures,
  'dashboard:recount': recountAllFigures,
  'payments:expire': expirePayment,
  'payments:check': checkPayment,
  'payments:cod-payout': payOutWeekly,
  'payments:cod-pay-account': payOutAccount,
  'orders:expire': expireUnpaid,
  'orders:make-dossier': (deps, payload, job) => readFromReplicas(() => makeDossier(deps, payload, job)),
  'orders:statements': makeStatements,
  'parcels:book-carrier': bookCarrier,
  'parcels:book-carriers': bookCarriers,
  'parcels:track-carriers': trackCarriers,
  'parcels:read-bulk': readBulk,
  'parcels:weights-accepted': closeSilent,
  'parcels:undelivered': recallAbandoned,
  'parcels:collection-days': enforceCollectionDays,
  'parcels:report-found': reportFound,
  'parcels:tell-stuck': notifyStuckParcels,
  'parcels:ensure-partitions': (deps) => ensurePartitions(deps.db, deps.clock.now()),
  'reports:make-file': makeReportFile,
  'tickets:deadlines': closeLapsedTickets,
  'tracking:mail-followers': mailFollowers,
  'tracking:push-follower': pushFollower,
  'webhooks:deliver': deliverWebhooks,
  'webhooks:retry': deliverWebhooks,
  'housekeeping:sweep': sweep,
  'wallet:trial-balance': saveNightlyTrialBalance,
  'failed-work:tell': notifyFailedWork,
}
