import type { Parcel } from '@waybill/contract/parcels/parcels'

/**
 * What a parcel costs without its share of the pickup: the part that comes back while the rider still comes for
 * others.
 */
export function withoutPickup({ price }: Pick<Parcel, 'price'>): number {
  const pickup = price?.lines.find(({ kind }) => kind === 'pickup')
  return (price?.totalMinor ?? 0) - (pickup?.amountMinor ?? 0) - Number(pickup?.basis.taxMinor ?? 0)
}
