// Mails about parcels without progress.
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { forEachBatch } from '../../../jobs/each-item.ts'
import { dayIn, hours, later } from '../../../lib/clock.ts'
import { notify } from '../../notifications/notify.ts'
import { lockStuckParcels, markStuckReported, type StuckParcel } from './queries-stuck.ts'

const batch = 500
/** The maximum number of tracking numbers in one mail; a company may have hundreds of stuck parcels. */
const maxNamed = 20

/**
 * The job that mails senders about parcels that are late or were not scanned for too long. Each parcel is reported
 * once, several parcels of a sender in one mail.
 */
export async function notifyStuckParcels(deps: Deps): Promise<void> {
  const at = deps.clock.now()
  const silentSince = later(at, -hours(deps.settings.get('tracking.silenceHours')))
  const today = dayIn(at, deps.settings.get('timezone'))
  await forEachBatch(
    deps.db,
    batch,
    (trx, limit, except) => lockStuckParcels(trx, { silentSince, today }, limit, except),
    async (trx, rows) => {
      await markStuckReported(
        trx,
        rows.map(({ id }) => id),
        at,
      )
      await notifySenders(deps, trx, rows)
    },
  )
}

async function notifySenders(deps: Deps, trx: Tx, rows: readonly StuckParcel[]): Promise<void> {
  for (const [userId, own] of Map.groupBy(rows, (row) => row.created_by)) {
    const silent = own.filter((row) => row.silent)
    const late = own.filter((row) => !row.silent)
    if (silent.length > 0) await notifySender(deps, trx, userId, 'parcel_stuck', silent)
    if (late.length > 0) await notifySender(deps, trx, userId, 'parcel_late', late)
  }
}

async function notifySender(
  deps: Deps,
  trx: Tx,
  userId: string,
  kind: 'parcel_stuck' | 'parcel_late',
  rows: readonly StuckParcel[],
): Promise<void> {
  const [first] = rows
  const numbers = rows.slice(0, maxNamed).map(({ tracking_number }) => tracking_number)
  await notify(deps, trx, {
    kind,
    to: { users: [userId] },
    subjectId: first?.id,
    items: rows.length,
    facts: {
      number: first?.tracking_number ?? '',
      numbers: numbers.join('\n') + (rows.length > maxNamed ? '\n…' : ''),
      hours: deps.settings.get('tracking.silenceHours'),
    },
  })
}
