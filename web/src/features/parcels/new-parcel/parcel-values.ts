import { type Carrier, type ContentType, type CustomsReason, carrierLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import {
  type DeliveryMode,
  deliveryModeLabels,
  type ServiceType,
  serviceTypeLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import { customsTotal } from '@waybill/contract/parcels/customs'
import { type Parcel, type ParcelInput, parcelInput } from '@waybill/contract/parcels/parcels'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import * as z from 'zod/mini'
import {
  emptyParty,
  isBlank,
  type PartyValues,
  toPartyInput,
  toPartyValues,
} from '../../addresses/shared/party-values.ts'

/** One kind of item in an international parcel. `key` identifies the line while it is edited. */
export type CustomsItemValues = {
  key: string
  description: string
  hsCode: string | null
  quantity: number | null
  unitValueMinor: number | null
  netWeightGrams: number | null
  originCountry: string
}
export type CustomsValues = {
  reason: CustomsReason | null
  reasonText: string | null
  items: readonly CustomsItemValues[]
  comments: string | null
  invoiceNumber: string | null
  licenceNumber: string | null
  certificateNumber: string | null
}

/** The form values of a parcel. Amounts in minor units, weights in grams, lengths in millimetres. */
export type ParcelValues = {
  sender: PartyValues
  receiver: PartyValues
  /** The receiver is already in the address book. */
  receiverKnown: boolean
  saveSender: boolean
  saveReceiver: boolean
  /** A document, without dimensions; otherwise a parcel. */
  isDocument: boolean
  weightGrams: number | null
  dimensions: { lengthMm: number | null; widthMm: number | null; heightMm: number | null }
  contentType: ContentType | null
  contentDescription: string | null
  declaredValueMinor: number | null
  /** Insured for its declared value. */
  insured: boolean
  /** Cash on delivery. */
  collects: boolean
  codAmountMinor: number | null
  customs: CustomsValues
  photos: readonly { id: string; link: string; name: string }[]
  reference: string | null
  deliveryMode: DeliveryMode
  serviceType: ServiceType | null
  carrier: Carrier | null
  /** Selected by the user; otherwise the cheapest is used. */
  servicePicked: boolean
  selfCollectionStationId: string | null
}

/** Whether it is an international parcel. */
export const isAbroad = ({ sender, receiver }: Pick<ParcelValues, 'sender' | 'receiver'>) =>
  receiver.country !== sender.country
/** Documents need no list of items. */
export const needsCustoms = (values: ParcelValues) => isAbroad(values) && !values.isDocument

let nextKey = 0
/** `country`: the default country of origin. */
export function emptyCustomsItem(country: string): CustomsItemValues {
  nextKey += 1
  return {
    key: `new-${nextKey}`,
    description: '',
    hsCode: null,
    quantity: 1,
    unitValueMinor: null,
    netWeightGrams: null,
    originCountry: country,
  }
}

/** The total of the complete lines; null without one. */
export function customsValue({ items }: CustomsValues): number | null {
  const completeItems = items.filter(({ quantity, unitValueMinor }) => quantity && unitValueMinor)
  return completeItems.length === 0
    ? null
    : customsTotal({ items: completeItems as { quantity: number; unitValueMinor: number }[] })
}

const noSize = { lengthMm: null, widthMm: null, heightMm: null }

/** `country`: the deployment's. */
export function emptyParcel(country: string): ParcelValues {
  return {
    sender: emptyParty(country),
    receiver: emptyParty(country),
    receiverKnown: false,
    // By default the receiver is saved to the address book, which makes the next parcel quicker.
    saveSender: true,
    saveReceiver: true,
    isDocument: false,
    weightGrams: null,
    dimensions: noSize,
    contentType: null,
    contentDescription: null,
    declaredValueMinor: null,
    insured: false,
    collects: false,
    codAmountMinor: null,
    customs: {
      reason: null,
      reasonText: null,
      items: [emptyCustomsItem(country)],
      comments: null,
      invoiceNumber: null,
      licenceNumber: null,
      certificateNumber: null,
    },
    photos: [],
    reference: null,
    deliveryMode: 'D2D',
    serviceType: null,
    carrier: null,
    servicePicked: false,
    selfCollectionStationId: null,
  }
}

type TypedForPrice = {
  from?: string | undefined
  to?: string | undefined
  country?: string | undefined
  grams?: number | undefined
  /** The code of a quote: `own.e_parcel.D2D`. */
  service?: string | undefined
}

/**
 * The values with the input of a price estimate. A sender whose address has another postcode is another place, so only
 * the postcode is kept. A service that does not exist is ignored.
 */
export function fillFromPrice(
  values: ParcelValues,
  { from, to, country, grams, service }: TypedForPrice,
): ParcelValues {
  const home = values.sender.country
  const [carrier, serviceType, deliveryMode] = service?.split('.') ?? []
  const picked = z
    .object({
      carrier: z.enum(labelValues(carrierLabels)),
      serviceType: z.enum(labelValues(serviceTypeLabels)),
      deliveryMode: z.enum(labelValues(deliveryModeLabels)),
    })
    .safeParse({ carrier, serviceType, deliveryMode })
  return {
    ...values,
    ...(from && from !== values.sender.postcode ? { sender: { ...emptyParty(home), postcode: from } } : {}),
    receiver: { ...values.receiver, postcode: to ?? '', country: country ?? values.receiver.country },
    weightGrams: grams ?? values.weightGrams,
    ...(picked.success
      ? { ...picked.data, servicePicked: true, isDocument: picked.data.serviceType === 'document' }
      : {}),
  }
}

/** A parcel as form values, to edit or to repeat it. */
export function toParcelValues(parcel: Parcel, country: string): ParcelValues {
  const empty = emptyParcel(country)
  return {
    ...empty,
    sender: parcel.sender
      ? toPartyValues(parcel.sender)
      : unfinishedPartyValues(empty.sender, parcel.unfinished?.sender),
    receiver: parcel.receiver
      ? toPartyValues(parcel.receiver)
      : unfinishedPartyValues(empty.receiver, parcel.unfinished?.receiver),
    receiverKnown: parcel.receiver !== null,
    isDocument: parcel.serviceType === 'document',
    weightGrams: parcel.weightGrams,
    dimensions: parcel.dimensions ?? noSize,
    contentType: parcel.contentType,
    contentDescription: parcel.contentDescription,
    declaredValueMinor: parcel.declaredValueMinor,
    insured: parcel.insuredValueMinor !== null && parcel.insuredValueMinor > 0,
    collects: parcel.collectionMode !== null,
    codAmountMinor: parcel.codAmountMinor,
    // Links expire, so each photo's link is requested when it is shown.
    photos: parcel.photoIds.map((photoId) => ({ id: photoId, link: '', name: '' })),
    customs: parcel.customs
      ? { ...parcel.customs, items: parcel.customs.items.map((item, index) => ({ ...item, key: `kept-${index}` })) }
      : empty.customs,
    reference: parcel.reference,
    deliveryMode: parcel.deliveryMode ?? empty.deliveryMode,
    serviceType: parcel.serviceType,
    carrier: parcel.carrier,
    servicePicked: parcel.serviceType !== null,
    selfCollectionStationId: parcel.selfCollectionStationId,
  }
}

/** The incomplete party of a draft. */
function unfinishedPartyValues(
  empty: PartyValues,
  fields: NonNullable<Parcel['unfinished']>['sender'] | undefined,
): PartyValues {
  const filledEntries = Object.entries(fields ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return { ...empty, ...Object.fromEntries(filledEntries) }
}

/**
 * Converts the form to the input of `completeParcel`. Required empty values stay empty, so that the schema reports
 * them.
 */
export function toParcelInput(values: ParcelValues): unknown {
  const { insured, deliveryMode, isDocument, collects } = values
  const abroad = isAbroad(values)
  const declares = needsCustoms(values)
  const declaredValueMinor = declares ? customsValue(values.customs) : values.declaredValueMinor
  const money = collects && !abroad
  return {
    reference: values.reference,
    scope: abroad ? 'international' : 'domestic',
    serviceType: values.serviceType,
    deliveryMode,
    carrier: values.carrier,
    sender: toPartyInput(values.sender),
    receiver: toPartyInput(values.receiver),
    selfCollectionStationId: endsAtStation(deliveryMode) ? (values.selfCollectionStationId ?? '') : null,
    contentType: values.contentType,
    contentDescription: values.contentDescription,
    // Undefined if a value is required: the error is then "is required" rather than "none".
    declaredValueMinor: insured ? (declaredValueMinor ?? undefined) : declaredValueMinor,
    insuredValueMinor: insured ? declaredValueMinor : null,
    collectionMode: money ? (endsAtStation(deliveryMode) ? 'in_store' : 'cod') : null,
    // Undefined if an amount is needed, as above.
    codAmountMinor: money ? (values.codAmountMinor ?? undefined) : null,
    customs: declares ? buildCustomsInput(values.customs) : null,
    photoIds: values.photos.map(({ id }) => id),
    weightGrams: values.weightGrams,
    dimensions: isDocument ? null : values.dimensions,
  }
}

function buildCustomsInput({ items, ...rest }: CustomsValues) {
  return {
    ...rest,
    items: items.map(({ key: _, ...item }) => ({
      ...item,
      quantity: item.quantity ?? undefined,
      unitValueMinor: item.unitValueMinor ?? undefined,
    })),
  }
}

/** Converts incomplete form values to a draft: all valid values, and parties even if incomplete. */
export function toDraftInput(values: ParcelValues): ParcelInput {
  const raw = toParcelInput(values) as Record<string, unknown>
  const station = raw.selfCollectionStationId || null
  const draftValues = { ...raw, selfCollectionStationId: station }
  const parseResult = parcelInput.safeParse(draftValues)
  if (parseResult.success) return parseResult.data
  const wrong = new Set(parseResult.error.issues.map(({ path }) => String(path[0])))
  const validValues = Object.fromEntries(Object.entries(draftValues).filter(([name]) => !wrong.has(name)))
  const unfinishedParty = (side: 'sender' | 'receiver') =>
    wrong.has(side) && !isBlank(values[side]) ? values[side] : null
  return parcelInput.parse({
    ...validValues,
    unfinished: { sender: unfinishedParty('sender'), receiver: unfinishedParty('receiver') },
  })
}

export const steps = ['from', 'to', 'what', 'how'] as const
export type Step = (typeof steps)[number]

const how = new Set(['deliveryMode', 'serviceType', 'carrier', 'selfCollectionStationId'])

/** The step with the field of an error's path. */
export function stepOfField(path: string): Step {
  const [field = ''] = path.split('.')
  if (field === 'sender') return 'from'
  if (field === 'receiver') return 'to'
  return how.has(field) ? 'how' : 'what'
}
