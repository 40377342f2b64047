/** Reports of the gateway, by post and by re-query. */
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { hours, minutes } from '../../../lib/clock.ts'
import { findByReference, type PaymentRow } from '../queries.ts'
import { enquiryTimeoutMs, lastLookHours, refusalReason } from '../rules.ts'
import { type Enquiry, failureReason, type GatewayAnswer, keptFields, parseGatewayPost, requery } from './ipay88.ts'
import { storeMessage } from './messages.ts'
import { type GatewayMessage, type GatewayTroubleKind, hasValidPaidPost } from './queries.ts'
import { scheduleCheck, settlePaid, settleUnpaid } from './settle.ts'

/**
 * The result of a re-query: the payment is settled; still open; reported as paid by a signed post, but neither
 * confirmed nor denied today; or the gateway did not respond.
 */
export type EnquiryOutcome = 'settled' | 'open' | 'unconfirmed' | 'unavailable'

/**
 * Queries the gateway about a payment and acts on its response. Only this settles or ends a payment. `hint`: what a
 * post reported; if it reported a failure, an unknown payment counts as failed, because nothing was ever started.
 */
export async function checkGateway(
  deps: Deps,
  payment: PaymentRow,
  timeoutMs: number,
  hint: GatewayAnswer | null = null,
): Promise<EnquiryOutcome> {
  const { merchantCode, enquiryUrl } = deps.config.ipay88
  const request = { merchantCode, reference: payment.reference, amountMinor: payment.amount_minor }
  const { enquiry, text } = await requery(enquiryUrl, request, timeoutMs)
  // The gateway gives no result: its administrators are handling it, or we queried it too often today.
  const unconfirmed = enquiry === 'refused' && (hint?.status === '1' || (await hasValidPaidPost(deps.db, payment.id)))
  // A waiting page polls repeatedly, so "not yet" is not stored each time.
  if (enquiry !== 'not_found' || hint) {
    await note(deps, {
      source: 'enquiry',
      paymentId: payment.id,
      payload: { text },
      accepted: enquiry !== 'unavailable',
      reason: enquiry,
      trouble: unconfirmed ? 'unconfirmed' : findTrouble(enquiry, hint),
    })
  }
  if (enquiry === 'paid') {
    await settlePaid(deps, payment, hint?.transactionId || null)
    return 'settled'
  }
  if (enquiry === 'unavailable') return 'unavailable'
  if (unconfirmed) {
    deps.log.error({ paymentId: payment.id, text }, 'the gateway called a payment paid and does not confirm it')
    return 'unconfirmed'
  }
  if (enquiry === 'wrong_amount') {
    deps.log.error({ paymentId: payment.id }, 'the gateway holds another amount for a payment than we do')
  }
  const refused = hint?.status === '0'
  // A payment that was reported as paid stays open until a re-query confirms it.
  const reportedPaid = hint?.status === '1'
  if ((enquiry === 'failed' && !reportedPaid) || (enquiry === 'not_found' && refused)) {
    await settleUnpaid(deps, payment, 'failed', refused ? failureReason(hint.errorText) : 'other')
    return 'settled'
  }
  return 'open'
}

/** Whether staff must look at a response: another amount, or an unknown payment that a post reported as paid. */
function findTrouble(enquiry: Enquiry, hint: GatewayAnswer | null): GatewayTroubleKind | null {
  if (enquiry === 'wrong_amount') return 'wrong_amount'
  const takenBack = enquiry === 'failed' || enquiry === 'not_found'
  return takenBack && hint?.status === '1' ? 'contradiction' : null
}

/** Stores a message of the gateway on its own. */
async function note(deps: Deps, message: Omit<GatewayMessage, 'id' | 'at'>): Promise<void> {
  await tx(deps.db, (trx) => storeMessage(deps, trx, message))
}

export type AcceptedAnswer = {
  /** Null if the reference is unknown. */
  payment: PaymentRow | null
  /**
   * `received`: done; `refused`: rejected as untrustworthy; `later`: the gateway did not respond, so the post should
   * be repeated.
   */
  outcome: 'received' | 'refused' | 'later'
}

/**
 * Handles a post of the gateway. Posts may come any number of times and in any order. One that contradicts our payment
 * is stored as refused and changes nothing; any other is only trusted after a re-query.
 */
export async function handleGatewayPost(
  deps: Deps,
  source: 'response' | 'backend',
  fields: Record<string, string>,
): Promise<AcceptedAnswer> {
  const answer = parseGatewayPost(fields)
  const payment = (await findByReference(deps.db, answer.reference)) ?? null
  const refusal = refusalReason(deps.config.ipay88, answer, payment ?? undefined)
  if (!payment) {
    // Anybody can send such a post, so it is logged but not stored.
    deps.log.warn({ reference: answer.reference.slice(0, 40) }, 'a post of the gateway names no payment of ours')
    return { payment, outcome: 'refused' }
  }
  const post = { source, payload: keptFields(fields) }
  if (refusal !== null) {
    await note(deps, { ...post, paymentId: payment.id, accepted: false, reason: refusal, trouble: 'refused' })
    deps.log.warn({ paymentId: payment.id, reason: refusal }, 'a post of the gateway was refused')
    return { payment, outcome: 'refused' }
  }
  const settledBefore = payment.status === 'succeeded'
  await note(deps, {
    ...post,
    paymentId: payment.id,
    accepted: true,
    reason: settledBefore ? 'repeated' : null,
    trouble: null,
  })
  if (settledBefore || answer.status === '6') return { payment, outcome: 'received' }
  const enquiryOutcome = await checkGateway(deps, payment, enquiryTimeoutMs, answer)
  if (enquiryOutcome === 'settled') return { payment, outcome: 'received' }
  // Repeating the post on the same day would not help, so the gateway may stop.
  const unconfirmed = enquiryOutcome === 'unconfirmed'
  await scheduleCheck(deps, deps.db, payment.id, unconfirmed ? hours(lastLookHours) : minutes(1))
  return { payment, outcome: unconfirmed ? 'received' : 'later' }
}
