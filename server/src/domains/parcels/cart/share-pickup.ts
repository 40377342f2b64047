// A parcel's share of the pickup fee: fixed by its order, and before that by the other parcels in the cart.
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { addPickupShare, type PickupShare } from '../../pricing/rules.ts'
import { pickupCharge, pickupShares } from '../../pricing/service.ts'
import { onlyCreatedBy } from '../access.ts'
import { findProposedVisit, listVisitsTo } from '../pickup-side/visits.ts'
import type { ParcelRow } from '../queries.ts'
import { findCartPickup } from './queries.ts'

/** The shares of one pickup's parcels, by id. Sorted by id, so that the result is always the same. */
export function pickupSharesById(
  pickup: readonly PriceLine[],
  rows: readonly Pick<ParcelRow, 'id' | 'delivery_mode'>[],
): Map<string, PickupShare> {
  const ids = rows
    .filter(({ delivery_mode }) => isPickedUp(delivery_mode))
    .map(({ id }) => id)
    .sort()
  const shares = pickup.length > 0 ? pickupShares(pickup, ids.length) : []
  return new Map(shares.map((share, n) => [ids[n] as string, share]))
}

/** Whether a parcel bears a share of the pickup of the cart. The share of a parcel in an unpaid order is fixed. */
export function sharesPickup(row: ParcelRow): boolean {
  return row.status === 'incart' && isPickedUp(row.delivery_mode) && row.order_id === null
}

function withShare<R extends ParcelRow>(row: R, share: PickupShare | undefined): R {
  return { ...row, pickup_fee_minor: share?.feeMinor ?? null, pickup_tax_minor: share?.taxMinor ?? null }
}

/**
 * Adds the shares of one pickup for all parcels in the caller's cart that are in no unpaid order; nothing if the
 * pickup that the cart proposes joins a booked visit. Other rows are unchanged.
 */
export async function addCartShares<R extends ParcelRow>(
  deps: Deps,
  db: DbOrTx,
  caller: CustomerCaller,
  rows: readonly R[],
): Promise<R[]> {
  const ids = rows.filter(sharesPickup).map(({ id }) => id)
  if (ids.length === 0) return [...rows]
  const { places, address } = await findCartPickup(db, caller.accountId, onlyCreatedBy(caller), ids)
  const visits = address ? await listVisitsTo(deps, db, caller.accountId, address) : []
  const pickup = findProposedVisit(deps, visits) ? [] : pickupCharge(deps)
  const shares = new Map(
    places.flatMap(({ id, place, count }) => {
      const share = pickupShares(pickup, count)[place]
      return share ? [[id, share]] : []
    }),
  )
  return rows.map((row) => (sharesPickup(row) ? withShare(row, shares.get(row.id)) : row))
}

/** The price of a parcel with its share of the pickup, which a row of the cart gets by `addCartShares`. */
export function paidPrice(row: ParcelRow): PriceBreakdown | null {
  const { price, pickup_fee_minor: feeMinor, pickup_tax_minor: taxMinor } = row
  return price && feeMinor !== null ? addPickupShare(price, { feeMinor, taxMinor: taxMinor ?? 0 }) : price
}
