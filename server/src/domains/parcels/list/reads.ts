// The list of parcels with its search and tabs, and the cart.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { paymentMethodForFilter } from '@waybill/contract/ground/enums/enums'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { parseSort } from '@waybill/contract/ground/paging'
import { movingStatuses } from '@waybill/contract/ground/status/parcel-status'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import {
  type cartCount,
  type cartTabs,
  type getCart,
  type listCartIds,
  mostInCheckout,
} from '@waybill/contract/parcels/cart'
import { type listParcels, type ParcelTab, parcelCountLimits, parcelTabs } from '@waybill/contract/parcels/list'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { hours, later } from '../../../lib/clock.ts'
import { parsePhone } from '../../../lib/phone.ts'
import { onlyCreatedBy } from '../access.ts'
import { findOwnNumbers } from '../carrier-handover/bookings.ts'
import { addCartShares } from '../cart/share-pickup.ts'
import { lastCheckout, presentParcel } from '../present.ts'
import type { ParcelRow } from '../queries.ts'
import { parseSearch, type SearchPath, tabStatuses } from '../rules.ts'
import { listEventsOfParcels } from '../timeline/queries.ts'
import { isNarrowed, type ParcelFilter } from './queries-filter.ts'
import {
  countByStatuses,
  countHits,
  countHitsByStatus,
  countParcels,
  listParcelRows,
  listUnorderedIds,
  type Window,
} from './queries-list.ts'
import { broadFrom } from './queries-search.ts'

function getFilter(caller: CustomerCaller): ParcelFilter {
  return { accountId: caller.accountId, createdBy: onlyCreatedBy(caller), statuses: null }
}

/** A parcel in transit whose last event was before this time is silent, for the list and the dashboard. */
export const silentBefore = ({ clock, settings }: Deps) =>
  later(clock.now(), -hours(settings.get('tracking.silenceHours')))

/** The filters that the parcels list and its export share. */
export type ParcelNarrowing = Omit<QueryOf<typeof listParcels>, 'sort' | 'offset' | 'limit'>

/** The filter of a query, without the search; null if no parcel can match. */
export function parcelFilter(deps: Deps, caller: CustomerCaller, query: ParcelNarrowing): ParcelFilter | null {
  const {
    tab,
    status,
    unpaid,
    silent,
    undecided,
    from,
    to,
    createdBy,
    withCod,
    paymentMethod,
    search: _,
    ...plain
  } = query
  const own = getFilter(caller)
  let statuses: readonly ParcelStatus[] | null = tabStatuses[tab]
  const limits = [
    status && [status],
    unpaid && tabStatuses.unpaid,
    silent && movingStatuses,
    undecided && (['fail-to-deliver'] as const),
  ]
  for (const allowed of limits) {
    if (allowed) statuses = statuses === null ? allowed : statuses.filter((each) => allowed.includes(each))
  }
  if (statuses?.length === 0) return null
  return {
    ...own,
    ...plain,
    paymentMethod: paymentMethod ? paymentMethodForFilter(paymentMethod) : null,
    createdBy: own.createdBy ?? createdBy ?? null,
    statuses,
    withCod: withCod === 'true',
    silentSince: silent ? silentBefore(deps) : null,
    undecided: undecided === 'true',
    days: { from, to, timeZone: deps.settings.get('timezone') },
  }
}

/** The ways to search for a text, the most likely first: numbers of other carriers, then those of `parseSearch`. */
async function listSearches(deps: Deps, text: string): Promise<SearchPath[]> {
  const { settings } = deps
  const country = settings.get('countryCode')
  const looks = parseSearch(text, settings.get('tracking.prefix'), (number) => parsePhone(number, country))
  const numbers = [...(await findOwnNumbers(deps, [normalizeTrackingNumber(text)])).values()]
  return numbers.length > 0 ? [{ by: 'numbers', numbers }, ...looks] : looks
}

/**
 * The filter with the first way to search that finds anything, or the last one, with the number of parcels if they
 * were counted.
 */
async function runSearch(deps: Deps, filter: ParcelFilter, text: string): Promise<SearchResult> {
  if (text.trim() === '') return { filter, count: null }
  let last: ParcelFilter = { ...filter, search: { look: { by: 'numbers', numbers: [] }, broad: false } }
  for (const look of await listSearches(deps, text)) {
    const { hits, fitting } = await countHits(deps.db, filter, look)
    const broad = hits > broadFrom
    last = { ...filter, search: { look, broad } }
    if (fitting > 0) return { filter: last, count: { total: fitting, more: broad } }
    if (broad && (await countParcels(deps.db, last, 1)) > 0) return { filter: last, count: null }
  }
  return { filter: last, count: { total: 0, more: false } }
}

/** `more`: counting stopped at `total`. */
type Count = { total: number; more: boolean }
type SearchResult = { filter: ParcelFilter; count: Count | null }

/** A filter with the first way to search for `text` that finds anything. */
export async function searchFilter(deps: Deps, filter: ParcelFilter, text: string): Promise<ParcelFilter> {
  return (await runSearch(deps, filter, text)).filter
}

/** A page of the matching parcels, and their number, counted up to a limit but at least one page further. */
async function buildPage(
  { db }: Deps,
  { filter, count }: SearchResult,
  window: Window,
): Promise<Count & { rows: ParcelRow[] }> {
  if (count?.total === 0) return { rows: [], ...count }
  const limit = isNarrowed(filter, 2) ? parcelCountLimits.narrowed : parcelCountLimits.total
  const most = Math.max(limit, window.offset + 2 * window.limit)
  const [rows, { total, more }] = await Promise.all([
    listParcelRows(db, filter, window),
    count ?? countParcels(db, filter, most).then((total) => ({ total, more: total >= most })),
  ])
  return { rows, total: more ? Math.max(total, window.offset + rows.length) : total, more }
}

/** The first parcels that match a text, the latest first; nothing is counted. */
export async function searchParcels(
  deps: Deps,
  caller: CustomerCaller,
  text: string,
  limit: number,
): Promise<Parcel[]> {
  const { filter, count } = await runSearch(deps, getFilter(caller), text)
  if (count?.total === 0) return []
  const rows = await listParcelRows(deps.db, filter, { sort: [], offset: 0, limit })
  return rows.map((row) => presentParcel(deps, row, caller))
}

/** The ids of the parcels whose checkout waits for an approval. No query without an unpaid checkout on the page. */
export async function findWaitingForApproval(db: DbOrTx, rows: readonly ParcelRow[]): Promise<Set<string>> {
  const unpaid = rows.filter(({ status }) => status === 'pending_payment')
  if (unpaid.length === 0) return new Set()
  const since = new Date(Math.min(...unpaid.map(({ created_at }) => created_at.getTime())))
  const ids = unpaid.map(({ id }) => id)
  const eventsById = Map.groupBy(await listEventsOfParcels(db, ids, since), ({ parcel_id }) => parcel_id)
  return new Set(ids.filter((id) => lastCheckout(eventsById.get(id) ?? []) === 'checkout_approval'))
}

/** A page of the parcels that the caller may see, with the counts of all tabs. */
export async function parcelList(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listParcels>,
): Promise<ResponseOf<typeof listParcels>> {
  const { sort, offset, limit, ...narrowing } = query
  const window = { sort: parseSort(sort), offset, limit }
  const filter = parcelFilter(deps, caller, narrowing)
  const result = filter && (await runSearch(deps, filter, query.search ?? ''))
  const [{ rows, total, more }, counts] = await Promise.all([
    result ? buildPage(deps, result, window) : { rows: [], total: 0, more: false },
    countTabs(deps, caller, narrowing, result),
  ])
  const [pricedRows, waitingIds] = await Promise.all([
    addCartShares(deps, deps.db, caller, rows),
    findWaitingForApproval(deps.db, rows),
  ])
  return {
    items: pricedRows.map((row) => ({
      ...presentParcel(deps, row, caller),
      waitsForApproval: waitingIds.has(row.id),
    })),
    total,
    more,
    offset,
    limit,
    counts,
  }
}

/**
 * The number of parcels in each tab: all of them, or what a search finds there under the other filters. A search with
 * very many hits has no counts, because only the list's sort order is fast then.
 */
async function countTabs(
  deps: Deps,
  caller: CustomerCaller,
  narrowing: ParcelNarrowing,
  result: SearchResult | null,
): Promise<Partial<Record<ParcelTab, number>>> {
  const { status: _, unpaid: __, ...others } = narrowing
  const filter = parcelFilter(deps, caller, { ...others, tab: 'all' })
  if (filter === null) return {}
  // If the open tab has no hit, another way to search may find something in the other tabs.
  const hasHits = result && result.count?.total !== 0
  const { search } = (hasHits ? result : await runSearch(deps, filter, narrowing.search ?? '')).filter
  if (search?.broad) return {}
  if (!search) {
    const groups = parcelTabs.map((name) => tabStatuses[name])
    const counts = await countByStatuses(deps.db, getFilter(caller), groups, parcelCountLimits.tab)
    return Object.fromEntries(parcelTabs.map((name, n) => [name, counts[n] ?? 0]))
  }
  const byStatus = await countHitsByStatus(deps.db, filter, search.look)
  const sum = (statuses: readonly ParcelStatus[]) =>
    statuses.reduce((total, each) => total + (byStatus.get(each) ?? 0), 0)
  return Object.fromEntries(parcelTabs.map((name) => [name, sum(tabStatuses[name] ?? [...byStatus.keys()])]))
}

const cartStart = { pickup: 'D', dropoff: 'P' } as const satisfies Record<(typeof cartTabs)[number], 'D' | 'P'>

function cartFilter(caller: CustomerCaller, tab: (typeof cartTabs)[number]): ParcelFilter {
  return { ...getFilter(caller), statuses: ['incart'], start: cartStart[tab] }
}

/** A page of one tab of the cart: parcels for pickup, or for drop-off. */
export async function getCartTab(
  deps: Deps,
  caller: CustomerCaller,
  { tab, sort, offset, limit }: QueryOf<typeof getCart>,
): Promise<ResponseOf<typeof getCart>> {
  const filter = cartFilter(caller, tab)
  // The whole tab is counted, like its number in `cartCounts`.
  const total = await countParcels(deps.db, filter, parcelCountLimits.total)
  const count = { total, more: total >= parcelCountLimits.total }
  const { rows } = await buildPage(deps, { filter, count }, { sort: parseSort(sort), offset, limit })
  const pricedRows = await addCartShares(deps, deps.db, caller, rows)
  return {
    items: pricedRows.map((row) => presentParcel(deps, row, caller)),
    total,
    offset,
    limit,
  }
}

/** The ids of all parcels that one checkout of this tab can have. */
export async function listIdsOfCart(
  deps: Deps,
  caller: CustomerCaller,
  { tab }: QueryOf<typeof listCartIds>,
): Promise<ResponseOf<typeof listCartIds>> {
  return { ids: await listUnorderedIds(deps.db, cartFilter(caller, tab), mostInCheckout) }
}

/** The number of parcels in each tab of the cart. */
export async function cartCounts(deps: Deps, caller: CustomerCaller): Promise<ResponseOf<typeof cartCount>> {
  const [pickup, dropoff] = await Promise.all([
    countParcels(deps.db, cartFilter(caller, 'pickup'), parcelCountLimits.total),
    countParcels(deps.db, cartFilter(caller, 'dropoff'), parcelCountLimits.total),
  ])
  return { count: pickup + dropoff, pickup, dropoff }
}
