/** Rules of gateway payments. */
import { lookup } from '@waybill/contract/ground/enums/labels'
import { cardChannels, gatewayChannels } from '@waybill/contract/payments/payments'
import type { Posting } from '../wallet/rules.ts'
import { type GatewayAnswer, type Merchant, parseAmount, sameText, signatureFits } from './gateway/ipay88.ts'

/**
 * Pauses in seconds between re-queries for a waiting page; the last one repeats. The gateway limits queries per
 * payment and day, so an open page must not use them up.
 */
export const askPauseSeconds = [0, 5, 10, 30, 60] as const
/** The time limit of a re-query; shorter while a page waits. */
export const pollTimeoutMs = 3000
export const enquiryTimeoutMs = 8000
/** Hours after an unpaid end until the last re-query, which finds money that arrived unreported. */
export const lastLookHours = 24

/** Our payment number at the gateway: `P` and the id in base 36, at most 26 of its 30 characters. */
export function gatewayReference(paymentId: string): string {
  return `P${BigInt(`0x${paymentId.replaceAll('-', '')}`)
    .toString(36)
    .toUpperCase()}`
}

/**
 * The gateway's number of the selected bank, wallet or card; a card by default. Null: not available in this currency.
 */
export function gatewayChannel(currency: string, channel: number | undefined): number | null {
  const card = lookup(cardChannels, currency) ?? null
  if (channel === undefined || channel === card) return card
  return currency === 'MYR' && gatewayChannels.some(({ id }) => id === channel) ? channel : null
}

/** Our own record of a payment. */
export type PaymentFacts = { amount_minor: number; currency: string } | undefined

/**
 * Why a report is not trusted; null if it is. Everything is compared with our own payment, not only the signature. A
 * failure without a signature is accepted as a hint, because it only leads to a re-query.
 */
export function refusalReason(merchant: Merchant, answer: GatewayAnswer, payment: PaymentFacts): string | null {
  if (!payment) return 'reference'
  if (!sameText(answer.merchantCode, merchant.merchantCode)) return 'merchant'
  if (answer.signature === '' && answer.status === '0') return null
  if (!signatureFits(merchant, answer)) return 'signature'
  if (parseAmount(answer.amount) !== payment.amount_minor) return 'amount'
  if (answer.currency !== payment.currency) return 'currency'
  return ['0', '1', '6'].includes(answer.status) ? null : 'status'
}

/** The postings of a paid order: from the source of the money to revenue and tax. */
export function orderPostings(from: Omit<Posting, 'amountMinor'>, totalMinor: number, taxMinor: number): Posting[] {
  return [
    { ...from, amountMinor: -totalMinor },
    { book: 'revenue', amountMinor: totalMinor - taxMinor },
    { book: 'tax', amountMinor: taxMinor },
  ]
}
