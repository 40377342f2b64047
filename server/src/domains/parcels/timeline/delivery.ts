// The delivery of a parcel as its receiver may see it.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Attachment } from '@waybill/contract/attachments/attachments'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { listAttachmentsBySubject } from '../../attachments/service.ts'
import { findParcelByNumber, listParcelsOfAnyAccount, type ParcelRow } from '../queries.ts'
import { listProofs } from './queries.ts'

/** A parcel with its receiver, and a function that reads its proof. */
export type Delivery = {
  parcelId: string
  trackingNumber: string
  receiver: Party
  /** Null before the delivery, and once the parcel is back with its sender: then the proof is the sender's. */
  readProof(): Promise<DeliveryProof | null>
}
export type DeliveryProof = {
  at: Date
  recipientName: string
  signaturePath: string | null
  photos: Pick<Attachment, 'id' | 'link'>[]
}

/** The delivery of a tracking number, of any account: the caller checks that the reader is its receiver. */
export async function findDelivery(deps: Deps, trackingNumber: string): Promise<Delivery | null> {
  const row = await findParcelByNumber(deps.db, trackingNumber)
  if (!row?.receiver) return null
  const { id, account_id: accountId, receiver } = row
  const isBack = row.leg === 'return' && isEnded(row.status)
  return {
    parcelId: id,
    trackingNumber,
    receiver,
    async readProof() {
      const [proof] = isBack ? [] : await listProofs(deps.db, [accountId], [id])
      if (!proof) return null
      const photos = (await listAttachmentsBySubject(deps, deps.db, 'parcel_proof', [id])).get(id) ?? []
      return {
        at: proof.at,
        recipientName: proof.recipient_name,
        signaturePath: proof.signature_path,
        photos: photos.map(({ id, link }) => ({ id, link })),
      }
    },
  }
}

/** A parcel with a number, for its followers. */
export type PublicParcel = { accountId: string; parcelId: string; trackingNumber: string; hasEnded: boolean }

export async function findParcelOfNumber(db: DbOrTx, trackingNumber: string): Promise<PublicParcel | null> {
  return toPublicParcel(await findParcelByNumber(db, trackingNumber))
}

export async function findParcelOfRow(db: DbOrTx, id: string): Promise<PublicParcel | null> {
  return toPublicParcel((await listParcelsOfAnyAccount(db, [id]))[0] ?? null)
}

function toPublicParcel(row: ParcelRow | null): PublicParcel | null {
  if (row === null || row.tracking_number === null) return null
  const { account_id: accountId, id: parcelId, tracking_number: trackingNumber } = row
  return { accountId, parcelId, trackingNumber, hasEnded: isEnded(row.status) }
}
