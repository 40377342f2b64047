// After a failed delivery the sender is asked what to do. Without an answer by the deadline the parcel is returned.
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId } from '../../../http/caller.ts'
import { forEachBatch } from '../../../jobs/each-item.ts'
import { days, hours, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import type { ParcelRow } from '../queries.ts'
import { notifyReceiver } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { type ChoiceDetails, type Chooser, collectionPoints, decideUntil, lastHours, listOptions } from './options.ts'
import { type ChoiceRow, findLastFailure, insertChoices, listAbandonedParcels, listFailedParcels } from './queries.ts'
import { makeLinkToken } from './receiver-link.ts'

/** What sender and receiver can choose, in words that fit after "You can". */
const offerTexts: Record<Chooser['by'], Partial<Record<ChoiceDetails['kind'], string>>> = {
  sender: {
    retry: 'deliveryOffer.sender.retry',
    correct: 'deliveryOffer.sender.correct',
    divert: 'deliveryOffer.sender.divert',
    recall: 'deliveryOffer.sender.recall',
  },
  receiver: { retry: 'deliveryOffer.receiver.retry', divert: 'deliveryOffer.receiver.divert' },
}

/**
 * Mails the sender and the receiver after a failed delivery what they can choose; the receiver gets a link to the
 * delivery choice, if anything is open for them. If another carrier has the parcel, there is no choice: only the sender
 * gets a mail, because the carrier informs the receiver.
 */
export const askAfterFailure: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const parcelIds = moves.filter(({ event }) => event === 'attempt_failed').map(({ parcelId }) => parcelId)
  if (parcelIds.length === 0) return
  for (const row of await listFailedParcels(trx, parcelIds)) {
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
    const stations = await collectionPoints(deps, row)
    const listOpen = (by: Chooser['by']) =>
      listOptions(deps, failure, stations.length, by)
        .filter(({ open }) => open)
        .flatMap(({ kind }) => offerTexts[by][kind] ?? [])
    const facts = { ...what, until: fact.moment(until) }
    const choices = fact.oneOf(listOpen('sender'))
    await notify(deps, trx, { kind: 'delivery_failed', ...sender, facts: { ...facts, choices } })
    const ofReceiver = listOpen('receiver')
    if (ofReceiver.length === 0) continue
    const url = `${deps.config.http.publicUrl}/public/delivery/${makeLinkToken(deps, row.id, failure.attempt, until)}`
    const offer = { ...facts, choices: fact.oneOf(ofReceiver), url }
    await notifyReceiver(deps, trx, row, 'delivery_failed_receiver', offer)
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
    (trx, limit, except) => listAbandonedParcels(trx, limits, limit, except),
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
