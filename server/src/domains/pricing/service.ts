/** Quotes and prices. */
import { isDeepStrictEqual } from 'node:util'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { type ServiceType, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { formatMoney } from '@waybill/contract/ground/format'
import type { ChoiceKind } from '@waybill/contract/parcels/failed-delivery'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { PriceBreakdown, PriceLine, pricePickup, ServiceQuote } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { minuteIn } from '../../lib/clock.ts'
import { inBothLanguages } from '../../lib/i18n.ts'
import { findAccountById } from '../accounts/service.ts'
import {
  closedQuote,
  findBand,
  findExpectedDay,
  lineRate,
  type PriceRequest,
  type QuoteContext,
  quoteOffer,
} from './offers.ts'
import type { RateLineRow } from './queries.ts'
import { findCardOn, findCardVersion, getRates, type Rates, ratesBetween } from './rate-cards/rates.ts'
import { storedRate } from './reprice.ts'
import { findEnds, type Route, requireRoute } from './route-ends.ts'
import {
  addPickupShare,
  type Discount,
  equalShares,
  feeLines,
  insurancePremium,
  measure,
  type PickupShare,
  pickupLines,
  pickupShare,
  replayBreakdown,
} from './rules.ts'

/** The account whose conditions apply. Null: a visitor, with the general conditions. */
export type PricingAccount = { rateCardCode: string | null; discount: Discount | null } | null

/** The conditions of an account: its own rate card and discount, if any. */
export async function pricingAccount(db: DbOrTx, accountId: AccountId): Promise<PricingAccount> {
  const account = await findAccountById(db, accountId)
  if (!account) return null
  const type = account.discount_type
  const discount = type === 'fixed' || type === 'percentage' ? { type, value: account.discount_value } : null
  return { rateCardCode: account.rate_card_code, discount: discount as Discount | null }
}

/** The sum of price lines, in minor units of their currency. */
export const sumPriceLines = (lines: readonly PriceLine[]) =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** Loads the data that the offers of a quote share. Throws unavailable if no rate card is valid. */
async function loadQuoteContext(deps: Deps, request: PriceRequest, account: PricingAccount): Promise<QuoteContext> {
  const rates = await getRates(deps)
  const { day, time } = minuteIn(deps.clock.now(), deps.settings.get('timezone'))
  const codes = [account?.rateCardCode, deps.settings.get('price.rateCard')].filter((code) => code != null)
  const cards = codes.flatMap((code) => findCardOn(rates, code, day) ?? [])
  if (cards.length === 0) throw new AppError('unavailable')
  await requireRoute(deps, request)
  return {
    deps,
    rates,
    request,
    discount: account?.discount ?? null,
    cards,
    ...(await findEnds(deps, request)),
    pickupFeeMinor: sumPriceLines(pickupCharge(deps)),
    day,
    time,
  }
}

/**
 * Every service for a parcel: open ones cheapest first, then closed ones with the reason. `serviceType` and `carrier`
 * narrow it. Throws the errors of `requireRoute`, and validation for an insured value above the last tier.
 */
export async function quoteServices(
  deps: Deps,
  request: PriceRequest,
  account: PricingAccount,
  serviceType?: ServiceType,
  carrier?: Carrier,
): Promise<ServiceQuote[]> {
  const tiers = deps.settings.get('price.insuranceTiers')
  if (request.insuredValueMinor && insurancePremium(request.insuredValueMinor, tiers) === null) {
    throw insuredValueError(deps)
  }
  const context = await loadQuoteContext(deps, request, account)
  const types = serviceType ? [serviceType] : labelValues(serviceTypeLabels)
  const offered = context.rates.services.filter(
    (service) =>
      service.scope === request.scope &&
      service.status !== 'not_offered' &&
      types.includes(service.serviceType) &&
      (carrier === undefined || service.carrier === carrier),
  )
  const missing = types.filter((type) => !offered.some((service) => service.serviceType === type))
  const usual = carrier ?? 'own'
  const quotes = [
    ...types
      .flatMap((type) => offered.filter((service) => service.serviceType === type))
      .map((each) => quoteOffer(context, each)),
    ...missing.map((type) => closedQuote(request, type, usual)),
  ]
  return quotes.sort((a, b) => (a.price?.totalMinor ?? Infinity) - (b.price?.totalMinor ?? Infinity) || 0)
}

/** The quote of one kind of service, open or closed: of the cheapest carrier unless one is given. */
export async function quoteService(
  deps: Deps,
  request: PriceRequest,
  serviceType: ServiceType,
  account: PricingAccount,
  carrier?: Carrier,
): Promise<ServiceQuote> {
  const [quote] = await quoteServices(deps, request, account, serviceType, carrier)
  if (!quote) throw new AppError('internal')
  return quote
}

/**
 * Recomputes a stored price from its inputs and the rate of its card's version, independent of current settings and
 * rates. A difference means that the stored data was changed. Null if it has no inputs or its card was deleted.
 */
export async function replayPrice(deps: Deps, breakdown: PriceBreakdown): Promise<PriceBreakdown | null> {
  const line = findStoredLine(await getRates(deps), breakdown)
  return line && replayBreakdown(breakdown, lineRate(line))
}

/**
 * The line of a rate card that a stored price was computed from; null if it has no inputs or its card was deleted. A
 * parcel that was weighed heavier than every band keeps the agreed rate, as in a re-weighing.
 */
function findStoredLine(rates: Rates, price: PriceBreakdown): RateLineRow | null {
  const { inputs, rateCard } = price
  const card = findCardVersion(rates, rateCard.code, rateCard.version)
  if (!inputs || !card) return null
  const lines = ratesBetween(card, inputs.scope, price.originZone, price.destinationZone)
  const heavier = measure(price.weightGrams, inputs.dimensions, price.divisor, 1).chargeableGrams
  const band = findBand(lines, inputs, heavier)
  if (!band || heavier <= band.maxWeightGrams) return band
  const agreedRate = storedRate(price)
  const isAgreed = (line: RateLineRow) =>
    line.carrier === inputs.carrier &&
    line.serviceType === inputs.serviceType &&
    isDeepStrictEqual(lineRate(line), agreedRate)
  return lines.find(isAgreed) ?? band
}

/**
 * The expected day of a parcel that is handed over at `at`, by the rate that was paid. Null if that rate or a place is
 * no longer known.
 */
export async function expectedDayFrom(
  deps: Deps,
  price: PriceBreakdown,
  route: Omit<Route, 'scope'>,
  at: Date,
): Promise<string | null> {
  const rates = await getRates(deps)
  const line = findStoredLine(rates, price)
  const scope = price.inputs?.scope
  if (!line || !scope) return null
  const ends = await findEnds(deps, { ...route, scope })
  return findExpectedDay({ deps, rates, ...ends, ...minuteIn(at, deps.settings.get('timezone')) }, line.transitDays)
}

/** A 422 for an insured value above the last tier, with the highest value. */
export function insuredValueError({ settings }: Deps): AppError {
  const most = Math.max(0, ...settings.get('price.insuranceTiers').map((tier) => tier.upToMinor))
  return validationError({
    field: 'insuredValueMinor',
    rule: 'max',
    labels: { max: inBothLanguages((locale) => formatMoney(most, settings.get('currency'), locale)) },
  })
}

/** The fee of one pickup and its tax, which the order pays once. */
export function pickupCharge(deps: Deps): PriceLine[] {
  return pickupLines(deps.settings.get('price.pickupFeeMinor'), deps.settings.get('price.taxBasisPoints'))
}

/** The shares of a pickup's lines for this many parcels, in their order. */
export function pickupShares(pickup: readonly PriceLine[], count: number): PickupShare[] {
  return Array.from({ length: count }, (_, index) => pickupShare(pickup, index, count))
}

/** Quotes as they are shown: for a parcel that is picked up alone. */
export function quotesWithPickup(deps: Deps, quotes: readonly ServiceQuote[]): ServiceQuote[] {
  const alone = pickupShare(pickupCharge(deps), 0, 1)
  return quotes.map((quote) => {
    const fetched = quote.price !== null && isPickedUp(quote.deliveryMode)
    return fetched ? { ...quote, price: addPickupShare(quote.price as PriceBreakdown, alone) } : quote
  })
}

/** The settings of the fees of choices. A recall costs the same as without a failed delivery. */
const choiceFees = {
  retry: 'delivery.retryFeeMinor',
  correct: 'delivery.correctFeeMinor',
  divert: 'delivery.divertFeeMinor',
  recall: 'price.recallFeeMinor',
} as const satisfies Record<ChoiceKind, string>

/** The fee of a recall or return and its tax. */
export function feeCharge({ settings }: Deps, kind: 'recall' | 'return'): PriceLine[] {
  const feeMinor = settings.get(kind === 'recall' ? 'price.recallFeeMinor' : 'price.returnFeeMinor')
  return feeLines({ kind, amountMinor: feeMinor, basis: {} }, settings.get('price.taxBasisPoints'))
}

/** The fee of a choice after a failed delivery and its tax; none if it is free. */
export function choiceCharge({ settings }: Deps, choice: ChoiceKind): PriceLine[] {
  const fee = { kind: 'delivery_choice', amountMinor: settings.get(choiceFees[choice]), basis: { choice } } as const
  return feeLines(fee, settings.get('price.taxBasisPoints'))
}

/** The fee of a payout of cash on delivery and its tax; none if it is free. */
export function payoutCharge({ settings }: Deps): PriceLine[] {
  const fee = { kind: 'cod_payout', amountMinor: settings.get('cod.payoutFeeMinor'), basis: {} } as const
  return feeLines(fee, settings.get('price.taxBasisPoints'))
}

/** The cost of one pickup, tax included, and each parcel's share. */
export function pickupCost(deps: Deps, parcels: number): Pick<ResponseOf<typeof pricePickup>, 'feeMinor' | 'shares'> {
  const feeMinor = sumPriceLines(pickupCharge(deps))
  const shares = equalShares(feeMinor, parcels).map(({ amountMinor, count }) => ({ amountMinor, parcels: count }))
  return { feeMinor, shares }
}

/** The premium of an insured value; null above the last tier. */
export function findPremium({ settings }: Deps, insuredValueMinor: number): number | null {
  return insurancePremium(insuredValueMinor, settings.get('price.insuranceTiers'))
}
