// The list of parcels that are missing from gunnies.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { missingFromGunnies } from '@waybill/contract/parcels/gunny'
import type { Deps } from '../../../deps.ts'
import { accountNames } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { listMissingRows } from './queries-missing.ts'

/** Parcels that were missing at a count and have not been scanned since, for staff to search. */
export async function missingParcels(
  deps: Deps,
  { stationId, offset, limit }: QueryOf<typeof missingFromGunnies>,
): Promise<ResponseOf<typeof missingFromGunnies>> {
  const { rows, total } = await listMissingRows(deps.db, { stationId: stationId ?? null, offset, limit })
  const [accounts, stations] = await Promise.all([
    accountNames(deps.db, [...new Set(rows.map(({ account_id }) => account_id))]),
    findStationsById(deps.db, [...new Set(rows.map(({ station_id }) => station_id))]),
  ])
  const items = rows.map((row) => ({
    parcelId: row.parcel_id,
    trackingNumber: row.tracking_number,
    accountName: accounts.get(row.account_id) ?? '',
    gunnyNumber: row.gunny_number,
    event: row.event,
    station: stations.get(row.station_id)?.name ?? '',
    at: row.at.toISOString(),
  }))
  return { items, total, offset, limit }
}
