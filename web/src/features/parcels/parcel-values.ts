import { party } from '@waybill/contract/addresses'
import {
  type Carrier,
  type ContentType,
  carrierLabels,
  contentTypeLabels,
  type DeliveryMode,
  deliveryModeLabels,
  type ServiceType,
  serviceTypeLabels,
  valuesOf,
} from '@waybill/contract/enums'
import { id } from '@waybill/contract/fields'
import { dimensions, weightGrams } from '@waybill/contract/measures'
import { type Parcel, parcelInput } from '@waybill/contract/parcels'
import * as z from 'zod/mini'
import { emptyParty, type PartyValues, partyInputOf, partyValuesOf } from '../../components/address/party-values.ts'

/** What stands in the fields of a new parcel. Amounts in minor units, weights in grams, lengths in millimetres. */
export type ParcelValues = {
  sender: PartyValues
  receiver: PartyValues
  /** The receiver stands in the address book already. */
  receiverKnown: boolean
  saveSender: boolean
  saveReceiver: boolean
  /** Flat, without a size; otherwise a parcel. */
  isDocument: boolean
  weightGrams: number | null
  dimensions: { lengthMm: number | null; widthMm: number | null; heightMm: number | null }
  contentType: ContentType | null
  contentDescription: string | null
  declaredValueMinor: number | null
  /** Insured for its declared value. */
  insured: boolean
  reference: string | null
  deliveryMode: DeliveryMode
  serviceType: ServiceType | null
  carrier: Carrier | null
  /** Chosen by hand; otherwise the cheapest is taken. */
  servicePicked: boolean
  selfCollectionStationId: string | null
}

/** Everything that a parcel needs before it can go to the cart: the contract's own rules, with nothing left open. */
export const completeParcel = z.extend(parcelInput, {
  sender: party,
  receiver: party,
  serviceType: z.enum(valuesOf(serviceTypeLabels)),
  deliveryMode: z.enum(valuesOf(deliveryModeLabels)),
  carrier: z.enum(valuesOf(carrierLabels)),
  contentType: z.enum(valuesOf(contentTypeLabels)),
  weightGrams,
  dimensions: z.nullable(dimensions),
  selfCollectionStationId: z.nullable(id),
  declaredValueMinor: z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))),
})

/** Whether a parcel of this mode ends at a station where it is collected. */
export const endsAtStation = (mode: DeliveryMode) => mode.endsWith('P')
/** Whether a rider fetches it. */
export const isFetched = (mode: DeliveryMode) => mode.startsWith('D')

const noSize = { lengthMm: null, widthMm: null, heightMm: null }

/** `country`: the deployment's. */
export function emptyParcel(country: string): ParcelValues {
  return {
    sender: emptyParty(country),
    receiver: emptyParty(country),
    receiverKnown: false,
    // Whoever is written is kept, unless somebody says otherwise: the next parcel is then quicker.
    saveSender: true,
    saveReceiver: true,
    isDocument: false,
    weightGrams: null,
    dimensions: noSize,
    contentType: null,
    contentDescription: null,
    declaredValueMinor: null,
    insured: false,
    reference: null,
    deliveryMode: 'D2D',
    serviceType: null,
    carrier: null,
    servicePicked: false,
    selfCollectionStationId: null,
  }
}

/** A parcel to be edited, or sent again, as it stands in the fields. */
export function parcelValuesOf(parcel: Parcel, country: string): ParcelValues {
  const empty = emptyParcel(country)
  return {
    ...empty,
    sender: parcel.sender ? partyValuesOf(parcel.sender) : empty.sender,
    receiver: parcel.receiver ? partyValuesOf(parcel.receiver) : empty.receiver,
    receiverKnown: parcel.receiver !== null,
    isDocument: parcel.serviceType === 'document',
    weightGrams: parcel.weightGrams,
    dimensions: parcel.dimensions ?? noSize,
    contentType: parcel.contentType,
    contentDescription: parcel.contentDescription,
    declaredValueMinor: parcel.declaredValueMinor,
    insured: parcel.insuredValueMinor !== null && parcel.insuredValueMinor > 0,
    reference: parcel.reference,
    deliveryMode: parcel.deliveryMode ?? empty.deliveryMode,
    serviceType: parcel.serviceType,
    carrier: parcel.carrier,
    servicePicked: parcel.serviceType !== null,
    selfCollectionStationId: parcel.selfCollectionStationId,
  }
}

/** From the fields to what `completeParcel` reads; what is needed here and empty stays empty, so that the schema says so. */
export function parcelInputOf(values: ParcelValues): unknown {
  const { insured, declaredValueMinor, deliveryMode, isDocument } = values
  return {
    reference: values.reference,
    scope: 'domestic',
    serviceType: values.serviceType,
    deliveryMode,
    carrier: values.carrier,
    sender: partyInputOf(values.sender),
    receiver: partyInputOf(values.receiver),
    selfCollectionStationId: endsAtStation(deliveryMode) ? (values.selfCollectionStationId ?? '') : null,
    contentType: values.contentType,
    contentDescription: values.contentDescription,
    // Undefined where a value is needed: "is required" rather than "none".
    declaredValueMinor: insured ? (declaredValueMinor ?? undefined) : declaredValueMinor,
    insuredValueMinor: insured ? declaredValueMinor : null,
    weightGrams: values.weightGrams,
    dimensions: isDocument ? null : values.dimensions,
  }
}

export const steps = ['from', 'to', 'what', 'how'] as const
export type Step = (typeof steps)[number]

const how = new Set(['deliveryMode', 'serviceType', 'carrier', 'selfCollectionStationId'])

/** The step whose fields hold this path of an error. */
export function stepOf(path: string): Step {
  const [field = ''] = path.split('.')
  if (field === 'sender') return 'from'
  if (field === 'receiver') return 'to'
  return how.has(field) ? 'how' : 'what'
}
