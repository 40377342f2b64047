import type {
  Carrier,
  DeliveryMode,
  ParcelStatus,
  PaymentMethod,
  Scope,
  ServiceType,
} from '@waybill/contract/ground/enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'
import type { Look } from '../rules.ts'
import { belongsTo, broadSearch, searchHits, startsWith } from './queries-search.ts'

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
  /** `broad`: it finds too much to be put in order. */
  search?: { look: Look; broad: boolean } | null
}

export type Window = { sort: readonly SortTerm[]; offset: number; limit: number }

/**
 * What is read for a list: what of a parcel is searched, `s` (see the migration parcel_search), what becomes of it,
 * `p`, or both; `base` has the keys. `order by` of the list's own order can be read from `from` as it stands.
 */
type Tables = { base: 's' | 'p'; from: RawBuilder<unknown>; where: RawBuilder<unknown> }

// A plan is kept for any account and any value: which of a few values is wanted must stand in the text, for an index of
// one that nearly all have is of no use.
const known = (value: string) => sql.lit(value)

/** What `s` alone knows, as conditions. */
function facets(filter: ParcelFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (filter.scope) all.push(sql`s.scope = ${known(filter.scope)}`)
  if (filter.serviceType) all.push(sql`s.service_type = ${known(filter.serviceType)}`)
  if (filter.deliveryMode) all.push(sql`s.delivery_mode = ${known(filter.deliveryMode)}`)
  if (filter.carrier) all.push(sql`s.carrier = ${known(filter.carrier)}`)
  if (filter.batchId) all.push(sql`s.batch_id = ${filter.batchId}::uuid`)
  if (filter.withCod) all.push(sql`s.with_cod`)
  if (filter.state) all.push(sql`s.receiver_state = ${filter.state.toLowerCase()}`)
  if (filter.city) all.push(sql`s.receiver_city = ${filter.city.toLowerCase()}`)
  if (filter.postcode) all.push(startsWith(sql`s.receiver_postcode`, filter.postcode.toLowerCase()))
  if (filter.search?.broad) all.push(...broadSearch(filter.search.look).s)
  return all
}

/** What only `p` knows. */
function states(filter: ParcelFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (filter.start) all.push(sql`p.delivery_mode like ${known(`${filter.start}%`)}`)
  if (filter.paymentMethod) all.push(sql`p.payment_method = ${known(filter.paymentMethod)}`)
  if (filter.orderId) all.push(sql`p.order_id = ${filter.orderId}::uuid`)
  if (filter.search?.broad) all.push(...broadSearch(filter.search.look).p)
  return all
}

function statusIs(statuses: readonly ParcelStatus[] | null): RawBuilder<unknown>[] {
  if (statuses === null) return []
  // A single status by equality: only so does its index give the order too.
  const [only] = statuses
  if (only !== undefined && statuses.length === 1) return [sql`p.status = ${known(only)}`]
  return [sql`p.status in (${sql.join(statuses.map(known))})`]
}

/** Nearly all parcels end so: there is no finding anything else by these. */
const usual: readonly ParcelStatus[] = ['completed', 'collected']

/**
 * One table's row for each of the other's, by its key and nothing else: a plan for the average account would rather
 * read all that fits the other conditions again and again. The parentheses with their `offset 0` keep PostgreSQL from
 * thinking so.
 */
const lookedUp = (
  accountId: AccountId,
  table: 's' | 'p',
  other: string,
  where: RawBuilder<unknown>[],
) => sql`cross join lateral (
  select * from (select * from ${sql.raw(table === 's' ? 'parcel_search' : 'parcels')} where account_id = ${accountId}::uuid and id = ${sql.ref(`${other}.id`)} offset 0) ${sql.raw(table)}
  where ${truly(where)}) ${sql.raw(table)}`

const truly = (all: RawBuilder<unknown>[]) => (all.length > 0 ? sql.join(all, sql` and `) : sql`true`)

function tables(filter: ParcelFilter, sort: readonly SortTerm[] = [], found?: RawBuilder<unknown>): Tables {
  const { accountId, statuses, search } = filter
  const sorted = (...fields: string[]) => sort.some(({ field }) => fields.includes(field))
  const ofS = facets(filter)
  const ofP = [...statusIs(statuses), ...states(filter)]
  const own = (table: 's' | 'p') => {
    const column = (name: string) => sql.ref(`${table}.${name}`)
    const all = [sql`${column('account_id')} = ${accountId}::uuid`]
    if (filter.createdBy) all.push(sql`${column('created_by')} = ${filter.createdBy}::uuid`)
    const { from, to, timeZone } = filter.days ?? {}
    if (from) all.push(sql`${column('created_at')} >= ${from}::date::timestamp at time zone ${timeZone}`)
    if (to) all.push(sql`${column('created_at')} < (${to}::date + 1)::timestamp at time zone ${timeZone}`)
    return all
  }
  const needsS = ofS.length > 0 || sorted('receiverName')
  const bySearchAlone = ofS.length > 0 && search?.broad === true && facets({ ...filter, search: null }).length === 0
  const needsP = ofP.length > 0 || sorted('updatedAt', 'status') || (bySearchAlone && !sorted('receiverName'))
  if (search && !search.broad) {
    const hits = sql`${found ?? sql`(${searchHits(accountId, search.look)})`} as hits`
    const p = needsP ? lookedUp(accountId, 'p', 'hits', ofP) : sql``
    return {
      base: 's',
      from: sql`${hits} ${lookedUp(accountId, 's', 'hits', [...own('s'), ...ofS])} ${p}`,
      where: sql`true`,
    }
  }
  if (!(needsS && needsP)) {
    const base = needsS ? 's' : 'p'
    return {
      base,
      from: sql.raw(needsS ? 'parcel_search s' : 'parcels p'),
      where: truly([...own(base), ...ofS, ...ofP]),
    }
  }
  if (sort.some(({ field }) => field !== 'createdAt')) {
    const where = truly([...own('s'), sql`p.account_id = ${accountId}::uuid`, ...ofS, ...ofP])
    return {
      base: 's',
      from: sql`parcel_search s join parcels p on p.account_id = s.account_id and p.id = s.id`,
      where,
    }
  }
  // The rarer first, in its order, and the other looked up for each. Words that nearly all have are rare in no index of
  // `s`, which has none in the order of the list either.
  if (bySearchAlone || (statuses !== null && !statuses.some((status) => usual.includes(status)))) {
    const only = (each: readonly ParcelStatus[] | null) =>
      sql`select p.created_at, p.id from parcels p where ${truly([...own('p'), ...statusIs(each), ...states(filter)])}`
    const merged =
      statuses === null || statuses.length === 1
        ? only(statuses)
        : sql.join(
            statuses.map((status) => only([status])),
            sql` union all `,
          )
    const direction = sql.raw(sort[0]?.descending === false ? 'asc' : 'desc')
    const from = sql`(${merged} order by created_at ${direction}, id ${direction}) p ${lookedUp(accountId, 's', 'p', ofS)}`
    return { base: 'p', from, where: sql`true` }
  }
  const from = sql`parcel_search s ${lookedUp(accountId, 'p', 's', ofP)}`
  return { base: 's', from, where: truly([...own('s'), ...ofS]) }
}

/**
 * Whether so many conditions narrow the list, its days aside: what fits more than one is not counted from an index
 * alone.
 */
export function isNarrowed(filter: ParcelFilter, times: number): boolean {
  const all = [...facets(filter), ...statusIs(filter.statuses), ...states(filter)]
  return all.length + (filter.createdBy ? 1 : 0) >= times
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

const ordered = (keys: readonly Key[], table?: string) =>
  sql.join(
    keys.map(
      ({ column, descending }) =>
        sql`${sql.ref(table ? `${table}.${column}` : column)} ${sql.raw(descending ? 'desc' : 'asc')}`,
    ),
  )

/** The keys that match, as a sub-query that PostgreSQL can read in order from an index, however many there are. */
function matching(filter: ParcelFilter, { sort, offset, limit }: Window, keys: readonly Key[]): RawBuilder<unknown> {
  const { statuses, search } = filter
  const one = (wanted: readonly ParcelStatus[] | null) => {
    const narrower = { ...filter, statuses: wanted }
    const { base, from, where } = tables(narrower, sort)
    const owner = (column: string) =>
      column === 'receiver_name' ? 's' : column === 'updated_at' || column === 'status' ? 'p' : base
    const read = keys.map(({ column }) => sql.ref(`${owner(column)}.${column}`))
    return sql`select ${sql.join(read)} from ${from} where ${where}`
  }
  if (search || !statuses || statuses.length === 1 || facets(filter).length > 0) return one(statuses)
  // An index can give the order within one status only: each gives its first, and these are merged.
  const each = statuses.map(
    (status) => sql`(${one([status])} order by ${ordered(keys)} limit ${offset + limit}::bigint)`,
  )
  return sql.join(each, sql` union all `)
}

/**
 * What is searched for is few: it is found first and put in order then, never come upon by reading everything in order.
 */
const searchedFirst = ({ search }: ParcelFilter) =>
  sql.raw(search && !search.broad ? 'materialized' : 'not materialized')

/**
 * One page of an account's parcels. Whole rows are read for the page alone, so that a deep page costs index entries,
 * not rows.
 */
export async function listParcelRows(db: DbOrTx, filter: ParcelFilter, window: Window): Promise<ParcelRow[]> {
  const keys = keysOf(window.sort)
  const { rows } = await sql<ParcelRow>`
    with matching as ${searchedFirst(filter)} (${matching(filter, window, keys)}), page as (
      select * from matching order by ${ordered(keys)} offset ${window.offset}::bigint limit ${window.limit}::bigint)
    select p.* from page cross join lateral (
      select * from parcels where account_id = ${filter.accountId}::uuid and id = page.id offset 0) p
    order by ${ordered(keys, 'page')}`.execute(db)
  return rows
}

/** How many match, counted to `most` and no further. */
export async function countParcels(db: DbOrTx, filter: ParcelFilter, most: number): Promise<number> {
  const { from, where } = tables(filter)
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select 1 from ${from} where ${where} limit ${most}::bigint) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** What a look-up finds at all, to `broadFrom` and one more, and how many of these fit the rest of the filter. */
export async function countHits(
  db: DbOrTx,
  filter: ParcelFilter,
  look: Look,
): Promise<{ hits: number; fitting: number }> {
  const { from, where } = tables({ ...filter, search: { look, broad: false } }, [], sql`found`)
  const alone = !filter.createdBy && !filter.days?.from && !filter.days?.to && !isNarrowed(filter, 1)
  const fitting = alone ? sql`(select count(*) from found)` : sql`(select count(*) from ${from} where ${where})`
  const { rows } = await sql<{ hits: number; fitting: number }>`
    with found as materialized (${searchHits(filter.accountId, look)})
    select (select count(*) from found) as hits, ${fitting} as fitting`.execute(db)
  return rows[0] ?? { hits: 0, fitting: 0 }
}

/** How many parcels each group of statuses has (null: all), each counted to `most`. One query. */
export async function countByStatuses(
  db: DbOrTx,
  filter: ParcelFilter,
  groups: readonly (readonly ParcelStatus[] | null)[],
  most: number,
): Promise<number[]> {
  const counts = groups.map((statuses) => {
    const { from, where } = tables({ ...filter, statuses })
    return sql`(select count(*) from (select 1 from ${from} where ${where} limit ${most}::bigint) as c)`
  })
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db)
  return rows[0]?.counts ?? []
}

/** Where a batch of an export ended. */
export type ExportedParcel = ParcelRow & { created_exactly: string }

/**
 * Parcels after `after`, newest first, for those who read all of them: without an offset, so that the last batch costs
 * what the first did.
 */
export async function exportBatch(
  db: DbOrTx,
  filter: ParcelFilter,
  after: ExportedParcel | null,
  limit: number,
): Promise<ExportedParcel[]> {
  const { base, from, where } = tables(filter)
  const at = sql.ref(`${base}.created_at`)
  const id = sql.ref(`${base}.id`)
  const on = after ? sql`and (${at}, ${id}) < (${after.created_exactly}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<ExportedParcel>`
    with page as (select ${at}, ${id} from ${from} where ${where} ${on} order by ${at} desc, ${id} desc limit ${limit}::bigint)
    select p.*, p.created_at::text as created_exactly from page join parcels p on p.account_id = ${filter.accountId}::uuid and p.id = page.id
    order by page.created_at desc, page.id desc`.execute(db)
  return rows
}

export async function findParcels(
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
    select * from parcels where ${belongsTo(accountId)} and tracking_number = any(${numbers}::text[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows
}
