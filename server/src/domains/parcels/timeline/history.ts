// The histories of parcels for dossiers: timeline, proof and photos.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { listAttachmentsBySubject } from '../../attachments/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { toTimelineEvent } from '../present.ts'
import type { ParcelRow } from '../queries.ts'
import { listAttemptPhotos } from './attempt-photos.ts'
import { listEventsOfParcels, listProofs } from './queries.ts'
import { countParcelsInScope, type HistoryScope, parcelsAfter } from './queries-history.ts'

type HistoryEvent = {
  at: string
  /** The event's name, and its title in the language of the dossier. */
  event: string
  title: string
  place: string | null
  note: string | null
  photoIds: string[]
}

/** A parcel with everything that proves its delivery. Events are newest first. */
export type ParcelHistory = {
  trackingNumber: string
  reference: string | null
  orderId: string | null
  service: string
  sender: Party | null
  receiver: Party | null
  createdAt: Date
  events: HistoryEvent[]
  proof: { at: Date; recipientName: string; signaturePath: string | null; photoIds: string[] } | null
}

/** The number of parcels whose timelines are in memory at a time. */
const batch = 50

export async function countHistories(db: DbOrTx, scope: HistoryScope): Promise<number> {
  return countParcelsInScope(db, scope)
}

/** The parcels of a scope one by one, oldest first, read in batches. */
export async function* listHistories(deps: Deps, scope: HistoryScope, locale: Locale): AsyncGenerator<ParcelHistory> {
  let last: ParcelRow | null = null
  for (;;) {
    const rows: ParcelRow[] = await parcelsAfter(deps.db, scope, last, batch)
    yield* await readHistories(deps, scope, rows, locale)
    last = rows.at(-1) ?? null
    if (rows.length < batch) return
  }
}

async function readHistories(
  deps: Deps,
  { accountId }: HistoryScope,
  rows: readonly ParcelRow[],
  locale: Locale,
): Promise<ParcelHistory[]> {
  if (rows.length === 0) return []
  const t = deps.translations(locale)
  const ids = rows.map(({ id }) => id)
  const since = new Date(Math.min(...rows.map(({ created_at }) => created_at.getTime())))
  const [events, proofs, proofPhotos] = await Promise.all([
    listEventsOfParcels(deps.db, ids, since),
    listProofs(deps.db, [accountId], ids),
    listAttachmentsBySubject(deps, deps.db, 'parcel_proof', ids),
  ])
  const stationIds = events.map(({ station_id }) => station_id).filter((id) => id !== null)
  const [stations, attemptPhotos] = await Promise.all([
    findStationsById(deps.db, [...new Set(stationIds)]),
    listAttemptPhotos(deps, events),
  ])
  const eventsById = Map.groupBy(events, ({ parcel_id }) => parcel_id)
  return rows.map((row) => {
    const proof = proofs.find(({ parcel_id }) => parcel_id === row.id)
    return {
      trackingNumber: row.tracking_number ?? '',
      reference: row.reference,
      orderId: row.order_id,
      service: [
        row.service_type && enumLabel(serviceTypeLabels, row.service_type, locale),
        row.delivery_mode && enumLabel(deliveryModeLabels, row.delivery_mode, locale),
      ]
        .filter(Boolean)
        .join(' · '),
      sender: row.sender,
      receiver: row.receiver,
      createdAt: row.created_at,
      events: (eventsById.get(row.id) ?? []).map((event) => {
        const { at, event: name, place, station, note } = toTimelineEvent(event, stations, t)
        const photoIds = (attemptPhotos.get(event.id) ?? []).map(({ id }) => id)
        return { at, event: name, title: t(`event.${name}`), place: station ?? place, note, photoIds }
      }),
      proof: proof
        ? {
            at: proof.at,
            recipientName: proof.recipient_name,
            signaturePath: proof.signature_path,
            photoIds: (proofPhotos.get(row.id) ?? []).map(({ id }) => id),
          }
        : null,
    }
  })
}
