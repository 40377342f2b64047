// Whether another carrier has a parcel. It decides about the journey then: none of its calls recalls or redirects one.
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { AppError } from '../../../http/errors.ts'
import type { ParcelRow } from '../queries.ts'

/** On its way between our own stations, a parcel has a next station. `queries.ts` has the same as SQL. */
export function isWithOtherCarrier({
  carrier,
  holder,
  next_station_id,
}: Pick<ParcelRow, 'carrier' | 'holder' | 'next_station_id'>): boolean {
  return carrier !== null && carrier !== 'own' && holder === 'carrier' && next_station_id === null
}

/** A 409 that names the carrier. */
export function carrierHasParcel(row: Pick<ParcelRow, 'id' | 'carrier' | 'status' | 'tracking_number'>): AppError {
  const { id: parcelId, carrier, status, tracking_number: trackingNumber } = row
  return new AppError('carrier_has_parcel', {
    labels: { carrier: carrierLabels[carrier ?? 'own'] },
    details: { status, parcelId, trackingNumber, carrier },
  })
}
