// Parcels of the cart: prices, changes, deletion, identical parcels, and their orders.
import type { Party } from '@waybill/contract/addresses/addresses'
import { cancelledStatuses } from '@waybill/contract/ground/status/parcel-status'
import { sql } from 'kysely'
import { belongsTo, type DbOrTx, literals } from '../../../db/pool.ts'
import type { Write } from '../../../db/writes.ts'
import type { AccountId } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'

const priceTypes = {
  service_code: 'text',
  carrier: 'text',
  price: 'jsonb',
  price_minor: 'bigint',
  currency: 'text',
  volumetric_grams: 'integer',
  chargeable_grams: 'integer',
  expected_date: 'date',
} as const satisfies Partial<Record<keyof ParcelChanges, string>>

type Types = Partial<Record<keyof ParcelChanges, string>>

/** These columns of the rows as a record set `g`, and their assignments for an update. */
function recordSet(types: Types, rows: readonly ParcelRow[]) {
  const columns = Object.keys(types) as (keyof ParcelChanges)[]
  const values = rows.map((row) => ({ id: row.id, ...Object.fromEntries(columns.map((name) => [name, row[name]])) }))
  const columnTypes = sql.raw(columns.map((name) => `, ${name} ${types[name]}`).join(''))
  return {
    records: sql`json_to_recordset(${JSON.stringify(values)}::json) as g(id uuid${columnTypes})`,
    assignments: sql.raw(columns.map((name) => `${name} = g.${name}`).join(', ')),
  }
}

/** Writes the prices of these rows. This does not count as an edit, so versions stay. */
export async function savePrices(trx: DbOrTx, accountId: AccountId, rows: readonly ParcelRow[]): Promise<void> {
  if (rows.length === 0) return
  const { records, assignments } = recordSet(priceTypes, rows)
  await sql`
    update parcels p
    set ${assignments}
    from ${records}
    where ${belongsTo(accountId, 'p')} and p.id = g.id`.execute(trx)
}

/** Columns that can be changed in the cart without the form: service, station and insurance, with the price. */
const changeTypes = {
  ...priceTypes,
  service_type: 'text',
  delivery_mode: 'text',
  collection_mode: 'text',
  self_collection_station_id: 'uuid',
  declared_value_minor: 'bigint',
  insured_value_minor: 'bigint',
  order_id: 'uuid',
  pickup_fee_minor: 'bigint',
  pickup_tax_minor: 'bigint',
} as const satisfies Types

/** Writes the changes of locked rows, each as an edit. Returns them in the order given. */
export async function saveChanges(
  trx: DbOrTx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  at: Date,
): Promise<ParcelRow[]> {
  if (rows.length === 0) return []
  const { records, assignments } = recordSet(changeTypes, rows)
  const { rows: updated } = await sql<ParcelRow>`
    update parcels p
    set ${assignments}, version = p.version + 1, updated_at = ${at}::timestamptz
    from ${records}
    where ${belongsTo(accountId, 'p')} and p.id = g.id
    returning p.*`.execute(trx)
  const byId = new Map(updated.map((row) => [row.id, row]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Deletes parcels and their timelines. */
export async function deleteParcels(trx: DbOrTx, accountId: AccountId, rows: readonly ParcelRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const since = new Date(Math.min(...rows.map(({ created_at }) => created_at.getTime())))
  await sql`
    with events as (
      delete from tracking_events where parcel_id = any(${ids}::uuid[]) and at >= ${since}::timestamptz
    )
    delete from parcels where ${belongsTo(accountId)} and id = any(${ids}::uuid[])`.execute(trx)
}

/** A parcel's position, from 0, among the parcels of the cart that share one pickup, and their number. */
type PickupPlace = { id: string; place: number; count: number }

/** The places of parcels in the pickup of the cart, and its address: the sender of the newest parcel. */
export async function findCartPickup(
  db: DbOrTx,
  accountId: AccountId,
  createdBy: string | null,
  ids: readonly string[],
): Promise<{ places: PickupPlace[]; address: Party | null }> {
  const { rows } = await sql<PickupPlace & { address: Party | null }>`
    with cart as (
      select id, created_at, sender
      from parcels
      where account_id = ${accountId}::uuid
        and status = 'incart'
        and delivery_mode in ('D2D', 'D2P')
        and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
        and order_id is null
    )
    select id, place, count, (select sender from cart order by created_at desc, id desc limit 1) as address
    from (select id, row_number() over (order by id) - 1 as place, count(*) over () as count from cart) places
    where id = any(${ids}::uuid[])`.execute(db)
  return { places: rows, address: rows[0]?.address ?? null }
}

/** The user's newest parcel since a given time with the same values in all fields that a sender fills in. */
export async function findIdentical(
  db: DbOrTx,
  { accountId, userId }: { accountId: AccountId; userId: string },
  columns: ParcelChanges,
  since: Date,
): Promise<ParcelRow | undefined> {
  const json = (value: unknown) => sql`${value === null || value === undefined ? null : JSON.stringify(value)}::jsonb`
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where account_id = ${accountId}::uuid
      and created_by = ${userId}::uuid
      and created_at > ${since}
      and status not in (${literals(cancelledStatuses)})
      and sender is not distinct from ${json(columns.sender)}
      and receiver is not distinct from ${json(columns.receiver)}
      and customs is not distinct from ${json(columns.customs)}
      and reference is not distinct from ${columns.reference ?? null}
      and service_type is not distinct from ${columns.service_type ?? null}
      and delivery_mode is not distinct from ${columns.delivery_mode ?? null}
      and content_type is not distinct from ${columns.content_type ?? null}
      and content_description is not distinct from ${columns.content_description ?? null}
      and weight_grams is not distinct from ${columns.weight_grams ?? null}::integer
      and length_mm is not distinct from ${columns.length_mm ?? null}::integer
      and width_mm is not distinct from ${columns.width_mm ?? null}::integer
      and height_mm is not distinct from ${columns.height_mm ?? null}::integer
      and cod_amount_minor is not distinct from ${columns.cod_amount_minor ?? null}::bigint
    order by created_at desc
    limit 1`.execute(db)
  return rows[0]
}

/** A parcel as it was read, and with its order and its share of the order's pickup. */
export type OrderBinding = { before: ParcelRow; after: ParcelRow }

/**
 * Sets the orders of parcels with their shares of the pickups, or clears them (null) for parcels that the transaction
 * has locked. This does not count as an edit, so versions stay. Throws version_conflict if a parcel has changed since
 * it was read, or belongs to another order now.
 */
export function orderBindingsWrite(bindings: readonly OrderBinding[]): Write {
  const values = bindings.map(({ before, after }) => ({
    account_id: after.account_id,
    id: after.id,
    version: before.version,
    was_status: before.status,
    was_order_id: before.order_id,
    was_price_minor: before.price_minor,
    order_id: after.order_id,
    fee: after.pickup_fee_minor,
    tax: after.pickup_tax_minor,
  }))
  return {
    ctes: sql`bound as (
        update parcels p
        set order_id = s.order_id, pickup_fee_minor = s.fee, pickup_tax_minor = s.tax
        from json_to_recordset(${JSON.stringify(values)}::json) as s(
          account_id uuid, id uuid, version int, was_status text, was_order_id uuid, was_price_minor bigint,
          order_id uuid, fee bigint, tax bigint)
        where p.account_id is not distinct from s.account_id
          and p.id = s.id
          and (
            s.order_id is null
            or (
              p.version = s.version
              and p.status = s.was_status
              and p.price_minor is not distinct from s.was_price_minor
              and (p.order_id is null or p.order_id = s.was_order_id)
            )
          )
        returning 1
      )`,
    cte: 'bound',
    expected: bindings.length,
    refused: () => new AppError('version_conflict'),
  }
}
