/** The sender's side of pickups after the checkout: look, move, give up, ask for another. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import {
  type listPickupRequests,
  type PickupDetail,
  pickupTabs,
  type waitingParcels,
} from '@waybill/contract/pickups/pickups'
import type { PickupTask } from '@waybill/contract/pickups/rider-tasks'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { newId } from '../../lib/ids.ts'
import { namesOfStaff } from '../accounts/service.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { currentPickupId, parcelsOfPickups, setPickup } from '../parcels/pickup-side/queries-waiting.ts'
import { listWaitingForRider } from '../parcels/pickup-side/waiting.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import { lockParcels, transitionForbidden } from '../parcels/transition.ts'
import { findStationsById } from '../stations/service.ts'
import { presentPickup, presentPickupParcel } from './present.ts'
import { countByTabs, insertPickup, listPickupRows, type PickupRow } from './queries.ts'
import { changePickup, findAnyPickup, lockAccountPickup, openPickups } from './rider-tasks/queries.ts'
import { nextPickupStatus, type PickupEvent } from './status.ts'
import { requireOpenSlot, reserveSlot } from './windows/slots.ts'

/** Pickups of the account with counts by tab, the latest made first. */
export async function readPickups(
  deps: Deps,
  caller: CustomerCaller,
  { tab, status, from, to, search, sort, offset, limit }: QueryOf<typeof listPickupRequests>,
): Promise<ResponseOf<typeof listPickupRequests>> {
  const filter = { statuses: pickupTabs[tab], status, from, to, search, sort: parseSort(sort), offset, limit }
  const [{ rows, total }, counts, waiting] = await Promise.all([
    listPickupRows(deps.db, caller.accountId, filter),
    countByTabs(deps.db, caller.accountId),
    unasked(deps.db, caller),
  ])
  return { items: rows.map(presentPickup), total, offset, limit, counts, waitingParcels: waiting.length }
}

/** Paid parcels for which nobody is to come: without a pickup, or on one that is over. */
async function unasked(db: DbOrTx, caller: CustomerCaller): Promise<ParcelRow[]> {
  const rows = await listWaitingForRider(db, caller.accountId, caller)
  const taken = await openPickups(
    db,
    caller.accountId,
    rows.flatMap((row) => currentPickupId(row) ?? []),
  )
  return rows.filter((row) => !taken.has(currentPickupId(row) ?? ''))
}

/** Where a rider fetches it: from its sender, or on the way back from its receiver. */
const doorOf = (row: ParcelRow) => (row.status === 'reverse_pickup' ? row.receiver : row.sender)

export async function parcelsToBook(deps: Deps, caller: CustomerCaller): Promise<ResponseOf<typeof waitingParcels>> {
  const rows = await unasked(deps.db, caller)
  return { items: rows.map((row) => ({ ...presentPickupParcel(row), fetchedFrom: doorOf(row) })) }
}

const stateOf = (row: PickupRow) => ({
  status: row.status as PickupTask['status'],
  cancelled: row.cancelled_at !== null,
})

/** A member who sees only the own parcels sees a pickup that fetches one of them. */
function isSeen(caller: CustomerCaller, parcels: readonly ParcelRow[]): boolean {
  const own = onlyCreatedBy(caller)
  return own === null || parcels.some(({ created_by }) => created_by === own)
}

async function detailOf(db: DbOrTx, caller: CustomerCaller, row: PickupRow): Promise<PickupDetail> {
  const own = onlyCreatedBy(caller)
  const [parcels, riders, stations] = await Promise.all([
    parcelsOfPickups(db, [row.id]),
    namesOfStaff(db, row.rider_id ? [row.rider_id] : []),
    findStationsById(db, row.station_id ? [row.station_id] : []),
  ])
  if (!isSeen(caller, parcels)) throw new AppError('not_found')
  return {
    ...presentPickup(row),
    parcels: parcels.filter(({ created_by }) => own === null || created_by === own).map(presentPickupParcel),
    failureNote: row.failure_note,
    riderName: (row.rider_id && riders.get(row.rider_id)) ?? null,
    stationName: (row.station_id && stations.get(row.station_id)?.name) ?? null,
    mayReschedule: nextPickupStatus(stateOf(row), 'rescheduled') !== null,
    mayCancel: nextPickupStatus(stateOf(row), 'cancelled') !== null,
  }
}

export async function getPickup(deps: Deps, caller: CustomerCaller, id: string): Promise<PickupDetail> {
  const row = await findAnyPickup(deps.db, caller.accountId, id)
  if (!row) throw new AppError('not_found')
  return detailOf(deps.db, caller, row)
}

/**
 * A pickup that the sender may still change, locked. Throws not_found, task_forbidden (`details.status`),
 * version_conflict.
 */
async function changeable(trx: DbOrTx, caller: CustomerCaller, id: string, version: number, event: PickupEvent) {
  const row = await lockAccountPickup(trx, caller.accountId, id)
  if (!row || !isSeen(caller, await parcelsOfPickups(trx, [id]))) throw new AppError('not_found')
  const status = nextPickupStatus(stateOf(row), event)
  if (!status) throw new AppError('task_forbidden', { details: { status: row.status } })
  if (row.version !== version) throw new AppError('version_conflict')
  return { row, status }
}

/**
 * Another day, window or address. Throws validation (`date`, `window`, `address.postcode`), pickup_full, and what
 * `changeable` throws.
 */
export async function moveToSlot(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, ...choice }: PickupChoice & { version: number },
): Promise<PickupDetail> {
  // Whose it is comes before what is wrong with it.
  await getPickup(deps, caller, id)
  const { stationId } = await requireOpenSlot(deps, choice, { prefix: '', except: id })
  return tx(deps.db, async (trx) => {
    const { row, status } = await changeable(trx, caller, id, version, 'rescheduled')
    await reserveSlot(trx, stationId, choice, id)
    const changes = {
      address: choice.address,
      pickup_date: choice.date,
      pickup_window: choice.window,
      station_id: stationId,
      // Another station sends its own rider.
      rider_id: stationId === row.station_id ? row.rider_id : null,
      started_at: null,
      finished_at: null,
      failure_reason: null,
      failure_note: null,
      status,
    }
    return detailOf(trx, caller, await changePickup(trx, row, changes, deps.clock.now()))
  })
}

/** Nobody comes. The parcels stay paid and wait for another pickup. Throws what `changeable` throws. */
export async function giveUpPickup(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  version: number,
): Promise<PickupDetail> {
  return tx(deps.db, async (trx) => {
    const { row, status } = await changeable(trx, caller, id, version, 'cancelled')
    const at = deps.clock.now()
    const before = await detailOf(trx, caller, await changePickup(trx, row, { status, cancelled_at: at }, at))
    await setPickup(
      trx,
      row.account_id,
      before.parcels.map((parcel) => parcel.id),
      null,
    )
    return before
  })
}

/**
 * A pickup for paid parcels that have none. Throws not_found (not all of them the caller's), transition_forbidden (one
 * does not wait for a rider), parcel_on_pickup (`details.trackingNumber`: somebody is to come for it already),
 * validation, pickup_full.
 */
export async function bookForParcels(
  deps: Deps,
  caller: CustomerCaller,
  { parcelIds, ...choice }: PickupChoice & { parcelIds: readonly string[] },
  idempotency: Idempotency,
): Promise<PickupDetail> {
  const { stationId } = await requireOpenSlot(deps, choice, { prefix: '' })
  return tx(deps.db, async (trx) => {
    const parcels = await lockParcels(trx, caller.accountId, parcelIds, caller)
    const [first] = parcels
    const leg = first?.status === 'reverse_pickup' ? 'return' : 'outbound'
    const wanted = leg === 'return' ? 'reverse_pickup' : 'pending_pickup'
    // A rider comes to one door: what goes out and what comes back are two pickups.
    const late = parcels.find(({ status }) => status !== wanted)
    if (late) throw transitionForbidden(late, 'pickup')
    const taken = await openPickups(
      trx,
      caller.accountId,
      parcels.flatMap((row) => currentPickupId(row) ?? []),
    )
    const twice = parcels.find((row) => taken.has(currentPickupId(row) ?? ''))
    if (twice) throw new AppError('parcel_on_pickup', { details: { trackingNumber: twice.tracking_number } })
    await reserveSlot(trx, stationId, choice, null)
    const id = newId()
    const { accountId } = caller
    await insertPickup(trx, {
      id,
      accountId,
      orderId: null,
      leg,
      choice,
      stationId,
      parcelCount: parcels.length,
      at: deps.clock.now(),
    })
    await setPickup(
      trx,
      accountId,
      parcels.map((parcel) => parcel.id),
      id,
    )
    const row = await findAnyPickup(trx, accountId, id)
    if (!row) throw new AppError('not_found')
    const made = await detailOf(trx, caller, row)
    await idempotency.keep(trx, made)
    return made
  })
}
