/** Payments of orders and fees, from the wallet or at the gateway. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { paymentMethodLabels, paymentStatusLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, integer, pin } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'

export const paymentPurposes = ['order', 'topup'] as const

export const payment = z.object({
  id,
  purpose: z.enum(paymentPurposes),
  orderId: z.nullable(id),
  method: z.enum(labelValues(paymentMethodLabels)),
  status: z.enum(labelValues(paymentStatusLabels)),
  amountMinor: z.number(),
  currency,
  /**
   * Why it failed, in the caller's language. On a successful payment: why the money went to the wallet instead of the
   * order.
   */
  failure: z.nullable(z.string()),
  createdAt: instant,
  settledAt: z.nullable(instant),
  expiresAt: z.nullable(instant),
})
export type Payment = z.output<typeof payment>

/** Cards at the gateway by the currency that they are charged in: its PaymentId. */
export const cardChannels: Readonly<Record<string, number>> = {
  MYR: 2,
  USD: 25,
  GBP: 35,
  THB: 36,
  CAD: 37,
  SGD: 38,
  AUD: 39,
  EUR: 41,
  HKD: 42,
}

/**
 * Banks and wallets at the gateway, for payments in MYR: its PaymentId and the name that customers know. Names are
 * brands, the same in every language.
 */
export const gatewayChannels = [
  { id: 6, kind: 'bank', name: 'Maybank2U' },
  { id: 20, kind: 'bank', name: 'CIMB Clicks' },
  { id: 31, kind: 'bank', name: 'Public Bank' },
  { id: 14, kind: 'bank', name: 'RHB' },
  { id: 15, kind: 'bank', name: 'Hong Leong' },
  { id: 10, kind: 'bank', name: 'AmBank' },
  { id: 8, kind: 'bank', name: 'Alliance' },
  { id: 103, kind: 'bank', name: 'Affin' },
  { id: 102, kind: 'bank', name: 'Bank Rakyat' },
  { id: 124, kind: 'bank', name: 'BSN' },
  { id: 134, kind: 'bank', name: 'Bank Islam' },
  { id: 166, kind: 'bank', name: 'Bank Muamalat' },
  { id: 152, kind: 'bank', name: 'UOB' },
  { id: 167, kind: 'bank', name: 'OCBC' },
  { id: 168, kind: 'bank', name: 'Standard Chartered' },
  { id: 198, kind: 'bank', name: 'HSBC' },
  { id: 199, kind: 'bank', name: 'KFH' },
  { id: 405, kind: 'bank', name: 'Agrobank' },
  { id: 178, kind: 'bank', name: 'Maybank2E' },
  { id: 538, kind: 'wallet', name: "Touch 'n Go eWallet" },
  { id: 523, kind: 'wallet', name: 'GrabPay' },
  { id: 210, kind: 'wallet', name: 'Boost' },
  { id: 801, kind: 'wallet', name: 'ShopeePay' },
  { id: 542, kind: 'wallet', name: 'MaybankQR' },
] as const

/** A form that the browser posts to the gateway unchanged. */
export const gatewayForm = z.object({
  paymentId: id,
  action: z.string(),
  method: z.literal('POST'),
  fields: z.record(z.string(), z.string()),
})
export type GatewayForm = z.output<typeof gatewayForm>

export const getPayment = endpoint({
  id: 'payments.get',
  method: 'GET',
  path: '/api/customer/payments/:id',
  access: 'customer.view',
  summary: 'A payment, polled by the return page. Before it expires, the gateway is queried again',
  params: idParams,
  response: payment,
})

export const payWithCredits = endpoint({
  id: 'payments.expressCredit',
  method: 'POST',
  path: '/api/customer/payments/express_credit/:id',
  access: 'pay',
  summary:
    'Pays an order with credits; needs the total that the customer saw, and the wallet PIN, except from an API key ' +
    'or for a free order',
  params: idParams,
  body: z.object({ pin: z.optional(pin), expectedTotalMinor: integer(0) }),
  response: payment,
  idempotent: true,
})

export const payWithIpay88 = endpoint({
  id: 'payments.ipay88',
  method: 'POST',
  path: '/api/customer/payments/ipay88/:id',
  access: 'pay',
  summary: 'Starts an iPay88 payment of an order: returns the signed form to post to the gateway',
  params: idParams,
  body: z.object({
    expectedTotalMinor: integer(0),
    /** A bank or wallet of `gatewayChannels`, or a card; absent: card. */
    gatewayPaymentId: z.optional(integer(1)),
  }),
  response: gatewayForm,
  idempotent: true,
})

export const payWithCard = endpoint({
  id: 'payments.creditCard',
  method: 'POST',
  path: '/api/customer/payments/credit_card/:id',
  access: 'pay',
  summary: "Starts a card payment of an order at iPay88's card page: answers the signed form to post to the gateway",
  params: idParams,
  body: z.object({ expectedTotalMinor: integer(0) }),
  response: gatewayForm,
  idempotent: true,
})

const gatewayPostBytes = 8192
/**
 * Posts of the gateway: form-encoded and signed. The first comes through the browser and is answered with a redirect.
 */
const gatewayPost = z.record(z.string().check(z.maxLength(60)), z.string().check(z.maxLength(2000)))

export const ipay88Response = endpoint({
  id: 'payments.ipay88Response',
  method: 'POST',
  path: '/api/public/payments/ipay88/response',
  access: 'public',
  summary: "iPay88's ResponseURL, through the browser: verifies, settles once, redirects to the payment page",
  body: gatewayPost,
  bodyBytes: gatewayPostBytes,
  media: 'text/html',
  perMinute: 60,
})

export const ipay88Backend = endpoint({
  id: 'payments.ipay88Backend',
  method: 'POST',
  path: '/api/public/payments/ipay88/backend',
  access: 'public',
  summary: "iPay88's BackendURL, server to server: verifies, settles once, answers RECEIVEOK",
  body: gatewayPost,
  bodyBytes: gatewayPostBytes,
  media: 'text/plain',
  // The gateway's few servers post for all customers.
  perMinute: 600,
})
