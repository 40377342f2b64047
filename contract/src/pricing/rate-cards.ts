/** Rate cards, services, and the conditions of individual accounts, for staff (docs/pricing.md). */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels, discountTypeLabels, userTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { deliveryModeLabels, scopeLabels, serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, idParams, instant, integer, ok, text, version } from '../ground/fields.ts'
import { basisPoints } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { zoneCode } from '../stations/zones.ts'

const grams = integer(1, 1_000_000)
const priceMinor = integer(0, 100_000_000)
export const rateCardCode = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9][A-Z0-9_-]{0,39}$/))

/** One rate: a service between two zones, within a range of weights. */
export const rateLine = z.object({
  scope: z.enum(labelValues(scopeLabels)),
  carrier: z.enum(labelValues(carrierLabels)),
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  originZone: zoneCode,
  destinationZone: zoneCode,
  minWeightGrams: grams,
  maxWeightGrams: grams,
  firstWeightGrams: grams,
  firstPriceMinor: priceMinor,
  stepWeightGrams: grams,
  stepPriceMinor: priceMinor,
  transitDays: integer(0, 60),
})
export type RateLine = z.output<typeof rateLine>

/**
 * `draft`: can be edited and is not in use. A published version never changes: it is `upcoming`, `current` or `past`.
 */
export const rateCardStates = ['draft', 'upcoming', 'current', 'past'] as const
export type RateCardState = (typeof rateCardStates)[number]

export const rateCard = z.object({
  id,
  code: rateCardCode,
  /** The number of this version of the card; `version` counts the edits of the record. */
  edition: z.number(),
  name: z.string(),
  currency: z.string(),
  state: z.enum(rateCardStates),
  validFrom: z.nullable(day),
  validTo: z.nullable(day),
  lineCount: z.number(),
  /** The number of accounts with this individual card. */
  accountCount: z.number(),
  /** Whether it is the default card, for accounts without an individual one. */
  common: z.boolean(),
  version,
  updatedAt: instant,
})
export type RateCard = z.output<typeof rateCard>

const rateCardWithLines = z.extend(rateCard, { lines: z.array(rateLine) })

const cards = '/api/staff/rate-cards'

const cardFilters = {
  state: z.optional(z.enum(rateCardStates)),
  search: z.optional(z.string().check(z.maxLength(80))),
}

export const exportRateCards = endpoint({
  id: 'rates.cardsXls',
  method: 'GET',
  path: `${cards}/xls`,
  access: 'staff.rates',
  summary: 'The versions of rate cards that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...cardFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listRateCards = endpoint({
  id: 'rates.cards',
  method: 'GET',
  path: cards,
  access: 'staff.rates',
  summary: 'All versions of all rate cards',
  query: z.extend(listQuery(['code', 'validFrom', 'updatedAt']), cardFilters),
  response: page(rateCard),
})

export const getRateCard = endpoint({
  id: 'rates.card',
  method: 'GET',
  path: `${cards}/:id`,
  access: 'staff.rates',
  summary: 'One version of a rate card with its lines',
  params: idParams,
  response: rateCardWithLines,
})

/** A draft with the lines of another version, or without `fromId` a new card without lines. */
export const newRateCard = z.object({
  /** The version that it is copied from. */
  fromId: z.optional(id),
  /** Another code makes a new card. Required without `fromId`, and so is the name. */
  code: z.optional(rateCardCode),
  name: z.optional(text(80)),
})

export const createRateCard = endpoint({
  id: 'rates.createCard',
  method: 'POST',
  path: cards,
  access: 'staff.rates',
  summary: 'A draft: the next version of a card, or with another code a new card, with the lines of an old one or none',
  body: newRateCard,
  response: rateCardWithLines,
})

export const updateRateCard = endpoint({
  id: 'rates.updateCard',
  method: 'PUT',
  path: `${cards}/:id`,
  access: 'staff.rates',
  summary: 'Saves a draft with its name and all lines',
  params: idParams,
  body: z.object({ version, name: text(80), lines: z.array(rateLine).check(z.minLength(1), z.maxLength(5000)) }),
  response: rateCardWithLines,
})

export const publishRateCard = endpoint({
  id: 'rates.publishCard',
  method: 'POST',
  path: `${cards}/:id/publish`,
  access: 'staff.rates',
  summary:
    'Publishes a draft from a day on. Without an end day, the open-ended version before it ends the day before; ' +
    'otherwise that version applies again afterwards',
  params: idParams,
  body: z.object({ version, validFrom: day, validTo: z._default(z.nullable(day), null) }),
  response: rateCard,
})

export const removeRateCard = endpoint({
  id: 'rates.removeCard',
  method: 'DELETE',
  path: `${cards}/:id`,
  access: 'staff.rates',
  summary: 'Deletes a draft',
  params: idParams,
  response: ok,
})

/** `open`: available. `closed`: shown with the reason. `not_offered`: hidden. */
export const serviceStates = ['open', 'closed', 'not_offered'] as const

const serviceLimits = {
  status: z.enum(serviceStates),
  deliveryModes: z.array(z.enum(labelValues(deliveryModeLabels))).check(z.maxLength(4)),
  cod: z.boolean(),
  /** Null: the limits in the settings, for our own or other carriers. */
  maxWeightGrams: z.nullable(grams),
  maxVolumetricGrams: z.nullable(grams),
}
export const offeredService = z.object({
  scope: z.enum(labelValues(scopeLabels)),
  carrier: z.enum(labelValues(carrierLabels)),
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  ...serviceLimits,
  version,
})
export type OfferedService = z.output<typeof offeredService>

/**
 * How a carrier rounds weight, and its fuel surcharge; null: the setting of the deployment, or the step of the rate.
 */
const counting = {
  divisor: z.nullable(integer(1000, 10_000)),
  roundingGrams: z.nullable(integer(1, 10_000)),
  fuelBasisPoints: z.nullable(basisPoints),
}
export const carrierRule = z.object({ carrier: z.enum(labelValues(carrierLabels)), ...counting, version })
export type CarrierRule = z.output<typeof carrierRule>

export const listServices = endpoint({
  id: 'rates.services',
  method: 'GET',
  path: '/api/staff/services',
  access: 'staff.rates',
  summary: 'The services of each carrier by kind of shipment, and its rules for weight',
  response: z.object({ services: z.array(offeredService), carriers: z.array(carrierRule) }),
})

export const updateService = endpoint({
  id: 'rates.updateService',
  method: 'PUT',
  path: '/api/staff/services/:scope/:carrier/:serviceType',
  access: 'staff.rates',
  summary: 'Opens, closes or limits a service',
  params: z.object({
    scope: z.enum(labelValues(scopeLabels)),
    carrier: z.enum(labelValues(carrierLabels)),
    serviceType: z.enum(labelValues(serviceTypeLabels)),
  }),
  body: z.object({ version, ...serviceLimits }),
  response: offeredService,
})

export const updateCarrierRule = endpoint({
  id: 'rates.updateCarrier',
  method: 'PUT',
  path: '/api/staff/carrier-rules/:carrier',
  access: 'staff.rates',
  summary: 'The volumetric divisor and fuel surcharge of a carrier',
  params: z.object({ carrier: z.enum(labelValues(carrierLabels)) }),
  body: z.object({ version, ...counting }),
  response: carrierRule,
})

/** The discount on the freight, in minor units or basis points. */
export const discount = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fixed'), value: priceMinor.check(z.minimum(1)) }),
  z.object({ type: z.literal('percentage'), value: basisPoints.check(z.minimum(1)) }),
])

export const accountConditions = z.object({
  id,
  name: z.string(),
  userType: z.enum(labelValues(userTypeLabels)),
  email: z.nullable(z.string()),
  /** Null: the public rate card. */
  rateCardCode: z.nullable(z.string()),
  discount: z.nullable(z.object({ type: z.enum(labelValues(discountTypeLabels)), value: z.number() })),
  version,
})
export type AccountConditions = z.output<typeof accountConditions>

const conditionFilters = {
  search: z.optional(z.string().check(z.maxLength(80))),
  special: z.optional(z.enum(['true', 'false'])),
}

export const exportAccountConditions = endpoint({
  id: 'rates.accountsXls',
  method: 'GET',
  path: '/api/staff/account-conditions/xls',
  access: 'staff.rates',
  summary: 'The accounts that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...conditionFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listAccountConditions = endpoint({
  id: 'rates.accounts',
  method: 'GET',
  path: '/api/staff/account-conditions',
  access: 'staff.rates',
  summary: 'Accounts with their rate card and discount; accounts with individual conditions first',
  query: z.extend(listQuery(['name']), conditionFilters),
  response: page(accountConditions),
})
