/** The dashboard. */
import { decide } from '@waybill/contract/ground/access'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  labelValues,
  type ParcelStatus,
  parcelStatusLabels,
  type TrackingStatus,
  trackingStatusLabels,
} from '@waybill/contract/ground/enums'
import type { getDashboard } from '@waybill/contract/reports/dashboard'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { days, hours, later } from '../../lib/clock.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { endStatuses, movingStatuses, toTrackingStatus } from '../parcels/status.ts'
import { walletBalance } from '../wallet/ledger/service.ts'
import { countByStatus, countPerDay, countSilent } from './queries.ts'

const lookBackDays = 30

const ends: readonly ParcelStatus[] = endStatuses
const openStatuses = labelValues(parcelStatusLabels).filter((status) => !ends.includes(status))
const deliveredStatuses: readonly ParcelStatus[] = ['completed', 'collected']

/**
 * Tasks of the customer for today, then figures: open parcels in total, ended ones of the last 30 days. The balance
 * only for users who may see the wallet.
 */
export async function readDashboard(deps: Deps, caller: CustomerCaller): Promise<ResponseOf<typeof getDashboard>> {
  const { db, settings, clock } = deps
  const now = clock.now()
  const scope = { accountId: caller.accountId, createdBy: onlyCreatedBy(caller) }
  const seesWallet = decide('wallet.view', caller) === 'pass'
  const [counts, stuck, perDay, balance] = await Promise.all([
    countByStatus(db, scope, openStatuses, ends, later(now, -days(lookBackDays))),
    countSilent(db, scope, movingStatuses, later(now, -hours(settings.get('tracking.silenceHours')))),
    countPerDay(db, scope, deliveredStatuses, settings.get('timezone'), now, lookBackDays),
    seesWallet ? walletBalance(db, caller.accountId, settings.get('currency')) : null,
  ])
  const count = (...statuses: ParcelStatus[]) =>
    counts.filter(({ status }) => statuses.includes(status)).reduce((sum, row) => sum + row.count, 0)
  const byTrackingStatus = Object.fromEntries(labelValues(trackingStatusLabels).map((status) => [status, 0])) as Record<
    TrackingStatus,
    number
  >
  for (const row of counts) byTrackingStatus[toTrackingStatus(row.status, row.handed_over)] += row.count
  return {
    todo: {
      drafts: count('pending'),
      inCart: count('incart'),
      unpaid: count('pending_payment'),
      outstanding: count('outstanding'),
      toHandOver: count('pending_pickup', 'pending_dropoff'),
      failedDeliveries: count('fail-to-deliver'),
      stuck,
    },
    silenceHours: settings.get('tracking.silenceHours'),
    byTrackingStatus,
    perDay,
    walletBalanceMinor: balance,
    currency: settings.get('currency'),
  }
}
