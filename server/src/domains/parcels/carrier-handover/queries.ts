// Parcels that travel with another carrier.
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ParcelRow } from '../queries.ts'

/** `isWithOtherCarrier` of a parcel `p` as SQL. */
export const withOtherCarrierOfP = sql<boolean>`
      (p.carrier <> 'own' and p.holder = 'carrier' and p.next_station_id is null) is true`

/** The parcels among these that travel with another carrier and have a number, of any account: for jobs. */
export async function carrierParcels(db: DbOrTx, parcelIds: readonly string[]): Promise<ParcelRow[]> {
  if (parcelIds.length === 0) return []
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where id = any(${[...parcelIds]}::uuid[]) and carrier <> 'own' and tracking_number is not null
    order by id`.execute(db)
  return rows
}
