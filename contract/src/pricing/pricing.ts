/** Quotes: the inputs of a price, its lines, and the available services. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels, discountTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { deliveryModeLabels, scopeLabels, serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { country, day, id, integer, postcode } from '../ground/fields.ts'
import { dimensions, weightGrams } from '../ground/measures.ts'
import { amountMinor, currency, minorAmount, positiveMinorAmount } from '../ground/money.ts'
import { pickupChoice, pickupVisit } from '../pickups/pickup-choice.ts'

/** Kinds of lines in a breakdown, in the order in which they are computed (docs/pricing.md). */
export const priceLineKinds = [
  'freight',
  'remote_area',
  'fuel',
  'pickup',
  'recall',
  'return',
  'discount',
  'service_charge',
  'insurance',
  'cod',
  'delivery_choice',
  'cod_payout',
  'weight_difference',
  'tax',
] as const
export type PriceLineKind = (typeof priceLineKinds)[number]

/**
 * One line; `basis` holds the figures that explain it (steps, percent, tier), as integers. Label: `price.line.<kind>`
 * in the locale files.
 */
export const priceLine = z.object({
  kind: z.enum(priceLineKinds),
  amountMinor,
  basis: z._default(z.record(z.string(), z.union([z.number(), z.string()])), {}),
})
export type PriceLine = z.output<typeof priceLine>

/**
 * Other inputs of a price. With the breakdown and the version of the rate card they are enough to recompute it after
 * the settings have changed.
 */
export const priceInputs = z.object({
  scope: z.enum(labelValues(scopeLabels)),
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  carrier: z.enum(labelValues(carrierLabels)),
  deliveryMode: z.enum(labelValues(deliveryModeLabels)),
  dimensions: z.nullable(dimensions),
  /** Grams that the carrier rounds the weight up to; null: the step of its rate. */
  roundingGrams: z.nullable(z.number()),
  remoteSurchargeMinor: z.number(),
  discount: z.nullable(z.object({ type: z.enum(labelValues(discountTypeLabels)), value: z.number() })),
  insuredValueMinor: z.nullable(z.number()),
  codAmountMinor: z.nullable(z.number()),
  fuelBasisPoints: z.number(),
  serviceCharge: z.object({ type: z.enum(labelValues(discountTypeLabels)), value: z.number() }),
  /** The tier that the insured value fell into. */
  insuranceTier: z.nullable(z.object({ upToMinor: z.number(), premiumMinor: z.number() })),
  codBasisPoints: z.number(),
  codMinimumMinor: z.number(),
  taxBasisPoints: z.number(),
})
export type PriceInputs = z.output<typeof priceInputs>

/** A reproducible price: its inputs, its lines, and the version of the rate card. */
export const priceBreakdown = z.object({
  currency,
  weightGrams: z.number(),
  volumetricGrams: z.number(),
  chargeableGrams: z.number(),
  divisor: z.number(),
  rateCard: z.object({ code: z.string(), version: z.number() }),
  originZone: z.string(),
  destinationZone: z.string(),
  /**
   * The names of both zones, which customers see; the Chinese ones if the zones have them. Prices from before they were
   * stored have none.
   */
  zoneNames: z.optional(
    z.object({
      origin: z.string(),
      destination: z.string(),
      originZh: z.optional(z.string()),
      destinationZh: z.optional(z.string()),
    }),
  ),
  lines: z.array(priceLine),
  totalMinor: z.number(),
  inputs: z.optional(priceInputs),
})
export type PriceBreakdown = z.output<typeof priceBreakdown>

export const place = z.object({ postcode, country: z._default(country, 'my') })

/** The inputs of a price. Dimensions may be missing for documents. */
export const quoteRequest = z.object({
  scope: z._default(z.enum(labelValues(scopeLabels)), 'domestic' as const),
  serviceType: z.optional(z.enum(labelValues(serviceTypeLabels))),
  /** Only this carrier's services; absent: those of all carriers. */
  carrier: z.optional(z.enum(labelValues(carrierLabels))),
  deliveryMode: z._default(z.enum(labelValues(deliveryModeLabels)), 'D2D' as const),
  sender: place,
  receiver: place,
  /** The chosen stations, whose places count instead of the addresses if the mode starts or ends at a station. */
  dropOffStationId: z._default(z.nullable(id), null),
  selfCollectionStationId: z._default(z.nullable(id), null),
  weightGrams,
  dimensions: z._default(z.nullable(dimensions), null),
  insuredValueMinor: z._default(z.nullable(minorAmount), null),
  codAmountMinor: z._default(z.nullable(minorAmount), null),
})
export type QuoteRequest = z.output<typeof quoteRequest>

/** Why a service is closed: a translation key under `serviceClosed.`. */
export const closedReasons = [
  'too_heavy',
  'too_light',
  'too_large',
  'not_covered_origin',
  'not_covered_destination',
  'no_rate',
  'mode_not_offered',
  'scope_not_offered',
  'no_cod',
  'switched_off',
  'carrier_closed',
  'address_too_long',
] as const

/**
 * A change that would make this parcel cheaper: `smaller` (one side shorter), `lighter`, or another delivery mode.
 * `savesMinor` is exact, with tax and with a pickup fee that no longer applies. Label: `priceHint.<kind>`.
 */
export const priceHint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('smaller'),
    side: z.enum(['lengthMm', 'widthMm', 'heightMm']),
    lessMm: z.number(),
    savesMinor: z.number(),
  }),
  z.object({ kind: z.literal('lighter'), lessGrams: z.number(), savesMinor: z.number() }),
  z.object({
    kind: z.literal('delivery_mode'),
    deliveryMode: z.enum(labelValues(deliveryModeLabels)),
    savesMinor: z.number(),
  }),
])
export type PriceHint = z.output<typeof priceHint>

export const serviceQuote = z.object({
  /** `own.e_parcel.D2D`: the serviceCode of a parcel. */
  code: z.string(),
  carrier: z.enum(labelValues(carrierLabels)),
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  deliveryMode: z.enum(labelValues(deliveryModeLabels)),
  open: z.boolean(),
  /** `limit` in grams; `station`: the station that does not offer the mode. */
  reason: z.nullable(
    z.object({ code: z.enum(closedReasons), limit: z.nullable(z.number()), station: z.optional(z.string()) }),
  ),
  price: z.nullable(priceBreakdown),
  /** Largest saving first; empty for a closed service. */
  hints: z._default(z.array(priceHint), []),
  /** The pickup's part of the price, tax included; 0 without a pickup. Parcels of one order share it. */
  pickupFeeMinor: z.number(),
  expectedDate: z.nullable(day),
  transitDays: z.nullable(z.number()),
})
export type ServiceQuote = z.output<typeof serviceQuote>

export const priceServices = endpoint({
  id: 'prices.services',
  method: 'POST',
  question: true,
  path: '/api/customer/prices/services',
  access: 'public',
  summary: 'All services for a parcel, cheapest first, each with its breakdown; unavailable ones with the reason',
  body: quoteRequest,
  response: z.object({ items: z.array(serviceQuote) }),
})

export const priceSummary = endpoint({
  id: 'prices.summary',
  method: 'POST',
  question: true,
  path: '/api/customer/prices/summary',
  access: 'customer.view',
  summary:
    'Totals of chosen parcels as a checkout would charge them today; with `pickup` also whether a rider comes anyway',
  body: z.object({
    parcelIds: z.array(id).check(z.minLength(1), z.maxLength(10_000)),
    pickup: z._default(z.nullable(pickupChoice), null),
  }),
  response: z.object({
    currency,
    totalMinor: z.number(),
    lines: z.array(priceLine),
    /** Each with its share of the pickup. */
    parcels: z.array(z.object({ id, serviceCode: z.nullable(z.string()), totalMinor: z.number() })),
    /** The visit that these parcels would join. */
    visit: z.nullable(pickupVisit),
    /** All booked visits to the address. */
    visits: z.array(pickupVisit),
  }),
})

export const priceInsurance = endpoint({
  id: 'prices.insurance',
  method: 'POST',
  question: true,
  path: '/api/customer/prices/insurance',
  access: 'public',
  summary: 'The premium for an insured value',
  body: z.object({ insuredValueMinor: positiveMinorAmount }),
  response: z.object({ currency, insuredValueMinor: z.number(), premiumMinor: z.number() }),
})

export const pricePickup = endpoint({
  id: 'prices.pickup',
  method: 'POST',
  question: true,
  path: '/api/customer/prices/pickup',
  access: 'public',
  summary: 'The fee of one pickup, shared by its parcels',
  body: z.object({
    postcode,
    country: z._default(country, 'my'),
    parcels: z._default(integer(1, 10_000), 1),
  }),
  response: z.object({
    currency,
    /** Tax included, however many parcels. */
    feeMinor: z.number(),
    /** How the fee is split: the number of parcels that pay each amount, exact to the minor unit. */
    shares: z.array(z.object({ amountMinor: z.number(), parcels: z.number() })),
    covered: z.boolean(),
  }),
})
