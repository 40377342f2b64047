import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'

/** The carriers' numbers of parcels that are booked, by parcel. */
export async function numbersOfParcels(db: DbOrTx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  if (parcelIds.length === 0) return new Map()
  const { rows } = await sql<{ parcel_id: string; carrier_number: string }>`
    select parcel_id, carrier_number from carrier_bookings
    where parcel_id = any(${parcelIds}::uuid[]) and carrier_number is not null and state = 'booked'`.execute(db)
  return new Map(rows.map((row) => [row.parcel_id, row.carrier_number]))
}
