/** Claims for insured parcels. */
import * as z from 'zod/mini'
import { type Labels, labelValues } from '../ground/enums/labels.ts'
import { parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { id, instant, integer } from '../ground/fields.ts'

export const claimReasonLabels = {
  lost: ['Lost', '遗失'],
  damaged: ['Damaged', '损坏'],
  missing: ['Contents missing', '内件短少'],
} as const satisfies Labels<string>
export type ClaimReason = keyof typeof claimReasonLabels

export const claimStateLabels = {
  documents: ['Documents needed', '待补文件'],
  submitted: ['Under review', '审核中'],
  paid: ['Paid out', '已赔付'],
  refused: ['Refused', '已拒绝'],
  withdrawn: ['Withdrawn', '已撤回'],
} as const satisfies Labels<string>
export type ClaimState = keyof typeof claimStateLabels

/** Everything that can happen to a claim. `lapsed`: the documents did not come in time. */
export const claimEvents = [
  'completed',
  'withdrawn',
  'lapsed',
  'documents_requested',
  'accepted',
  'refused',
  'reconsidered',
] as const
export type ClaimEvent = (typeof claimEvents)[number]

/** What staff decide. */
export const claimDecisions = ['documents_requested', 'accepted', 'refused', 'reconsidered'] as const
export type ClaimDecision = (typeof claimDecisions)[number]

export const claim = z.object({
  parcelId: id,
  reason: z.enum(labelValues(claimReasonLabels)),
  state: z.enum(labelValues(claimStateLabels)),
  parcelStatus: z.enum(labelValues(parcelStatusLabels)),
  insuredMinor: z.number(),
  claimedMinor: integer(0),
  /** The amount paid to the wallet; null: none. */
  paidMinor: z.nullable(z.number()),
  currency: z.string(),
  /** The staff's note on the last decision. */
  decisionNote: z.nullable(z.string()),
  decidedAt: z.nullable(instant),
})
