import type { QueryOf, ResponseOf } from '@waybill/contract/endpoint'
import type { ParcelStatus } from '@waybill/contract/enums'
import { parseSort } from '@waybill/contract/paging'
import {
  type cartCount,
  type cartTabs,
  type getCart,
  type listParcels,
  type Parcel,
  type ParcelDetail,
  parcelCountLimits,
  parcelTabs,
  type trackParcels,
} from '@waybill/contract/parcels'
import type { Translate } from '@waybill/contract/validation'
import type { Deps } from '../../deps.ts'
import type { AnyCaller, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { phoneOf } from '../../lib/phone.ts'
import { attachmentsById, attachmentsOf } from '../attachments/service.ts'
import { visibleBy } from './access.ts'
import { ownNumber } from './bookings.ts'
import { readNumber, requireNumber } from './numbers.ts'
import { presentDetail, presentParcel } from './present.ts'
import type { ParcelRow } from './queries.ts'
import {
  countByStatuses,
  countParcels,
  type ParcelFilter,
  pageOfParcels,
  parcelsByIds,
  parcelsByNumbers,
  type Window,
} from './queries-list.ts'
import { eventsOfParcels, proofsOfParcels } from './queries-timeline.ts'
import { readSearch, tabStatuses } from './rules.ts'

function filterOf(caller: CustomerCaller): ParcelFilter {
  return { accountId: caller.accountId, createdBy: visibleBy(caller), statuses: null }
}

/** The total that a page may claim: what was counted, or what it can see itself beyond the limit of counting. */
function totalOf(counted: number, offset: number, items: number): number {
  return items > 0 ? Math.max(counted, offset + items) : counted
}

type Found = { rows: ParcelRow[]; counted: number }

/** A page of what matches a filter and what somebody typed, by the quickest index that has it. */
async function findParcels(deps: Deps, filter: ParcelFilter, typed: string, window: Window): Promise<Found> {
  const { settings, db } = deps
  const country = settings.get('countryCode')
  const search = readSearch(typed, settings.get('tracking.prefix'), (text) => phoneOf(text, country))
  const look = async (by: ParcelFilter['search']): Promise<Found> => {
    const wanted = { ...filter, search: by }
    const [rows, counted] = await Promise.all([
      pageOfParcels(db, wanted, window),
      countParcels(db, wanted, parcelCountLimits.total),
    ])
    return { rows, counted }
  }
  const found = await look(search)
  if (found.counted > 0 || search === null || search.kind === 'words') return found
  return look({ pattern: search.pattern })
}

/** The parcels screen: one page of what the caller may see, with counts by tab. */
export async function parcelList(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listParcels>,
): Promise<ResponseOf<typeof listParcels>> {
  const { tab, status, offset, limit } = query
  const own = filterOf(caller)
  const inTab: readonly ParcelStatus[] | null = tabStatuses[tab]
  const statuses = status ? (inTab === null || inTab.includes(status) ? [status] : []) : inTab
  const filter: ParcelFilter = {
    ...own,
    statuses,
    serviceType: query.serviceType,
    deliveryMode: query.deliveryMode,
    days: { from: query.from, to: query.to, timeZone: deps.settings.get('timezone') },
  }
  const window = { sort: parseSort(query.sort), offset, limit }
  const [found, counts] = await Promise.all([
    statuses?.length === 0 ? { rows: [], counted: 0 } : findParcels(deps, filter, query.search ?? '', window),
    countByStatuses(
      deps.db,
      own,
      parcelTabs.map((name) => tabStatuses[name]),
      parcelCountLimits.tab,
    ),
  ])
  const { rows, counted } = found
  return {
    items: rows.map((row) => presentParcel(deps, row, caller)),
    total: totalOf(counted, offset, rows.length),
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
export async function cart(
  deps: Deps,
  caller: CustomerCaller,
  { tab, sort, offset, limit }: QueryOf<typeof getCart>,
): Promise<ResponseOf<typeof getCart>> {
  const filter = cartFilter(caller, tab)
  const [rows, counted] = await Promise.all([
    pageOfParcels(deps.db, filter, { sort: parseSort(sort), offset, limit }),
    countParcels(deps.db, filter, parcelCountLimits.total),
  ])
  return {
    items: rows.map((row) => presentParcel(deps, row, caller)),
    total: totalOf(counted, offset, rows.length),
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

/** Rows with their timelines, proofs and photos, in at most four more queries for any number of them. */
export async function detailsOf(
  deps: Deps,
  rows: readonly ParcelRow[],
  caller: AnyCaller,
  t: Translate,
): Promise<ParcelDetail[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const since = new Date(Math.min(...rows.map(({ created_at }) => created_at.getTime())))
  const [events, proofs] = await Promise.all([
    eventsOfParcels(deps.db, ids, since),
    proofsOfParcels(deps.db, [...new Set(rows.map(({ account_id }) => account_id))], ids),
  ])
  const [photos, proofPhotos] = await Promise.all([
    attachmentsById(
      deps,
      deps.db,
      rows.flatMap(({ photo_ids }) => photo_ids ?? []),
    ),
    attachmentsOf(
      deps,
      deps.db,
      'parcel_proof',
      proofs.map(({ parcel_id }) => parcel_id),
    ),
  ])
  return rows.map((row) =>
    presentDetail(
      deps,
      row,
      {
        events: events.filter(({ parcel_id }) => parcel_id === row.id),
        proof: proofs.find(({ parcel_id }) => parcel_id === row.id) ?? null,
        photos: (row.photo_ids ?? []).flatMap((id) => photos.get(id) ?? []),
        proofPhotos: proofPhotos.get(row.id) ?? [],
      },
      caller,
      t,
    ),
  )
}

async function oneDetail(deps: Deps, rows: ParcelRow[], caller: CustomerCaller, t: Translate): Promise<ParcelDetail> {
  const [detail] = await detailsOf(deps, rows.slice(0, 1), caller, t)
  if (!detail) throw new AppError('not_found')
  return detail
}

/** One parcel with its timeline. Throws not_found for others' as for none. */
export async function parcelById(deps: Deps, caller: CustomerCaller, id: string, t: Translate): Promise<ParcelDetail> {
  return oneDetail(deps, await parcelsByIds(deps.db, caller.accountId, [id], visibleBy(caller)), caller, t)
}

/** One parcel by its number, which is verified before it is looked up. */
export async function parcelByNumber(
  deps: Deps,
  caller: CustomerCaller,
  no: string,
  t: Translate,
): Promise<ParcelDetail> {
  const number = requireNumber(await ownNumber(deps, no), deps.settings.get('tracking.prefix'))
  return oneDetail(deps, await parcelsByNumbers(deps.db, caller.accountId, [number], visibleBy(caller)), caller, t)
}

/** Several parcels in the order of the ids; throws not_found unless the caller may see each. */
export async function parcelsInOrder(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<ParcelRow[]> {
  const rows = await parcelsByIds(deps.db, caller.accountId, ids, visibleBy(caller))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw new AppError('not_found')
    return row
  })
}

/** `parcelsInOrder` as the contract shows them. */
export async function severalParcels(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<Parcel[]> {
  return (await parcelsInOrder(deps, caller, ids)).map((row) => presentParcel(deps, row, caller))
}

/** Own parcels by number in full detail, in the order asked for; numbers that can't be right, and others', come back as not found. */
export async function tracks(
  deps: Deps,
  caller: CustomerCaller,
  numbers: readonly string[],
  t: Translate,
): Promise<ResponseOf<typeof trackParcels>> {
  const prefix = deps.settings.get('tracking.prefix')
  const wanted = [...new Set(numbers.map((input) => readNumber(input, prefix).number))]
  const rows = await parcelsByNumbers(deps.db, caller.accountId, wanted, visibleBy(caller))
  const found = new Map(rows.map((row) => [row.tracking_number, row]))
  return {
    items: await detailsOf(
      deps,
      wanted.flatMap((number) => found.get(number) ?? []),
      caller,
      t,
    ),
    notFound: wanted.filter((number) => !found.has(number)),
  }
}
