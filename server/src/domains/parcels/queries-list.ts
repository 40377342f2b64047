import type { Carrier, DeliveryMode, ParcelStatus, PaymentMethod, Scope, ServiceType } from '@waybill/contract/enums'
import type { SortTerm } from '@waybill/contract/paging'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { ParcelRow } from './queries.ts'
import type { Look } from './rules.ts'

/** Which parcels of an account; absent and null conditions hold for all. */
export type ParcelFilter = {
  accountId: AccountId
  createdBy: string | null
  statuses: readonly ParcelStatus[] | null
  /** First letters of the delivery mode: D is fetched, P is brought. */
  start?: 'D' | 'P' | null
  scope?: Scope | null
  serviceType?: ServiceType | null
  deliveryMode?: DeliveryMode | null
  carrier?: Carrier | null
  paymentMethod?: PaymentMethod | null
  orderId?: string | null
  batchId?: string | null
  withCod?: boolean | null
  /** The receiver's; letters of either case, a postcode by its beginning. */
  state?: string | null
  city?: string | null
  postcode?: string | null
  /** Days on which it was made, the first and the last, in a time zone. */
  days?: { from?: string; to?: string; timeZone: string } | null
  search?: Look | null
}

export type Window = { sort: readonly SortTerm[]; offset: number; limit: number }

/** Of a look-up, what must be read: the parcel `p`, what of it is searched `s` (see the migration parcel_search), or both; `base` has the keys. */
type Tables = { base: 's' | 'p'; from: RawBuilder<unknown>; where: RawBuilder<unknown> }

const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** What `s` alone knows, as conditions. */
function facets(filter: ParcelFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (filter.scope === 'international') all.push(sql`s.scope = 'international'`)
  else if (filter.scope) all.push(sql`s.scope = ${filter.scope}`)
  if (filter.serviceType) all.push(sql`s.service_type = ${filter.serviceType}`)
  if (filter.deliveryMode) all.push(sql`s.delivery_mode = ${filter.deliveryMode}`)
  if (filter.carrier) all.push(sql`s.carrier = ${filter.carrier}`)
  if (filter.batchId) all.push(sql`s.batch_id = ${filter.batchId}::uuid`)
  if (filter.withCod) all.push(sql`s.with_cod`)
  if (filter.state) all.push(sql`s.receiver_state = ${filter.state.toLowerCase()}`)
  if (filter.city) all.push(sql`s.receiver_city = ${filter.city.toLowerCase()}`)
  if (filter.postcode) all.push(sql`s.receiver_postcode like ${`${literally(filter.postcode.toLowerCase())}%`}`)
  const { search } = filter
  if (search?.by === 'phone') all.push(sql`s.receiver_phone = ${search.phone}`)
  if (search?.by === 'words') all.push(sql`s.words like ${search.pattern}`)
  if (search?.by === 'postcode') all.push(sql`s.receiver_postcode like ${search.pattern}`)
  if (search?.by === 'city') all.push(sql`s.receiver_city = ${search.city}`)
  return all
}

/** What only `p` knows. */
function states(filter: ParcelFilter, statuses: readonly ParcelStatus[] | null): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  // A single status by equality: only so does its index give the order too.
  if (statuses?.length === 1) all.push(sql`p.status = ${statuses[0]}`)
  else if (statuses) all.push(sql`p.status = any(${statuses}::text[])`)
  if (filter.start) all.push(sql`p.delivery_mode like ${`${filter.start}%`}`)
  if (filter.paymentMethod) all.push(sql`p.payment_method = ${filter.paymentMethod}`)
  if (filter.orderId) all.push(sql`p.order_id = ${filter.orderId}::uuid`)
  const { search } = filter
  if (search?.by === 'number') all.push(sql`p.tracking_number between ${search.from} and ${search.to}`)
  if (search?.by === 'numbers') all.push(sql`p.tracking_number = any(${[...search.numbers]}::text[])`)
  if (search?.by === 'numberEnd') all.push(sql`reverse(p.tracking_number) like ${`${search.reversed}%`}`)
  return all
}

function tables(
  filter: ParcelFilter,
  statuses: readonly ParcelStatus[] | null,
  sort: readonly SortTerm[] = [],
): Tables {
  const sorted = (...fields: string[]) => sort.some(({ field }) => fields.includes(field))
  const searched = facets(filter)
  const moving = states(filter, statuses)
  const both = searched.length > 0 || sorted('receiverName')
  const base = both ? 's' : 'p'
  const joined = both && (moving.length > 0 || sorted('updatedAt', 'status'))
  const column = (name: string) => sql.ref(`${base}.${name}`)
  const all = [sql`${column('account_id')} = ${filter.accountId}::uuid`, ...searched, ...moving]
  // Said of both, so that either can be read first.
  if (joined) all.push(sql`p.account_id = ${filter.accountId}::uuid`)
  if (filter.createdBy) all.push(sql`${column('created_by')} = ${filter.createdBy}::uuid`)
  const { from, to, timeZone } = filter.days ?? {}
  if (from) all.push(sql`${column('created_at')} >= ${from}::date::timestamp at time zone ${timeZone}`)
  if (to) all.push(sql`${column('created_at')} < (${to}::date + 1)::timestamp at time zone ${timeZone}`)
  return {
    base,
    from: joined
      ? sql`parcel_search s join parcels p on p.account_id = s.account_id and p.id = s.id`
      : both
        ? sql`parcel_search s`
        : sql`parcels p`,
    where: sql.join(all, sql` and `),
  }
}

const columns: Record<string, { column: string; tie: { column: string; opposite: boolean }[] }> = {
  createdAt: { column: 'created_at', tie: [{ column: 'id', opposite: false }] },
  updatedAt: { column: 'updated_at', tie: [{ column: 'id', opposite: false }] },
  receiverName: { column: 'receiver_name', tie: [{ column: 'id', opposite: false }] },
  // Within a status the newest first, as its index has them.
  status: {
    column: 'status',
    tie: [
      { column: 'created_at', opposite: true },
      { column: 'id', opposite: true },
    ],
  },
}

type Key = { column: string; descending: boolean }

/** The order asked for, made total by the ties of its last term, in directions that an index has. */
function keysOf(sort: readonly SortTerm[]): Key[] {
  const terms = sort.length > 0 ? sort : [{ field: 'createdAt', descending: true }]
  const keys: Key[] = []
  const put = (column: string, descending: boolean) => {
    if (!keys.some((key) => key.column === column)) keys.push({ column, descending })
  }
  for (const { field, descending } of terms) {
    const known = columns[field]
    if (known) put(known.column, descending)
  }
  const last = terms.at(-1)
  for (const { column, opposite } of columns[last?.field ?? '']?.tie ?? []) {
    put(column, opposite ? !last?.descending : last?.descending === true)
  }
  return keys
}

const ordered = (keys: readonly Key[]) =>
  sql.join(keys.map(({ column, descending }) => sql`${sql.ref(column)} ${sql.raw(descending ? 'desc' : 'asc')}`))

/** The keys that match, as a sub-query that PostgreSQL can read in order from an index, however many there are. */
function matching(filter: ParcelFilter, { sort, offset, limit }: Window, keys: readonly Key[]): RawBuilder<unknown> {
  const { statuses, search } = filter
  const one = (wanted: readonly ParcelStatus[] | null) => {
    const { base, from, where } = tables(filter, wanted, sort)
    const owner = (column: string) =>
      column === 'receiver_name' ? 's' : column === 'updated_at' || column === 'status' ? 'p' : base
    const read = keys.map(({ column }) => sql.ref(`${owner(column)}.${column}`))
    return sql`select ${sql.join(read)} from ${from} where ${where}`
  }
  if (search || !statuses || statuses.length === 1) return one(statuses)
  // An index can give the order within one status only: each gives its first, and these are merged.
  const each = statuses.map(
    (status) => sql`(${one([status])} order by ${ordered(keys)} limit ${offset + limit}::bigint)`,
  )
  return sql.join(each, sql` union all `)
}

/** What is searched for is few: it is found first and put in order then, never come upon by reading everything in order. */
const searchedFirst = (filter: ParcelFilter) => sql.raw(filter.search ? 'materialized' : 'not materialized')

/** One page of an account's parcels. Whole rows are read for the page alone, so that a deep page costs index entries, not rows. */
export async function pageOfParcels(db: DbOrTx, filter: ParcelFilter, window: Window): Promise<ParcelRow[]> {
  const keys = keysOf(window.sort)
  const { rows } = await sql<ParcelRow>`
    with matching as ${searchedFirst(filter)} (${matching(filter, window, keys)}), page as (
      select row_number() over (order by ${ordered(keys)}) as n, id from matching order by ${ordered(keys)}
      offset ${window.offset}::bigint limit ${window.limit}::bigint)
    select p.* from page join parcels p on p.account_id = ${filter.accountId}::uuid and p.id = page.id
    order by page.n`.execute(db)
  return rows
}

/** How many match, counted to `most` and no further. */
export async function countParcels(db: DbOrTx, filter: ParcelFilter, most: number): Promise<number> {
  const { from, where } = tables(filter, filter.statuses)
  const { rows } = await sql<{ count: number }>`
    with matching as ${searchedFirst(filter)} (select 1 from ${from} where ${where})
    select count(*) from (select 1 from matching limit ${most}::bigint) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** How many parcels each group of statuses has (null: all), each counted to `most`. One query. */
export async function countByStatuses(
  db: DbOrTx,
  filter: ParcelFilter,
  groups: readonly (readonly ParcelStatus[] | null)[],
  most: number,
): Promise<number[]> {
  const counts = groups.map((statuses) => {
    const { from, where } = tables(filter, statuses)
    return sql`(select count(*) from (select 1 from ${from} where ${where} limit ${most}::bigint) as c)`
  })
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db)
  return rows[0]?.counts ?? []
}

/** Where a batch of an export ended. */
export type ExportedParcel = ParcelRow & { created_exactly: string }

/** Parcels after `after`, newest first, for those who read all of them: without an offset, so that the last batch costs what the first did. */
export async function exportBatch(
  db: DbOrTx,
  filter: ParcelFilter,
  after: ExportedParcel | null,
  limit: number,
): Promise<ExportedParcel[]> {
  const { base, from, where } = tables(filter, filter.statuses)
  const at = sql.ref(`${base}.created_at`)
  const id = sql.ref(`${base}.id`)
  const on = after ? sql`and (${at}, ${id}) < (${after.created_exactly}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<ExportedParcel>`
    with page as (select ${at}, ${id} from ${from} where ${where} ${on} order by ${at} desc, ${id} desc limit ${limit}::bigint)
    select p.*, p.created_at::text as created_exactly from page join parcels p on p.account_id = ${filter.accountId}::uuid and p.id = page.id
    order by page.created_at desc, page.id desc`.execute(db)
  return rows
}

export async function parcelsByIds(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  createdBy: string | null,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows
}

export async function parcelsByNumbers(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
  createdBy: string | null,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where account_id = ${accountId}::uuid and tracking_number = any(${numbers}::text[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows
}
