// Parcels that travel with another carrier.
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ParcelRow } from '../queries.ts'
import { carrierNotes } from './rules-events.ts'

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

/** A parcel's timeline so far, as far as a new checkpoint of its carrier must be compared with it. */
export type CarrierPast = {
  /** The latest checkpoint that moved the parcel. One from the future counts from when it was recorded. */
  carrier_latest: Date | null
  /** Our own latest entry. */
  own_latest: Date | null
  /** Whether the carrier has ever had the parcel. */
  had_parcel: boolean
}

export async function readCarrierPast(trx: DbOrTx, { id, created_at }: ParcelRow): Promise<CarrierPast> {
  const hasMoved = sql`detail ? 'carrierAt' and event <> all(${[...carrierNotes]}::text[])`
  const { rows } = await sql<CarrierPast>`
    select max(least((detail ->> 'carrierAt')::timestamptz, at)) filter (where ${hasMoved}) as carrier_latest,
      max(at) filter (where not detail ? 'carrierAt') as own_latest,
      coalesce(bool_or(${hasMoved} or detail ? 'collected'), false) as had_parcel
    from tracking_events
    where parcel_id = ${id}::uuid and at >= ${created_at}::timestamptz`.execute(trx)
  return rows[0] as CarrierPast
}
