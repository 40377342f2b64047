// Finds parcels at a counter when the tracking number is not known.
import type { Deps } from '../../../deps.ts'
import { parsePhone } from '../../../lib/phone.ts'
import { parseSearch } from '../rules.ts'
import { type CounterParcelRow, listOrderedParcels, listParcelsToPhone, listWaitingParcels } from './queries.ts'

/** The numbered parcels of an order of any account, for staff. */
export async function listParcelsOfOrder(deps: Deps, orderId: string, limit: number): Promise<CounterParcelRow[]> {
  return listOrderedParcels(deps.db, orderId, limit)
}

/**
 * Parcels by the receiver's whole phone number. A name, or a part of a phone number, only finds parcels that wait at
 * the station to be collected (`stationId` null: none): staff must not be able to browse the parcels of any person.
 */
export async function findParcelsByReceiver(
  deps: Deps,
  text: string,
  stationId: string | null,
  limit: number,
): Promise<CounterParcelRow[]> {
  const country = deps.settings.get('countryCode')
  const looks = parseSearch(text, deps.settings.get('tracking.prefix'), (digits) => parsePhone(digits, country))
  for (const look of looks) {
    const rows = look.by === 'phone' ? await listParcelsToPhone(deps.db, look.phone, limit) : []
    if (rows.length > 0) return rows
    if (stationId === null || !['terms', 'digits'].includes(look.by)) continue
    const waiting = await listWaitingParcels(deps.db, stationId, look, limit)
    if (waiting.length > 0) return waiting
  }
  return []
}
