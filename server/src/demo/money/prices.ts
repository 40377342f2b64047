import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../deps.ts'
import { type PricingAccount, pickupCharge, quoteService } from '../../domains/pricing/service.ts'
import { insuredValue, type Priced } from '../rows/parcels.ts'
import { codAmount } from '../story/abroad.ts'
import { conditionsOf } from '../story/people.ts'
import type { OrderStory, ParcelStory } from '../story/story.ts'
import type { Prices } from './orders.ts'

/** What re-weighing found: the weight in grams, and what is due for it in minor units, tax included. */
export type Reweighed = { grams: number; dueMinor: number; taxMinor: number }

export type PriceList = Prices & {
  /** Null for what has never been in the cart. */
  find(parcel: ParcelStory): Priced | null
  reweighed(parcel: ParcelStory): Reweighed | null
}

/** Prices asked for at a time: as many as there are connections. */
const atOnce = 8

/**
 * Asks the price of every parcel that has one, as of the moment of its order, and of those that turned out heavier once
 * more.
 */
export async function askPrices(
  deps: Deps,
  orders: readonly OrderStory[],
  loose: readonly ParcelStory[],
): Promise<PriceList> {
  const prices = new Map<string, Priced>()
  const differences = new Map<string, Reweighed>()
  const wanted = [
    ...orders.flatMap(({ orderedAt, parcels }) => parcels.map((parcel) => ({ parcel, at: orderedAt }))),
    ...loose.flatMap((parcel) => {
      const added = parcel.happened.find(({ event }) => event === 'added_to_cart')
      return added ? [{ parcel, at: added.at }] : []
    }),
  ]
  for (let begin = 0; begin < wanted.length; begin += atOnce) {
    await Promise.all(
      wanted.slice(begin, begin + atOnce).map(async ({ parcel, at }) => {
        const account = conditionsOf(parcel.account.key)
        const then = { ...deps, carriers: openCarriers, clock: { now: () => at } }
        const priced = await ask(then, parcel, parcel.goods?.weightGrams ?? 0, account)
        prices.set(parcel.id, priced)
        if (parcel.happened.some(({ event }) => event === 'reweighed_heavier')) {
          // Packed in a hurry: half as heavy again as declared.
          const grams = Math.ceil(((parcel.goods?.weightGrams ?? 0) * 1.5 + 900) / 50) * 50
          const again = await ask(then, parcel, grams, account)
          differences.set(parcel.id, { grams, ...difference(priced.price, again.price) })
        }
      }),
    )
  }
  return {
    of: (parcel) => {
      const priced = prices.get(parcel.id)
      if (!priced) throw new Error(`${parcel.name} has no price`)
      return priced
    },
    find: (parcel) => prices.get(parcel.id) ?? null,
    reweighed: (parcel) => differences.get(parcel.id) ?? null,
    pickUp: () => pickupCharge(deps),
  }
}

/**
 * Whatever this server may reach now, these parcels were taken when every carrier was open: a price asks only whether
 * it is.
 */
const reached = { simulated: true } as unknown
const openCarriers = { dhl: reached, yunda: reached } as Deps['carriers']

async function ask(deps: Deps, parcel: ParcelStory, weightGrams: number, account: PricingAccount): Promise<Priced> {
  const { goods, sender, receiver, mode, customs } = parcel
  if (!goods || !receiver) throw new Error(`${parcel.name} is not complete`)
  const request = {
    scope: customs ? ('international' as const) : ('domestic' as const),
    deliveryMode: mode,
    sender: { postcode: sender.postcode, country: sender.country },
    receiver: { postcode: receiver.postcode, country: receiver.country },
    weightGrams,
    dimensions: goods.dimensions,
    insuredValueMinor: insuredValue(parcel, goods.valueMinor),
    codAmountMinor: codAmount(parcel),
  }
  const wanted = await quoteService(deps, request, goods.serviceType, account)
  // Not every service goes everywhere; the ordinary one does.
  const quote = wanted.open ? wanted : await quoteService(deps, request, 'e_parcel', account)
  if (!quote.price) throw new Error(`${parcel.name} (${goods.serviceType}) cannot be sent: ${quote.reason?.code}`)
  return {
    price: quote.price,
    serviceCode: quote.code,
    serviceType: quote.serviceType,
    carrier: quote.carrier,
    expectedDate: quote.expectedDate,
  }
}

function difference(declared: PriceBreakdown, found: PriceBreakdown): Pick<Reweighed, 'dueMinor' | 'taxMinor'> {
  const taxOf = ({ lines }: PriceBreakdown) => lines.find(({ kind }) => kind === 'tax')?.amountMinor ?? 0
  return { dueMinor: found.totalMinor - declared.totalMinor, taxMinor: taxOf(found) - taxOf(declared) }
}
