import type { Parcel } from '@waybill/contract/parcels/parcels'

/**
 * The price of a parcel without its share of the pickup. This part is refunded while the rider still comes for other
 * parcels.
 */
export function withoutPickup({ price }: Pick<Parcel, 'price'>): number {
  const pickup = price?.lines.find(({ kind }) => kind === 'pickup')
  return (price?.totalMinor ?? 0) - (pickup?.amountMinor ?? 0) - Number(pickup?.basis.taxMinor ?? 0)
}
