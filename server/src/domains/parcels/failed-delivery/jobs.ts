// After a failed delivery the sender is asked what to do. Without an answer by the deadline the parcel is returned.
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId } from '../../../http/caller.ts'
import { forEachBatch } from '../../../jobs/each-item.ts'
import { days, hours, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { isWalkInAccount } from '../../accounts/walk-in-sender.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import type { ParcelRow } from '../queries.ts'
import { mailParty } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { type LinkHolder, makeLinkToken } from './choice-link.ts'
import { type ChoiceDetails, collectionPoints, decideUntil, lastHours, listOptions, type OfferedTo } from './options.ts'
import { type ChoiceRow, findLastFailure, insertChoices, listAbandonedParcels, listFailedParcels } from './queries.ts'

const senderOffers = {
  retry: 'deliveryOffer.sender.retry',
  correct: 'deliveryOffer.sender.correct',
  divert: 'deliveryOffer.sender.divert',
  recall: 'deliveryOffer.sender.recall',
}

/** What sender and receiver can choose, in words that fit after "You can". */
const offerTexts: Record<OfferedTo, Partial<Record<ChoiceDetails['kind'], string>>> = {
  sender: senderOffers,
  sender_without_wallet: senderOffers,
  receiver: { retry: 'deliveryOffer.receiver.retry', divert: 'deliveryOffer.receiver.divert' },
}

/**
 * Mails the sender and the receiver after a failed delivery what they can choose. The receiver, and a sender without an
 * account, get a link to the delivery choice, if anything is open for them. If another carrier has the parcel, there is
 * no choice: only the sender gets a mail, because the carrier informs the receiver.
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
    const listOpen = (to: OfferedTo) =>
      listOptions(deps, failure, stations.length, to)
        .filter(({ open }) => open)
        .flatMap(({ kind }) => offerTexts[to][kind] ?? [])
    const facts = { ...what, until: fact.moment(until) }
    const choices = fact.oneOf(listOpen('sender'))
    await notify(deps, trx, { kind: 'delivery_failed', ...sender, facts: { ...facts, choices } })
    const offer = (to: LinkHolder) => {
      const token = makeLinkToken(deps, to, { parcelId: row.id, attempt: failure.attempt, until })
      const url = `${deps.config.http.publicUrl}/public/delivery/${token}`
      return { ...facts, choices: fact.oneOf(listOpen(to)), url }
    }
    if (listOpen('receiver').length > 0)
      await mailParty(deps, trx, row, row.receiver, 'delivery_failed_receiver', offer('receiver'))
    // The account of walk-ins has nobody who could sign in and choose.
    if (isWalkInAccount(row.account_id) && listOpen('sender_without_wallet').length > 0)
      await mailParty(deps, trx, row, row.sender, 'delivery_failed_walk_in', offer('sender_without_wallet'))
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
