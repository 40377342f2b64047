import type { ResponseOf } from '@waybill/contract/endpoint'
import {
  type Carrier,
  type DeliveryMode,
  type Scope,
  type ServiceType,
  serviceTypeLabels,
  valuesOf,
} from '@waybill/contract/enums'
import type { Dimensions } from '@waybill/contract/measures'
import type { PriceLine, pricePickup, ServiceQuote } from '@waybill/contract/pricing'
import type { Db } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError, invalid } from '../../http/errors.ts'
import { dayIn, timeIn } from '../../lib/clock.ts'
import { formatMoney } from '../../lib/format.ts'
import { accountById } from '../accounts/service.ts'
import { coveringStation, lookupPostcode, zoneOf } from '../stations/service.ts'
import { expectedDay } from './expected-date.ts'
import type { RateLineRow } from './queries.ts'
import { cardOn, currentRates, linesBetween, type Rates } from './rates.ts'
import {
  type Discount,
  equalShares,
  feeLines,
  insurancePremium,
  measure,
  pickupLines,
  priceOf,
  type Surcharges,
} from './rules.ts'

type Place = { postcode: string; country: string }

/** What a price depends on; weights in grams, lengths in mm, money in minor units. */
export type PriceRequest = {
  scope: Scope
  deliveryMode: DeliveryMode
  sender: Place
  receiver: Place
  weightGrams: number
  dimensions: Dimensions | null
  insuredValueMinor: number | null
  codAmountMinor: number | null
}

/** Whose conditions apply. Null: a visitor's, which are everybody's. */
export type PricingAccount = { rateCardCode: string | null; discount: Discount | null } | null

/** The conditions of an account: its own rate card and discount, if it has some. */
export async function pricingAccount(db: Db, accountId: AccountId): Promise<PricingAccount> {
  const account = await accountById(db, accountId)
  if (!account) return null
  const type = account.discount_type
  const discount = type === 'fixed' || type === 'percentage' ? { type, value: account.discount_value } : null
  return { rateCardCode: account.rate_card_code, discount: discount as Discount | null }
}

function surchargesOf({ settings }: Deps): Surcharges {
  return {
    divisor: settings.get('weight.divisor'),
    fuelBasisPoints: settings.get('price.fuelBasisPoints'),
    serviceCharge: settings.get('price.serviceCharge'),
    insuranceTiers: settings.get('price.insuranceTiers'),
    codBasisPoints: settings.get('price.codBasisPoints'),
    codMinimumMinor: settings.get('price.codMinimumMinor'),
    taxBasisPoints: settings.get('price.taxBasisPoints'),
  }
}

/** One end of the way: its zone, its state, the station that serves it. */
type End = {
  zone: string
  remoteSurchargeMinor: number
  state: string | null
  serviceCodes: readonly string[]
  cutOffTime: string
} | null

async function endOf(deps: Deps, scope: Scope, place: Place, field: 'sender' | 'receiver'): Promise<End> {
  const { db, settings } = deps
  const home = place.country === settings.get('countryCode')
  const known = home ? lookupPostcode(place.postcode, place.country) : null
  if (home && !known) {
    throw new AppError('postcode_unknown', { fields: [{ field: `${field}.postcode`, rule: 'postcodeUnknown' }] })
  }
  const zone = await zoneOf(db, scope, place)
  const covering = home ? await coveringStation(db, place.country, place.postcode) : null
  if (!zone || (home && !covering)) return null
  return {
    zone: zone.zone,
    remoteSurchargeMinor: zone.remoteSurchargeMinor,
    state: known?.state ?? null,
    serviceCodes: covering?.station.serviceCodes ?? [],
    cutOffTime: covering?.cutOffTime ?? '16:00',
  }
}

/** Stations say what they do for parcels and express; documents travel with the parcels. */
function offers(end: NonNullable<End>, serviceType: ServiceType, what: 'pickup' | 'delivery'): boolean {
  const code = serviceType === 'document' ? 'e_parcel' : serviceType
  return end.serviceCodes.includes(`${code}.${what}`)
}

type Offer = { serviceType: ServiceType; carrier: Carrier; line: RateLineRow | null }
type Setting = {
  deps: Deps
  rates: Rates
  request: PriceRequest
  account: PricingAccount
  card: NonNullable<ReturnType<typeof cardOn>>
  origin: End
  destination: End
}

type ClosedReason = NonNullable<ServiceQuote['reason']>

/** Why a service can't be had, or null. */
function closedBecause(
  { deps, request, origin, destination }: Setting,
  { serviceType, line }: Offer,
): ClosedReason | null {
  const closed = (code: ClosedReason['code'], limit: number | null = null) => ({ code, limit })
  if (!origin) return closed('not_covered_origin')
  if (!destination) return closed('not_covered_destination')
  if (!line) return closed('no_rate')
  if (request.deliveryMode.startsWith('D') && !offers(origin, serviceType, 'pickup')) return closed('mode_not_offered')
  if (request.deliveryMode.endsWith('D') && !offers(destination, serviceType, 'delivery'))
    return closed('mode_not_offered')
  const { weightGrams, volumetricGrams, chargeableGrams } = measure(
    request.weightGrams,
    request.dimensions,
    deps.settings.get('weight.divisor'),
    line.stepWeightGrams,
  )
  const heaviest = Math.min(line.maxWeightGrams, deps.settings.get('weight.maxGrams'))
  if (weightGrams > heaviest) return closed('too_heavy', heaviest)
  const bulkiest = Math.min(line.maxWeightGrams, deps.settings.get('weight.maxVolumetricGrams'))
  if (volumetricGrams > bulkiest) return closed('too_large', bulkiest)
  return chargeableGrams < line.minWeightGrams ? closed('too_light', line.minWeightGrams) : null
}

function quoteOf(setting: Setting, offer: Offer): ServiceQuote {
  const { deps, request, account, card, origin, destination, rates } = setting
  const { serviceType, carrier, line } = offer
  const quote = {
    code: `${carrier}.${serviceType}.${request.deliveryMode}`,
    carrier,
    serviceType,
    deliveryMode: request.deliveryMode,
  }
  const reason = closedBecause(setting, offer)
  if (reason || !line || !origin || !destination) {
    return { ...quote, open: false, reason, price: null, hints: [], pickupFeeMinor: 0, expectedDate: null, transitDays: null }
  }
  const surcharges = surchargesOf(deps)
  const price = priceOf({
    currency: card.currency,
    rateCard: { code: card.code, version: card.version },
    originZone: origin.zone,
    destinationZone: destination.zone,
    rate: {
      firstWeightGrams: line.firstWeightGrams,
      firstPriceMinor: line.firstPriceMinor,
      stepWeightGrams: line.stepWeightGrams,
      stepPriceMinor: line.stepPriceMinor,
    },
    weightGrams: request.weightGrams,
    dimensions: request.dimensions,
    // Fetching from a remote place costs as much as bringing there.
    remoteSurchargeMinor:
      (request.deliveryMode.startsWith('D') ? origin.remoteSurchargeMinor : 0) +
      (request.deliveryMode.endsWith('D') ? destination.remoteSurchargeMinor : 0),
    discount: account?.discount ?? null,
    insuredValueMinor: request.insuredValueMinor,
    codAmountMinor: request.codAmountMinor,
    surcharges,
  })
  const now = deps.clock.now()
  const timeZone = deps.settings.get('timezone')
  const journey = {
    day: dayIn(now, timeZone),
    time: timeIn(now, timeZone),
    cutOffTime: origin.cutOffTime,
    originState: origin.state,
    destinationState: destination.state,
    transitDays: line.transitDays,
  }
  return {
    ...quote,
    open: true,
    reason: null,
    price,
    hints: [],
    pickupFeeMinor: request.deliveryMode.startsWith('D') ? sumOf(pickupCharge(deps)) : 0,
    expectedDate: expectedDay(journey, rates.holidays),
    transitDays: line.transitDays,
  }
}

const sumOf = (lines: readonly PriceLine[]) => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

function lineFor(lines: readonly RateLineRow[], serviceType: ServiceType, weightGrams: number): RateLineRow | null {
  const fitting = lines.filter((line) => line.serviceType === serviceType)
  // A card may have several weight bands; outside all of them the nearest says what the limit is.
  return (
    fitting.find((line) => line.minWeightGrams <= weightGrams && weightGrams <= line.maxWeightGrams) ??
    fitting.sort((a, b) => b.maxWeightGrams - a.maxWeightGrams)[0] ??
    null
  )
}

/**
 * Every service for a parcel: open ones cheapest first, then the closed ones with the reason. `serviceType` narrows it to one.
 * Throws postcode_unknown naming sender.postcode or receiver.postcode; insured values above the last tier are refused with their field.
 */
export async function quoteServices(
  deps: Deps,
  request: PriceRequest,
  account: PricingAccount,
  serviceType?: ServiceType,
): Promise<ServiceQuote[]> {
  const tiers = deps.settings.get('price.insuranceTiers')
  if (request.insuredValueMinor && insurancePremium(request.insuredValueMinor, tiers) === null) {
    throw overInsured(deps)
  }
  const rates = await currentRates(deps)
  const day = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  const common = deps.settings.get('price.rateCard')
  const card = (account?.rateCardCode && cardOn(rates, account.rateCardCode, day)) || cardOn(rates, common, day)
  if (!card) throw new AppError('unavailable')
  const [origin, destination] = await Promise.all([
    endOf(deps, request.scope, request.sender, 'sender'),
    endOf(deps, request.scope, request.receiver, 'receiver'),
  ])
  const lines = origin && destination ? linesBetween(card, request.scope, origin.zone, destination.zone) : []
  const setting: Setting = { deps, rates, request, account, card, origin, destination }
  const measured = measure(request.weightGrams, request.dimensions, deps.settings.get('weight.divisor'), 1)
  const heavier = measured.chargeableGrams
  const types = serviceType ? [serviceType] : valuesOf(serviceTypeLabels)
  const quotes = types.map((type) => {
    const line = lineFor(lines, type, heavier)
    return quoteOf(setting, { serviceType: type, carrier: line?.carrier ?? 'own', line })
  })
  return quotes.sort((a, b) => (a.price?.totalMinor ?? Infinity) - (b.price?.totalMinor ?? Infinity) || 0)
}

/** The quote of one service, open or closed. */
export async function quoteService(
  deps: Deps,
  request: PriceRequest,
  serviceType: ServiceType,
  account: PricingAccount,
): Promise<ServiceQuote> {
  const [quote] = await quoteServices(deps, request, account, serviceType)
  if (!quote) throw new AppError('internal')
  return quote
}

/** 422 for an insured value above the last tier, naming what the highest is. */
export function overInsured({ settings }: Deps): AppError {
  const most = Math.max(0, ...settings.get('price.insuranceTiers').map((tier) => tier.upToMinor))
  return invalid({
    field: 'insuredValueMinor',
    rule: 'max',
    vars: { max: formatMoney(most, settings.get('currency'), 'en') },
  })
}

/** What one pickup costs: fee and its tax. Charged once a pickup, by the order. */
export function pickupCharge(deps: Deps): PriceLine[] {
  return pickupLines(deps.settings.get('price.pickupFeeMinor'), deps.settings.get('price.taxBasisPoints'))
}

/** What recalling or returning a parcel costs: fee and its tax. `basis` says for which parcel. */
export function feeCharge({ settings }: Deps, kind: 'recall' | 'return', basis: PriceLine['basis']): PriceLine[] {
  const feeMinor = settings.get(kind === 'recall' ? 'price.recallFeeMinor' : 'price.returnFeeMinor')
  return feeLines(kind, feeMinor, settings.get('price.taxBasisPoints'), basis)
}

/** The cost of one pickup, tax included, and what each of its parcels bears of it. */
export function pickupCost(deps: Deps, parcels: number): Pick<ResponseOf<typeof pricePickup>, 'feeMinor' | 'shares'> {
  const feeMinor = sumOf(pickupCharge(deps))
  const shares = equalShares(feeMinor, parcels).map(({ amountMinor, count }) => ({ amountMinor, parcels: count }))
  return { feeMinor, shares }
}

/** The premium for an insured value; null when it is above the last tier. */
export function premiumFor({ settings }: Deps, insuredValueMinor: number): number | null {
  return insurancePremium(insuredValueMinor, settings.get('price.insuranceTiers'))
}
