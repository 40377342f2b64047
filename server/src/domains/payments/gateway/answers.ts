import type { Deps } from '../../../deps.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { hours, later, minutes } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { findByReference, type PaymentRow } from '../queries.ts'
import { enquiryTimeoutMs, lastLookHours, refusalReason } from '../rules.ts'
import { type Enquiry, failureReason, type GatewayAnswer, keptFields, parseGatewayPost, requery } from './ipay88.ts'
import { type GatewayMessage, type GatewayTroubleKind, hasValidPaidPost, insertGatewayMessage } from './queries.ts'
import { settlePaid, settleUnpaid } from './settle.ts'

/**
 * What came of asking: the payment is settled; it is still open; a signed post called it paid, and the gateway neither
 * confirms nor denies it today; the gateway could not be asked.
 */
export type Asked = 'settled' | 'open' | 'unconfirmed' | 'unavailable'

/**
 * Asks the gateway about a payment and acts on what it says: only this makes a payment believed or given up. `hint`:
 * what a post has said; a refusal lets an unknown payment count as failed, since then nothing was ever begun.
 */
export async function checkGateway(
  deps: Deps,
  payment: PaymentRow,
  timeoutMs: number,
  hint: GatewayAnswer | null = null,
): Promise<Asked> {
  const { merchantCode, enquiryUrl } = deps.config.ipay88
  const asked = { merchantCode, reference: payment.reference, amountMinor: payment.amount_minor }
  const { enquiry, text } = await requery(enquiryUrl, asked, timeoutMs)
  // The gateway does not say: its administrators look at it, or we have asked too often today.
  const unconfirmed = enquiry === 'refused' && (hint?.status === '1' || (await hasValidPaidPost(deps.db, payment.id)))
  // A page that waits asks again and again; "not yet" is not worth a row each time.
  if (enquiry !== 'not_found' || hint) {
    await note(
      deps,
      'enquiry',
      payment.id,
      { text },
      {
        accepted: enquiry !== 'unavailable',
        reason: enquiry,
        trouble: unconfirmed ? 'unconfirmed' : troubleOf(enquiry, hint),
      },
    )
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
  const given = hint?.status === '1' // says that it is paid: stays open until the gateway says the same when asked
  if ((enquiry === 'failed' && !given) || (enquiry === 'not_found' && refused)) {
    await settleUnpaid(deps, payment, 'failed', refused ? failureReason(hint.errorText) : 'other')
    return 'settled'
  }
  return 'open'
}

/**
 * Whether somebody has to look at what the gateway answered: it holds another amount, or it knows nothing of a payment
 * that a post of its own has called paid.
 */
function troubleOf(enquiry: Enquiry, hint: GatewayAnswer | null): GatewayTroubleKind | null {
  if (enquiry === 'wrong_amount') return 'wrong_amount'
  const takenBack = enquiry === 'failed' || enquiry === 'not_found'
  return takenBack && hint?.status === '1' ? 'contradiction' : null
}

/** Keeps what the gateway said. */
async function note(
  deps: Deps,
  source: GatewayMessage['source'],
  paymentId: string | null,
  payload: Record<string, string>,
  verdict: Pick<GatewayMessage, 'accepted' | 'reason' | 'trouble'>,
): Promise<void> {
  await insertGatewayMessage(deps.db, { id: newId(), paymentId, source, payload, ...verdict, at: deps.clock.now() })
}

/** Has the gateway asked about a payment again after a pause; a check that is planned already moves to then. */
export async function scheduleCheck(deps: Deps, paymentId: string, pauseMs: number): Promise<void> {
  const runAt = later(deps.clock.now(), pauseMs)
  await addJob(deps.db, 'payments:check', { paymentId }, { runAt, key: `payments:check ${paymentId}` })
}

export type Taken = {
  /** Null when the reference is none of ours. */
  payment: PaymentRow | null
  /**
   * `received`: nothing more is needed; `refused`: not believed; `later`: the gateway could not be asked, the post
   * should come again.
   */
  outcome: 'received' | 'refused' | 'later'
}

/**
 * Takes one of the gateway's posts, however often and in whatever order they come. What does not fit our own payment is
 * kept as refused and changes nothing; what fits is believed only after a re-query.
 */
export async function handleGatewayPost(
  deps: Deps,
  source: 'response' | 'backend',
  fields: Record<string, string>,
): Promise<Taken> {
  const answer = parseGatewayPost(fields)
  const payment = (await findByReference(deps.db, answer.reference)) ?? null
  const refusal = refusalReason(deps.config.ipay88, answer, payment ?? undefined)
  if (!payment) {
    // Anybody can send such a post: it leaves a line in the log and no row.
    deps.log.warn({ reference: answer.reference.slice(0, 40) }, 'a post of the gateway names no payment of ours')
    return { payment, outcome: 'refused' }
  }
  if (refusal !== null) {
    const payload = keptFields(fields)
    await note(deps, source, payment.id, payload, { accepted: false, reason: refusal, trouble: 'refused' })
    deps.log.warn({ paymentId: payment.id, reason: refusal }, 'a post of the gateway was refused')
    return { payment, outcome: 'refused' }
  }
  const settledBefore = payment.status === 'succeeded'
  await note(deps, source, payment.id, keptFields(fields), {
    accepted: true,
    reason: settledBefore ? 'repeated' : null,
    trouble: null,
  })
  if (settledBefore || answer.status === '6') return { payment, outcome: 'received' }
  const asked = await checkGateway(deps, payment, enquiryTimeoutMs, answer)
  if (asked === 'settled') return { payment, outcome: 'received' }
  // We have it, and asking again within the day would not help: the gateway may stop posting.
  const unconfirmed = asked === 'unconfirmed'
  await scheduleCheck(deps, payment.id, unconfirmed ? hours(lastLookHours) : minutes(1))
  return { payment, outcome: unconfirmed ? 'received' : 'later' }
}
