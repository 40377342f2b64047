// Visits that several orders share: the fee is refunded with the last parcel, to the order that paid it.
import { isCancelled } from '@waybill/contract/ground/status/parcel-status'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { listParcelsById, listParcelsOfPickups } from '../../parcels/pickup-side/queries-waiting.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { listOrdersOfParcels, listParcelsOfOrders } from '../../parcels/service.ts'
import { pickupsWithIds, pickupsWithNumbers, type Visit } from '../../pickups/service.ts'
import type { OrderRow } from '../queries.ts'
import type { VisitSharers } from '../rules.ts'
import { findOrders, findOrdersJoining, ordersWithFeeRefunded } from './queries.ts'

/** The visits of these parcels. */
export const listPickupIds = (rows: readonly ParcelRow[]) => [
  ...new Set(rows.flatMap(({ pickup_request_id }) => pickup_request_id ?? [])),
]

/** The visits that orders joined at their checkout, even if their parcels are no longer on them. */
const joinedIds = (orders: readonly OrderRow[]) => [...new Set(orders.flatMap(({ pickup }) => pickup?.visitId ?? []))]

/**
 * The orders of these parcels, and those that paid for their visits: a fee is refunded with the last parcel of its
 * visit, even another customer's.
 */
export async function ordersAndPayers(
  db: DbOrTx,
  caller: CustomerCaller,
  parcelIds: readonly string[],
): Promise<string[]> {
  const [own, parcels] = await Promise.all([
    listOrdersOfParcels(db, parcelIds),
    listParcelsById(db, caller.accountId, parcelIds),
  ])
  const visitIds = [...listPickupIds(parcels), ...joinedIds(await findOrders(db, caller.accountId, own))]
  const visits = await pickupsWithIds(db, caller.accountId, visitIds)
  return [...new Set([...own, ...visits.flatMap(({ orderId }) => orderId ?? [])])]
}

/** Throws `error` if these parcels, or the payers of their visits, belong to an order outside `orderIds`. */
export async function requireSamePayers(
  db: DbOrTx,
  accountId: AccountId,
  { orderIds, orders, rows, visits }: { orderIds: string[]; orders: OrderRow[]; rows: ParcelRow[]; visits: Visit[] },
  error: () => Error,
): Promise<void> {
  const own = orders.filter(({ id }) => rows.some(({ order_id }) => order_id === id))
  const joinedVisits = await pickupsWithIds(db, accountId, joinedIds(own))
  const payers = [...visits, ...joinedVisits].map(({ orderId }) => orderId)
  const concerned = [...rows.map(({ order_id }) => order_id), ...payers]
  if (concerned.some((id) => id !== null && !orderIds.includes(id))) throw error()
}

/**
 * Parcels of other orders that share the visit paid by an order. `visits`: those of the parcels being cancelled, `ids`.
 * A parcel counts while it is on the visit; one that joined without a fee also if it is now on another visit or on
 * none, because a rider still comes for this fee. A fee that was refunded has no parcels.
 */
export async function countSharers(
  db: DbOrTx,
  accountId: AccountId,
  orders: readonly OrderRow[],
  visits: readonly Visit[],
  ids: ReadonlySet<string>,
): Promise<(order: OrderRow) => VisitSharers> {
  const paidVisits = await pickupsWithNumbers(
    db,
    accountId,
    orders.flatMap(({ pickup }) => (pickup?.visitId ? [] : (pickup?.number ?? []))),
  )
  const joining = await findOrdersJoining(db, accountId, paidVisits)
  const refunded = await ordersWithFeeRefunded(
    db,
    accountId,
    orders.map(({ id }) => id),
  )
  const onVisits = await listParcelsOfPickups(
    db,
    [...visits, ...paidVisits].map(({ id }) => id),
  )
  const joiningIds = [...new Set(joining.map(({ id }) => id))]
  const joiningParcels = await listParcelsOfOrders(db, joiningIds, { lock: false })
  const parcels = [...new Map([...onVisits, ...joiningParcels].map((row) => [row.id, row])).values()]
  return (order) => {
    if (refunded.has(order.id)) return { cancelled: 0, left: 0 }
    const paid = new Set([...visits, ...paidVisits].flatMap(({ id, orderId }) => (orderId === order.id ? id : [])))
    const joiners = new Set(joining.flatMap(({ id, visit_id }) => (paid.has(visit_id) ? id : [])))
    const others = parcels.filter(
      ({ pickup_request_id, order_id, status }) =>
        order_id !== order.id &&
        !isCancelled(status) &&
        (paid.has(pickup_request_id ?? '') || joiners.has(order_id ?? '')),
    )
    const cancelled = others.filter(({ id }) => ids.has(id)).length
    return { cancelled, left: others.length - cancelled }
  }
}

/** The number of parcels that remain in each of these locked pickups, of all orders. */
export async function countPickupsLeft(trx: DbOrTx, visits: readonly Visit[]): Promise<Map<string, number>> {
  const parcelCounts = new Map(visits.map(({ id }) => [id, 0]))
  for (const { pickup_request_id: pickup, status } of await listParcelsOfPickups(trx, [...parcelCounts.keys()])) {
    if (pickup !== null && !isCancelled(status)) parcelCounts.set(pickup, (parcelCounts.get(pickup) ?? 0) + 1)
  }
  return parcelCounts
}
