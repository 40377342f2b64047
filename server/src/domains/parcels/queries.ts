// Rows of `parcels`: columns, reads, locks and edits. New rows are in cart/queries-create.ts, transitions in
// queries-transition.ts.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Carrier, CollectionMode, ContentType, PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode, Leg, ParcelStatus, Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { Customs } from '@waybill/contract/parcels/customs'
import type { ParcelInput, ParcelOverride } from '@waybill/contract/parcels/parcels'
import type { Holder } from '@waybill/contract/parcels/scanning'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../db/pool.ts'
import type { Parcels } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'

type UnfinishedParties = NonNullable<ParcelInput['unfinished']>

type ColumnTypes = {
  scope: Scope
  service_type: ServiceType | null
  delivery_mode: DeliveryMode | null
  carrier: Carrier | null
  sender: Party | null
  receiver: Party | null
  content_type: ContentType | null
  collection_mode: CollectionMode | null
  customs: Customs | null
  unfinished: UnfinishedParties | null
  shipped_anyway: ParcelOverride[] | null
  price: PriceBreakdown | null
  status: ParcelStatus
  leg: Leg
  payment_method: PaymentMethod | null
  holder: Holder
}
/** A row of `parcels`; weights in grams, lengths in mm, money in minor units. */
export type ParcelRow = Omit<Selectable<Parcels>, keyof ColumnTypes> & ColumnTypes

/**
 * The columns that use cases may write, with their PostgreSQL types. Identity, status and version are not among them.
 */
export const writableTypes = {
  tracking_number: 'text',
  reference: 'text',
  scope: 'text',
  service_type: 'text',
  service_code: 'text',
  delivery_mode: 'text',
  carrier: 'text',
  sender: 'jsonb',
  receiver: 'jsonb',
  drop_off_station_id: 'uuid',
  self_collection_station_id: 'uuid',
  content_type: 'text',
  content_description: 'text',
  declared_value_minor: 'bigint',
  insured_value_minor: 'bigint',
  cod_amount_minor: 'bigint',
  collection_mode: 'text',
  customs: 'jsonb',
  photo_ids: 'uuid[]',
  unfinished: 'jsonb',
  shipped_anyway: 'jsonb',
  batch_id: 'uuid',
  weight_grams: 'integer',
  length_mm: 'integer',
  width_mm: 'integer',
  height_mm: 'integer',
  volumetric_grams: 'integer',
  chargeable_grams: 'integer',
  actual_grams: 'integer',
  price: 'jsonb',
  price_minor: 'bigint',
  pickup_fee_minor: 'bigint',
  pickup_tax_minor: 'bigint',
  amount_due_minor: 'bigint',
  currency: 'text',
  station_id: 'uuid',
  holder: 'text',
  rider_id: 'uuid',
  next_station_id: 'uuid',
  return_pickup_id: 'uuid',
  order_id: 'uuid',
  gunny_id: 'uuid',
  pickup_request_id: 'uuid',
  payment_method: 'text',
  expected_date: 'date',
  promised_date: 'date',
  collect_until: 'date',
  collect_reminded_at: 'timestamptz',
  contest_until: 'timestamptz',
  choice_made: 'boolean',
} as const satisfies Partial<Record<keyof ParcelRow, string>>
type Writable = keyof typeof writableTypes
export const writable = Object.keys(writableTypes) as Writable[]

/** Values to write with a transition or an edit. */
export type ParcelChanges = Partial<Pick<ParcelRow, Writable>>

/** A new parcel: the sender's input. All other columns have their defaults. */
export type NewParcel = ParcelChanges & { id: string; scope: Scope; currency: string }

/** The columns of a new parcel that its sender did not fill in, with the table's defaults. */
export const emptyParcel = {
  actual_grams: null,
  amount_due_minor: 0,
  batch_id: null,
  carrier: null,
  chargeable_grams: null,
  choice_made: null,
  cod_amount_minor: null,
  collect_reminded_at: null,
  collect_until: null,
  collection_mode: null,
  content_description: null,
  content_type: null,
  contest_until: null,
  customs: null,
  declared_value_minor: null,
  delivery_mode: null,
  drop_off_station_id: null,
  expected_date: null,
  gunny_id: null,
  handed_over: false,
  height_mm: null,
  holder: 'customer',
  insured_value_minor: null,
  leg: 'outbound',
  length_mm: null,
  next_station_id: null,
  order_id: null,
  payment_method: null,
  photo_ids: null,
  pickup_fee_minor: null,
  pickup_request_id: null,
  pickup_tax_minor: null,
  price: null,
  price_minor: null,
  promised_date: null,
  receiver: null,
  reference: null,
  return_pickup_id: null,
  rider_id: null,
  self_collection_station_id: null,
  sender: null,
  service_code: null,
  service_type: null,
  shipped_anyway: null,
  station_id: null,
  stuck_told_at: null,
  tracking_number: null,
  unfinished: null,
  version: 1,
  volumetric_grams: null,
  weight_grams: null,
  width_mm: null,
} satisfies Partial<ParcelRow>

/** Writes an edit that is not a transition; null if the version is no longer `row`'s. */
export async function updateParcel(
  trx: DbOrTx,
  row: ParcelRow,
  changes: ParcelChanges,
  at: Date,
): Promise<ParcelRow | null> {
  const values = Object.fromEntries(
    Object.entries(changes).map(([column, value]) => {
      const json = writableTypes[column as Writable] === 'jsonb' && value !== null
      return [column, json ? JSON.stringify(value) : value]
    }),
  )
  const updated = await trx
    .updateTable('parcels')
    .set({ ...values, version: row.version + 1, updated_at: at })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirst()
  return (updated as ParcelRow | undefined) ?? null
}

/**
 * Parcels of an account by id; `createdBy` null: of all its users. `lock` locks them until the transaction ends, in the
 * order of their ids to avoid deadlocks.
 */
export async function findParcels(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  createdBy: string | null,
  { lock = false } = {},
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where ${belongsTo(accountId)}
      and id = any(${ids}::uuid[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
    order by id
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

type ParcelName = Pick<ParcelRow, 'id' | 'tracking_number' | 'reference'>

/** The names of an account's parcels with these ids or tracking numbers. */
export async function listParcelNames(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  numbers: readonly string[],
): Promise<ParcelName[]> {
  const { rows } = await sql<ParcelName>`
    select id, tracking_number, reference
    from parcels
    where ${belongsTo(accountId)} and (id = any(${ids}::uuid[]) or tracking_number = any(${numbers}::text[]))
  `.execute(db)
  return rows
}

/** A parcel of any account by its number, for staff. */
export async function findParcelByNumber(db: DbOrTx, trackingNumber: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`select * from parcels where tracking_number = ${trackingNumber}`.execute(db)
  return rows[0] ?? null
}

/** `findParcelByNumber`, locked until the transaction ends. */
export async function lockParcelByNumber(trx: DbOrTx, trackingNumber: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where tracking_number = ${trackingNumber} for update`.execute(trx)
  return rows[0] ?? null
}

/** A locked parcel of any account, for staff and jobs. */
export async function lockParcelById(trx: DbOrTx, id: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`select * from parcels where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** Parcels of any account by id, unordered: for staff. */
export async function listParcelsOfAnyAccount(db: DbOrTx, ids: readonly string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`select * from parcels where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** The parcels of these orders by id; `lock` locks them until the transaction ends. */
export async function listParcelRowsOfOrders(db: DbOrTx, orderIds: readonly string[], lock: boolean) {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where order_id = any(${orderIds}::uuid[])
    order by id
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** The columns of a parcel that a checkout reads and that its transition writes. */
const checkoutColumns = [
  ...(['account_id', 'id', 'version', 'order_id', 'status', 'delivery_mode', 'handed_over', 'leg'] as const),
  ...(['station_id', 'tracking_number', 'service_code', 'price', 'price_minor'] as const),
  ...(['payment_method', 'pickup_request_id'] as const),
] satisfies (keyof ParcelRow)[]
/** One piece of SQL: built for each payment, it was 7 % of all memory that a payment allocates. */
const checkoutPairs = sql.raw(checkoutColumns.map((column) => `'${column}', ${column}`).join(', '))
export type CheckoutParcel = Pick<ParcelRow, (typeof checkoutColumns)[number]>

/**
 * SQL of a JSON array: the parcels of an order by id, with the columns that a checkout needs. A whole parcel has 1.6
 * kB.
 */
export function checkoutParcelsJson(orderId: string): RawBuilder<CheckoutParcel[]> {
  return sql`coalesce(
    (select json_agg(json_build_object(${checkoutPairs}) order by id) from parcels where order_id = ${orderId}::uuid),
    '[]'::json
  )`
}

/**
 * The parcels with these ids and all parcels of these orders, by id; `lock` locks them until the transaction ends. One
 * statement locks all of them in the order of their ids, to avoid deadlocks.
 */
export async function listParcelsWithOrders(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  orderIds: readonly string[],
  lock: boolean,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where ${belongsTo(accountId)} and (id = any(${ids}::uuid[]) or order_id = any(${orderIds}::uuid[]))
    order by id
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** The orders that these parcels belong to. */
export async function listOrderIds(db: DbOrTx, parcelIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select distinct order_id
    from parcels
    where id = any(${parcelIds}::uuid[]) and order_id is not null`.execute(db)
  return rows.map(({ order_id }) => order_id)
}

/** The next `count` serials for tracking numbers. */
export async function nextTrackingSerials(trx: DbOrTx, count: number): Promise<number[]> {
  const { rows } = await sql<{ serial: number }>`
    select nextval('tracking_serial') as serial from generate_series(1, ${count}::int)`.execute(trx)
  return rows.map(({ serial }) => serial)
}
