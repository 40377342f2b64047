import { lookup } from '@waybill/contract/ground/enums'
import { cardChannels, gatewayChannels } from '@waybill/contract/payments/payments'
import type { Posting } from '../wallet/rules.ts'
import { type GatewayAnswer, type Merchant, parseAmount, sameText, signatureFits } from './gateway/ipay88.ts'

/**
 * Pauses before a page that waits for a payment makes us ask the gateway again; the last one from then on. The gateway
 * answers only so many questions a day about one payment, so an open page must not use them up.
 */
export const askPauseSeconds = [0, 5, 10, 30, 60] as const
/** How long the gateway may take to answer a re-query; less while a page waits. */
export const pollTimeoutMs = 3000
export const enquiryTimeoutMs = 8000
/** After an unpaid end the gateway is asked once more this much later: money that came without a word is found. */
export const lastLookHours = 24

/**
 * Our number for a payment at the gateway: `P` and the id in base 36, at most 26 of the 30 characters that it takes.
 */
export function gatewayReference(paymentId: string): string {
  return `P${BigInt(`0x${paymentId.replaceAll('-', '')}`)
    .toString(36)
    .toUpperCase()}`
}

/**
 * The gateway's number for the bank, wallet or card that a customer chose; a card where nothing was chosen. Null: the
 * gateway has no such way for this currency.
 */
export function gatewayChannel(currency: string, wanted: number | undefined): number | null {
  const card = lookup(cardChannels, currency) ?? null
  if (wanted === undefined || wanted === card) return card
  return currency === 'MYR' && gatewayChannels.some(({ id }) => id === wanted) ? wanted : null
}

/** What our own books say about a payment that the gateway speaks of. */
export type Known = { amount_minor: number; currency: string } | undefined

/**
 * Why an answer is not to be believed; null when it may be. Everything is compared with our own payment, not only the
 * signature. A refusal without a signature is let through as a hint: it can only lead to a re-query.
 */
export function refusalReason(merchant: Merchant, answer: GatewayAnswer, payment: Known): string | null {
  if (!payment) return 'reference'
  if (!sameText(answer.merchantCode, merchant.merchantCode)) return 'merchant'
  if (answer.signature === '' && answer.status === '0') return null
  if (!signatureFits(merchant, answer)) return 'signature'
  if (parseAmount(answer.amount) !== payment.amount_minor) return 'amount'
  if (answer.currency !== payment.currency) return 'currency'
  return ['0', '1', '6'].includes(answer.status) ? null : 'status'
}

/** The postings of a paid order: from where its money is to what was earned and what is the state's. */
export function orderPostings(from: Omit<Posting, 'amountMinor'>, totalMinor: number, taxMinor: number): Posting[] {
  return [
    { ...from, amountMinor: -totalMinor },
    { book: 'revenue', amountMinor: totalMinor - taxMinor },
    { book: 'tax', amountMinor: taxMinor },
  ]
}
