import * as z from 'zod/mini'

/*
 * The search params of pages. A value that breaks its rule counts as absent, so that an old link still opens its page.
 */

/* @__NO_SIDE_EFFECTS__ */
const param = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined)
const text = param(z.string())

/** The search params that links to a list may contain; `useList` validates the rest of its state. */
export const listSearch = z.looseObject({ q: param(z.coerce.string()), tab: text })
/** A list, or the other part of its page. */
export const partListSearch = z.looseObject({ q: param(z.coerce.string()), tab: text, part: text })
/** `id`: a draft or a parcel of the cart to edit; `repeat`: a past parcel to send again. */
export const newParcelSearch = z.object({
  id: text,
  repeat: text,
  /** The input for a price: postcodes or the country, grams, and the selected service. */
  from: param(z.coerce.string()),
  to: param(z.coerce.string()),
  country: text,
  grams: param(z.int().check(z.positive())),
  service: text,
})
/** The three fields of a price. */
export const pricesSearch = z.object({
  from: param(z.coerce.string()),
  to: param(z.coerce.string()),
  grams: param(z.int().check(z.positive())),
})
export const cartSearch = z.object({ tab: param(z.enum(['pickup', 'dropoff'])) })
/** The parcel to pay for first. */
export const outstandingSearch = z.object({ parcel: text })
/** `amount`: the missing amount in minor units; `next`: the path to return to after the payment. */
export const topUpSearch = z.object({ amount: param(z.int().check(z.positive())), next: text })
/** The number of a parcel, gunny or bag to look up. */
export const numberSearch = z.object({ no: param(z.coerce.string()) })
/** The id of a tab, and the search of its list. */
export const partSearch = z.object({ part: text, q: param(z.coerce.string()) })
export const holidaysSearch = z.object({
  year: param(z.int().check(z.minimum(2000), z.maximum(2100))),
  country: text,
})
export const ratesSearch = z.object({ view: param(z.enum(['cards', 'services', 'accounts'])) })
/** The version of a rate card, and the previewed import. */
export const sheetSearch = z.object({ card: param(z.uuid()), import: param(z.uuid()) })
/** Without them: the rider's own deliveries that are under way. */
export const deliveriesSearch = z.object({ view: param(z.enum(['done', 'failed'])), rider: param(z.enum(['all'])) })
/** Without `date`: today; empty: every day. */
export const pickupTasksSearch = z.object({
  no: param(z.coerce.string()),
  date: param(z.string().check(z.regex(/^(\d{4}-\d\d-\d\d)?$/))),
  rider: param(z.enum(['me', 'nobody'])),
})
export const disputesSearch = z.object({ state: param(z.enum(['decided'])) })
