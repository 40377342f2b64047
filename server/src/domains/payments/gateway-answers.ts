import type { Deps } from '../../deps.ts'
import { addJob } from '../../jobs.ts'
import { later, minutes } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { type Enquiry, failureOf, type GatewayAnswer, readAnswer, requery } from '../../lib/ipay88.ts'
import { findByReference, type PaymentRow } from './queries.ts'
import { type GatewayMessage, type GatewayTroubleKind, insertGatewayMessage } from './queries-gateway.ts'
import { enquiryTimeoutMs, whyRefused } from './rules.ts'
import { settlePaid, settleUnpaid } from './settle.ts'

/** What came of asking: the payment is settled; it is still open; the gateway could not be asked. */
export type Asked = 'settled' | 'open' | 'unavailable'

/**
 * Asks the gateway about a payment and acts on what it says: only this makes a payment believed or given up. `hint`: what a post has said; a refusal lets an
 * unknown payment count as failed, since then nothing was ever begun.
 */
export async function askGateway(
  deps: Deps,
  payment: PaymentRow,
  timeoutMs: number,
  hint: GatewayAnswer | null = null,
): Promise<Asked> {
  const { merchantCode, enquiryUrl } = deps.config.ipay88
  const asked = { merchantCode, reference: payment.reference, amountMinor: payment.amount_minor }
  const { enquiry, text } = await requery(enquiryUrl, asked, timeoutMs)
  // A page that waits asks every few seconds; "not yet" is not worth a row each time.
  if (enquiry !== 'not_found' || hint) {
    await note(
      deps,
      'enquiry',
      payment.id,
      { text },
      {
        accepted: enquiry !== 'unavailable',
        reason: enquiry,
        trouble: troubleOf(enquiry, hint),
      },
    )
  }
  if (enquiry === 'paid') {
    await settlePaid(deps, payment, hint?.transactionId || null)
    return 'settled'
  }
  if (enquiry === 'unavailable') return 'unavailable'
  if (enquiry === 'wrong_amount') {
    deps.log.error({ paymentId: payment.id }, 'the gateway holds another amount for a payment than we do')
  }
  const refused = hint?.status === '0'
  const given = hint?.status === '1' // says that it is paid: stays open until the gateway says the same when asked
  if ((enquiry === 'failed' && !given) || (enquiry === 'not_found' && refused)) {
    await settleUnpaid(deps, payment, 'failed', refused ? failureOf(hint.errorText) : 'other')
    return 'settled'
  }
  return 'open'
}

/** Whether somebody has to look at what the gateway answered: it holds another amount, or it knows nothing of a payment that a post of its own has called paid. */
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

export type Taken = {
  /** Null when the reference is none of ours. */
  payment: PaymentRow | null
  /** `received`: nothing more is needed; `refused`: not believed; `later`: the gateway could not be asked, the post should come again. */
  outcome: 'received' | 'refused' | 'later'
}

/**
 * Takes one of the gateway's posts, however often and in whatever order they come. What does not fit our own payment is kept as refused and changes nothing;
 * what fits is believed only after a re-query.
 */
export async function takeAnswer(
  deps: Deps,
  source: 'response' | 'backend',
  fields: Record<string, string>,
): Promise<Taken> {
  const answer = readAnswer(fields)
  const payment = (await findByReference(deps.db, answer.reference)) ?? null
  const refusal = whyRefused(deps.config.ipay88, answer, payment ?? undefined)
  if (refusal !== null || !payment) {
    await note(deps, source, payment?.id ?? null, fields, { accepted: false, reason: refusal, trouble: 'refused' })
    deps.log.warn({ paymentId: payment?.id, reason: refusal }, 'a post of the gateway was refused')
    return { payment, outcome: 'refused' }
  }
  const settledBefore = payment.status === 'succeeded'
  await note(deps, source, payment.id, fields, {
    accepted: true,
    reason: settledBefore ? 'repeated' : null,
    trouble: null,
  })
  if (settledBefore || answer.status === '6') return { payment, outcome: 'received' }
  const asked = await askGateway(deps, payment, enquiryTimeoutMs, answer)
  if (asked === 'settled') return { payment, outcome: 'received' }
  const runAt = later(deps.clock.now(), minutes(1))
  await addJob(deps.db, 'payments:check', { paymentId: payment.id }, { runAt, key: `payments:check ${payment.id}` })
  return { payment, outcome: 'later' }
}
