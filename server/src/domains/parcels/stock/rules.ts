// What happens next to a parcel at a station.
import { isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import type { StockStep } from '@waybill/contract/parcels/stock'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { ParcelRow } from '../queries.ts'

/** Whether a parcel that is found at a station was brought back by one of its riders after a failed attempt. */
export const isBroughtBack = (
  { status, holder, station_id }: Pick<ParcelRow, 'status' | 'holder' | 'station_id'>,
  stationId: string,
) => status === 'fail-to-deliver' && holder === 'rider' && station_id === stationId

type Stock = Pick<ParcelRow, 'leg' | 'status' | 'carrier' | 'delivery_mode'>

/**
 * The next step of a parcel at a station. `lastStations`: where its journey may end, the first one to be named; empty
 * if no station serves its address.
 */
export function nextStockStep(parcel: Stock, stationId: string, lastStations: readonly string[]): StockStep {
  if (parcel.status === 'lost') return 'find'
  if (parcel.status === 'outstanding') return 'payment'
  const goesBack = isGoingBack(parcel)
  if (!goesBack && parcel.carrier !== null && parcel.carrier !== 'own') return 'carrier'
  if (lastStations.length === 0) return 'unknown'
  if (!lastStations.includes(stationId)) return 'forward'
  if (goesBack) return 'hand_back'
  return endsAtStation(parcel.delivery_mode) ? 'hand_out' : 'deliver'
}
