/** Parcels of senders without an account: booked, paid in cash and accepted at the counter. */
import type { Party } from '@waybill/contract/addresses/addresses'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { type Idempotency, withoutKey } from '../../../http/idempotency.ts'
import { requireWalkInSender } from '../../accounts/walk-in-sender.ts'
import type { StoredParty } from '../../orders/invoices/seller.ts'
import { createOrderInTransaction } from '../../orders/new-orders.ts'
import { bookOrderInStore } from '../../orders/pay-at-counter/service.ts'
import { draftWrites, planDraft } from '../../parcels/cart/drafts.ts'
import { requireScanStations, scanLastly } from '../../parcels/scanning/service.ts'
import { followAsSender } from '../../tracking/following/service.ts'
import { lockOpenShift, requireStation } from '../cash-desk/drawer.ts'
import { sellFromDrawer } from '../cash-desk/sell.ts'

/**
 * Books a walk-in in one transaction: the parcel, its order, the sale into the drawer and the acceptance, each by the
 * use case that customers and clerks use separately. So a walk-in is never unpaid: it would have no customer to pay or
 * cancel it. Throws what they throw: validation and the errors of a price, price_changed, cash_short, drawer_not_open,
 * payment_method_closed.
 */
export async function bookForWalkIn(
  deps: Deps,
  clerk: StaffCaller,
  { expectedTotalMinor, drawerNumber, givenMinor, currency, language, ...parcelInput }: BodyOf<typeof bookWalkIn>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof bookWalkIn>> {
  const stationId = requireStation(clerk)
  const stations = await requireScanStations(deps, { stationId }, clerk)
  const sender = await requireWalkInSender(deps, clerk, language)
  const draft = await planDraft(deps, sender, {
    ...parcelInput,
    dropOffStationId: stationId,
    insuredValueMinor: null,
    collectionMode: null,
    codAmountMinor: null,
    photoIds: [],
    unfinished: null,
    addToCart: true,
    refuseIdentical: false,
  })
  return tx(deps.db, async (trx) => {
    // A drawer is locked before orders and parcels, as in every sale.
    const drawer = await lockOpenShift(deps, trx, clerk, drawerNumber)
    await runWrites(trx, draftWrites([draft]))
    const parcelId = draft.row.id
    const order = { parcelIds: [parcelId], expectedTotalMinor, pickup: null, buyer: toBuyer(parcelInput.sender) }
    const { id: orderId, number } = await createOrderInTransaction(deps, trx, sender, order)
    await bookOrderInStore(deps, trx, sender, orderId, expectedTotalMinor)
    const cash = { code: number, totalSeenMinor: expectedTotalMinor, givenMinor, currency }
    const sale = await sellFromDrawer(deps, trx, clerk, drawer, cash)
    const [trackingNumber = ''] = sale.parcels
    const { email } = parcelInput.sender
    const { accountId } = sender
    if (email) await followAsSender(deps, trx, { accountId, parcelId, number: trackingNumber, email, language })
    const booking = { parcelId, trackingNumber, sale }
    await idempotency.keep(trx, booking)
    // Last, because a scan commits.
    const body = acceptance(trackingNumber, stationId)
    await scanLastly(deps, trx, { caller: clerk, number: trackingNumber, body, stations, idempotency: withoutKey })
    return booking
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
