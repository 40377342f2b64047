// A parcel's share of the pickup fee: fixed by its order, and before that by the other parcels in the cart.
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import type { PickupShare } from '../../pricing/rules.ts'
import { pickupCharge, pickupShares, priceWithPickup } from '../../pricing/service.ts'
import { onlyCreatedBy } from '../access.ts'
import type { ParcelRow } from '../queries.ts'
import { pickupPlaces } from './queries.ts'

const isFetched = ({ delivery_mode }: Pick<ParcelRow, 'delivery_mode'>) => delivery_mode?.startsWith('D') ?? false

/** The shares of one pickup's parcels, by id. Sorted by id, so that the result is always the same. */
export function pickupSharesById(
  pickup: readonly PriceLine[],
  rows: readonly Pick<ParcelRow, 'id' | 'delivery_mode'>[],
): Map<string, PickupShare> {
  const ids = rows
    .filter(isFetched)
    .map(({ id }) => id)
    .sort()
  const shares = pickup.length > 0 ? pickupShares(pickup, ids.length) : []
  return new Map(shares.map((share, n) => [ids[n] as string, share]))
}

/** Whether a parcel bears a share of the pickup of the whole cart. `wholeCart`: includes parcels of unpaid orders. */
export function sharesPickup(row: ParcelRow, wholeCart = false): boolean {
  return row.status === 'incart' && isFetched(row) && (wholeCart || row.order_id === null)
}

function withShare<R extends ParcelRow>(row: R, share: PickupShare | undefined): R {
  return { ...row, pickup_fee_minor: share?.feeMinor ?? null, pickup_tax_minor: share?.taxMinor ?? null }
}

/**
 * Adds the shares of one pickup for all parcels in the caller's cart; rows outside the cart are unchanged.
 * `wholeCart`: parcels of unpaid orders count, too, as in a new checkout of the whole cart.
 */
export async function addCartShares<R extends ParcelRow>(
  deps: Deps,
  db: DbOrTx,
  caller: CustomerCaller,
  rows: readonly R[],
  { wholeCart = false }: { wholeCart?: boolean } = {},
): Promise<R[]> {
  const isShared = (row: ParcelRow) => sharesPickup(row, wholeCart)
  const ids = rows.filter(isShared).map(({ id }) => id)
  if (ids.length === 0) return [...rows]
  const pickup = pickupCharge(deps)
  const places = await pickupPlaces(db, caller.accountId, onlyCreatedBy(caller), ids, wholeCart)
  const shares = new Map(
    places.flatMap(({ id, place, count }) => {
      const share = pickupShares(pickup, count)[place]
      return share ? [[id, share]] : []
    }),
  )
  return rows.map((row) => (isShared(row) ? withShare(row, shares.get(row.id)) : row))
}

/**
 * The price of a parcel with its share of the pickup. In the cart, a parcel without a share bears the whole pickup.
 */
export function paidPrice(deps: Deps, row: ParcelRow): PriceBreakdown | null {
  if (!row.price) return null
  const { pickup_fee_minor: feeMinor, pickup_tax_minor: taxMinor } = row
  if (feeMinor !== null) return priceWithPickup(row.price, { feeMinor, taxMinor: taxMinor ?? 0 })
  if (row.status !== 'incart' || row.order_id !== null || !isFetched(row)) return row.price
  const [alone] = pickupShares(pickupCharge(deps), 1)
  return alone ? priceWithPickup(row.price, alone) : row.price
}
