import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues, paymentMethodLabels, paymentStatusLabels } from '../ground/enums.ts'
import { id, idParams, instant, optionalText, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery } from '../ground/paging.ts'

/**
 * Why somebody has to look: a post that was not believed; the gateway holds another amount; it takes back what it
 * posted; it posted "paid" and does not answer whether that is so. Label `gatewayTrouble.<trouble>`.
 */
export const gatewayTroubles = ['refused', 'wrong_amount', 'contradiction', 'unconfirmed'] as const
/** What did not fit, of a post that was refused. Label `gatewayRefusal.<reason>`. */
export const gatewayRefusals = ['reference', 'merchant', 'signature', 'amount', 'currency', 'status'] as const
/** How far staff is with it. Label `gatewayReview.<review>`. */
export const gatewayReviews = ['open', 'seen', 'handled'] as const
/** What an answer says of the money. Label `gatewaySaid.<verdict>`. */
export const gatewayVerdicts = ['paid', 'not_paid', 'not_known'] as const

export const gatewayTrouble = z.object({
  id,
  at: instant,
  trouble: z.enum(gatewayTroubles),
  refusal: z.nullable(z.enum(gatewayRefusals)),
  /** From where: the customer's browser, the gateway's own server, or its answer when it was asked. */
  source: z.enum(['response', 'backend', 'enquiry']),
  came: z.object({
    verdict: z.nullable(z.enum(gatewayVerdicts)),
    /** As it was written; null where an answer names none. */
    amount: z.nullable(z.string()),
    currency: z.nullable(z.string()),
    reference: z.nullable(z.string()),
    transactionId: z.nullable(z.string()),
    /** The gateway's own words. */
    text: z.nullable(z.string()),
  }),
  /** Our own payment; null where the reference is none of ours. */
  expected: z.nullable(
    z.object({
      paymentId: id,
      reference: z.string(),
      amountMinor: z.number(),
      currency: z.string(),
      status: z.enum(labelValues(paymentStatusLabels)),
      method: z.enum(labelValues(paymentMethodLabels)),
      orderId: z.nullable(id),
      /** Null: a top-up. */
      orderNumber: z.nullable(z.string()),
      accountName: z.string(),
      createdAt: instant,
    }),
  ),
  review: z.enum(gatewayReviews),
  reviewNote: z.nullable(z.string()),
  reviewedBy: z.nullable(z.string()),
  reviewedAt: z.nullable(instant),
  version: z.number(),
})
export type GatewayTrouble = z.output<typeof gatewayTrouble>

/** Of payments of ours that nobody has dealt with; dealt with. Posts that name no payment of ours are not kept. */
export const gatewayTabs = ['open', 'handled'] as const
const tabs = z.enum(gatewayTabs)

const path = '/api/staff/finance/gateway-answers'

export const listGatewayTroubles = endpoint({
  id: 'finance.gatewayAnswers',
  method: 'GET',
  path,
  access: 'staff.finance',
  summary: 'Answers of the gateway that were refused or contradict our own payment, newest first',
  query: z.extend(keysetQuery(), {
    tab: z._default(tabs, 'open'),
    /** Our reference at the gateway, or the gateway's own number, whole. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(60))),
  }),
  response: z.extend(keysetPage(gatewayTrouble), { counts: z.record(tabs, z.number()) }),
})

export const gatewayReviewInput = z.object({ version, review: z.enum(gatewayReviews), note: optionalText(400) })

export const reviewGatewayTrouble = endpoint({
  id: 'finance.gatewayReview',
  method: 'PUT',
  path: `${path}/:id/review`,
  access: 'staff.finance',
  summary: 'Marks an answer as seen or handled, with a note, and the same answer wherever it came again',
  params: idParams,
  body: gatewayReviewInput,
  response: gatewayTrouble,
})
