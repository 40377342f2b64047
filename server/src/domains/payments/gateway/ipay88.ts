/**
 * The protocol of iPay88: forms, signatures, amounts, responses, re-query. Pure except `requery`; it does not access
 * the database.
 */

import { createHash, createHmac } from 'node:crypto'
import { lookup } from '@waybill/contract/ground/enums/labels'
import { sameBytes } from '../../../lib/crypto.ts'

export type SignatureType = 'HMACSHA512' | 'SHA256' | 'SHA1'
export type Merchant = { merchantCode: string; merchantKey: string; signatureType: SignatureType }

/** A payment request. Texts longer than the gateway allows are truncated. */
export type GatewayRequest = {
  /** RefNo: at most 30 characters, and unique. */
  reference: string
  amountMinor: number
  currency: string
  /** The gateway's number of the bank, card or wallet. */
  channel: number
  description: string
  userName: string
  userEmail: string
  userContact: string
  responseUrl: string
  backendUrl: string
}

/**
 * `127899` -> `1,278.99`, digit by digit: independent of floats and locales. Every currency of the gateway has two
 * decimals.
 */
export function amountText(amountMinor: number): string {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) throw new RangeError(`${amountMinor} is not an amount`)
  const digits = String(amountMinor).padStart(3, '0')
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** `1,278.99` or `1278.99` -> `127899`; null for anything else. */
export function parseAmount(text: string): number | null {
  if (!/^(\d{1,3}(,\d{3})*|\d+)\.\d{2}$/.test(text)) return null
  const minor = Number(text.replace(/[.,]/g, ''))
  return Number.isSafeInteger(minor) ? minor : null
}

function sign(merchant: Merchant, parts: string[]): string {
  const message = merchant.merchantKey + merchant.merchantCode + parts.join('')
  switch (merchant.signatureType) {
    case 'HMACSHA512':
      return createHmac('sha512', merchant.merchantKey).update(message).digest('hex')
    case 'SHA256':
      return createHash('sha256').update(message).digest('hex')
    case 'SHA1':
      return createHash('sha1').update(message).digest('base64')
  }
}

const plain = (amount: string) => amount.replace(/[.,]/g, '')

/**
 * The signature of a request: key, merchant, reference, amount without punctuation, currency. `amount` as in the form.
 */
export function requestSignature(merchant: Merchant, reference: string, amount: string, currency: string): string {
  return sign(merchant, [reference, plain(amount), currency])
}

/** The gateway's report on a payment, as its response and backend posts carry it. Missing fields are empty. */
export type GatewayAnswer = {
  merchantCode: string
  paymentId: string
  reference: string
  amount: string
  currency: string
  remark: string
  transactionId: string
  authCode: string
  /** `1` paid, `0` not paid, `6` unknown yet. */
  status: string
  errorText: string
  signature: string
}

/** The signature of a report: key, merchant, channel, reference, amount, currency, status. */
export function responseSignature(merchant: Merchant, answer: GatewayAnswer): string {
  const { paymentId, reference, amount, currency, status } = answer
  return sign(merchant, [paymentId, reference, plain(amount), currency, status])
}

/** Whether the report was signed with our key. Compares in constant time. */
export function signatureFits(merchant: Merchant, answer: GatewayAnswer): boolean {
  return sameText(responseSignature(merchant, answer), answer.signature)
}

/** Compares texts by their bytes in constant time. */
export function sameText(a: string, b: string): boolean {
  return sameBytes(Buffer.from(a), Buffer.from(b))
}

/** The form that the browser posts to the gateway's entry page. */
export function requestFields(merchant: Merchant, request: GatewayRequest): Record<string, string> {
  const amount = amountText(request.amountMinor)
  return {
    MerchantCode: merchant.merchantCode,
    PaymentId: String(request.channel),
    RefNo: request.reference,
    Amount: amount,
    Currency: request.currency,
    ProdDesc: cut(request.description, 100),
    UserName: cut(request.userName, 100),
    UserEmail: cut(request.userEmail, 100),
    UserContact: cut(request.userContact, 20),
    Remark: '',
    Lang: 'UTF-8',
    // SHA1, the oldest of the three, is the default and has no name.
    ...(merchant.signatureType === 'SHA1' ? {} : { SignatureType: merchant.signatureType }),
    Signature: requestSignature(merchant, request.reference, amount, request.currency),
    ResponseURL: request.responseUrl,
    BackendURL: request.backendUrl,
  }
}

/** Truncates at whole characters: half a surrogate pair would not survive the form's encoding. */
function cut(text: string, length: number): string {
  let shortened = ''
  for (const character of text) {
    if (shortened.length + character.length > length) break
    shortened += character
  }
  return shortened
}

const answerNames = [
  'MerchantCode',
  'PaymentId',
  'RefNo',
  'Amount',
  'Currency',
  'Remark',
  'TransId',
  'AuthCode',
  'Status',
  'ErrDesc',
  'Signature',
] as const

/** The known fields of a posted form, each truncated to the gateway's maximum, for storing. */
export function keptFields(fields: Record<string, string>): Record<string, string> {
  const entries = answerNames.map((name) => [name, fields[name]?.trim().slice(0, 200) ?? ''] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** Parses a posted form. Missing fields are empty. */
export function parseGatewayPost(fields: Record<string, string>): GatewayAnswer {
  const field = (name: string) => fields[name]?.trim() ?? ''
  return {
    merchantCode: field('MerchantCode'),
    paymentId: field('PaymentId'),
    reference: field('RefNo'),
    amount: field('Amount'),
    currency: field('Currency'),
    remark: field('Remark'),
    transactionId: field('TransId'),
    authCode: field('AuthCode'),
    status: field('Status'),
    errorText: field('ErrDesc'),
    signature: field('Signature'),
  }
}

/** The signed form that the gateway posts back; for simulated gateways. */
export function answerFields(merchant: Merchant, answer: Omit<GatewayAnswer, 'signature'>): Record<string, string> {
  return {
    MerchantCode: answer.merchantCode,
    PaymentId: answer.paymentId,
    RefNo: answer.reference,
    Amount: answer.amount,
    Currency: answer.currency,
    Remark: answer.remark,
    TransId: answer.transactionId,
    AuthCode: answer.authCode,
    Status: answer.status,
    ErrDesc: answer.errorText,
    Signature: responseSignature(merchant, { ...answer, signature: '' }),
  }
}

/**
 * The result of a re-query: `paid`; `failed` (tried and refused); `not_found` (no payment or attempt yet);
 * `wrong_amount`; `refused` (invalid, or too often today); `unavailable` (no response, or an unknown one).
 */
export type Enquiry = 'paid' | 'failed' | 'not_found' | 'wrong_amount' | 'refused' | 'unavailable'

const enquiries: Record<string, Enquiry> = {
  '00': 'paid',
  'payment fail': 'failed',
  'record not found': 'not_found',
  'incorrect amount': 'wrong_amount',
  'invalid parameters': 'refused',
  // The gateway's administrators are handling the payment.
  m88admin: 'refused',
  'limited by per day maximum number of requery': 'refused',
}

/** Parses the gateway's plain-text response to a re-query. */
export function parseEnquiry(text: string): Enquiry {
  return lookup(enquiries, text.trim().toLowerCase()) ?? 'unavailable'
}

/**
 * Queries the gateway about a payment. Never throws: no response is `unavailable`. Also returns the gateway's own
 * text, at most 200 characters.
 */
export async function requery(
  enquiryUrl: string,
  payment: { merchantCode: string; reference: string; amountMinor: number },
  timeoutMs: number,
): Promise<{ enquiry: Enquiry; text: string }> {
  const body = new URLSearchParams({
    MerchantCode: payment.merchantCode,
    RefNo: payment.reference,
    Amount: amountText(payment.amountMinor),
  })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    // A response for another payment could confirm one that the gateway does not know.
    const response = await fetch(enquiryUrl, { method: 'POST', body, redirect: 'error', signal })
    const text = (await response.text()).slice(0, 200)
    return { enquiry: response.ok ? parseEnquiry(text) : 'unavailable', text }
  } catch (error) {
    return { enquiry: 'unavailable', text: error instanceof Error ? error.name : 'no answer' }
  }
}

/** Why a payment failed, from the gateway's ErrDesc. Texts: `gateway.<reason>` in the locale files. */
export const paymentFailureReasons = {
  'duplicate reference number': 'duplicate',
  'invalid merchant': 'merchant',
  'invalid parameters': 'request',
  'overlimit per transaction': 'over_limit',
  'payment not allowed': 'not_allowed',
  'permission not allow': 'request',
  'signature not match': 'request',
  'status not approved': 'declined',
  'customer cancel transaction': 'cancelled',
  'transaction timeout': 'timeout',
  'fail(bank declined transaction)': 'declined',
} as const
export type PaymentFailureReason = (typeof paymentFailureReasons)[keyof typeof paymentFailureReasons] | 'other'

/** `Fail(Bank Declined Transaction)` -> `declined`; anything unknown is `other`. */
export function failureReason(errorText: string): PaymentFailureReason {
  const text = errorText.trim().toLowerCase()
  // The gateway adds details in brackets: `Permission not allow (referrer not registered)`.
  const match = Object.entries(paymentFailureReasons).find(
    ([reason]) => text === reason || text.startsWith(`${reason} `),
  )
  return match?.[1] ?? 'other'
}
