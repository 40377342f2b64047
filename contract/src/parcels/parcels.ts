/** A parcel: the sender's input, the API's response, the calls that create and read one, and its chargeable weight. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { linkedPhoto } from '../attachments/linked-photo.ts'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels, collectionModeLabels, contentTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import {
  deliveryModeLabels,
  legLabels,
  parcelStatusLabels,
  scopeLabels,
  serviceTypeLabels,
  trackingStatusLabels,
} from '../ground/enums/parcel-enums.ts'
import { commaSeparated, day, id, idParams, instant, optionalText, version } from '../ground/fields.ts'
import { dimensions, weightGrams } from '../ground/measures.ts'
import { minorAmount, positiveMinorAmount } from '../ground/money.ts'
import { priceBreakdown } from '../pricing/pricing.ts'
import { customs } from './customs.ts'

/** An incomplete party, as a draft stores it. */
const unfinishedText = z.optional(z.nullable(z.string().check(z.maxLength(320))))
export const unfinishedParty = z.object({
  contactName: unfinishedText,
  company: unfinishedText,
  phone: unfinishedText,
  email: unfinishedText,
  line1: unfinishedText,
  line2: unfinishedText,
  postcode: unfinishedText,
  city: unfinishedText,
  state: unfinishedText,
  country: unfinishedText,
  residential: z.optional(z.boolean()),
  remarks: unfinishedText,
})

/** Contradictions in an address that the sender may override ("ship anyway"). */
export const contradictionFields = ['sender.state', 'sender.city', 'receiver.state', 'receiver.city'] as const

/** An overridden contradiction: the text, its postcode, and who overrode it when. */
export const parcelOverride = z.object({
  field: z.enum(contradictionFields),
  written: z.string(),
  postcode: z.string(),
  by: id,
  at: instant,
})
export type ParcelOverride = z.output<typeof parcelOverride>

/**
 * The input for a parcel. Everything but the scope may be missing: an incomplete parcel is stored as a draft (status
 * `pending`).
 */
export const parcelInput = z.object({
  reference: optionalText(60),
  scope: z._default(z.enum(labelValues(scopeLabels)), 'domestic' as const),
  serviceType: z._default(z.nullable(z.enum(labelValues(serviceTypeLabels))), null),
  deliveryMode: z._default(z.nullable(z.enum(labelValues(deliveryModeLabels))), null),
  carrier: z._default(z.nullable(z.enum(labelValues(carrierLabels))), null),
  sender: z._default(z.nullable(party), null),
  receiver: z._default(z.nullable(party), null),
  dropOffStationId: z._default(z.nullable(id), null),
  selfCollectionStationId: z._default(z.nullable(id), null),
  contentType: z._default(z.nullable(z.enum(labelValues(contentTypeLabels))), null),
  contentDescription: optionalText(120),
  declaredValueMinor: z._default(z.nullable(minorAmount), null),
  insuredValueMinor: z._default(z.nullable(minorAmount), null),
  /** Where the receiver pays for the goods. Null with an amount: at the door, or at the self-collection station. */
  collectionMode: z._default(z.nullable(z.enum(labelValues(collectionModeLabels))), null),
  codAmountMinor: z._default(z.nullable(minorAmount), null),
  /** Required for international parcels other than documents; its total is the declared value. */
  customs: z._default(z.nullable(customs), null),
  /** Photos of the packed contents, as evidence in weight disputes and claims. */
  photoIds: z._default(z.array(id).check(z.maxLength(8)), []),
  /** Incomplete parties as typed in the form; a complete party replaces them. */
  unfinished: z._default(
    z.nullable(
      z.object({
        sender: z._default(z.nullable(unfinishedParty), null),
        receiver: z._default(z.nullable(unfinishedParty), null),
      }),
    ),
    null,
  ),
  /** Contradictions that the sender overrides; each is recorded with the parcel. */
  override: z._default(z.array(z.enum(contradictionFields)).check(z.maxLength(4)), []),
  weightGrams: z._default(z.nullable(weightGrams), null),
  dimensions: z._default(z.nullable(dimensions), null),
})
export type ParcelInput = z.output<typeof parcelInput>

/** The input for a parcel that is ready to be shipped: the fields of a draft that may be missing are required. */
export const completeParcel = z.extend(parcelInput, {
  sender: party,
  receiver: party,
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  deliveryMode: z.enum(labelValues(deliveryModeLabels)),
  carrier: z.enum(labelValues(carrierLabels)),
  contentType: z.enum(labelValues(contentTypeLabels)),
  weightGrams,
  dimensions: z.nullable(dimensions),
  selfCollectionStationId: z.nullable(id),
  declaredValueMinor: z.nullable(minorAmount),
  codAmountMinor: z.nullable(positiveMinorAmount),
  customs: z.nullable(customs),
})

/** Actions on a parcel. The server decides which are allowed, and the screen shows those. */
export const parcelActions = [
  'edit',
  'add_to_cart',
  'take_out_of_cart',
  'remove',
  'checkout',
  'pay_outstanding',
  'contest_weight',
  'choose_delivery',
  'cancel',
  'recall',
  'return',
  'print_note',
  'print_customs',
  'repeat',
] as const
export type ParcelAction = (typeof parcelActions)[number]

/** Names of fields of `parcelInput` that are missing before the parcel can go to the cart. */
const missing = z.array(z.string())

export const parcel = z.object({
  id,
  version,
  trackingNumber: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  scope: z.enum(labelValues(scopeLabels)),
  serviceType: z.nullable(z.enum(labelValues(serviceTypeLabels))),
  serviceCode: z.nullable(z.string()),
  deliveryMode: z.nullable(z.enum(labelValues(deliveryModeLabels))),
  carrier: z.nullable(z.enum(labelValues(carrierLabels))),
  sender: z.nullable(party),
  receiver: z.nullable(party),
  dropOffStationId: z.nullable(id),
  selfCollectionStationId: z.nullable(id),
  contentType: z.nullable(z.enum(labelValues(contentTypeLabels))),
  contentDescription: z.nullable(z.string()),
  declaredValueMinor: z.nullable(z.number()),
  insuredValueMinor: z.nullable(z.number()),
  collectionMode: z.nullable(z.enum(labelValues(collectionModeLabels))),
  codAmountMinor: z.nullable(z.number()),
  customs: z.nullable(customs),
  photoIds: z.array(id),
  unfinished: z.nullable(z.object({ sender: z.nullable(unfinishedParty), receiver: z.nullable(unfinishedParty) })),
  overrides: z.array(parcelOverride),
  weightGrams: z.nullable(z.number()),
  dimensions: z.nullable(dimensions),
  volumetricGrams: z.nullable(z.number()),
  chargeableGrams: z.nullable(z.number()),
  actualGrams: z.nullable(z.number()),
  price: z.nullable(priceBreakdown),
  priceMinor: z.nullable(z.number()),
  amountDueMinor: z.number(),
  currency: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
  trackingStatus: z.enum(labelValues(trackingStatusLabels)),
  leg: z.enum(labelValues(legLabels)),
  orderId: z.nullable(id),
  /** The pickup of the parcel. */
  pickupRequestId: z.nullable(id),
  /** The batch (uploaded spreadsheet) that it came from. */
  batchId: z.nullable(id),
  gunnyId: z.nullable(id),
  /** Null before the handover and on the way back. */
  expectedDate: z.nullable(day),
  /** The originally promised day, if another day is expected now. */
  promisedDate: z.nullable(day),
  /** For a parcel at its self-collection station: the last day for collecting it. */
  collectUntil: z.nullable(day),
  missing,
  allowedActions: z.array(z.enum(parcelActions)),
  createdBy: id,
  createdAt: instant,
  updatedAt: instant,
})
export type Parcel = z.output<typeof parcel>

/**
 * One line of a timeline as its sender sees it. `event` names the transition: label `event.<event>` in the locale
 * files.
 */
export const trackingEvent = z.object({
  id,
  at: instant,
  event: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
  trackingStatus: z.enum(labelValues(trackingStatusLabels)),
  /** The town. */
  place: z.nullable(z.string()),
  /** The name of the station, unless it happened at a door. */
  station: z.nullable(z.string()),
  stationId: z.nullable(id),
  note: z.nullable(z.string()),
  /** Photos of a failed attempt, if there are any. */
  photos: z.optional(z.array(linkedPhoto)),
})
export type TrackingEvent = z.output<typeof trackingEvent>

export const proof = z.object({
  at: instant,
  recipientName: z.string(),
  /** An SVG path in a 600 x 200 box, as drawn. */
  signaturePath: z.nullable(z.string()),
  photos: z.array(linkedPhoto),
})

/** Whether the parcel's order must be approved before it can be paid. */
const waitsForApproval = z.boolean()

/** A parcel as the list has it. */
export const listedParcel = z.extend(parcel, { waitsForApproval })
export type ListedParcel = z.output<typeof listedParcel>

export const parcelDetail = z.extend(parcel, {
  waitsForApproval,
  /** Another carrier has it, and decides about its journey: it cannot be recalled or redirected. */
  withOtherCarrier: z.boolean(),
  /** It is at the station whose riders deliver it. */
  atLastStation: z.boolean(),
  events: z.array(trackingEvent),
  proof: z.nullable(proof),
  /** Stations of the parcel: where it is dropped off, and where its receiver collects it. */
  stations: z.object({ dropOff: z.nullable(z.string()), selfCollection: z.nullable(z.string()) }),
  gunnyNumber: z.nullable(z.string()),
  /** The pickup of a return at its receiver. That of the way out is `pickupRequestId`. */
  returnPickupId: z.nullable(id),
  createdByName: z.nullable(z.string()),
  /** Photos that the sender uploaded with the booking. */
  photos: z.array(linkedPhoto),
})
export type ParcelDetail = z.output<typeof parcelDetail>

const base = '/api/customer/parcels'
/** Ids of a path, comma separated. */
const idList = (max: number) => z.pipe(commaSeparated(max), z.array(id).check(z.minLength(1), z.maxLength(max)))

export const createParcel = endpoint({
  id: 'parcels.create',
  method: 'POST',
  path: base,
  access: 'parcels.create',
  idempotent: true,
  summary:
    'Creates a parcel; incomplete ones stay drafts. `addToCart` asks for a price and puts a complete one in the cart',
  body: z.extend(parcelInput, {
    addToCart: z._default(z.boolean(), false),
    /** Causes a 409 parcel_identical if the same user created the same parcel a few minutes ago. */
    refuseIdentical: z._default(z.boolean(), false),
  }),
  response: parcel,
})

export const updateParcel = endpoint({
  id: 'parcels.update',
  method: 'PUT',
  path: base,
  access: 'parcels.create',
  summary: 'Edits a draft or a parcel in the cart; a stale version answers 409',
  body: z.extend(parcelInput, { id, version, addToCart: z._default(z.boolean(), false) }),
  response: parcel,
})

export const getParcel = endpoint({
  id: 'parcels.get',
  method: 'GET',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'One parcel with its timeline and proof of delivery',
  params: idParams,
  response: parcelDetail,
})

export const getParcelByNumber = endpoint({
  id: 'parcels.trackno',
  method: 'GET',
  path: `${base}/trackno/:no`,
  access: 'customer.view',
  summary: 'One parcel by tracking number; the check digit is verified first',
  params: z.object({ no: z.string().check(z.minLength(1), z.maxLength(40)) }),
  response: parcelDetail,
})

export const getParcels = endpoint({
  id: 'parcels.multiple',
  method: 'GET',
  path: `${base}/multiple/:ids`,
  access: 'customer.view',
  summary: 'Several parcels by id, comma separated',
  params: z.object({ ids: idList(200) }),
  response: z.object({ items: z.array(parcel) }),
})

export const trackParcels = endpoint({
  id: 'parcels.tracks',
  method: 'POST',
  question: true,
  path: `${base}/tracks`,
  access: 'customer.view',
  summary: 'Own parcels by tracking number, full detail',
  body: z.object({ numbers: z.array(z.string().check(z.maxLength(40))).check(z.minLength(1), z.maxLength(200)) }),
  response: z.object({ items: z.array(parcelDetail), notFound: z.array(z.string()) }),
})

const measuredSize = z.extend(dimensions, { weightGrams: z.optional(weightGrams) })
const chargeableWeight = z.object({
  volumetricGrams: z.number(),
  chargeableGrams: z.number(),
  divisor: z.number(),
  stepGrams: z.number(),
})

export const calculateVweight = endpoint({
  id: 'parcels.calculateVweight',
  method: 'POST',
  question: true,
  path: `${base}/calculate-vweight`,
  access: 'public',
  summary: 'Volumetric and chargeable weight of one parcel',
  body: z.extend(measuredSize, { carrier: z._default(z.enum(labelValues(carrierLabels)), 'own' as const) }),
  response: chargeableWeight,
})

export const calculateMultipleVweight = endpoint({
  id: 'parcels.calculateMultipleVweight',
  method: 'POST',
  question: true,
  path: `${base}/calculate-multiple-vweight`,
  access: 'public',
  summary: 'Volumetric and chargeable weights of several parcels and their sums',
  body: z.object({
    items: z.array(measuredSize).check(z.minLength(1), z.maxLength(1000)),
    carrier: z._default(z.enum(labelValues(carrierLabels)), 'own' as const),
  }),
  response: z.object({
    items: z.array(chargeableWeight),
    totalVolumetricGrams: z.number(),
    totalChargeableGrams: z.number(),
  }),
})
