import type { Deps } from './deps.ts'
import { resendCode, sendReset } from './domains/accounts/service.ts'
import { tellFailedWork } from './domains/failed-work/jobs.ts'
import { expireUnpaid, makeStatements } from './domains/orders/service.ts'
import { bookCarrier, bookCarriers } from './domains/parcels/bookings.ts'
import { trackCarriers } from './domains/parcels/carrier-tracking.ts'
import { closeSilent, keepCollectionDays, readBulk, recallAbandoned, tellStuck } from './domains/parcels/service.ts'
import { checkPayment, expirePayment, payOutWeekly } from './domains/payments/service.ts'
import { keepTrialBalance } from './domains/wallet/service.ts'
import { ensurePartitions, sweep } from './housekeeping.ts'
import type { JobName, JobRun, Jobs } from './jobs.ts'
import { sendMail } from './mail-send.ts'

/** Every job with the function that does it. */
export const tasks: { [N in JobName]?: (deps: Deps, payload: Jobs[N], job?: JobRun) => Promise<void> } = {
  'mail:send': sendMail,
  'accounts:resend-registration': resendCode,
  'accounts:forgot-password': sendReset,
  'payments:expire': expirePayment,
  'payments:check': checkPayment,
  'payments:cod-payout': payOutWeekly,
  'orders:expire': expireUnpaid,
  'orders:statements': makeStatements,
  'parcels:book-carrier': bookCarrier,
  'parcels:book-carriers': bookCarriers,
  'parcels:track-carriers': trackCarriers,
  'parcels:read-bulk': readBulk,
  'parcels:weights-accepted': closeSilent,
  'parcels:undelivered': recallAbandoned,
  'parcels:collection-days': keepCollectionDays,
  'parcels:tell-stuck': tellStuck,
  'parcels:ensure-partitions': (deps) => ensurePartitions(deps.db, deps.clock.now()),
  'housekeeping:sweep': sweep,
  'wallet:trial-balance': keepTrialBalance,
  'failed-work:tell': tellFailedWork,
}
