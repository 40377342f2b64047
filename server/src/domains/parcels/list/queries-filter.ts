// The filter of the parcels list as tables and conditions of SQL.

import type { Carrier, PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode, ParcelStatus, Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import { withinDays } from '../../../db/conditions/local-days.ts'
import { literals } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import { isUndecidedP } from '../failed-delivery/queries.ts'
import type { SearchPath } from '../rules.ts'
import { broadSearch, searchHits, startsWith } from './queries-search.ts'

/** A filter on the parcels of an account; absent and null fields filter nothing. */
export type ParcelFilter = {
  accountId: AccountId
  createdBy: string | null
  statuses: readonly ParcelStatus[] | null
  /** The first letter of the delivery mode: D for a pickup, P for a drop-off. */
  start?: 'D' | 'P' | null
  scope?: Scope | null
  serviceType?: ServiceType | null
  deliveryMode?: DeliveryMode | null
  carrier?: Carrier | null
  paymentMethod?: PaymentMethod | null
  orderId?: string | null
  batchId?: string | null
  withCod?: boolean | null
  /** The receiver's state, case-insensitive; the postcode matches by its beginning. */
  state?: string | null
  city?: string | null
  postcode?: string | null
  /** Only parcels whose last event was before this. Their index is by account and status. */
  silentSince?: Date | null
  /** Only failed deliveries that wait for a choice. */
  undecided?: boolean | null
  /** The first and the last day of creation, in a time zone. */
  days?: { from?: string; to?: string; timeZone: string } | null
  /** `broad`: the search has more hits than `broadFrom`. */
  search?: { look: SearchPath; broad: boolean } | null
}

/**
 * The tables of a list: `s` (`parcel_search`: searched columns), `p` (`parcels`: status and money), or both. `base` is
 * the one with the sort keys.
 */
type Tables = { base: 's' | 'p'; from: RawBuilder<unknown>; where: RawBuilder<unknown> }

/**
 * An enumerated value as a literal. With a parameter PostgreSQL makes one plan for all values, and the plan for a
 * frequent value does not use the index that a rare one needs.
 */

/** Conditions on columns of `s`. */
export function facets(filter: ParcelFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (filter.scope) all.push(sql`s.scope = ${sql.lit(filter.scope)}`)
  if (filter.serviceType) all.push(sql`s.service_type = ${sql.lit(filter.serviceType)}`)
  if (filter.deliveryMode) all.push(sql`s.delivery_mode = ${sql.lit(filter.deliveryMode)}`)
  if (filter.carrier) all.push(sql`s.carrier = ${sql.lit(filter.carrier)}`)
  if (filter.batchId) all.push(sql`s.batch_id = ${filter.batchId}::uuid`)
  if (filter.withCod) all.push(sql`s.with_cod`)
  if (filter.state) all.push(sql`s.receiver_state = ${filter.state.toLowerCase()}`)
  if (filter.city) all.push(sql`s.receiver_city = ${filter.city.toLowerCase()}`)
  if (filter.postcode) all.push(startsWith(sql`s.receiver_postcode`, filter.postcode.toLowerCase()))
  if (filter.search?.broad) all.push(...broadSearch(filter.search.look).s)
  return all
}

/** Conditions on columns of `p`, except the status. */
function states(filter: ParcelFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  if (filter.start) all.push(sql`p.delivery_mode like ${sql.lit(`${filter.start}%`)}`)
  if (filter.paymentMethod) all.push(sql`p.payment_method = ${sql.lit(filter.paymentMethod)}`)
  if (filter.silentSince) all.push(sql`p.last_event_at < ${filter.silentSince}::timestamptz`)
  if (filter.undecided) all.push(isUndecidedP)
  if (filter.orderId) all.push(sql`p.order_id = ${filter.orderId}::uuid`)
  if (filter.search?.broad) all.push(...broadSearch(filter.search.look).p)
  return all
}

function statusIs(statuses: readonly ParcelStatus[] | null): RawBuilder<unknown>[] {
  if (statuses === null) return []
  // With an equality condition, the index on the status also provides the sort order.
  const [only] = statuses
  if (only !== undefined && statuses.length === 1) return [sql`p.status = ${sql.lit(only)}`]
  return [sql`p.status in (${literals(statuses)})`]
}

/** Statuses in which nearly all parcels end, so an index on them selects hardly anything. */
const frequent: readonly ParcelStatus[] = ['completed', 'collected']

/**
 * Joins a table by its key. `offset 0` keeps PostgreSQL from flattening the inner select: its generic plan would read
 * all rows that meet the other conditions, once for each row of `other`.
 */
const joinByKey = (accountId: AccountId, table: 's' | 'p', other: string, where: RawBuilder<unknown>[]) => sql`
    cross join lateral (
      select *
      from (
        select *
        from ${sql.raw(table === 's' ? 'parcel_search' : 'parcels')}
        where account_id = ${accountId}::uuid and id = ${sql.ref(`${other}.id`)}
        offset 0
      ) ${sql.raw(table)}
      where ${joinConditions(where)}
    ) ${sql.raw(table)}`

const joinConditions = (conditions: RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`

/**
 * The tables and conditions of a filter with a sort order. `hits` is a CTE with the hits of the search, if there is
 * one already.
 */
export function tables(filter: ParcelFilter, sort: readonly SortTerm[] = [], hitsTable?: RawBuilder<unknown>): Tables {
  const { accountId, statuses, search } = filter
  const sorted = (...fields: string[]) => sort.some(({ field }) => fields.includes(field))
  const ofS = facets(filter)
  const ofP = [...statusIs(statuses), ...states(filter)]
  // No index combines a facet with a sort order. Whether to read in sort order or to sort the matching rows depends on
  // the size of the account, so the plan must know it.
  const ownOrder = ofS.length > 0 && sort.some(({ field }) => field !== 'createdAt')
  const account = ownOrder ? sql`${sql.lit(accountId)}::uuid` : sql`${accountId}::uuid`
  const own = (table: 's' | 'p') => {
    const column = (name: string) => sql.ref(`${table}.${name}`)
    const all = [sql`${column('account_id')} = ${account}`]
    if (filter.createdBy) all.push(sql`${column('created_by')} = ${filter.createdBy}::uuid`)
    if (filter.days) all.push(...withinDays(column('created_at'), filter.days))
    return all
  }
  const needsS = ofS.length > 0 || sorted('receiverName')
  const bySearchAlone = ofS.length > 0 && search?.broad === true && facets({ ...filter, search: null }).length === 0
  const needsP = ofP.length > 0 || sorted('updatedAt', 'status') || (bySearchAlone && !sorted('receiverName'))
  if (search && !search.broad) {
    const hits = sql`${hitsTable ?? sql`(${searchHits(accountId, search.look)})`} as hits`
    const p = needsP ? joinByKey(accountId, 'p', 'hits', ofP) : sql``
    return {
      base: 's',
      from: sql`${hits} ${joinByKey(accountId, 's', 'hits', [...own('s'), ...ofS])} ${p}`,
      where: sql`true`,
    }
  }
  if (!(needsS && needsP)) {
    const base = needsS ? 's' : 'p'
    return {
      base,
      from: sql.raw(needsS ? 'parcel_search s' : 'parcels p'),
      where: joinConditions([...own(base), ...ofS, ...ofP]),
    }
  }
  if (sort.some(({ field }) => field !== 'createdAt')) {
    const where = joinConditions([...own('s'), sql`p.account_id = ${account}`, ...ofS, ...ofP])
    return {
      base: 's',
      from: sql`parcel_search s join parcels p on p.account_id = s.account_id and p.id = s.id`,
      where,
    }
  }
  // The more selective table is read first, in the order of the list, and the other is joined by key. Frequent words
  // select hardly anything, and `s` has no index for them in that order.
  if (bySearchAlone || (statuses !== null && !statuses.some((status) => frequent.includes(status)))) {
    const withStatus = (some: readonly ParcelStatus[] | null) => sql`
      select p.created_at, p.id
      from parcels p
      where ${joinConditions([...own('p'), ...statusIs(some), ...states(filter)])}`
    const merged =
      statuses === null || statuses.length === 1
        ? withStatus(statuses)
        : sql.join(
            statuses.map((status) => withStatus([status])),
            sql` union all `,
          )
    const direction = sql.raw(sort[0]?.descending === false ? 'asc' : 'desc')
    const inOrder = sql`(${merged} order by created_at ${direction}, id ${direction}) p`
    return { base: 'p', from: sql`${inOrder} ${joinByKey(accountId, 's', 'p', ofS)}`, where: sql`true` }
  }
  const from = sql`parcel_search s ${joinByKey(accountId, 'p', 's', ofP)}`
  return { base: 's', from, where: joinConditions([...own('s'), ...ofS]) }
}

/**
 * Whether the list has at least this many conditions, not counting its days. With more than one, an index alone cannot
 * count the rows.
 */
export function isNarrowed(filter: ParcelFilter, times: number): boolean {
  const conditions = [...facets(filter), ...statusIs(filter.statuses), ...states(filter)]
  return conditions.length + (filter.createdBy ? 1 : 0) >= times
}
