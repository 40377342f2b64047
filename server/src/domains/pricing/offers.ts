/** The offer of one service of one carrier between two places: open with its price, or closed with the reason. */

import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { Dimensions } from '@waybill/contract/ground/measures'
import { endsAtStation, isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { PriceHint, PriceInputs, ServiceQuote } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../deps.ts'
import { offersService } from '../stations/rules.ts'
import { expectedDay } from './expected-date.ts'
import { listPriceHints, type OtherMode } from './hints.ts'
import type { RateLineRow, ServiceRow } from './queries.ts'
import { type Card, type Rates, ratesBetween } from './rate-cards/rates.ts'
import type { End, Route } from './route-ends.ts'
import {
  type Discount,
  insuranceTier,
  measure,
  type PriceInput,
  priceParcel,
  type Rate,
  type Surcharges,
} from './rules.ts'
import { carrierDivisor, serviceLimits } from './size-limits.ts'

/** The inputs of a price: weights in grams, lengths in mm, money in minor units. */
export type PriceRequest = Route & {
  weightGrams: number
  dimensions: Dimensions | null
  insuredValueMinor: number | null
  codAmountMinor: number | null
  /** Carriers that cannot take one of the addresses. Absent: the addresses are not known, or the parcel is paid. */
  addressTooLongFor?: readonly Carrier[]
}

/** The data that the offers of a quote share. */
export type QuoteContext = {
  deps: Deps
  rates: Rates
  request: PriceRequest
  discount: Discount | null
  /** The account's own card first, if any, then the general one, which may have rates that the first one does not. */
  cards: readonly Card[]
  origin: End
  destination: End
  /** The fee of one pickup, tax included. */
  pickupFeeMinor: number
  /** The current day and time in the deployment's time zone. */
  day: string
  time: string
}

type ClosedReason = NonNullable<ServiceQuote['reason']>

/** A carrier's rules, completed by the deployment's settings. */
function getSurcharges({ deps: { settings }, rates, request }: QuoteContext, carrier: Carrier): Surcharges {
  const rule = rates.carriers.get(carrier)
  return {
    divisor: carrierDivisor({ settings }, rates, carrier),
    fuelBasisPoints: rule?.fuelBasisPoints ?? settings.get('price.fuelBasisPoints'),
    serviceCharge: settings.get('price.serviceCharge'),
    insuranceTiers: settings.get('price.insuranceTiers'),
    codBasisPoints: settings.get('price.codBasisPoints'),
    codMinimumMinor: settings.get('price.codMinimumMinor'),
    taxBasisPoints: settings.get(
      request.scope === 'international' ? 'price.internationalTaxBasisPoints' : 'price.taxBasisPoints',
    ),
  }
}

/** The band of a weight. Outside all bands the nearest one, whose limit the error names. */
export function findBand(
  lines: readonly RateLineRow[],
  { carrier, serviceType }: { carrier: Carrier; serviceType: ServiceType },
  grams: number,
): RateLineRow | null {
  let heaviest: RateLineRow | null = null
  for (const line of lines) {
    if (line.carrier !== carrier || line.serviceType !== serviceType) continue
    if (line.minWeightGrams <= grams && grams <= line.maxWeightGrams) return line
    if (!heaviest || line.maxWeightGrams > heaviest.maxWeightGrams) heaviest = line
  }
  return heaviest
}

function rateFor(
  context: QuoteContext,
  service: ServiceRow,
  divisor: number,
): { card: Card; line: RateLineRow } | null {
  const { request, cards, origin, destination } = context
  if (!origin || !destination) return null
  const heavier = measure(request.weightGrams, request.dimensions, divisor, 1).chargeableGrams
  for (const card of cards) {
    const lines = ratesBetween(card, request.scope, origin.zone, destination.zone)
    const line = findBand(lines, service, heavier)
    if (line) return { card, line }
  }
  return null
}

/** Stations list parcels and express; documents travel with the parcels. */
function stationOffers(end: NonNullable<End>, serviceType: ServiceType, what: 'pickup' | 'delivery'): boolean {
  const code = serviceType === 'document' ? 'e_parcel' : serviceType
  return end.station === null || end.station.serviceCodes.includes(`${code}.${what}`)
}

const closedReason = (code: ClosedReason['code'], limit: number | null = null): ClosedReason => ({ code, limit })

/** Why a mode is not available here, or null. */
function whyModeClosed(
  { request, origin, destination }: QuoteContext,
  { serviceType, deliveryModes }: ServiceRow,
): ClosedReason | null {
  if (!origin || !destination) return null
  if (!deliveryModes.includes(request.deliveryMode)) return closedReason('mode_not_offered')
  const lacking =
    isPickedUp(request.deliveryMode) && !stationOffers(origin, serviceType, 'pickup')
      ? origin
      : !endsAtStation(request.deliveryMode) && !stationOffers(destination, serviceType, 'delivery')
        ? destination
        : null
  if (!lacking) return null
  return { ...closedReason('mode_not_offered'), ...(lacking.station ? { station: lacking.station.name } : {}) }
}

/** Why a service is not available, or null. */
function whyServiceClosed(
  context: QuoteContext,
  service: ServiceRow,
  line: RateLineRow | null,
  surcharges: Surcharges,
) {
  const { request, origin, destination } = context
  if (service.status !== 'open') return closedReason('switched_off')
  // Without credentials nothing can be booked with this carrier.
  if (service.carrier !== 'own' && context.deps.carriers[service.carrier] === null)
    return closedReason('carrier_closed')
  if (!origin) return closedReason('not_covered_origin')
  if (!destination) return closedReason('not_covered_destination')
  if (!line) return closedReason('no_rate')
  const mode = whyModeClosed(context, service)
  if (mode) return mode
  if (request.codAmountMinor && !service.cod) return closedReason('no_cod')
  if (request.addressTooLongFor?.includes(service.carrier)) return closedReason('address_too_long')
  const size = measure(request.weightGrams, request.dimensions, surcharges.divisor, 1)
  const limits = serviceLimits(context.deps, service)
  const heaviest = Math.min(line.maxWeightGrams, limits.heaviestGrams)
  const bulkiest = Math.min(line.maxWeightGrams, limits.bulkiestGrams)
  if (size.weightGrams > heaviest) return closedReason('too_heavy', heaviest)
  if (size.volumetricGrams > bulkiest) return closedReason('too_large', bulkiest)
  return size.chargeableGrams < line.minWeightGrams ? closedReason('too_light', line.minWeightGrams) : null
}

/** The rate of a line. */
export const lineRate = (line: RateLineRow): Rate => ({
  firstWeightGrams: line.firstWeightGrams,
  firstPriceMinor: line.firstPriceMinor,
  stepWeightGrams: line.stepWeightGrams,
  stepPriceMinor: line.stepPriceMinor,
})

/** Picking up from a remote area costs as much as delivering there. */
function countRemoteEnds(mode: DeliveryMode, origin: NonNullable<End>, destination: NonNullable<End>): number {
  return (
    (isPickedUp(mode) ? origin.remoteSurchargeMinor : 0) + (!endsAtStation(mode) ? destination.remoteSurchargeMinor : 0)
  )
}

const pickupFor = ({ pickupFeeMinor }: QuoteContext, mode: DeliveryMode) => (isPickedUp(mode) ? pickupFeeMinor : 0)

/** Modes without a rider, if a counter can do it instead. */
function otherModes(context: QuoteContext, service: ServiceRow): OtherMode[] {
  const { origin, destination } = context
  const { deliveryMode: mode } = context.request
  const modes: OtherMode[] = []
  if (!origin || !destination) return modes
  const add = (other: DeliveryMode, end: NonNullable<End>, what: 'drop_off' | 'self_collection') => {
    if (!service.deliveryModes.includes(other)) return
    if (!end.station || !offersService(end.station.serviceCodes, what, service.serviceType)) return
    const remoteSurchargeMinor = countRemoteEnds(other, origin, destination)
    modes.push({ deliveryMode: other, remoteSurchargeMinor, pickupFeeMinor: pickupFor(context, other) })
  }
  if (isPickedUp(mode)) add(`P2${endsAtStation(mode) ? 'P' : 'D'}`, origin, 'drop_off')
  // At a station in another zone the parcel has another price.
  if (!endsAtStation(mode) && destination.stationInZone)
    add(`${isPickedUp(mode) ? 'D' : 'P'}2P`, destination, 'self_collection')
  return modes
}

/** The inputs that a breakdown stores, so that it can be computed again. */
function getInputs({ request }: QuoteContext, service: ServiceRow, price: PriceInput): PriceInputs {
  const { surcharges } = price
  return {
    scope: request.scope,
    serviceType: service.serviceType,
    carrier: service.carrier,
    deliveryMode: request.deliveryMode,
    dimensions: request.dimensions,
    roundingGrams: price.roundingGrams ?? null,
    remoteSurchargeMinor: price.remoteSurchargeMinor,
    discount: price.discount,
    insuredValueMinor: request.insuredValueMinor,
    codAmountMinor: request.codAmountMinor,
    fuelBasisPoints: surcharges.fuelBasisPoints,
    serviceCharge: surcharges.serviceCharge,
    insuranceTier: insuranceTier(request.insuredValueMinor, surcharges.insuranceTiers),
    codBasisPoints: surcharges.codBasisPoints,
    codMinimumMinor: surcharges.codMinimumMinor,
    taxBasisPoints: surcharges.taxBasisPoints,
  }
}

/** The expected day of a parcel that is handed over at the request's day and time; null outside the covered area. */
export function findExpectedDay(
  {
    deps,
    rates,
    origin,
    destination,
    day,
    time,
  }: Omit<QuoteContext, 'request' | 'discount' | 'cards' | 'pickupFeeMinor'>,
  transitDays: number,
): string | null {
  if (!origin || !destination) return null
  const home = deps.settings.get('countryCode')
  const journey = {
    day,
    time,
    cutOffTime: origin.cutOffTime,
    originState: origin.state,
    destinationState: destination.state,
    abroad: destination.country === home ? null : (rates.holidays.get(destination.country) ?? []),
    transitDays,
  }
  return expectedDay(journey, rates.holidays.get(home) ?? [])
}

const serviceName = (
  { carrier, serviceType }: Pick<ServiceRow, 'carrier' | 'serviceType'>,
  deliveryMode: DeliveryMode,
) => ({
  code: `${carrier}.${serviceType}.${deliveryMode}`,
  carrier,
  serviceType,
  deliveryMode,
})

const nothing = {
  open: false,
  price: null,
  hints: [] as PriceHint[],
  pickupFeeMinor: 0,
  expectedDate: null,
  transitDays: null,
}

/** A kind of service that no carrier offers for this shipment. */
export function closedQuote(request: PriceRequest, serviceType: ServiceType, carrier: Carrier): ServiceQuote {
  return {
    ...serviceName({ carrier, serviceType }, request.deliveryMode),
    ...nothing,
    reason: closedReason('scope_not_offered'),
  }
}

/** The quote of one service, open or closed. */
export function quoteOffer(context: QuoteContext, service: ServiceRow): ServiceQuote {
  const { request, discount, origin, destination, rates } = context
  const quote = serviceName(service, request.deliveryMode)
  const surcharges = getSurcharges(context, service.carrier)
  const rate = rateFor(context, service, surcharges.divisor)
  const reason = whyServiceClosed(context, service, rate?.line ?? null, surcharges)
  if (reason || !rate || !origin || !destination) return { ...quote, ...nothing, reason }
  const { card, line } = rate
  const input: PriceInput = {
    currency: card.currency,
    rateCard: { code: card.code, version: card.version },
    originZone: origin.zone,
    destinationZone: destination.zone,
    rate: lineRate(line),
    roundingGrams: rates.carriers.get(service.carrier)?.roundingGrams ?? null,
    weightGrams: request.weightGrams,
    dimensions: request.dimensions,
    remoteSurchargeMinor: countRemoteEnds(request.deliveryMode, origin, destination),
    discount,
    insuredValueMinor: request.insuredValueMinor,
    codAmountMinor: request.codAmountMinor,
    surcharges,
  }
  const zoneNames = {
    origin: origin.zoneName,
    destination: destination.zoneName,
    ...(origin.zoneNameZh === null ? {} : { originZh: origin.zoneNameZh }),
    ...(destination.zoneNameZh === null ? {} : { destinationZh: destination.zoneNameZh }),
  }
  const price = { ...priceParcel(input), zoneNames, inputs: getInputs(context, service, input) }
  const pickupFeeMinor = pickupFor(context, request.deliveryMode)
  return {
    ...quote,
    open: true,
    reason: null,
    price,
    hints: listPriceHints({
      price: input,
      totalMinor: price.totalMinor,
      chargeableGrams: price.chargeableGrams,
      pickupFeeMinor,
      leastGrams: line.minWeightGrams,
      otherModes: otherModes(context, service),
    }),
    pickupFeeMinor,
    expectedDate: findExpectedDay(context, line.transitDays),
    transitDays: line.transitDays,
  }
}
