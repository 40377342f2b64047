/** Signed links to uploaded files. */
import type { Readable } from 'node:stream'
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../http/errors.ts'
import { hmacSha256, isMacOfAny } from '../../lib/crypto.ts'
import { presentAttachment } from './present.ts'
import { type AttachmentRow, findAttachment } from './queries.ts'
import { linkEnd } from './rules.ts'

/** An attachment for the API, with a fresh link. */
export function presentWithLink(deps: Deps, row: AttachmentRow): Attachment {
  return presentAttachment(row, attachmentLink(deps, row))
}

const linkPurpose = 'file links'
const linkSignature = (key: Buffer, id: string, end: number): Buffer => hmacSha256(key, `${id}.${end}`)

/**
 * A link to the content that needs no session and is valid for a quarter of an hour. It is on the file host if there
 * is one, else a path of the portal.
 */
export function attachmentLink(
  deps: Deps,
  row: Pick<AttachmentRow, 'id' | 'type' | 'url'>,
): { address: string; endsAt: Date | null } {
  if (row.type === 'url') return { address: row.url ?? '', endsAt: null }
  const end = linkEnd(deps.clock.now().getTime())
  const signature = linkSignature(deps.keys.derive(linkPurpose), row.id, end).toString('base64url')
  const host = deps.config.http.fileHostUrl ?? ''
  return {
    address: `${host}/${row.id}/file?expires=${end}&signature=${signature}`,
    endsAt: new Date(end * 1000),
  }
}

/**
 * The file behind a signed link. Throws not_found for a wrong or expired signature as well as for a deleted file: the
 * answer must not reveal which files exist.
 */
export async function findFileOfLink(
  deps: Deps,
  id: string,
  link: { expires: number; signature: string },
): Promise<{ row: AttachmentRow; open: () => Promise<Readable> }> {
  const ends = link.expires * 1000
  const now = deps.clock.now().getTime()
  const genuine = isMacOfAny(deps.keys.derivations(linkPurpose), Buffer.from(link.signature, 'base64url'), (key) =>
    linkSignature(key, id, link.expires),
  )
  if (!genuine || ends <= now) throw new AppError('not_found')
  const row = await findAttachment(deps.db, id)
  const key = row?.storage_key
  if (!row || !key) throw new AppError('not_found')
  const open = async () => {
    const stream = await deps.files.read(key)
    if (!stream) throw new AppError('not_found')
    return stream
  }
  return { row, open }
}
