/** The wallet: balance, history, top-ups and the PIN. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, instant, integer, ok, otp, pin } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia, withOrderedPeriod } from '../ground/paging.ts'
import { gatewayForm } from '../payments/payments.ts'

const base = '/api/customer/wallets'

export const wallet = z.object({
  balanceMinor: z.number(),
  currency,
  pinSet: z.boolean(),
  /** Five wrong PINs lock payments until then. */
  lockedUntil: z.nullable(instant),
})
export type Wallet = z.output<typeof wallet>

export const getWallet = endpoint({
  id: 'wallet.get',
  method: 'GET',
  path: base,
  access: 'wallet.view',
  summary: 'Balance and PIN state',
  response: wallet,
})

/** Kinds of movements; label `movement.<kind>` in the locale files. */
export const movementKinds = [
  'topup',
  'bonus',
  'order',
  'refund',
  'outstanding',
  'cod_collected',
  'cod_payout',
  'receipt',
  'cash',
  'adjustment',
  'claim',
  'withdrawal',
  'late_payment',
  'withdrawal_returned',
  'receipt_cancelled',
] as const

export const movement = z.object({
  id,
  at: instant,
  kind: z.enum(movementKinds),
  reference: z.nullable(z.string()),
  orderId: z.nullable(id),
  amountMinor: z.number(),
  balanceAfterMinor: z.number(),
})
export type Movement = z.output<typeof movement>

const historyFilters = {
  kind: z.optional(z.enum(movementKinds)),
  from: z.optional(day),
  to: z.optional(day),
}

export const walletHistory = endpoint({
  id: 'wallet.history',
  method: 'GET',
  path: `${base}/history`,
  access: 'wallet.view',
  summary: 'Movements with the running balance, newest first',
  query: withOrderedPeriod(z.extend(listQuery(['at']), historyFilters)),
  response: page(movement),
})

export const exportWalletHistory = endpoint({
  id: 'wallet.historyXls',
  method: 'GET',
  path: `${base}/history/xls`,
  access: 'wallet.view',
  summary: 'The movements that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(z.object({ ...historyFilters, format: sheetFormat })),
  media: sheetMedia,
})

/**
 * The purposes of a code sent by `otp`. Changing and resetting the PIN send their own code, because that step is part
 * of the proof.
 */
export const otpPurposes = ['wallet_pin_set'] as const

export const sendOtp = endpoint({
  id: 'wallet.otp',
  method: 'POST',
  path: `${base}/otp`,
  access: 'wallet',
  summary: 'Mails a one-time code: 6 digits, 5 minutes, single use',
  body: z.object({ purpose: z.enum(otpPurposes) }),
  response: z.object({ expiresAt: instant }),
  perMinute: 5,
})

export const verifyOtp = endpoint({
  id: 'wallet.otpVerify',
  method: 'POST',
  path: `${base}/otp/verify`,
  access: 'wallet',
  summary: 'Verifies a one-time code and returns a ticket for the next step; the code is used up',
  body: z.object({ purpose: z.enum(otpPurposes), otp }),
  response: z.object({ ticket: z.string(), expiresAt: instant }),
  perMinute: 20,
})

export const setPin = endpoint({
  id: 'wallet.pinSet',
  method: 'POST',
  path: `${base}/pin/set`,
  access: 'wallet',
  summary: 'Sets the first PIN with the ticket of a verified one-time code; 409 when there is one already',
  body: z.object({ pin, ticket: z.string().check(z.minLength(1), z.maxLength(300)) }),
  response: ok,
})

export const verifyPin = endpoint({
  id: 'wallet.pinVerify',
  method: 'POST',
  path: `${base}/pin/verify`,
  access: 'wallet',
  summary: 'Verifies the PIN; five wrong ones lock it for 15 minutes and mail the owner',
  body: z.object({ pin }),
  response: ok,
})

export const changePin = endpoint({
  id: 'wallet.pinChange',
  method: 'POST',
  path: `${base}/pin/change`,
  access: 'account.owner',
  summary: 'First step of a change: the old PIN; mails a one-time code',
  body: z.object({ pin }),
  response: z.object({ expiresAt: instant }),
})

export const changePinVerify = endpoint({
  id: 'wallet.pinChangeVerify',
  method: 'PUT',
  path: `${base}/pin/change/verify`,
  access: 'account.owner',
  summary: 'Second step of a change: the one-time code and the new PIN',
  body: z.object({ otp, pin }),
  response: ok,
})

export const forgetPin = endpoint({
  id: 'wallet.pinForget',
  method: 'POST',
  path: `${base}/pin/forget`,
  access: 'account.owner',
  summary: 'Mails a one-time code for a forgotten PIN',
  response: z.object({ expiresAt: instant }),
  perMinute: 5,
})

export const forgetPinVerify = endpoint({
  id: 'wallet.pinForgetVerify',
  method: 'PUT',
  path: `${base}/pin/forget/verify`,
  access: 'account.owner',
  summary: 'Sets a new PIN with the one-time code',
  body: z.object({ otp, pin }),
  response: ok,
})

export const topUp = endpoint({
  id: 'wallet.topup',
  method: 'POST',
  path: `${base}/topup`,
  access: 'wallet',
  summary: 'Starts a top-up by iPay88: returns the signed form to post to the gateway',
  body: z.object({
    amountMinor: integer(1),
    gatewayPaymentId: z.optional(integer(1)),
  }),
  response: gatewayForm,
  idempotent: true,
})
