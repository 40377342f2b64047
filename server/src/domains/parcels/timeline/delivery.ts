// The delivery of a parcel as its receiver may see it.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { Deps } from '../../../deps.ts'
import { listAttachmentsBySubject } from '../../attachments/service.ts'
import { parcelByNumber } from '../queries.ts'
import { endStatuses } from '../status.ts'
import { proofsOfParcels } from './queries.ts'

/** A parcel with its receiver, and a reader of its proof. */
export type Delivery = {
  parcelId: string
  trackingNumber: string
  receiver: Party
  /** Null before the delivery, and once the parcel is back with its sender: that proof is the sender's. */
  readProof(): Promise<DeliveryProof | null>
}
export type DeliveryProof = {
  at: Date
  recipientName: string
  signaturePath: string | null
  photos: Pick<Attachment, 'id' | 'link'>[]
}

/** The delivery of a tracking number, of any account: the caller checks that a reader is its receiver. */
export async function findDelivery(deps: Deps, trackingNumber: string): Promise<Delivery | null> {
  const row = await parcelByNumber(deps.db, trackingNumber)
  if (!row?.receiver) return null
  const { id, account_id: accountId, receiver } = row
  const isBack = row.leg === 'return' && (endStatuses as readonly string[]).includes(row.status)
  return {
    parcelId: id,
    trackingNumber,
    receiver,
    async readProof() {
      const [proof] = isBack ? [] : await proofsOfParcels(deps.db, [accountId], [id])
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
