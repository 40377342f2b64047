/** Parcels that staff look for without a tracking number: of an order, or by their receiver. */
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import { type FoundParcel, longestText } from '@waybill/contract/search/search'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { accountNames } from '../accounts/service.ts'
import { findOrderByNumber } from '../orders/service.ts'
import { findParcelsByReceiver, listParcelsOfOrder } from '../parcels/counter/service.ts'

/**
 * At most `limit` parcels, and whether there are more. Staff of a station find names only at their own; those of no
 * station at `stationId`.
 */
export async function findParcelsForStaff(
  deps: Deps,
  caller: StaffCaller,
  text: string,
  { limit, stationId }: { limit: number; stationId: string | null },
): Promise<{ items: FoundParcel[]; more: boolean }> {
  if (text.length > longestText) return { items: [], more: false }
  const number = toStoredNumber(text)
  const order = number.startsWith('ORD-') ? await findOrderByNumber(deps.db, number) : null
  const rows = order
    ? await listParcelsOfOrder(deps, order.id, limit + 1)
    : await findParcelsByReceiver(deps, text, caller.stationId ?? stationId, limit + 1)
  const shownRows = rows.slice(0, limit)
  const names = await accountNames(deps.db, [...new Set(shownRows.map((row) => row.account_id))])
  const items = shownRows.map((row) => ({
    id: row.id,
    trackingNumber: row.tracking_number ?? '',
    status: row.status,
    leg: row.leg,
    receiverName: row.receiver?.contactName ?? '',
    receiverCity: row.receiver?.city ?? '',
    accountName: names.get(row.account_id) ?? '',
  }))
  return { items, more: rows.length > limit }
}
