/** The cost of a checkout. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { PriceLine, priceSummary } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { pricesToday } from '../parcels/cart/prices.ts'
import { pickupSharesById } from '../parcels/cart/share-pickup.ts'
import { findProposedVisit, listVisitsTo } from '../parcels/pickup-side/visits.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import { readParcelsWithOrders } from '../parcels/service.ts'
import { requirePickupPlace } from '../pickups/windows/pickup-place.ts'
import { pickupCharge } from '../pricing/service.ts'
import { checkoutTab, orderLines, type PricedParcel, sumLines } from './rules.ts'

/** `joins`: a rider is already coming for these parcels. */
type Joining = { joins: boolean }

/** The data that determines the price of an order. */
type PricedRow = PricedParcel & Pick<ParcelRow, 'delivery_mode'>

/** The fee for one pickup, if the parcels are picked up and do not join another visit. */
export function getPickupFee(deps: Deps, parcels: readonly PricedRow[], { joins }: Joining): PriceLine[] {
  return !joins && parcels.some((row) => checkoutTab(row.delivery_mode) === 'pickup') ? pickupCharge(deps) : []
}

/** The lines of an order of these parcels at their current prices, with the fee of a pickup if they are picked up. */
export function priceOrder(deps: Deps, parcels: readonly PricedRow[], joining: Joining): PriceLine[] {
  return orderLines(parcels, getPickupFee(deps, parcels, joining))
}

/** The parcel that is first in the cart; of equal times, the one with the highest id. `rows` are sorted by id. */
const findNewest = (rows: readonly ParcelRow[]): ParcelRow | undefined =>
  rows.reduce<ParcelRow | undefined>(
    (first, row) => (first && first.created_at > row.created_at ? first : row),
    undefined,
  )

/**
 * The current cost of a checkout of these parcels with the selected pickup, else with the one that the cart proposes;
 * nothing is written. Throws not_found, validation (`pickup.address.postcode`).
 */
export async function summarizeCheckout(
  deps: Deps,
  caller: CustomerCaller,
  { parcelIds, pickup }: BodyOf<typeof priceSummary>,
): Promise<ResponseOf<typeof priceSummary>> {
  const { rows } = await readParcelsWithOrders(deps.db, caller, parcelIds, null, { lock: false })
  const pricedRows = await pricesToday(deps, deps.db, rows, caller.accountId)
  const fetchedRows = pricedRows.filter((row) => checkoutTab(row.delivery_mode) === 'pickup')
  const fetched = fetchedRows.length > 0
  if (fetched && pickup) await requirePickupPlace(deps, pickup.address, fetchedRows)
  const address = pickup?.address ?? findNewest(fetchedRows)?.sender
  const visits = fetched && address ? await listVisitsTo(deps, deps.db, caller.accountId, address) : []
  const visit = pickup
    ? (visits.find(({ date, window }) => date === pickup.date && window === pickup.window) ?? null)
    : findProposedVisit(deps, visits)
  const joining = { joins: visit !== null }
  const lines = priceOrder(deps, pricedRows, joining)
  const shares = pickupSharesById(getPickupFee(deps, pricedRows, joining), pricedRows)
  return {
    visit,
    visits,
    currency: deps.settings.get('currency'),
    totalMinor: sumLines(lines),
    lines,
    parcels: pricedRows.map(({ id, service_code, price_minor }) => {
      const { feeMinor = 0, taxMinor = 0 } = shares.get(id) ?? {}
      return { id, serviceCode: service_code, totalMinor: (price_minor ?? 0) + feeMinor + taxMinor }
    }),
  }
}
