/** DHL Express as the MyDHL API 3 speaks, and DHL Shipment Tracking – Unified behind it for tracking. */
import { randomUUID } from 'node:crypto'
import type { Party } from '@waybill/contract/addresses/addresses'
import { type Customs, customsTotal } from '@waybill/contract/parcels/customs'
import * as z from 'zod/mini'
import type { DhlAccess } from '../../../config.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Booked, CarrierClient, CarrierRate, Tracked } from '../carrier.ts'
import { type Checkpoint, checkpointMeaning, dhlCodes } from '../checkpoints.ts'
import {
  addressLines,
  centimetres,
  dhlDateTime,
  isDhlNumber,
  kilograms,
  majorUnits,
  minorUnits,
  parseCarrierTime,
  type Shipment,
} from '../rules.ts'
import { type Answer, CarrierError, decodePdf, parseAnswer, problemOfStatus, send } from '../wire.ts'
import { dhlTracking } from './tracking.ts'

const apiVersion = '3.1.0'
const lineWidth = 45
const mostLines = 3
/** Characters that DHL takes. */
const limits = { name: 255, company: 100, phone: 70, city: 45, postcode: 12, description: 70, item: 512 }

const problemJson = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  message: z.optional(z.string()),
  additionalDetails: z.optional(z.array(z.string())),
})

const money = z.number().check(z.minimum(0), z.maximum(1e9))
const rates = z.object({
  products: z.array(
    z.object({
      productName: z.string().check(z.maxLength(200)),
      productCode: z.string().check(z.minLength(1), z.maxLength(6)),
      totalPrice: z.array(
        z.object({
          currencyType: z.string(),
          priceCurrency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
          price: z.optional(money),
        }),
      ),
      deliveryCapabilities: z.optional(
        z.object({ totalTransitDays: z.optional(z.union([z.number(), z.string().check(z.regex(/^\d+$/))])) }),
      ),
    }),
  ),
})

const waybill = z.string().check(z.refine(isDhlNumber))
const documents = z.optional(
  z.array(z.object({ typeCode: z.optional(z.string()), imageFormat: z.optional(z.string()), content: z.string() })),
)
const created = z.object({ shipmentTrackingNumber: waybill, documents })
const images = z.object({ documents })

const text = z.optional(z.nullable(z.string()))
const tracked = z.object({
  shipments: z.array(
    z.object({
      shipmentTrackingNumber: z.string(),
      /** Of the call, not of the delivery. */
      status: text,
      events: z.optional(
        z.array(
          z.object({
            date: z.string(),
            time: z.string(),
            GMTOffset: text,
            typeCode: z.string().check(z.minLength(1), z.maxLength(10)),
            description: text,
            serviceArea: z.optional(z.array(z.object({ description: text }))),
            signedBy: text,
          }),
        ),
      ),
    }),
  ),
})

/**
 * Which price is ours to pay, by its type and never by its place: billing currency, else the country's public one, else
 * the base.
 */
const priceTypes = ['BILLC', 'PULCL', 'BASEC']

export function dhlClient(access: DhlAccess, timeoutMs: number, clock: Clock): CarrierClient {
  const unified = access.tracking && dhlTracking(access.tracking, timeoutMs)
  const authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { query, body, reference }: { query?: Record<string, string>; body?: unknown; reference?: string } = {},
  ): Promise<Answer> => {
    const url = `${access.baseUrl}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
    return send(
      url,
      {
        method,
        headers: {
          authorization,
          accept: 'application/json',
          'x-version': apiVersion,
          'message-reference': reference ?? randomUUID(),
          'message-reference-date': clock.now().toUTCString(),
          'accept-language': 'eng',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      },
      timeoutMs,
    )
  }

  const numberOf = ({ shipmentTrackingNumber: number }: { shipmentTrackingNumber: string }) => {
    if (!isDhlNumber(number)) throw new CarrierError('nonsense', `shipmentTrackingNumber ${number}`)
    return number
  }

  const expressTracks = async (numbers: readonly string[], timeZone: string): Promise<Tracked> => {
    const query = { shipmentTrackingNumber: numbers.join(','), trackingView: 'all-checkpoints', levelOfDetail: 'all' }
    const answer = await call('GET', '/tracking', { query })
    if (answer.status === 404) return new Map()
    const { shipments } = parseAnswer(tracked, succeeded(answer).text)
    const asked = new Set(numbers)
    return new Map(
      shipments
        // What we did not ask for is not ours to tell.
        .filter(({ shipmentTrackingNumber }) => asked.has(shipmentTrackingNumber))
        .map(({ shipmentTrackingNumber, events = [] }) => [
          shipmentTrackingNumber,
          events
            .flatMap((event) => checkpointOf(event, timeZone) ?? [])
            .sort((a, b) => a.at.getTime() - b.at.getTime()),
        ]),
    )
  }

  return {
    trackAtOnce: 200,

    async rate(shipment) {
      const answer = succeeded(await call('POST', '/rates', { body: rateRequest(access, shipment) }))
      return parseAnswer(rates, answer.text).products.flatMap((product): CarrierRate[] => {
        const price = priceTypes
          .map((type) => product.totalPrice.find(({ currencyType }) => currencyType === type))
          .find((found) => found?.price !== undefined && found.priceCurrency !== undefined)
        if (price?.price === undefined || price.priceCurrency === undefined) return []
        const days = product.deliveryCapabilities?.totalTransitDays
        return [
          {
            product: product.productCode,
            name: product.productName,
            priceMinor: minorUnits(price.price, price.priceCurrency),
            currency: price.priceCurrency,
            days: days === undefined ? null : Number(days),
          },
        ]
      })
    },

    async book(shipment) {
      const body = shipmentRequest(access, shipment)
      const answer = succeeded(await call('POST', '/shipments', { body, reference: shipment.reference }))
      const made = parseAnswer(created, answer.text)
      return { carrierNumber: made.shipmentTrackingNumber, label: labelIn(made.documents) }
    },

    async find(shipment): Promise<Booked | null> {
      const day = (offset: number) => new Date(clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10)
      const query = {
        shipmentReference: shipment.reference,
        shipmentReferenceType: 'CU',
        shipperAccountNumber: access.account,
        dateRangeFrom: day(-30),
        dateRangeTo: day(11),
        trackingView: 'shipment-details-only',
        levelOfDetail: 'shipment',
      }
      const answer = await call('GET', '/tracking', { query })
      if (answer.status === 404) return null
      const [found] = parseAnswer(tracked, succeeded(answer).text).shipments
      return found ? { carrierNumber: numberOf(found), label: null } : null
    },

    async label(carrierNumber, bookedAt) {
      const query = {
        shipperAccountNumber: access.account,
        typeCode: 'waybill',
        pickupYearAndMonth: bookedAt.toISOString().slice(0, 7),
        encodingFormat: 'pdf',
      }
      const answer = await call('GET', `/shipments/${carrierNumber}/get-image`, { query })
      if (answer.status === 404) return null
      return labelIn(parseAnswer(images, succeeded(answer).text).documents)
    },

    // A DHL waybill that never meets a courier of theirs is not billed and lapses: only booked pickups are cancelled
    // there, and we book none.
    cancel: async () => undefined,

    subscribe: async (parcels) => parcels.map(({ carrierNumber }) => carrierNumber),

    async track(numbers, timeZone) {
      try {
        return await expressTracks(numbers, timeZone)
      } catch (error) {
        if (!unified || !(error instanceof CarrierError)) throw error
        return unified(numbers, timeZone)
      }
    },
  }
}

/** Throws what a status that is no success means, with what DHL's problem document says. */
function succeeded(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new CarrierError(problemOfStatus(answer.status), saidIn(answer.text), answer.retryAfterSeconds)
}

function saidIn(body: string): string {
  try {
    const { title, detail, message, additionalDetails = [] } = parseAnswer(problemJson, body)
    return [...new Set([detail ?? message ?? title, ...additionalDetails])].filter(Boolean).join(' · ')
  } catch {
    return ''
  }
}

function labelIn(found: z.output<typeof documents>): Buffer | null {
  const label = found?.find(({ typeCode }) => typeCode === 'label' || typeCode === 'waybill') ?? found?.[0]
  return decodePdf(label?.content)
}

type TrackedEvent = NonNullable<z.output<typeof tracked>['shipments'][number]['events']>[number]

function checkpointOf(event: TrackedEvent, timeZone: string): Checkpoint | null {
  const meaning = checkpointMeaning(dhlCodes, event.typeCode)
  const at = parseCarrierTime(`${event.date}T${event.time}${event.GMTOffset ?? ''}`, timeZone)
  if (!meaning || !at) return null
  const area = event.serviceArea?.[0]?.description ?? null
  return {
    at,
    code: event.typeCode,
    milestone: meaning.milestone,
    reason: meaning.reason ?? null,
    // `Kuala Lumpur-MALAYSIA`
    place: area?.split('-')[0]?.trim().slice(0, 80) || null,
    said: event.description?.trim().slice(0, 200) || null,
    signedBy: event.signedBy?.trim().slice(0, 120) || null,
  }
}

const isDocument = ({ serviceType }: Shipment) => serviceType === 'document'
const isCustomsDeclarable = (shipment: Shipment) => shipment.scope === 'international' && !isDocument(shipment)

function productOf(shipment: Shipment): string {
  if (shipment.scope === 'domestic') return 'N'
  return isDocument(shipment) ? 'D' : 'P'
}

/** Whoever declares tells what everything is worth; a parcel without items by its own value. */
function declaredValue({ customs, declaredValueMinor, currency }: Shipment): number {
  return majorUnits(customs ? customsTotal(customs) : (declaredValueMinor ?? 0), currency)
}

function packageOf({ weightGrams, dimensions }: Shipment) {
  const { lengthMm, widthMm, heightMm } = dimensions ?? { lengthMm: 10, widthMm: 10, heightMm: 10 }
  return {
    weight: kilograms(weightGrams),
    dimensions: { length: centimetres(lengthMm), width: centimetres(widthMm), height: centimetres(heightMm) },
  }
}

const placeOf = ({ postcode, city, country }: Party) => ({
  postalCode: postcode.slice(0, limits.postcode),
  cityName: city.slice(0, limits.city),
  countryCode: country.toUpperCase(),
})

function rateRequest(access: DhlAccess, shipment: Shipment) {
  return {
    customerDetails: { shipperDetails: placeOf(shipment.sender), receiverDetails: placeOf(shipment.receiver) },
    accounts: [{ typeCode: 'shipper', number: access.account }],
    plannedShippingDateAndTime: dhlDateTime(shipment.readyAt, shipment.timeZone),
    unitOfMeasurement: 'metric',
    isCustomsDeclarable: isCustomsDeclarable(shipment),
    packages: [packageOf(shipment)],
  }
}

function partyOf(party: Party) {
  const lines = addressLines([party.line1, party.line2, party.state], lineWidth, mostLines)
  if (!lines) throw new CarrierError('incomplete', `address over ${lineWidth * mostLines} characters`)
  const [addressLine1, addressLine2, addressLine3] = lines
  return {
    postalAddress: {
      ...placeOf(party),
      addressLine1,
      ...(addressLine2 ? { addressLine2 } : {}),
      ...(addressLine3 ? { addressLine3 } : {}),
    },
    contactInformation: {
      phone: party.phone.slice(0, limits.phone),
      companyName: (party.company ?? party.contactName).slice(0, limits.company),
      fullName: party.contactName.slice(0, limits.name),
      ...(party.email ? { email: party.email } : {}),
    },
  }
}

function shipmentRequest(access: DhlAccess, shipment: Shipment) {
  const declarable = isCustomsDeclarable(shipment)
  if (declarable && !shipment.customs) throw new CarrierError('incomplete', 'customs items')
  return {
    plannedShippingDateAndTime: dhlDateTime(shipment.readyAt, shipment.timeZone),
    // We bring it to DHL ourselves.
    pickup: { isRequested: false },
    productCode: productOf(shipment),
    accounts: [{ typeCode: 'shipper', number: access.account }],
    customerDetails: { shipperDetails: partyOf(shipment.sender), receiverDetails: partyOf(shipment.receiver) },
    // By this the shipment is found again when its answer was lost.
    customerReferences: [{ typeCode: 'CU', value: shipment.reference }],
    content: {
      packages: [
        {
          ...packageOf(shipment),
          customerReferences: [{ typeCode: 'CU', value: shipment.trackingNumber }],
        },
      ],
      isCustomsDeclarable: declarable,
      description: shipment.contentDescription.slice(0, limits.description),
      incoterm: 'DAP',
      unitOfMeasurement: 'metric',
      ...(declarable && shipment.customs
        ? {
            declaredValue: declaredValue(shipment),
            declaredValueCurrency: shipment.currency,
            exportDeclaration: exportDeclaration(shipment, shipment.customs),
          }
        : {}),
    },
    outputImageProperties: { encodingFormat: 'pdf', imageOptions: [{ typeCode: 'label' }] },
  }
}

/** Why it is sent, in DHL's words. */
const exportReasons: Record<Customs['reason'], string> = {
  gift: 'gift',
  documents: 'permanent',
  sale: 'commercial_purpose_or_sale',
  sample: 'sample',
  returned_goods: 'return',
  other: 'permanent',
}

function exportDeclaration(shipment: Shipment, customs: Customs) {
  const { currency, weightGrams, readyAt, timeZone } = shipment
  const pieces = customs.items.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    lineItems: customs.items.map((item, index) => {
      // A weight that was not told is the line's share of the parcel's.
      const grams = item.netWeightGrams ?? Math.max(1, Math.floor((weightGrams * item.quantity) / pieces))
      return {
        number: index + 1,
        description: item.description.slice(0, limits.item),
        price: majorUnits(item.unitValueMinor, currency),
        priceCurrency: currency,
        quantity: { value: item.quantity, unitOfMeasurement: 'PCS' },
        manufacturerCountry: item.originCountry.toUpperCase(),
        weight: { netValue: kilograms(grams), grossValue: kilograms(grams) },
        ...(item.hsCode ? { commodityCodes: [{ typeCode: 'outbound', value: item.hsCode }] } : {}),
      }
    }),
    invoice: {
      number: customs.invoiceNumber ?? shipment.trackingNumber,
      date: dhlDateTime(readyAt, timeZone).slice(0, 10),
    },
    exportReason: customs.reasonText ?? customs.reason,
    exportReasonType: exportReasons[customs.reason],
    incoterm: 'DAP',
  }
}
