import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type ParcelStatus, paymentMethodForFilter } from '@waybill/contract/ground/enums'
import { parseSort } from '@waybill/contract/ground/paging'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { cartCount, cartTabs, getCart } from '@waybill/contract/parcels/cart'
import { type listParcels, parcelCountLimits, parcelTabs } from '@waybill/contract/parcels/list'
import type { Parcel, ParcelDetail, trackParcels } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../../deps.ts'
import type { AnyCaller, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { parsePhone } from '../../../lib/phone.ts'
import { namesOfUsers } from '../../accounts/service.ts'
import { listAttachmentsBySubject, presentAttachmentsById } from '../../attachments/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { onlyCreatedBy } from '../access.ts'
import { findOwnNumber, findOwnNumbers } from '../carrier-handover/bookings.ts'
import { addCartShares } from '../cart/share-pickup.ts'
import { gunnyNumbers } from '../gunny/queries.ts'
import { presentDetail, presentParcel } from '../present.ts'
import type { ParcelRow } from '../queries.ts'
import { type Look, parseSearch, tabStatuses } from '../rules.ts'
import { eventsOfParcels, proofsOfParcels } from '../timeline/queries.ts'
import { parseParcelNumber, requireNumber } from '../tracking-number.ts'
import {
  countByStatuses,
  countHits,
  countParcels,
  findParcels,
  isNarrowed,
  listParcelRows,
  type ParcelFilter,
  parcelsByNumbers,
  type Window,
} from './queries-list.ts'
import { broadFrom } from './queries-search.ts'

function filterOf(caller: CustomerCaller): ParcelFilter {
  return { accountId: caller.accountId, createdBy: onlyCreatedBy(caller), statuses: null }
}

/** The query that the parcels screen and its spreadsheet are asked with. */
export type ParcelNarrowing = Omit<QueryOf<typeof listParcels>, 'sort' | 'offset' | 'limit'>

/** Which parcels a query means, search aside; null: none can fit. */
export function parcelFilter(deps: Deps, caller: CustomerCaller, query: ParcelNarrowing): ParcelFilter | null {
  const { tab, status, unpaid, from, to, createdBy, withCod, paymentMethod, search: _, ...plain } = query
  const own = filterOf(caller)
  let statuses: readonly ParcelStatus[] | null = tabStatuses[tab]
  for (const wanted of [status && [status], unpaid && tabStatuses.unpaid]) {
    if (wanted) statuses = statuses === null ? wanted : statuses.filter((each) => wanted.includes(each))
  }
  if (statuses?.length === 0) return null
  return {
    ...own,
    ...plain,
    paymentMethod: paymentMethod ? paymentMethodForFilter(paymentMethod) : null,
    createdBy: own.createdBy ?? createdBy ?? null,
    statuses,
    withCod: withCod === 'true',
    days: { from, to, timeZone: deps.settings.get('timezone') },
  }
}

/**
 * The ways to look for what somebody typed, likeliest first: as `readSearch` reads it, and by other carriers' numbers,
 * which are theirs to look up.
 */
async function looksFor(deps: Deps, typed: string): Promise<Look[]> {
  const { settings } = deps
  const country = settings.get('countryCode')
  const looks = parseSearch(typed, settings.get('tracking.prefix'), (text) => parsePhone(text, country))
  const carriers = [...(await findOwnNumbers(deps, [normalizeTrackingNumber(typed)])).values()]
  return carriers.length > 0 ? [{ by: 'numbers', numbers: carriers }, ...looks] : looks
}

/**
 * The filter with the first look-up that finds anything, and how many that are as far as they were counted; the last
 * one where none does.
 */
async function find(deps: Deps, filter: ParcelFilter, typed: string): Promise<Found> {
  if (typed.trim() === '') return { filter, counted: null }
  let last: ParcelFilter = { ...filter, search: { look: { by: 'numbers', numbers: [] }, broad: false } }
  for (const look of await looksFor(deps, typed)) {
    const { hits, fitting } = await countHits(deps.db, filter, look)
    const broad = hits > broadFrom
    last = { ...filter, search: { look, broad } }
    if (fitting > 0) return { filter: last, counted: { total: fitting, more: broad } }
    if (broad && (await countParcels(deps.db, last, 1)) > 0) return { filter: last, counted: null }
  }
  return { filter: last, counted: { total: 0, more: false } }
}

type Counted = { total: number; more: boolean }
type Found = { filter: ParcelFilter; counted: Counted | null }

/** The filter with the first look-up that finds anything. */
export async function searchFilter(deps: Deps, filter: ParcelFilter, typed: string): Promise<ParcelFilter> {
  return (await find(deps, filter, typed)).filter
}

/** One page of what fits, and how many do: counted as far as counting goes, and a page further than this one. */
async function pageOf(
  { db }: Deps,
  { filter, counted }: Found,
  window: Window,
): Promise<Counted & { rows: ParcelRow[] }> {
  if (counted?.total === 0) return { rows: [], ...counted }
  const limit = isNarrowed(filter, 2) ? parcelCountLimits.narrowed : parcelCountLimits.total
  const most = Math.max(limit, window.offset + 2 * window.limit)
  const [rows, { total, more }] = await Promise.all([
    listParcelRows(db, filter, window),
    counted ?? countParcels(db, filter, most).then((count) => ({ total: count, more: count >= most })),
  ])
  return { rows, total: more ? Math.max(total, window.offset + rows.length) : total, more }
}

/** The parcels screen: one page of what the caller may see, with counts by tab. */
export async function parcelList(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listParcels>,
): Promise<ResponseOf<typeof listParcels>> {
  const { sort, offset, limit, ...narrowing } = query
  const { db } = deps
  const window = { sort: parseSort(sort), offset, limit }
  const found = async () => {
    const fitting = parcelFilter(deps, caller, narrowing)
    if (fitting === null) return { rows: [], total: 0, more: false }
    return pageOf(deps, await find(deps, fitting, query.search ?? ''), window)
  }
  const [{ rows, total, more }, counts] = await Promise.all([
    found(),
    countByStatuses(
      db,
      filterOf(caller),
      parcelTabs.map((name) => tabStatuses[name]),
      parcelCountLimits.tab,
    ),
  ])
  const priced = await addCartShares(deps, db, caller, rows)
  return {
    items: priced.map((row) => presentParcel(deps, row, caller)),
    total,
    more,
    offset,
    limit,
    counts: Object.fromEntries(parcelTabs.map((name, n) => [name, counts[n] ?? 0])) as Record<
      (typeof parcelTabs)[number],
      number
    >,
  }
}

const cartStart = { pickup: 'D', dropoff: 'P' } as const satisfies Record<(typeof cartTabs)[number], 'D' | 'P'>

function cartFilter(caller: CustomerCaller, tab: (typeof cartTabs)[number]): ParcelFilter {
  return { ...filterOf(caller), statuses: ['incart'], start: cartStart[tab] }
}

/** One tab of the cart: parcels that a rider fetches, or those that are brought. */
export async function getCartTab(
  deps: Deps,
  caller: CustomerCaller,
  { tab, sort, offset, limit }: QueryOf<typeof getCart>,
): Promise<ResponseOf<typeof getCart>> {
  const filter = cartFilter(caller, tab)
  const { rows, total } = await pageOf(deps, { filter, counted: null }, { sort: parseSort(sort), offset, limit })
  const priced = await addCartShares(deps, deps.db, caller, rows, { wholeCart: true })
  return {
    items: priced.map((row) => presentParcel(deps, row, caller)),
    total,
    offset,
    limit,
  }
}

/** How many parcels wait in each tab of the cart. */
export async function cartCounts(deps: Deps, caller: CustomerCaller): Promise<ResponseOf<typeof cartCount>> {
  const [pickup, dropoff] = await Promise.all([
    countParcels(deps.db, cartFilter(caller, 'pickup'), parcelCountLimits.total),
    countParcels(deps.db, cartFilter(caller, 'dropoff'), parcelCountLimits.total),
  ])
  return { count: pickup + dropoff, pickup, dropoff }
}

/** Rows with their timelines, proofs and photos, in a few more queries for any number of them. */
export async function listParcelDetails(
  deps: Deps,
  rows: readonly ParcelRow[],
  caller: AnyCaller,
  t: Translate,
): Promise<ParcelDetail[]> {
  if (rows.length === 0) return []
  const priced = caller.kind === 'customer' ? await addCartShares(deps, deps.db, caller, rows) : rows
  const ids = rows.map(({ id }) => id)
  const since = new Date(Math.min(...rows.map(({ created_at }) => created_at.getTime())))
  const named = rows.flatMap(({ drop_off_station_id: dropOff, self_collection_station_id: selfCollection }) => [
    ...(dropOff ? [dropOff] : []),
    ...(selfCollection ? [selfCollection] : []),
  ])
  const [events, proofs, stations, creators, gunnies] = await Promise.all([
    eventsOfParcels(deps.db, ids, since),
    proofsOfParcels(deps.db, [...new Set(rows.map(({ account_id }) => account_id))], ids),
    findStationsById(deps.db, [...new Set(named)]),
    namesOfUsers(deps.db, [...new Set(rows.map(({ created_by }) => created_by))]),
    gunnyNumbers(deps.db, [...new Set(rows.flatMap(({ gunny_id }) => gunny_id ?? []))]),
  ])
  const [photos, proofPhotos] = await Promise.all([
    presentAttachmentsById(
      deps,
      deps.db,
      rows.flatMap(({ photo_ids }) => photo_ids ?? []),
    ),
    listAttachmentsBySubject(
      deps,
      deps.db,
      'parcel_proof',
      proofs.map(({ parcel_id }) => parcel_id),
    ),
  ])
  return priced.map((row) =>
    presentDetail(
      deps,
      row,
      {
        events: events.filter(({ parcel_id }) => parcel_id === row.id),
        proof: proofs.find(({ parcel_id }) => parcel_id === row.id) ?? null,
        photos: (row.photo_ids ?? []).flatMap((id) => photos.get(id) ?? []),
        proofPhotos: proofPhotos.get(row.id) ?? [],
        stations: {
          dropOff: stations.get(row.drop_off_station_id ?? '')?.name ?? null,
          selfCollection: stations.get(row.self_collection_station_id ?? '')?.name ?? null,
        },
        gunnyNumber: gunnies.get(row.gunny_id ?? '') ?? null,
        createdByName: creators.get(row.created_by) ?? null,
      },
      caller,
      t,
    ),
  )
}

async function oneDetail(deps: Deps, rows: ParcelRow[], caller: CustomerCaller, t: Translate): Promise<ParcelDetail> {
  const [detail] = await listParcelDetails(deps, rows.slice(0, 1), caller, t)
  if (!detail) throw new AppError('not_found')
  return detail
}

/** One parcel with its timeline. Throws not_found for others' as for none. */
export async function getParcelDetail(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  t: Translate,
): Promise<ParcelDetail> {
  return oneDetail(deps, await findParcels(deps.db, caller.accountId, [id], onlyCreatedBy(caller)), caller, t)
}

/** One parcel by its number, which is verified before it is looked up. */
export async function parcelByNumber(
  deps: Deps,
  caller: CustomerCaller,
  no: string,
  t: Translate,
): Promise<ParcelDetail> {
  const number = requireNumber(await findOwnNumber(deps, no), deps.settings.get('tracking.prefix'))
  return oneDetail(deps, await parcelsByNumbers(deps.db, caller.accountId, [number], onlyCreatedBy(caller)), caller, t)
}

/** Several parcels in the order of the ids; throws not_found unless the caller may see each. */
export async function parcelsInOrder(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<ParcelRow[]> {
  const rows = await findParcels(deps.db, caller.accountId, ids, onlyCreatedBy(caller))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw new AppError('not_found')
    return row
  })
}

/** `parcelsInOrder` as the contract shows them. */
export async function severalParcels(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<Parcel[]> {
  const rows = await addCartShares(deps, deps.db, caller, await parcelsInOrder(deps, caller, ids))
  return rows.map((row) => presentParcel(deps, row, caller))
}

/**
 * Own parcels by number, ours or their carriers', in full detail, in the order asked for, each once; numbers that can't
 * be right, and others', come back as not found.
 */
export async function trackOwnParcels(
  deps: Deps,
  caller: CustomerCaller,
  numbers: readonly string[],
  t: Translate,
): Promise<ResponseOf<typeof trackParcels>> {
  const prefix = deps.settings.get('tracking.prefix')
  const wanted = [...new Set(numbers.map((input) => parseParcelNumber(input, prefix).number))]
  const ours = await findOwnNumbers(deps, wanted)
  const asked = wanted.map((number) => ours.get(number) ?? number)
  const rows = await parcelsByNumbers(deps.db, caller.accountId, [...new Set(asked)], onlyCreatedBy(caller))
  const found = new Map(rows.map((row) => [row.tracking_number, row]))
  return {
    items: await listParcelDetails(
      deps,
      [...new Set(asked)].flatMap((number) => found.get(number) ?? []),
      caller,
      t,
    ),
    notFound: wanted.filter((_, n) => !found.has(asked[n] ?? null)),
  }
}
