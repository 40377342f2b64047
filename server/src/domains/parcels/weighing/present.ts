// Re-weighings as the contract has them.
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { Weighing } from '@waybill/contract/parcels/weighing'
import { getDimensions } from '../rules.ts'
import type { WeighingRow } from './queries.ts'
import { isPaid } from './status.ts'

/** Formats a re-weighing for its sender and staff; deleted photos are omitted. */
export function presentWeighing(
  row: WeighingRow,
  station: string | null,
  photos: ReadonlyMap<string, Pick<Attachment, 'id' | 'link'>>,
): Weighing {
  const photo = (id: string | null) => {
    const attachment = id === null ? undefined : photos.get(id)
    return attachment ? { id: attachment.id, link: attachment.link } : null
  }
  return {
    id: row.id,
    version: row.version,
    parcelId: row.parcel_id,
    trackingNumber: row.tracking_number,
    state: row.state,
    at: row.created_at.toISOString(),
    station,
    declaredGrams: row.declared_grams,
    weightGrams: row.weight_grams,
    dimensions: getDimensions(row),
    chargeableBeforeGrams: row.price_before.chargeableGrams,
    chargeableGrams: row.price_after.chargeableGrams,
    scaleReading: row.scale_reading,
    photo: photo(row.photo_id),
    differenceMinor: row.difference_minor,
    dueMinor: isPaid(row) ? 0 : Math.max(0, row.difference_minor),
    currency: row.currency,
    contestUntil: row.state === 'open' ? (row.contest_until?.toISOString() ?? null) : null,
    reason: row.reason,
    photos: row.photo_ids.flatMap((id) => photo(id) ?? []),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionNote: row.decision_note,
  }
}
