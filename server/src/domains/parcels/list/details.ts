// Parcels in full detail, one or several, by id or number.
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Parcel, ParcelDetail, trackParcels } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../../deps.ts'
import type { AnyCaller, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { findUserNames } from '../../accounts/service.ts'
import { listAttachmentsBySubject, presentAttachmentsById } from '../../attachments/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { onlyCreatedBy } from '../access.ts'
import { findOwnNumber, findOwnNumbers } from '../carrier-handover/bookings.ts'
import { addCartShares } from '../cart/share-pickup.ts'
import { isAtLastStation } from '../custody/service.ts'
import { gunnyNumbers } from '../gunny/queries.ts'
import { presentDetail, presentParcel } from '../present.ts'
import { findParcels, type ParcelRow } from '../queries.ts'
import { listAttemptPhotos } from '../timeline/attempt-photos.ts'
import { listEventsOfParcels, listProofs } from '../timeline/queries.ts'
import { parseParcelNumber, requireNumber } from '../tracking-number.ts'
import { listParcelsByNumbers } from './queries-list.ts'

/** Parcels with timelines, proofs, photos and names, in a fixed number of queries. */
export async function listParcelDetails(
  deps: Deps,
  rows: readonly ParcelRow[],
  caller: AnyCaller,
  t: Translate,
): Promise<ParcelDetail[]> {
  if (rows.length === 0) return []
  const pricedRows = caller.kind === 'customer' ? await addCartShares(deps, deps.db, caller, rows) : rows
  const ids = rows.map(({ id }) => id)
  const since = new Date(Math.min(...rows.map(({ created_at }) => created_at.getTime())))
  const [events, proofs, creators, gunnies] = await Promise.all([
    listEventsOfParcels(deps.db, ids, since),
    listProofs(deps.db, [...new Set(rows.map(({ account_id }) => account_id))], ids),
    findUserNames(deps.db, [...new Set(rows.map(({ created_by }) => created_by))]),
    gunnyNumbers(deps.db, [...new Set(rows.flatMap(({ gunny_id }) => gunny_id ?? []))]),
  ])
  const stationIds = [
    ...rows.flatMap((row) => [row.drop_off_station_id, row.self_collection_station_id]),
    ...events.map(({ station_id }) => station_id),
  ].filter((id) => id !== null)
  const [stationsById, photos, proofPhotos, attemptPhotos] = await Promise.all([
    findStationsById(deps.db, [...new Set(stationIds)]),
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
    listAttemptPhotos(deps, events),
  ])
  const details = pricedRows.map(async (row) =>
    presentDetail(
      deps,
      row,
      {
        events: events.filter(({ parcel_id }) => parcel_id === row.id),
        proof: proofs.find(({ parcel_id }) => parcel_id === row.id) ?? null,
        photos: (row.photo_ids ?? []).flatMap((id) => photos.get(id) ?? []),
        proofPhotos: proofPhotos.get(row.id) ?? [],
        attemptPhotos,
        stationsById,
        gunnyNumber: gunnies.get(row.gunny_id ?? '') ?? null,
        createdByName: creators.get(row.created_by) ?? null,
        atLastStation: await isAtLastStation(deps.db, row, row.receiver),
      },
      caller,
      t,
    ),
  )
  return Promise.all(details)
}

async function requireDetail(
  deps: Deps,
  rows: ParcelRow[],
  caller: CustomerCaller,
  t: Translate,
): Promise<ParcelDetail> {
  const [detail] = await listParcelDetails(deps, rows.slice(0, 1), caller, t)
  if (!detail) throw new AppError('not_found')
  return detail
}

/** A parcel in full detail. Throws not_found. */
export async function getParcelDetail(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  t: Translate,
): Promise<ParcelDetail> {
  return requireDetail(deps, await findParcels(deps.db, caller.accountId, [id], onlyCreatedBy(caller)), caller, t)
}

/** A parcel in full detail by number, ours or the carrier's. Throws not_found, tracking_number_…. */
export async function readParcelByNumber(
  deps: Deps,
  caller: CustomerCaller,
  no: string,
  t: Translate,
): Promise<ParcelDetail> {
  const number = requireNumber(await findOwnNumber(deps, no), deps.settings.get('tracking.prefix'))
  return requireDetail(
    deps,
    await listParcelsByNumbers(deps.db, caller.accountId, [number], onlyCreatedBy(caller)),
    caller,
    t,
  )
}

/** Parcels in the order of the ids. Throws not_found unless the caller may see all of them. */
export async function listParcelsInOrder(
  deps: Deps,
  caller: CustomerCaller,
  ids: readonly string[],
): Promise<ParcelRow[]> {
  const rows = await findParcels(deps.db, caller.accountId, ids, onlyCreatedBy(caller))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw new AppError('not_found')
    return row
  })
}

/** Formats `listParcelsInOrder` for the API. */
export async function getSeveralParcels(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<Parcel[]> {
  const rows = await addCartShares(deps, deps.db, caller, await listParcelsInOrder(deps, caller, ids))
  return rows.map((row) => presentParcel(deps, row, caller))
}

/**
 * The caller's parcels by number, ours or the carriers', in full detail, in the order of the request and each once.
 * Invalid numbers and those of other accounts are returned as not found.
 */
export async function trackOwnParcels(
  deps: Deps,
  caller: CustomerCaller,
  numbers: readonly string[],
  t: Translate,
): Promise<ResponseOf<typeof trackParcels>> {
  const prefix = deps.settings.get('tracking.prefix')
  const requested = [...new Set(numbers.map((input) => parseParcelNumber(input, prefix).number))]
  const byCarrierNumber = await findOwnNumbers(deps, requested)
  const toOwn = (number: string) => byCarrierNumber.get(number) ?? number
  const unique = [...new Set(requested.map(toOwn))]
  const rows = await listParcelsByNumbers(deps.db, caller.accountId, unique, onlyCreatedBy(caller))
  const byNumber = new Map(rows.map((row) => [row.tracking_number, row]))
  const inOrder = unique.flatMap((number) => byNumber.get(number) ?? [])
  return {
    items: await listParcelDetails(deps, inOrder, caller, t),
    notFound: requested.filter((number) => !byNumber.has(toOwn(number))),
  }
}
