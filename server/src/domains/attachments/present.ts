/** Formats attachments for the API. */
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { AttachmentRow } from './queries.ts'

/** An attachment with its link. */
export function presentAttachment(row: AttachmentRow, link: { address: string; endsAt: Date | null }): Attachment {
  return {
    id: row.id,
    type: row.type,
    purpose: row.purpose,
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    link: link.address,
    linkExpiresAt: link.endsAt?.toISOString() ?? null,
    claimed: row.claimed_at !== null,
    createdAt: row.created_at.toISOString(),
    version: row.version,
  }
}
