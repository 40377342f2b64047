import type { TrackingStatus } from '@waybill/contract/ground/enums'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ParcelRow } from '../queries.ts'

/** Those of these parcels that travel with another carrier and have a number; for jobs, which serve every account. */
export async function carrierParcels(db: DbOrTx, parcelIds: readonly string[]): Promise<ParcelRow[]> {
  if (parcelIds.length === 0) return []
  const { rows } = await sql<ParcelRow>`
    select * from parcels where id = any(${[...parcelIds]}::uuid[]) and carrier <> 'own' and tracking_number is not null
    order by id`.execute(db)
  return rows
}

/** The same parcel, locked until the transaction ends; null when there is none. */
export async function carrierParcelForUpdate(trx: DbOrTx, parcelId: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`select * from parcels where id = ${parcelId}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

export type Note = {
  eventId: string
  event: string
  at: Date
  place: string | null
  note: string | null
  detail: Record<string, unknown>
}

/** A line of the timeline that changes no status; those who follow the parcel are told. The row as it is now. */
export async function writeNote(
  trx: DbOrTx,
  row: ParcelRow,
  note: Note,
  trackingStatus: TrackingStatus,
): Promise<ParcelRow> {
  const { rows } = await sql<ParcelRow>`
    with noted as (
      update parcels set last_event_at = greatest(last_event_at, ${note.at}::timestamptz)
      where account_id = ${row.account_id} and id = ${row.id} returning *
    ), written as (
      insert into tracking_events (account_id, parcel_id, id, at, event, from_status, status, leg, place, note, detail)
      select account_id, id, ${note.eventId}::uuid, ${note.at}::timestamptz, ${note.event}, status, status, leg, ${note.place}, ${note.note},
        ${JSON.stringify(note.detail)}::jsonb
      from noted
    ), told as (
      insert into outbox (topic, payload)
      select 'parcel.moved', jsonb_build_object('accountId', account_id, 'parcelId', id, 'createdBy', created_by, 'trackingNumber', tracking_number,
        'event', ${note.event}::text, 'status', status, 'trackingStatus', ${trackingStatus}::text)
      from noted
    )
    select * from noted`.execute(trx)
  return rows[0] ?? row
}
