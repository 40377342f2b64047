// Pickups of senders after the checkout: list, reschedule, cancel, and book another one.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import { isSamePlace, type PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import {
  type listPickupRequests,
  type PickupDetail,
  pickupTabs,
  type waitingParcels,
} from '@waybill/contract/pickups/pickups'
import type { PickupTask } from '@waybill/contract/pickups/rider-tasks'
import type { RawBuilder } from 'kysely'
import { customerActivity, recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { newId } from '../../lib/ids.ts'
import { findStaffNames } from '../accounts/service.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import {
  currentPickupId,
  listParcelsOfPickups,
  listParcelsWithoutPickup,
  setPickup,
} from '../parcels/pickup-side/queries-waiting.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import { lockParcels, transitionForbidden } from '../parcels/transition.ts'
import { findStationsById } from '../stations/service.ts'
import { isPicked, presentPickup, presentPickupParcel } from './present.ts'
import { countByTabs, insertPickup, listPickupRows, type PickupRow } from './queries.ts'
import { buildOpenFilter, changePickup, findAnyPickup, lockAccountPickup, openPickups } from './rider-tasks/queries.ts'
import { nextPickupStatus } from './status.ts'
import { getDoor, requirePickupPlace } from './windows/pickup-place.ts'
import { requireOpenSlot, reserveSlot } from './windows/slots.ts'

/** A page of the pickups that the caller may see, with the counts of all tabs. */
export async function readPickups(
  deps: Deps,
  caller: CustomerCaller,
  { tab, status, from, to, search, sort, offset, limit }: QueryOf<typeof listPickupRequests>,
): Promise<ResponseOf<typeof listPickupRequests>> {
  const createdBy = onlyCreatedBy(caller)
  const filter = {
    createdBy,
    statuses: pickupTabs[tab],
    status,
    from,
    to,
    search,
    sort: parseSort(sort),
    offset,
    limit,
  }
  const [{ rows, total }, counts, waiting] = await Promise.all([
    listPickupRows(deps.db, caller.accountId, filter),
    countByTabs(deps.db, caller.accountId, filter),
    parcelsWithoutPickup(deps.db, caller),
  ])
  return { items: rows.map(presentPickup), total, offset, limit, counts, waitingParcels: waiting.length }
}

/** As many parcels as one booking takes; the next ones appear once these are booked. */
const maxWaiting = 1000

/** Paid parcels without an upcoming pickup that the caller may see, the oldest first. */
function parcelsWithoutPickup(db: DbOrTx, caller: CustomerCaller): Promise<ParcelRow[]> {
  const { accountId } = caller
  const isOpen = (pickupId: RawBuilder<unknown>) => buildOpenFilter(accountId, pickupId)
  return listParcelsWithoutPickup(db, accountId, onlyCreatedBy(caller), isOpen, maxWaiting)
}

/** The caller's parcels for which a pickup can be booked. */
export async function listParcelsToBook(
  deps: Deps,
  caller: CustomerCaller,
): Promise<ResponseOf<typeof waitingParcels>> {
  const rows = await parcelsWithoutPickup(deps.db, caller)
  return { items: rows.map((row) => ({ ...presentPickupParcel(row), fetchedFrom: getDoor(row) })) }
}

const getState = (row: PickupRow) => ({
  status: row.status as PickupTask['status'],
  cancelled: row.cancelled_at !== null,
})

/**
 * The status after a change by the sender; null if it is not allowed. A visit that a rider has begun and another one
 * finishes is `open` between the two.
 */
function nextForSender(row: PickupRow, event: 'rescheduled' | 'cancelled') {
  const isUnderWay = row.status === 'open' && row.started_at !== null
  return isUnderWay ? null : nextPickupStatus(getState(row), event)
}

/**
 * Whether the caller may see a pickup: it has a parcel of theirs, or they may see all of the account. The list filters
 * in the same way (`PickupFilter.createdBy`).
 */
function isSeen(caller: CustomerCaller, parcels: readonly ParcelRow[]): boolean {
  const own = onlyCreatedBy(caller)
  return own === null || parcels.some(({ created_by }) => created_by === own)
}

async function buildDetail(db: DbOrTx, caller: CustomerCaller, row: PickupRow): Promise<PickupDetail> {
  const own = onlyCreatedBy(caller)
  const [parcels, riders, stations] = await Promise.all([
    listParcelsOfPickups(db, [row.id]),
    findStaffNames(db, row.rider_id ? [row.rider_id] : []),
    findStationsById(db, row.station_id ? [row.station_id] : []),
  ])
  if (!isSeen(caller, parcels)) throw new AppError('not_found')
  return {
    ...presentPickup(row),
    parcels: parcels.filter(({ created_by }) => own === null || created_by === own).map(presentPickupParcel),
    failureNote: row.failure_note,
    riderName: (row.rider_id && riders.get(row.rider_id)) ?? null,
    stationName: (row.station_id && stations.get(row.station_id)?.name) ?? null,
    mayReschedule: nextForSender(row, 'rescheduled') !== null,
    mayCancel: nextForSender(row, 'cancelled') !== null,
  }
}

/** A pickup with the parcels that the caller may see. Throws not_found. */
export async function getPickup(deps: Deps, caller: CustomerCaller, id: string): Promise<PickupDetail> {
  const row = await findAnyPickup(deps.db, caller.accountId, id)
  if (!row) throw new AppError('not_found')
  return buildDetail(deps.db, caller, row)
}

/**
 * A locked pickup that the sender may change. Throws not_found, task_forbidden (`details.status`), version_conflict.
 */
async function changeable(
  trx: DbOrTx,
  caller: CustomerCaller,
  id: string,
  version: number,
  event: 'rescheduled' | 'cancelled',
) {
  const row = await lockAccountPickup(trx, caller.accountId, id)
  if (!row || !isSeen(caller, await listParcelsOfPickups(trx, [id]))) throw new AppError('not_found')
  const status = nextForSender(row, event)
  if (!status) throw new AppError('task_forbidden', { details: { status: row.status } })
  if (row.version !== version) throw new AppError('version_conflict')
  return { row, status }
}

/**
 * Reschedules a pickup: another day, window or address. Throws validation (`date`, `window`, `address.postcode`),
 * pickup_full, and as `changeable` does.
 */
export async function moveToSlot(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, ...choice }: PickupChoice & { version: number },
): Promise<PickupDetail> {
  // Another user's pickup is not_found, whatever the choice.
  await getPickup(deps, caller, id)
  const { stationId } = await requireOpenSlot(deps, deps.db, choice, { prefix: '', except: id })
  return tx(deps.db, async (trx) => {
    const { row, status } = await changeable(trx, caller, id, version, 'rescheduled')
    await requirePickupPlace(deps, choice.address, await listParcelsOfPickups(trx, [id]), '')
    await reserveSlot(trx, stationId, choice, id)
    const changes = {
      address: choice.address,
      pickup_date: choice.date,
      pickup_window: choice.window,
      station_id: stationId,
      // If the address belongs to another station, another rider comes.
      rider_id: stationId === row.station_id ? row.rider_id : null,
      started_at: null,
      finished_at: null,
      failure_reason: null,
      failure_note: null,
      status,
    }
    const at = deps.clock.now()
    await recordActivity(trx, customerActivity(caller, 'pickups.moved', [id], at))
    return buildDetail(trx, caller, await changePickup(trx, row, changes, at))
  })
}

/** Cancels a pickup. Its parcels stay paid and wait for another one. Throws as `changeable` does. */
export async function cancelPickupRequest(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  version: number,
): Promise<PickupDetail> {
  return tx(deps.db, async (trx) => {
    const { row, status } = await changeable(trx, caller, id, version, 'cancelled')
    const at = deps.clock.now()
    await recordActivity(trx, customerActivity(caller, 'pickups.cancelled', [id], at))
    const pickup = await buildDetail(trx, caller, await changePickup(trx, row, { status, cancelled_at: at }, at))
    // Also the parcels of colleagues, which the caller may not see. One that was picked up anyway stays on this pickup.
    const parcels = await listParcelsOfPickups(trx, [id])
    await setPickup(
      trx,
      row.account_id,
      parcels.filter((parcel) => !isPicked(parcel, row)).map((parcel) => parcel.id),
      null,
    )
    return pickup
  })
}

/**
 * Books a pickup for paid parcels at one door. Throws not_found, transition_forbidden (a parcel does not wait for a
 * rider), parcel_on_pickup (`details.trackingNumber`: it already has a pickup), validation, pickup_full.
 */
export async function bookForParcels(
  deps: Deps,
  caller: CustomerCaller,
  { parcelIds, ...choice }: PickupChoice & { parcelIds: readonly string[] },
  idempotency: Idempotency,
): Promise<PickupDetail> {
  const { stationId } = await requireOpenSlot(deps, deps.db, choice, { prefix: '' })
  return tx(deps.db, async (trx) => {
    const parcels = await lockParcels(trx, caller.accountId, parcelIds, caller)
    const [first] = parcels
    const leg = first?.status === 'reverse_pickup' ? 'return' : 'outbound'
    const status = leg === 'return' ? 'reverse_pickup' : 'pending_pickup'
    // A rider visits one door, so outbound parcels and returns need two pickups.
    const other = parcels.find((row) => row.status !== status)
    if (other) throw transitionForbidden(other, 'pickup')
    const openIds = await openPickups(
      trx,
      caller.accountId,
      parcels.flatMap((row) => currentPickupId(row) ?? []),
    )
    const conflict = parcels.find((row) => openIds.has(currentPickupId(row) ?? ''))
    if (conflict) throw new AppError('parcel_on_pickup', { details: { trackingNumber: conflict.tracking_number } })
    const [door, ...otherDoors] = parcels.flatMap((row) => getDoor(row) ?? [])
    if (door && otherDoors.some((each) => !isSamePlace(each, door)))
      throw validationError({ field: 'parcelIds', rule: 'oneDoor' })
    await requirePickupPlace(deps, choice.address, parcels, '')
    await reserveSlot(trx, stationId, choice, null)
    const id = newId()
    const at = deps.clock.now()
    const { accountId } = caller
    await recordActivity(trx, customerActivity(caller, 'pickups.booked', [id], at))
    await insertPickup(trx, {
      id,
      accountId,
      orderId: null,
      leg,
      choice,
      stationId,
      parcelCount: parcels.length,
      at,
    })
    await setPickup(
      trx,
      accountId,
      parcels.map((parcel) => parcel.id),
      id,
    )
    const row = await findAnyPickup(trx, accountId, id)
    if (!row) throw new AppError('not_found')
    const pickup = await buildDetail(trx, caller, row)
    await idempotency.keep(trx, pickup)
    return pickup
  })
}
