import type { DeliveryMode, ParcelStatus, ServiceType } from '@waybill/contract/enums'
import type { SortTerm } from '@waybill/contract/paging'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { ParcelRow } from './queries.ts'

/** Which parcels of an account; absent and null conditions hold for all. */
export type ParcelFilter = {
  accountId: AccountId
  createdBy: string | null
  statuses: readonly ParcelStatus[] | null
  /** First letters of the delivery mode: D is fetched, P is brought. */
  start?: 'D' | 'P' | null
  serviceType?: ServiceType | null
  deliveryMode?: DeliveryMode | null
  /** Days on which it was made, the first and the last, in a time zone. */
  days?: { from?: string; to?: string; timeZone: string } | null
  /** The way in which a search is answered, the first of these. `pattern` is one of `like` over the search text, in lower case. */
  search?: { from: string; to: string } | { phone: string } | { pattern: string } | null
}

export type Window = { sort: readonly SortTerm[]; offset: number; limit: number }

function conditions(filter: ParcelFilter, statuses: readonly ParcelStatus[] | null): RawBuilder<unknown> {
  const all = [sql`account_id = ${filter.accountId}::uuid`]
  if (filter.createdBy) all.push(sql`created_by = ${filter.createdBy}::uuid`)
  // A single status by equality: only so does its index give the order too.
  if (statuses?.length === 1) all.push(sql`status = ${statuses[0]}`)
  else if (statuses) all.push(sql`status = any(${statuses}::text[])`)
  if (filter.start) all.push(sql`delivery_mode like ${`${filter.start}%`}`)
  if (filter.serviceType) all.push(sql`service_type = ${filter.serviceType}`)
  if (filter.deliveryMode) all.push(sql`delivery_mode = ${filter.deliveryMode}`)
  const { from, to, timeZone } = filter.days ?? {}
  if (from) all.push(sql`created_at >= ${from}::date::timestamp at time zone ${timeZone}`)
  if (to) all.push(sql`created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`)
  const { search } = filter
  if (search && 'from' in search) all.push(sql`tracking_number between ${search.from} and ${search.to}`)
  else if (search && 'phone' in search) all.push(sql`(receiver ->> 'phone') = ${search.phone}`)
  else if (search && 'pattern' in search) all.push(sql`search_text like ${search.pattern}`)
  return sql.join(all, sql` and `)
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

/** The order asked for, made total by the ties of its last term, in directions that an index has. */
function order(sort: readonly SortTerm[]): RawBuilder<unknown> {
  const terms = sort.length > 0 ? sort : [{ field: 'createdAt', descending: true }]
  const parts: RawBuilder<unknown>[] = []
  const put = (column: string, descending: boolean) =>
    parts.push(sql`${sql.ref(column)} ${sql.raw(descending ? 'desc' : 'asc')}`)
  for (const { field, descending } of terms) {
    const known = columns[field]
    if (known) put(known.column, descending)
  }
  const last = terms.at(-1)
  for (const { column, opposite } of columns[last?.field ?? '']?.tie ?? []) {
    put(column, opposite ? !last?.descending : last?.descending === true)
  }
  return sql.join(parts)
}

const keys = sql.raw('id, created_at, updated_at, receiver_name, status')

/** The keys that match, as a sub-query that PostgreSQL can read in order from an index, however many there are. */
function matching(filter: ParcelFilter, { sort, offset, limit }: Window): RawBuilder<unknown> {
  const { statuses, search } = filter
  if (search || !statuses || statuses.length === 1) {
    return sql`select ${keys} from parcels where ${conditions(filter, statuses)}`
  }
  // An index can give the order within one status only: each gives its first, and these are merged.
  const each = statuses.map(
    (status) => sql`(select ${keys} from parcels where ${conditions(filter, [status])} order by ${order(sort)}
      limit ${offset + limit}::bigint)`,
  )
  return sql.join(each, sql` union all `)
}

/** One page of an account's parcels. Whole rows are read for the page alone, so that a deep page costs index entries, not rows. */
export async function pageOfParcels(db: DbOrTx, filter: ParcelFilter, window: Window): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    with matching as ${sql.raw(filter.search ? 'materialized' : 'not materialized')} (${matching(filter, window)}), page as (
      select id from (select ${keys} from matching) as m order by ${order(window.sort)}
      offset ${window.offset}::bigint limit ${window.limit}::bigint)
    select p.* from page join parcels p on p.account_id = ${filter.accountId}::uuid and p.id = page.id
    order by ${order(window.sort)}`.execute(db)
  return rows
}

/** How many match, counted to `most` and no further. */
export async function countParcels(db: DbOrTx, filter: ParcelFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with matching as ${sql.raw(filter.search ? 'materialized' : 'not materialized')} (
      select 1 from parcels where ${conditions(filter, filter.statuses)})
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
  const counts = groups.map(
    (statuses) =>
      sql`(select count(*) from (select 1 from parcels where ${conditions(filter, statuses)} limit ${most}::bigint) as c)`,
  )
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db)
  return rows[0]?.counts ?? []
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
