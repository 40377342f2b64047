// Mails about parcels without progress.
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { dayIn, hours, later } from '../../../lib/clock.ts'
import { notify } from '../../notifications/notify.ts'
import { type StuckParcel, takeStuckParcels } from './queries-stuck.ts'

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
  for (let more = true; more; ) {
    more = await tx(deps.db, async (trx) => {
      const rows = await takeStuckParcels(trx, { silentSince, today, at }, batch)
      for (const [userId, own = []] of Object.entries(Object.groupBy(rows, (row) => row.created_by))) {
        const silent = own.filter((row) => row.silent)
        const late = own.filter((row) => !row.silent)
        if (silent.length > 0) await notifySender(deps, trx, userId, 'parcel_stuck', silent)
        if (late.length > 0) await notifySender(deps, trx, userId, 'parcel_late', late)
      }
      return rows.length === batch
    })
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
