import type { Party } from '@waybill/contract/addresses/addresses'
import type {
  Carrier,
  CollectionMode,
  ContentType,
  DeliveryMode,
  Leg,
  ParcelStatus,
  PaymentMethod,
  Scope,
  ServiceType,
  TrackingStatus,
} from '@waybill/contract/ground/enums'
import type { Customs } from '@waybill/contract/parcels/customs'
import type { ParcelInput, ShippedAnyway } from '@waybill/contract/parcels/parcels'
import type { Holder } from '@waybill/contract/parcels/scanning'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Parcels } from '../../db/schema.ts'
import type { Step } from '../../db/steps.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { PickupShare } from '../pricing/rules.ts'

type Unfinished = NonNullable<ParcelInput['unfinished']>

type Narrowed = {
  scope: Scope
  service_type: ServiceType | null
  delivery_mode: DeliveryMode | null
  carrier: Carrier | null
  sender: Party | null
  receiver: Party | null
  content_type: ContentType | null
  collection_mode: CollectionMode | null
  customs: Customs | null
  unfinished: Unfinished | null
  shipped_anyway: ShippedAnyway[] | null
  price: PriceBreakdown | null
  status: ParcelStatus
  leg: Leg
  payment_method: PaymentMethod | null
  holder: Holder
}
/** A row of `parcels`; weights in grams, lengths in mm, money in minor units. */
export type ParcelRow = Omit<Selectable<Parcels>, keyof Narrowed> & Narrowed

/**
 * Columns that a use case may write, with their types in PostgreSQL. Who and whose it is, its status and version are
 * not among them.
 */
const writableTypes = {
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
const writable = Object.keys(writableTypes) as Writable[]

/** Values to write with a transition or an edit. */
export type ParcelChanges = Partial<Pick<ParcelRow, Writable>>

/** A new parcel: everything a sender may have filled in; the rest has its default in the table. */
export type NewParcel = ParcelChanges & { id: string; scope: Scope; currency: string }

export type Move = {
  row: ParcelRow
  /** The state after it. */
  status: ParcelStatus
  trackingStatus: TrackingStatus
  handedOver: boolean
  leg: Leg
  eventId: string
  changes: ParcelChanges
}

export type EventFacts = {
  event: string
  at: Date
  actorId: string | null
  stationId: string | null
  place: string | null
  note: string | null
  detail: Record<string, unknown>
}

const outboxPayload = sql`jsonb_build_object('accountId', m.account_id, 'parcelId', m.id, 'createdBy', m.created_by, 'trackingNumber', m.tracking_number,
  'event', e.event, 'status', m.status, 'trackingStatus', e.tracking_status)`

/**
 * When the next line of a timeline is: after the latest one, whatever the clock of this process says. Otherwise the
 * newest line would not be
 * the one that made the status. `p` is the row of `parcels`.
 */
export const momentAfter = (at: RawBuilder<unknown>) => sql`greatest(${at}, p.last_event_at + interval '1 millisecond')`

/**
 * The CTEs of a transition; their names begin with the event's. `…_moved` are the rows as they are after it, `…_given`
 * has their order `n`.
 */
function moveCtes(moves: readonly Move[], facts: EventFacts, { asPaid }: { asPaid: boolean }) {
  const columns = writable.filter((column) => moves.some(({ changes }) => changes[column] !== undefined))
  const values = moves.map(({ row, status, trackingStatus, handedOver, leg, eventId, changes }, n) => ({
    n,
    account_id: row.account_id,
    id: row.id,
    version: row.version,
    ...(asPaid ? { was_order_id: row.order_id, was_price_minor: row.price_minor } : {}),
    from_status: row.status,
    status,
    tracking_status: trackingStatus,
    handed_over: handedOver,
    leg,
    event_id: eventId,
    ...Object.fromEntries(
      columns.map((column) => [column, changes[column] === undefined ? row[column] : changes[column]]),
    ),
  }))
  const shape = sql.join(
    columns.map((column) => sql`, ${sql.ref(column)} ${sql.raw(writableTypes[column])}`),
    sql``,
  )
  const sets = sql.join(
    columns.map((column) => sql`, ${sql.ref(column)} = g.${sql.ref(column)}`),
    sql``,
  )
  const name = (part: string) => sql.ref(`${facts.event}_${part}`)
  const given = name('given')
  const moved = name('moved')
  const fact = name('facts')
  const ctes = sql`
    ${given} as materialized (
      select * from json_to_recordset(${JSON.stringify(values)}::json) as t(
        n int, account_id uuid, id uuid, version int, from_status text, status text, tracking_status text, handed_over boolean, leg text,
        event_id uuid${asPaid ? sql`, was_order_id uuid, was_price_minor bigint` : sql``}${shape})
    ), ${fact} as (
      select ${facts.event}::text as event, ${facts.at}::timestamptz as at, ${facts.stationId}::uuid as station_id, ${facts.place}::text as place,
        ${facts.note}::text as note, ${facts.actorId}::uuid as actor_id, ${JSON.stringify(facts.detail)}::jsonb as detail
    ), ${moved} as (
      update parcels p set status = g.status, handed_over = g.handed_over, leg = g.leg, version = p.version + 1,
        updated_at = ${momentAfter(sql`f.at`)}, last_event_at = ${momentAfter(sql`f.at`)}${sets}
      from ${given} g, ${fact} f
      where p.account_id = g.account_id and p.id = g.id and p.version = g.version${
        // Today's price and the order that is to pay are written without a new version.
        asPaid
          ? sql` and p.order_id is not distinct from g.was_order_id and p.price_minor is not distinct from g.was_price_minor`
          : sql``
      }
      returning p.*
    ), ${name('written')} as (
      insert into tracking_events (account_id, parcel_id, id, at, event, from_status, status, leg, station_id, place, note, actor_id, detail)
      select m.account_id, m.id, g.event_id, m.last_event_at, f.event, g.from_status, m.status, m.leg, f.station_id,
        f.place, f.note, f.actor_id, f.detail
      from ${moved} m join ${given} g on g.id = m.id, ${fact} f
    ), ${name('told')} as (
      insert into outbox (topic, payload, created_at)
      select 'parcel.moved', ${outboxPayload}, e.at
      from ${moved} m join (select g.id, g.n, g.tracking_status, f.event, f.at from ${given} g, ${fact} f) e on e.id = m.id
      order by e.n
    )`
  return { ctes, given, moved }
}

/**
 * Writes a transition of any number of parcels, their timelines and what is told to higher domains in one statement. A
 * row whose version is no longer the one read is left alone, so fewer rows come back. In the order of `moves`.
 */
export async function applyMoves(trx: DbOrTx, moves: readonly Move[], facts: EventFacts): Promise<ParcelRow[]> {
  const { ctes, given, moved } = moveCtes(moves, facts, { asPaid: false })
  const { rows } = await sql<ParcelRow>`
    with ${ctes} select m.* from ${moved} m join ${given} g on g.id = m.id order by g.n`.execute(trx)
  return rows
}

/**
 * `applyMoves` of parcels that are being paid as a step, for one statement with other domains' writes. Refused with
 * version_conflict when a parcel is no longer the one that was read, its price and its order included.
 */
export function checkoutMoves(moves: readonly Move[], facts: EventFacts): Step {
  return {
    ctes: moveCtes(moves, facts, { asPaid: true }).ctes,
    counted: `${facts.event}_moved`,
    expected: moves.length,
    refused: () => new AppError('version_conflict'),
  }
}

/** Inserts drafts with the first line of their timelines; one statement for any number. In the order given. */
export async function insertParcels(
  trx: DbOrTx,
  accountId: AccountId,
  createdBy: string,
  parcels: readonly (NewParcel & { eventId: string })[],
  at: Date,
): Promise<ParcelRow[]> {
  const given = parcels.map((parcel, n) => ({ ...parcel, n, event_id: parcel.eventId }))
  const shape = sql.join(
    writable.map((column) => sql`, ${sql.ref(column)} ${sql.raw(writableTypes[column])}`),
    sql``,
  )
  // What is not null in the table and absent in a draft takes the table's default.
  const columns = writable.filter((column) => column !== 'amount_due_minor' && column !== 'holder')
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<ParcelRow>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as t(n int, id uuid, event_id uuid${shape})
    ), made as (
      insert into parcels (account_id, id, created_by, status, created_at, updated_at, last_event_at, ${names})
      select ${accountId}::uuid, id, ${createdBy}::uuid, 'pending', ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${names}
      from given order by n
      returning *
    ), written as (
      insert into tracking_events (account_id, parcel_id, id, at, event, from_status, status, actor_id)
      select m.account_id, m.id, g.event_id, m.created_at, 'created', null, m.status, m.created_by from made m join given g on g.id = m.id
    ), told as (
      insert into outbox (topic, payload, created_at)
      select 'parcel.moved', ${outboxPayload}, m.created_at
      from made m join (select id, n, 'created' as event, 'pending' as tracking_status from given) e on e.id = m.id
      order by e.n
    )
    select m.* from made m join given g on g.id = m.id order by g.n`.execute(trx)
  return rows
}

/** Writes an edit that is no transition; null when the version is no longer `row`'s. */
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
 * Ties parcels to the order that will pay them, each with its share of the order's pickup, or frees them; not an edit,
 * so versions stay. A parcel without a share has none.
 */
export async function setOrder(
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  orderId: string | null,
  shares: ReadonlyMap<string, PickupShare>,
): Promise<ParcelRow[]> {
  if (rows.length === 0) return []
  const values = rows.map(({ id }) => ({ id, fee: shares.get(id)?.feeMinor, tax: shares.get(id)?.taxMinor }))
  const { rows: bound } = await sql<ParcelRow>`
    update parcels p set order_id = ${orderId}::uuid, pickup_fee_minor = s.fee, pickup_tax_minor = s.tax
    from json_to_recordset(${JSON.stringify(values)}::json) as s(id uuid, fee bigint, tax bigint)
    where p.account_id = ${rows[0]?.account_id ?? null}::uuid and p.id = s.id
    returning p.*`.execute(trx)
  const byId = new Map(bound.map((row) => [row.id, row]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}

/**
 * `createdBy`: only that user's. Locked in the order of their ids, so that two callers never wait for each other in a
 * circle.
 */
export async function parcelsForUpdate(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  createdBy: string | null,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
    order by id for update`.execute(trx)
  return rows
}

/** The parcel of a number, whoever's: for staff. */
export async function parcelByNumber(db: DbOrTx, trackingNumber: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`select * from parcels where tracking_number = ${trackingNumber}`.execute(db)
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function parcelByNumberForUpdate(trx: DbOrTx, trackingNumber: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where tracking_number = ${trackingNumber} for update`.execute(trx)
  return rows[0] ?? null
}

export async function parcelByIdForUpdate(trx: DbOrTx, id: string): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`select * from parcels where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** The parcels with these ids, whoever's: for staff. */
export async function parcelsOfAnyAccount(db: DbOrTx, ids: readonly string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`select * from parcels where id = any(${ids}::uuid[])`.execute(db)
  return rows
}

export async function parcelsOfOrderRows(db: DbOrTx, orderId: string, lock: boolean): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where order_id = ${orderId}::uuid order by id ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** The orders that these parcels belong to. */
export async function orderIdsOf(db: DbOrTx, parcelIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select distinct order_id from parcels where id = any(${parcelIds}::uuid[]) and order_id is not null`.execute(db)
  return rows.map(({ order_id }) => order_id)
}

/** `count` numbers of the sequence behind tracking numbers, in one query. */
export async function nextTrackingSerials(trx: DbOrTx, count: number): Promise<number[]> {
  const { rows } = await sql<{ serial: number }>`
    select nextval('tracking_serial') as serial from generate_series(1, ${count}::int)`.execute(trx)
  return rows.map(({ serial }) => serial)
}
