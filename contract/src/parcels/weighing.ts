/** Re-weighing at a station, and the dispute about it. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, optionalText, text, version } from '../ground/fields.ts'
import { dimensions, weightGrams } from '../ground/measures.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'

/**
 * The state of a re-weighing. `noted`: nothing to pay; `open`: the sender may accept or contest; `withdrawn`: the
 * station replaced a wrong reading.
 */
export const weighingStateLabels = {
  noted: ['Noted', '已记录'],
  open: ['Waiting for the sender', '等待寄件人回应'],
  accepted: ['Accepted', '已接受'],
  contested: ['Disputed', '有异议'],
  upheld: ['Weight confirmed', '维持重量'],
  adjusted: ['Difference adjusted', '已调整差额'],
  waived: ['Difference waived', '已免除差额'],
  withdrawn: ['Withdrawn', '已撤回'],
} as const
export type WeighingState = keyof typeof weighingStateLabels

/** A photo with a link that expires. */
const photo = z.object({ id, link: z.string() })

/** The reading, the declared weight, and the difference in price. */
export const weighing = z.object({
  id,
  version,
  parcelId: id,
  trackingNumber: z.string(),
  state: z.enum(labelValues(weighingStateLabels)),
  at: instant,
  station: z.nullable(z.string()),
  declaredGrams: z.number(),
  weightGrams: z.number(),
  dimensions: z.nullable(dimensions),
  /** The chargeable weights before and after. */
  chargeableBeforeGrams: z.number(),
  chargeableGrams: z.number(),
  scaleReading: z.nullable(z.string()),
  photo: z.nullable(photo),
  /** Positive: owed; negative: refunded to the wallet. */
  differenceMinor: z.number(),
  dueMinor: z.number(),
  currency,
  /** Null once there is nothing left to contest. */
  contestUntil: z.nullable(instant),
  reason: z.nullable(z.string()),
  photos: z.array(photo),
  decidedAt: z.nullable(instant),
  decisionNote: z.nullable(z.string()),
})
export type Weighing = z.output<typeof weighing>

export const reweighBody = z.object({
  weightGrams,
  dimensions: z._default(z.nullable(dimensions), null),
  photoId: z._default(z.nullable(id), null),
  /** The reading of the scale. */
  scaleReading: optionalText(40),
  /** The reading is far from the declared weight, and the clerk has looked at the scale again. */
  confirmed: z._default(z.boolean(), false),
})

/** How long a station may correct its own re-weighing. */
export const weighingCorrectionMinutes = 30

export const reweighParcel = endpoint({
  id: 'staff.reweigh',
  method: 'POST',
  path: '/api/staff/parcels/:id/reweigh',
  access: 'staff.operate',
  summary:
    'Weighs a parcel at a station: heavier holds it until the difference is paid, lighter gives it back. Within ' +
    '30 minutes it corrects a reading. A heavier reading is only noted while an earlier difference can be contested',
  params: idParams,
  body: reweighBody,
  response: weighing,
  idempotent: true,
})

export const getWeighing = endpoint({
  id: 'parcels.weighing',
  method: 'GET',
  path: '/api/customer/parcels/:id/weighing',
  access: 'customer.view',
  summary: 'The re-weighing of a parcel that can be contested or is disputed, else the latest, or null',
  params: idParams,
  response: z.object({ weighing: z.nullable(weighing) }),
})

export const acceptWeighing = endpoint({
  id: 'parcels.weighingAccept',
  method: 'POST',
  path: '/api/customer/parcels/:id/weighing/accept',
  access: 'parcels.settle',
  summary: 'Accepts the weight, which can then no longer be contested',
  params: idParams,
  response: weighing,
})

export const contestBody = z.object({
  reason: text(1000),
  photoIds: z._default(z.array(id).check(z.maxLength(6)), []),
})

export const contestWeighing = endpoint({
  id: 'parcels.weighingContest',
  method: 'POST',
  path: '/api/customer/parcels/:id/weighing/contest',
  access: 'parcels.settle',
  summary: 'Contests the weight before the deadline; staff decide',
  params: idParams,
  body: contestBody,
  response: weighing,
})

export const dispute = z.extend(weighing, {
  accountName: z.string(),
  /** The size that the sender declared; null: none. */
  declaredDimensions: z.nullable(dimensions),
  contestedAt: z.nullable(instant),
  /** The latest reading that a station took during the dispute. It does not change the price. */
  laterReading: z.nullable(weighing),
})
export type Dispute = z.output<typeof dispute>

/** `contested`: open. */
export const disputeTabs = ['contested', 'decided'] as const
export type DisputeTab = (typeof disputeTabs)[number]

const disputeFilters = { state: z._default(z.enum(disputeTabs), 'contested' as const) }

export const exportDisputes = endpoint({
  id: 'staff.disputesXls',
  method: 'GET',
  path: '/api/staff/weight-disputes/xls',
  access: 'staff.finance',
  summary: 'The contested weights that the same filter lists, all of them, as .xlsx or .csv',
  query: z.object({ ...disputeFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listDisputes = endpoint({
  id: 'staff.disputes',
  method: 'GET',
  path: '/api/staff/weight-disputes',
  access: 'staff.finance',
  summary: 'Contested weights, the longest waiting first; decided ones with `state=decided`, the latest first',
  query: z.extend(listQuery([]), disputeFilters),
  response: z.extend(page(dispute), { counts: tabCounts(disputeTabs) }),
})

export const disputeDecisions = ['uphold', 'waive', 'adjust'] as const

type Decision = { decision: string; weightGrams: number | null }
/* @__NO_SIDE_EFFECTS__ */
const weightToAdjust = () =>
  z.refine<Decision>(({ decision, weightGrams: grams }) => decision !== 'adjust' || grams !== null, {
    path: ['weightGrams'],
    params: { rule: 'required' },
  })

export const decideBody = z
  .object({
    version,
    decision: z.enum(disputeDecisions),
    note: text(1000),
    /** For `adjust`: the weight to charge instead. */
    weightGrams: z._default(z.nullable(weightGrams), null),
    dimensions: z._default(z.nullable(dimensions), null),
  })
  .check(weightToAdjust())

export const decideDispute = endpoint({
  id: 'staff.decideDispute',
  method: 'POST',
  path: '/api/staff/weight-disputes/:id',
  access: 'staff.finance',
  summary: 'Decides a contested weight: uphold, waive, or adjust to another weight; what was paid too much goes back',
  params: idParams,
  body: decideBody,
  response: weighing,
})
