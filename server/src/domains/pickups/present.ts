// Pickups as the contract has them.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { TaskStatus } from '@waybill/contract/ground/enums/enums'
import type { Leg } from '@waybill/contract/ground/enums/parcel-enums'
import type { PickupFailureReason, PickupParcel, PickupRequest } from '@waybill/contract/pickups/pickups'
import type { ParcelRow } from '../parcels/queries.ts'
import type { PickupRow } from './queries.ts'

export function presentPickup(row: PickupRow): PickupRequest {
  return {
    id: row.id,
    number: row.number,
    orderId: row.order_id,
    leg: row.leg as Leg,
    status: row.status as TaskStatus,
    address: row.address as Party,
    date: row.pickup_date,
    window: row.pickup_window,
    parcelCount: row.parcel_count,
    failureReason: row.failure_reason as PickupFailureReason | null,
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    version: row.version,
  }
}

export function presentPickupParcel(row: ParcelRow): PickupParcel {
  return {
    id: row.id,
    trackingNumber: row.tracking_number,
    reference: row.reference,
    status: row.status,
    receiverName: row.receiver?.contactName ?? null,
    receiverCity: row.receiver?.city ?? null,
    weightGrams: row.weight_grams,
  }
}

/** Whether the rider of this pickup has picked up the parcel. */
export function isPicked(row: ParcelRow, pickup: Pick<PickupRow, 'leg'>): boolean {
  return pickup.leg === 'return' ? row.leg === 'return' : row.handed_over
}
