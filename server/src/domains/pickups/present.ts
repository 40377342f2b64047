import type { Party } from '@waybill/contract/addresses'
import type { TaskStatus } from '@waybill/contract/enums'
import type { PickupRequest } from '@waybill/contract/pickups'
import type { PickupRow } from './queries.ts'

export function presentPickup(row: PickupRow): PickupRequest {
  return {
    id: row.id,
    number: row.number,
    orderId: row.order_id,
    status: row.status as TaskStatus,
    address: row.address as Party,
    date: row.pickup_date,
    window: row.pickup_window,
    parcelCount: row.parcel_count,
    createdAt: row.created_at.toISOString(),
  }
}
