import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import {
  carrierLabels,
  deliveryModeLabels,
  discountTypeLabels,
  labelValues,
  scopeLabels,
  serviceTypeLabels,
} from '../ground/enums.ts'
import { country, day, id, postcode } from '../ground/fields.ts'
import { dimensions, weightGrams } from '../ground/measures.ts'
import { amountMinor, currency } from '../ground/money.ts'
import { pickupChoice, pickupVisit } from '../pickups/pickup-choice.ts'

/** Kinds of lines in a breakdown, in the order in which they are worked out (docs/pricing.md). */
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
 * What else went into a price: with the breakdown and its rate card's version enough to work it out again, whatever the
 * settings say by then.
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

/** A price that can be replayed: what went in, each line, and which version of which rate card made it. */
export const priceBreakdown = z.object({
  currency,
  weightGrams: z.number(),
  volumetricGrams: z.number(),
  chargeableGrams: z.number(),
  divisor: z.number(),
  rateCard: z.object({ code: z.string(), version: z.number() }),
  originZone: z.string(),
  destinationZone: z.string(),
  lines: z.array(priceLine),
  totalMinor: z.number(),
  inputs: z.optional(priceInputs),
})
export type PriceBreakdown = z.output<typeof priceBreakdown>

export const place = z.object({ postcode, country: z._default(country, 'my') })

/** What a price depends on. Dimensions may be missing for documents. */
export const quoteRequest = z.object({
  scope: z._default(z.enum(labelValues(scopeLabels)), 'domestic' as const),
  serviceType: z.optional(z.enum(labelValues(serviceTypeLabels))),
  /** Only this carrier's services; all of them where it is left out. */
  carrier: z.optional(z.enum(labelValues(carrierLabels))),
  deliveryMode: z._default(z.enum(labelValues(deliveryModeLabels)), 'D2D' as const),
  sender: place,
  receiver: place,
  weightGrams,
  dimensions: z._default(z.nullable(dimensions), null),
  insuredValueMinor: z._default(z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))), null),
  codAmountMinor: z._default(z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))), null),
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
] as const

/**
 * What would make it cheaper, worked out for this very parcel: `smaller` (one side shorter by so much), `lighter`, or
 * another way of handing over or receiving it. `savesMinor` is exact, tax included, with the pickup that falls away.
 * Label: `priceHint.<kind>`.
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
  /** `own.e_parcel.D2D`: what a parcel stores as its serviceCode. */
  code: z.string(),
  carrier: z.enum(labelValues(carrierLabels)),
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  deliveryMode: z.enum(labelValues(deliveryModeLabels)),
  open: z.boolean(),
  /** `limit`: grams. `station`: the one that does not offer the mode. */
  reason: z.nullable(
    z.object({ code: z.enum(closedReasons), limit: z.nullable(z.number()), station: z.optional(z.string()) }),
  ),
  price: z.nullable(priceBreakdown),
  /** Greatest saving first; none for a closed service. */
  hints: z._default(z.array(priceHint), []),
  /** What of the price is the pickup, tax included; 0 without one. Parcels of one order share it. */
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
  summary: 'All services for a parcel, cheapest first, each with its breakdown; closed ones with the reason',
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
    /** Every visit that is booked to the address. */
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
  body: z.object({ insuredValueMinor: z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000)) }),
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
    parcels: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1),
  }),
  response: z.object({
    currency,
    /** Tax included, however many parcels. */
    feeMinor: z.number(),
    /** What each parcel bears of it: so many parcels so much each, to the last minor unit. */
    shares: z.array(z.object({ amountMinor: z.number(), parcels: z.number() })),
    covered: z.boolean(),
  }),
})
