/** Routes of attachments. */
import {
  createAttachment,
  deleteAttachment,
  getAttachment,
  getFile,
  getLogo,
  imageMediaTypes,
  largestFileBytes,
  updateAttachment,
} from '@waybill/contract/attachments/attachments'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type AnyCaller, customer, staff } from '../../http/caller.ts'
import { type Call, route } from '../../http/route.ts'
import { readUpload } from '../../http/uploads.ts'
import { openLogo } from './company-logo.ts'
import { findFileOfLink } from './file-links.ts'
import { readAttachment, removeAttachment, replaceAttachment, uploadAttachment } from './manage-uploads.ts'

const signedIn = (caller: AnyCaller) => (caller.kind === 'staff' ? staff(caller) : customer(caller))

/** Uploads of customers and staff. */
export function attachmentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, createAttachment, async ({ caller, request }) => {
    const { fields, file } = await readUpload(deps, request, createAttachment, largestFileBytes)
    return uploadAttachment(deps, signedIn(caller), fields.purpose, { ...fields, file })
  })
  route(app, deps, updateAttachment, async ({ caller, params, request }) => {
    const { fields, file } = await readUpload(deps, request, updateAttachment, largestFileBytes)
    return replaceAttachment(deps, signedIn(caller), params.id, fields.version, { ...fields, file })
  })
  route(app, deps, deleteAttachment, ({ caller, params }) => removeAttachment(deps, signedIn(caller), params.id))
  route(app, deps, getAttachment, ({ caller, params }) => readAttachment(deps, signedIn(caller), params.id))
}

/** The only page of the file host: the file behind a signed link. Nothing in an uploaded file may run. */
export function fileHostRoutes(app: FastifyInstance, deps: Deps): void {
  const serve = async ({ params, query, request, reply }: Call<typeof getFile>) => {
    const { row, open } = await findFileOfLink(deps, params.id, query)
    const etag = `"${row.sha256?.toString('base64url')}"`
    reply
      .header('cache-control', 'private, no-cache')
      .header('etag', etag)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('referrer-policy', 'no-referrer')
      // A portal on another host shows these pictures.
      .header('cross-origin-resource-policy', deps.config.http.fileHostUrl ? 'cross-origin' : 'same-origin')
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    const image = (imageMediaTypes as readonly string[]).includes(row.media_type ?? '')
    return reply
      .header('content-disposition', disposition(image ? 'inline' : 'attachment', row.name))
      .header('content-length', row.bytes ?? undefined)
      .type(row.media_type ?? 'application/octet-stream')
      .send(await open())
  }
  route(app, deps, getLogo, async ({ params, reply }) => {
    const content = await openLogo(deps, params.id)
    reply
      // A new logo gets a new URL, so caches never serve an old one.
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      // Mail programs and a portal on another host show it.
      .header('cross-origin-resource-policy', 'cross-origin')
    return content
  })
  // A malformed link gets the same answer as an expired one, which must not be distinguishable.
  route(app, deps, getFile, serve, { invalid: 'not_found' })
}

/** RFC 6266: an ASCII name for old clients, and the full name. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}
