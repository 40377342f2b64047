// After a failed delivery the sender is asked what to do. Without an answer by the deadline the parcel is returned.
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId } from '../../../http/caller.ts'
import { forEachBatch } from '../../../jobs/each-item.ts'
import { dayIn, days, hours, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import type { ParcelRow } from '../queries.ts'
import { notifyReceiver } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { decideUntil, lastHours } from './options.ts'
import { abandonedParcels, type ChoiceRow, failedParcels, findLastFailure, insertChoices } from './queries.ts'
import { makeLinkToken } from './receiver-link.ts'

/**
 * Mails the sender and the receiver after a failed delivery; the receiver gets a link to the delivery choice. If
 * another carrier has the parcel, there is none: only the sender gets a mail, because the carrier informs the receiver.
 */
export const askAfterFailure: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const parcelIds = moves.filter(({ event }) => event === 'attempt_failed').map(({ parcelId }) => parcelId)
  if (parcelIds.length === 0) return
  for (const row of await failedParcels(trx, parcelIds)) {
    const failure = await findLastFailure(trx, row)
    if (!failure) continue
    const what = {
      receiver: row.receiver?.contactName ?? '',
      number: row.tracking_number,
      reason: fact.phrase(`failureReason.${failure.reason ?? 'other'}`),
    }
    const sender = { to: { users: [row.created_by] }, subjectId: row.id }
    if (isWithOtherCarrier(row)) {
      await notify(deps, trx, { kind: 'delivery_failed_carrier', ...sender, facts: what })
      continue
    }
    const until = decideUntil(deps, failure)
    const link = `${deps.config.http.publicUrl}/public/delivery/${makeLinkToken(deps, row.id, failure.attempt, until)}`
    const facts = { ...what, until: fact.day(dayIn(until, deps.settings.get('timezone'))) }
    await notify(deps, trx, { kind: 'delivery_failed', ...sender, facts })
    await notifyReceiver(deps, trx, row, 'delivery_failed_receiver', { ...facts, url: link })
  }
}

const batch = 200

/** The job that returns parcels without a choice by the deadline, and mails their senders. */
export async function recallAbandoned(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const { settings } = deps
  const limits = {
    lastAttempt: settings.get('delivery.maxAttempts'),
    failedBefore: later(now, -days(settings.get('delivery.decideDays'))),
    lastFailedBefore: later(now, -hours(lastHours)),
  }
  await forEachBatch(
    deps.db,
    batch,
    (trx, limit, except) => abandonedParcels(trx, limits, limit, except),
    (trx, rows) => recall(deps, trx, rows, now),
  )
}

async function recall(
  deps: Deps,
  trx: Tx,
  rows: readonly (ParcelRow & { attempts: number })[],
  now: Date,
): Promise<void> {
  await insertChoices(
    trx,
    rows.map((row) => systemRecall(row, now)),
  )
  await transitionParcels(deps, trx, rows, 'recalled', { actorId: null, detail: { recallReason: 'undelivered' } })
  // On a return the failed delivery was at the sender's own door.
  for (const row of rows.filter(({ leg }) => leg === 'outbound')) {
    await notify(deps, trx, {
      kind: 'delivery_given_up',
      to: { users: [row.created_by] },
      subjectId: row.id,
      facts: { receiver: row.receiver?.contactName ?? '', number: row.tracking_number },
    })
  }
}

function systemRecall(row: ParcelRow & { attempts: number }, at: Date): ChoiceRow {
  return {
    account_id: asAccountId(row.account_id) as AccountId, // a job serves every account
    parcel_id: row.id,
    attempt: row.attempts,
    id: newId(),
    kind: 'recall',
    chosen_by: 'system',
    user_id: null,
    retry_on: null,
    station_id: null,
    receiver_before: null,
    price_before: null,
    paid_minor: 0,
    paid_order_id: null,
    fee_minor: 0,
    currency: row.currency,
    at,
  }
}
