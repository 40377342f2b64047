// DHL Express through the MyDHL API 3. Tracking falls back to DHL Shipment Tracking – Unified.
import { randomUUID } from 'node:crypto'
import type { DhlAccess } from '../../../config.ts'
import { type Clock, days, later } from '../../../lib/clock.ts'
import type { CarrierClient, CarrierRate, CheckpointsByNumber } from '../carrier.ts'
import { callInParts } from '../in-parts.ts'
import { isDhlNumber, minorUnits } from '../rules.ts'
import { type Answer, CarrierError, parseResponse, send } from '../wire.ts'
import { rateRequest, shipmentRequest } from './requests.ts'
import {
  bookingResponse,
  imagesResponse,
  labelIn,
  ratesResponse,
  readDhlEvent,
  requireSuccess,
  trackingResponse,
} from './responses.ts'
import { dhlTracking } from './tracking.ts'

const apiVersion = '3.1.0'

/**
 * The types of the price that we pay, most specific first: billing currency, the country's public price, the base
 * price.
 */
const priceTypes = ['BILLC', 'PULCL', 'BASEC']

type Request = { query?: Record<string, string>; body?: unknown; reference?: string }
type Call = (method: 'GET' | 'POST', path: string, request?: Request) => Promise<Answer>

function dhlCalls(access: DhlAccess, timeoutMs: number, clock: Clock): Call {
  const authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`
  return (method, path, { query, body, reference } = {}) =>
    send(
      `${access.baseUrl}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
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

/** Reads the rates of a response. Products without a price that we pay are omitted. */
function ratesIn(text: string): CarrierRate[] {
  return parseResponse(ratesResponse, text).products.flatMap((product): CarrierRate[] => {
    const price = priceTypes
      .map((type) => product.totalPrice.find(({ currencyType }) => currencyType === type))
      .find((candidate) => candidate?.price !== undefined && candidate.priceCurrency !== undefined)
    if (price?.price === undefined || price.priceCurrency === undefined) return []
    const transitDays = product.deliveryCapabilities?.totalTransitDays
    return [
      {
        product: product.productCode,
        name: product.productName,
        priceMinor: minorUnits(price.price, price.priceCurrency),
        currency: price.priceCurrency,
        days: transitDays === undefined ? null : Number(transitDays),
      },
    ]
  })
}

async function track(call: Call, numbers: readonly string[], timeZone: string): Promise<CheckpointsByNumber> {
  const query = { shipmentTrackingNumber: numbers.join(','), trackingView: 'all-checkpoints', levelOfDetail: 'all' }
  const response = await call('GET', '/tracking', { query })
  if (response.status === 404) return new Map()
  const { shipments } = parseResponse(trackingResponse, requireSuccess(response).text)
  const requested = new Set(numbers)
  return new Map(
    shipments
      // A shipment that we did not query may be another customer's.
      .filter(({ shipmentTrackingNumber }) => requested.has(shipmentTrackingNumber))
      .map(({ shipmentTrackingNumber, events = [] }) => [
        shipmentTrackingNumber,
        events.flatMap((event) => readDhlEvent(event, timeZone) ?? []).sort((a, b) => a.at.getTime() - b.at.getTime()),
      ]),
  )
}

/** A client of DHL Express with these credentials. */
export function dhlClient(access: DhlAccess, timeoutMs: number, clock: Clock): CarrierClient {
  const call = dhlCalls(access, timeoutMs, clock)
  const unified = access.tracking && dhlTracking(access.tracking, timeoutMs)
  return {
    trackAtOnce: 200,

    async rate(shipment) {
      return ratesIn(requireSuccess(await call('POST', '/rates', { body: rateRequest(access, shipment) })).text)
    },

    async book(shipment) {
      const body = shipmentRequest(access, shipment)
      const response = requireSuccess(await call('POST', '/shipments', { body, reference: shipment.reference }))
      const booking = parseResponse(bookingResponse, response.text)
      return { carrierNumber: booking.shipmentTrackingNumber, label: labelIn(booking.documents) }
    },

    async find(shipment) {
      const day = (offset: number) => later(clock.now(), days(offset)).toISOString().slice(0, 10)
      const query = {
        shipmentReference: shipment.reference,
        shipmentReferenceType: 'CU',
        shipperAccountNumber: access.account,
        dateRangeFrom: day(-30),
        dateRangeTo: day(11),
        trackingView: 'shipment-details-only',
        levelOfDetail: 'shipment',
      }
      const response = await call('GET', '/tracking', { query })
      if (response.status === 404) return null
      const [match] = parseResponse(trackingResponse, requireSuccess(response).text).shipments
      if (!match) return null
      const { shipmentTrackingNumber: number } = match
      if (!isDhlNumber(number)) throw new CarrierError('nonsense', `shipmentTrackingNumber ${number}`)
      return { carrierNumber: number, label: null }
    },

    async label(carrierNumber, bookedAt) {
      // DHL files a waybill by the local month of its planned shipping, which is within two days of the booking.
      const months = new Set([bookedAt, later(bookedAt, days(2))].map((at) => at.toISOString().slice(0, 7)))
      for (const pickupYearAndMonth of months) {
        const query = {
          shipperAccountNumber: access.account,
          typeCode: 'waybill',
          pickupYearAndMonth,
          encodingFormat: 'pdf',
        }
        const response = await call('GET', `/shipments/${carrierNumber}/get-image`, { query })
        if (response.status === 404) continue
        return labelIn(parseResponse(imagesResponse, requireSuccess(response).text).documents)
      }
      return null
    },

    // DHL cannot cancel waybills: one that is never handed over is not billed and expires.
    cancel: async () => undefined,

    // DHL is queried by number; numbers need no announcement.
    subscribe: async (parcels) => parcels.map(({ carrierNumber }) => carrierNumber),

    async track(numbers, timeZone) {
      try {
        const parts = await callInParts(numbers, (part) => track(call, part, timeZone))
        return new Map(parts.flatMap((part) => [...part]))
      } catch (error) {
        if (!unified || !(error instanceof CarrierError)) throw error
        return unified(numbers, timeZone)
      }
    },
  }
}
