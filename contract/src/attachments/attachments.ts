/** Uploaded files and links: limits, purposes, and the calls that create and delete them. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { attachmentTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, integerText, ok, text, url } from '../ground/fields.ts'

/** The size limit of a file, and the longest side of a stored image: larger images are scaled down. */
export const largestFileBytes = 10 * 1024 * 1024
export const longestSidePixels = 2560
/** The side of a profile photo, which is cropped to a square. */
export const profilePhotoPixels = 512
/** The pixel limit of an image, checked before decoding: a small file can unpack to gigabytes. */
export const maxPixels = 50_000_000

/**
 * Images are recognized by their content and re-encoded. A PDF is stored unchanged and only offered as a download.
 */
export const imageMediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export const pdfMediaType = 'application/pdf'

/**
 * The purposes of attachments: who may upload them, and whether a PDF or a link is allowed. A link proves nothing and
 * can change later, so no record takes one. `general` is an upload without a purpose: it gets the purpose of the first
 * record that uses it, if caller and content are allowed there.
 */
export const attachmentPurposes = {
  general: { by: 'anyone', pdf: true, link: true },
  parcel_photo: { by: 'customer', pdf: false, link: false },
  dispute_photo: { by: 'customer', pdf: false, link: false },
  reweigh_photo: { by: 'staff', pdf: false, link: false },
  proof_photo: { by: 'staff', pdf: false, link: false },
  artwork: { by: 'customer', pdf: true, link: false },
  artwork_draft: { by: 'staff', pdf: true, link: false },
  profile_photo: { by: 'anyone', pdf: false, link: false },
  message: { by: 'anyone', pdf: true, link: false },
  ticket_document: { by: 'customer', pdf: true, link: false },
  banner: { by: 'staff', pdf: false, link: false },
  logo: { by: 'staff', pdf: false, link: false },
  customs_document: { by: 'customer', pdf: true, link: false },
  payment_slip: { by: 'anyone', pdf: true, link: false },
} as const satisfies Record<string, { by: 'customer' | 'staff' | 'anyone'; pdf: boolean; link: boolean }>
export type AttachmentPurpose = keyof typeof attachmentPurposes
const purposes = Object.keys(attachmentPurposes) as [AttachmentPurpose, ...AttachmentPurpose[]]

export const attachment = z.object({
  id,
  type: z.enum(labelValues(attachmentTypeLabels)),
  purpose: z.enum(purposes),
  name: z.string(),
  /** Only for a file. */
  mediaType: z.nullable(z.string()),
  bytes: z.nullable(z.number()),
  /** Only for an image, in pixels. */
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /**
   * Type `url`: the address itself. Type `file`: a signed URL on the file host that is valid until `linkExpiresAt`; a
   * path if the file host is the portal.
   */
  link: z.string(),
  linkExpiresAt: z.nullable(instant),
  /** In use by a record, so it cannot be changed or deleted separately. */
  claimed: z.boolean(),
  createdAt: instant,
  version: z.number(),
})
export type Attachment = z.output<typeof attachment>

const name = z.optional(text(200))
/** A link; only http and https addresses. */
const link = z.optional(url.check(z.regex(/^https?:\/\//i)))

export const createAttachment = endpoint({
  id: 'attachments.create',
  method: 'POST',
  path: '/api/attachments/create',
  access: 'signedIn',
  summary: 'Uploads a file (field `file`) or stores a link (field `url`); deleted if it is not used within a day',
  upload: z.object({ purpose: z._default(z.enum(purposes), 'general'), name, url: link }),
  response: attachment,
  perMinute: 60,
})

export const updateAttachment = endpoint({
  id: 'attachments.update',
  method: 'POST',
  path: '/api/attachments/update/:id',
  access: 'signedIn',
  summary: 'Replaces the file, link or name of an attachment that is not in use yet',
  params: idParams,
  upload: z.object({ version: integerText(1), name, url: link }),
  response: attachment,
  perMinute: 60,
})

export const deleteAttachment = endpoint({
  id: 'attachments.delete',
  method: 'DELETE',
  path: '/api/attachments/delete/:id',
  access: 'signedIn',
  summary: 'Deletes an attachment that is not in use yet',
  params: idParams,
  response: ok,
})

export const getAttachment = endpoint({
  id: 'attachments.get',
  method: 'GET',
  path: '/api/attachments/:id',
  access: 'signedIn',
  summary: 'The details of an attachment, with a link that is valid for 15 minutes',
  params: idParams,
  response: attachment,
})

/** The longest side of a logo, stored as PNG: documents and mail programs support no other type with transparency. */
export const logoPixels = 800

export const getLogo = endpoint({
  id: 'attachments.logo',
  method: 'GET',
  path: '/api/public/logo/:id',
  access: 'public',
  summary: 'The logo of the deployment, as PNG; 404 for any other attachment',
  params: idParams,
  media: 'image/png',
})

/** Its base is the file host, if there is one. The link of an attachment contains both values of the query. */
export const getFile = endpoint({
  id: 'attachments.file',
  method: 'GET',
  path: '/:id/file',
  access: 'public',
  summary: 'The content of an attachment by its signed link; 404 once the link has ended',
  params: idParams,
  query: z.object({
    /** Seconds since 1970. */
    expires: integerText(0, 1e11),
    signature: z.string().check(z.regex(/^[\w-]{43}$/)),
  }),
  media: 'application/octet-stream',
})
