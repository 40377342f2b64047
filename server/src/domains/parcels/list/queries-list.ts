// SQL of the parcels list: pages, counts and export. It must not slow down as the tables grow, so each kind of list has
// an index that gives its order (see bench/README.md).

import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'
import type { SearchPath } from '../rules.ts'
import { facets, isNarrowed, type ParcelFilter, tables } from './queries-filter.ts'
import { searchHits } from './queries-search.ts'

export type Window = { sort: readonly SortTerm[]; offset: number; limit: number }

const columns: Record<string, { column: string; tie: { column: string; opposite: boolean }[] }> = {
  createdAt: { column: 'created_at', tie: [{ column: 'id', opposite: false }] },
  updatedAt: { column: 'updated_at', tie: [{ column: 'id', opposite: false }] },
  receiverName: { column: 'receiver_name', tie: [{ column: 'id', opposite: false }] },
  // Within a status the newest come first, as in its index.
  status: {
    column: 'status',
    tie: [
      { column: 'created_at', opposite: true },
      { column: 'id', opposite: true },
    ],
  },
}

type Key = { column: string; descending: boolean }

/** The columns of a sort order. The tie-breaker of the last term makes it unique, in directions that an index has. */
function buildKeys(sort: readonly SortTerm[]): Key[] {
  const terms = sort.length > 0 ? sort : [{ field: 'createdAt', descending: true }]
  const keys: Key[] = []
  const add = (column: string, descending: boolean) => {
    if (!keys.some((key) => key.column === column)) keys.push({ column, descending })
  }
  for (const { field, descending } of terms) {
    const term = columns[field]
    if (term) add(term.column, descending)
  }
  const last = terms.at(-1)
  for (const { column, opposite } of columns[last?.field ?? '']?.tie ?? []) {
    add(column, opposite ? !last?.descending : last?.descending === true)
  }
  return keys
}

const orderBy = (keys: readonly Key[], table?: string) =>
  sql.join(
    keys.map(
      ({ column, descending }) =>
        sql`${sql.ref(table ? `${table}.${column}` : column)} ${sql.raw(descending ? 'desc' : 'asc')}`,
    ),
  )

/** Selects the keys of the matching parcels, in a form that PostgreSQL can read in order from an index. */
function matching(filter: ParcelFilter, { sort, offset, limit }: Window, keys: readonly Key[]): RawBuilder<unknown> {
  const { statuses, search } = filter
  const withStatuses = (some: readonly ParcelStatus[] | null) => {
    const { base, from, where } = tables({ ...filter, statuses: some }, sort)
    const findTable = (column: string) =>
      column === 'receiver_name' ? 's' : column === 'updated_at' || column === 'status' ? 'p' : base
    const selection = keys.map(({ column }) => sql.ref(`${findTable(column)}.${column}`))
    return sql`select ${sql.join(selection)} from ${from} where ${where}`
  }
  if (search || !statuses || statuses.length === 1 || facets(filter).length > 0) return withStatuses(statuses)
  // An index gives the order within one status only, so the first rows of each status are merged.
  const selects = statuses.map(
    (status) => sql`(${withStatuses([status])} order by ${orderBy(keys)} limit ${offset + limit}::bigint)`,
  )
  return sql.join(selects, sql` union all `)
}

/**
 * A small number of hits is materialised and sorted. Otherwise the planner might read the whole list in order to find
 * them.
 */
const searchFirst = ({ search }: ParcelFilter) => sql.raw(search && !search.broad ? 'materialized' : 'not materialized')

/** A page of an account's parcels. Only the rows of the page are read, so a deep page costs index entries, not rows. */
export async function listParcelRows(db: DbOrTx, filter: ParcelFilter, window: Window): Promise<ParcelRow[]> {
  const keys = buildKeys(window.sort)
  const { rows } = await sql<ParcelRow>`
    with matching as ${searchFirst(filter)} (
      ${matching(filter, window, keys)}
    ), page as (
      select *
      from matching
      order by ${orderBy(keys)}
      offset ${window.offset}::bigint limit ${window.limit}::bigint
    )
    select p.*
    from page
    cross join lateral (
      select * from parcels where account_id = ${filter.accountId}::uuid and id = page.id offset 0
    ) p
    order by ${orderBy(keys, 'page')}`.execute(db)
  return rows
}

/** The ids of the matching parcels that are in no order, newest first. */
export async function listUnorderedIds(db: DbOrTx, filter: ParcelFilter, limit: number): Promise<string[]> {
  const keys = buildKeys([])
  const { rows } = await sql<{ id: string }>`
    with matching as (${matching(filter, { sort: [], offset: 0, limit }, keys)})
    select p.id
    from matching
    cross join lateral (
      select id, order_id from parcels where account_id = ${filter.accountId}::uuid and id = matching.id offset 0
    ) p
    where p.order_id is null
    order by ${orderBy(keys, 'matching')}
    limit ${limit}::bigint`.execute(db)
  return rows.map(({ id }) => id)
}

/** The number of matching parcels, counted up to `most`. */
export async function countParcels(db: DbOrTx, filter: ParcelFilter, most: number): Promise<number> {
  const { from, where } = tables(filter)
  const { rows } = await sql<{ count: number }>`
    select count(*)
    from (select 1 from ${from} where ${where} limit ${most}::bigint) as limited`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * The number of hits of a search, counted up to `broadFrom` plus one, and how many of them meet the rest of the
 * filter.
 */
export async function countHits(
  db: DbOrTx,
  filter: ParcelFilter,
  look: SearchPath,
): Promise<{ hits: number; fitting: number }> {
  const { from, where } = tables({ ...filter, search: { look, broad: false } }, [], sql`matches`)
  const unfiltered = !filter.createdBy && !filter.days?.from && !filter.days?.to && !isNarrowed(filter, 1)
  const fitting = unfiltered ? sql`(select count(*) from matches)` : sql`(select count(*) from ${from} where ${where})`
  const { rows } = await sql<{ hits: number; fitting: number }>`
    with matches as materialized (${searchHits(filter.accountId, look)})
    select (select count(*) from matches) as hits, ${fitting} as fitting`.execute(db)
  return rows[0] ?? { hits: 0, fitting: 0 }
}

/** The hits of a search by status, under the rest of the filter. */
export async function countHitsByStatus(
  db: DbOrTx,
  filter: ParcelFilter,
  look: SearchPath,
): Promise<ReadonlyMap<ParcelStatus, number>> {
  const search = { look, broad: false }
  const byStatus = [{ field: 'status', descending: false }]
  const { from, where } = tables({ ...filter, statuses: null, search }, byStatus, sql`matches`)
  const { rows } = await sql<{ status: ParcelStatus; count: number }>`
    with matches as materialized (${searchHits(filter.accountId, look)})
    select p.status, count(*) as count
    from ${from}
    where ${where}
    group by p.status`.execute(db)
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** The number of parcels of each group of statuses (null: all), each counted up to `most`, in one query. */
export async function countByStatuses(
  db: DbOrTx,
  filter: ParcelFilter,
  groups: readonly (readonly ParcelStatus[] | null)[],
  most: number,
): Promise<number[]> {
  const counts = groups.map((statuses) => {
    const { from, where } = tables({ ...filter, statuses })
    return sql`(select count(*) from (select 1 from ${from} where ${where} limit ${most}::bigint) as limited)`
  })
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db)
  return rows[0]?.counts ?? []
}

/** A row of an export, with the exact time at which the next batch continues. */
export type ExportedParcel = ParcelRow & { created_exactly: string }

/**
 * The batch of an export after `after`, newest first. It has no offset, so the last batch costs as much as the first.
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
  const next = after ? sql`and (${at}, ${id}) < (${after.created_exactly}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<ExportedParcel>`
    with page as (
      select ${at}, ${id}
      from ${from}
      where ${where} ${next}
      order by ${at} desc, ${id} desc
      limit ${limit}::bigint
    )
    select p.*, p.created_at::text as created_exactly
    from page
    join parcels p on ${belongsTo(filter.accountId, 'p')} and p.id = page.id
    order by page.created_at desc, page.id desc`.execute(db)
  return rows
}

/** Parcels of an account by tracking number, unordered; `createdBy` null: of all its users. */
export async function listParcelsByNumbers(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
  createdBy: string | null,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where ${belongsTo(accountId)}
      and tracking_number = any(${numbers}::text[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows
}
