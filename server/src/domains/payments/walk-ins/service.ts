/** Parcels of senders without an account: booked, paid in cash and accepted at the counter. */
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { type Idempotency, withoutKey } from '../../../http/idempotency.ts'
import { requireWalkInSender } from '../../accounts/walk-in-sender.ts'
import { checkOut } from '../../orders/checkout.ts'
import type { StoredParty } from '../../orders/invoices/seller.ts'
import { bookInStore } from '../../orders/pay-at-counter/service.ts'
import { createDraft } from '../../parcels/cart/drafts.ts'
import { scanParcel } from '../../parcels/scanning/service.ts'
import { followAsSender } from '../../tracking/following/service.ts'
import { lockOpenShift, requireStation } from '../cash-desk/drawer.ts'
import { sell } from '../cash-desk/sell.ts'

/**
 * Books a walk-in in one transaction: the parcel, its order, the sale into the drawer and the acceptance, each by the
 * use case that customers and clerks use separately. So there is no unpaid walk-in that nobody could pay or cancel.
 * Throws what they throw: validation and the errors of a price, price_changed, cash_short, drawer_not_open,
 * payment_method_closed.
 */
export async function bookForWalkIn(
  deps: Deps,
  clerk: StaffCaller,
  { expectedTotalMinor, drawerNumber, givenMinor, currency, ...parcelInput }: BodyOf<typeof bookWalkIn>,
  idempotency: Idempotency,
  locale: Locale,
): Promise<ResponseOf<typeof bookWalkIn>> {
  const stationId = requireStation(clerk)
  return tx(deps.db, async (trx) => {
    // Each use case joins this transaction instead of beginning one.
    const inside: Deps = { ...deps, db: trx }
    // A drawer is locked before orders and parcels, as in every sale.
    await lockOpenShift(inside, trx, clerk, drawerNumber)
    const sender = await requireWalkInSender(trx, clerk, deps.clock.now())
    const input = {
      ...parcelInput,
      dropOffStationId: stationId,
      insuredValueMinor: null,
      collectionMode: null,
      codAmountMinor: null,
      photoIds: [],
      unfinished: null,
    }
    const parcel = await createDraft(inside, sender, { ...input, addToCart: true, refuseIdentical: false }, withoutKey)
    const checkout = { parcelIds: [parcel.id], expectedTotalMinor, pickup: null, buyer: toBuyer(input.sender) }
    const order = await checkOut(inside, sender, checkout, withoutKey)
    await bookInStore(inside, sender, order.id, expectedTotalMinor, withoutKey)
    const cash = { drawerNumber, code: order.number, totalSeenMinor: expectedTotalMinor, givenMinor, currency }
    const sale = await sell(inside, clerk, cash, withoutKey)
    const [trackingNumber = ''] = sale.parcels
    await scanParcel(inside, clerk, acceptance(trackingNumber, stationId), withoutKey)
    const { email } = input.sender
    if (email) await followAsSender(deps, trx, { accountId: sender.accountId, parcelId: parcel.id, email, locale })
    const answer = { parcelId: parcel.id, trackingNumber, sale }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** The scan that accepts the parcel at the clerk's station. */
const acceptance = (trackingNumber: string, stationId: string) => ({
  trackingNumber,
  stationId,
  event: 'accepted' as const,
  photoIds: [],
  note: null,
})

/** The sender as the buyer on the invoice. */
function toBuyer({ contactName, company, email, line1, line2, postcode, city, state }: Party): StoredParty {
  return {
    name: company ?? contactName,
    registrationNumber: null,
    taxNumber: null,
    address: [line1, line2, `${postcode} ${city}`.trim(), state].filter(Boolean).join(', '),
    email,
  }
}
