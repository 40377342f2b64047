// SQL of the search for parcels at a counter, across all accounts.
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import { broadSearch } from '../list/queries-search.ts'
import type { ParcelRow } from '../queries.ts'
import type { SearchPath } from '../rules.ts'

export type CounterParcelRow = Pick<
  ParcelRow,
  'id' | 'account_id' | 'tracking_number' | 'status' | 'leg' | 'receiver' | 'created_at'
>

const columns = sql.raw('p.id, p.account_id, p.tracking_number, p.status, p.leg, p.receiver, p.created_at')
const withSearch = sql.raw('parcels p join parcel_search s on s.account_id = p.account_id and s.id = p.id')

/** The numbered parcels of an order, by their creation. */
export async function listOrderedParcels(db: DbOrTx, orderId: string, limit: number): Promise<CounterParcelRow[]> {
  const { rows } = await sql<CounterParcelRow>`
    select ${columns}
    from parcels p
    where p.order_id = ${orderId}::uuid and p.tracking_number is not null
    order by p.id
    limit ${limit}`.execute(db)
  return rows
}

/** The newest numbered parcels to a phone (E.164), of any account. */
export async function listParcelsToPhone(db: DbOrTx, phone: string, limit: number): Promise<CounterParcelRow[]> {
  const { rows } = await sql<CounterParcelRow>`
    select ${columns}
    from ${withSearch}
    where s.receiver_phone = ${phone} and p.tracking_number is not null
    order by s.created_at desc, s.id desc
    limit ${limit}`.execute(db)
  return rows
}

/** The parcels that wait at a station for their receiver and match a search, the first to be collected first. */
export async function listWaitingParcels(
  db: DbOrTx,
  stationId: string,
  look: SearchPath,
  limit: number,
): Promise<CounterParcelRow[]> {
  const { s, p } = broadSearch(look)
  const conditions: RawBuilder<unknown>[] = [...s, ...p]
  const { rows } = await sql<CounterParcelRow>`
    select ${columns}
    from ${withSearch}
    where p.self_collection_station_id = ${stationId}::uuid and p.status = 'inbound' and p.collect_until is not null
      and ${sql.join(conditions, sql` and `)}
    order by p.collect_until, p.id
    limit ${limit}`.execute(db)
  return rows
}
