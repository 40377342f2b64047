/** Printing: consignment notes, and the artwork that a company prints on them. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { endpoint } from '../ground/endpoint.ts'
import type { ticketStatusLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { commaSeparated, day, id, idParams, instant, integerText, optionalText, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/**
 * Printed documents of parcels: consignment notes on every paper size, the rider's pickup list, a company's own
 * artwork.
 */

const base = '/api/customer/parcels'

/** A6 (105 x 148 mm), American 4 x 6 inch, A4 four-up, and the language of label printers (203 dpi). */
export const noteFormats = ['a6', '4x6', 'a4', 'zpl'] as const
export type NotePaper = (typeof noteFormats)[number]

/** The maximum number of notes in one response; larger prints become a print run. */
export const notesAtOnce = 1000
export const notesInRun = 10_000

const format = z._default(z.enum(noteFormats), 'a6' as const)
/** On A4: the position of the first label, 1 (top left) to 4, to use up a started sheet. */
const startAt = z._default(integerText(1, 4), 1)
const idList = z.pipe(commaSeparated(notesAtOnce), z.array(id).check(z.minLength(1), z.maxLength(notesAtOnce)))

export const generateNotes = endpoint({
  id: 'parcels.generateCn',
  method: 'GET',
  path: `${base}/generate-cn`,
  access: 'customer.view',
  summary: 'Consignment notes as one PDF (or ZPL), for any number of parcels, in the order of the ids',
  query: z.object({ ids: idList, format, startAt }),
  media: 'application/pdf',
})

export const postNotes = endpoint({
  id: 'parcels.generateCnPost',
  method: 'POST',
  path: `${base}/generate-cn`,
  access: 'customer.view',
  summary: 'The same with the ids in the body, for lists that are too long for a URL',
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(notesAtOnce)), format, startAt }),
  media: 'application/pdf',
})

const colour = z.string()

/** The first sheet as a drawing in millimetres, which a screen shows in its real size. */
export const previewNotes = endpoint({
  id: 'parcels.previewCn',
  method: 'POST',
  path: `${base}/generate-cn/preview`,
  access: 'customer.view',
  summary: 'The first sheet of a print as shapes in millimetres, and how many sheets there will be',
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(notesInRun)), format, startAt }),
  response: z.object({
    widthMm: z.number(),
    heightMm: z.number(),
    sheets: z.number(),
    shapes: z.array(
      z.union([
        z.object({
          kind: z.literal('text'),
          text: z.string(),
          x: z.number(),
          y: z.number(),
          width: z.number(),
          /** Of the em, in millimetres. */
          size: z.number(),
          bold: z.boolean(),
          colour,
        }),
        /** An SVG path, filled. */
        z.object({ kind: z.literal('path'), d: z.string(), colour }),
        z.object({
          kind: z.literal('frame'),
          x: z.number(),
          y: z.number(),
          width: z.number(),
          height: z.number(),
          line: z.number(),
        }),
        z.object({
          kind: z.literal('image'),
          x: z.number(),
          y: z.number(),
          width: z.number(),
          height: z.number(),
          href: z.string(),
        }),
      ]),
    ),
  }),
})

const printRun = z.object({
  id,
  total: z.number(),
  /** The number of notes that the latest download has drawn so far. */
  printed: z.number(),
  finished: z.boolean(),
  format: z.enum(noteFormats),
  createdAt: instant,
})
export type PrintRun = z.output<typeof printRun>

export const createPrintRun = endpoint({
  id: 'parcels.createPrintRun',
  method: 'POST',
  path: `${base}/print-runs`,
  access: 'customer.view',
  summary: 'Prepares a print run of up to 10,000 notes: everything is checked now and rendered at the download',
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(notesInRun)), format, startAt }),
  response: printRun,
  idempotent: true,
})

export const getPrintRun = endpoint({
  id: 'parcels.printRun',
  method: 'GET',
  path: `${base}/print-runs/:id`,
  access: 'customer.view',
  summary: 'The progress of a print run',
  params: idParams,
  response: printRun,
})

export const downloadPrintRun = endpoint({
  id: 'parcels.printRunFile',
  method: 'GET',
  path: `${base}/print-runs/:id/file`,
  access: 'customer.view',
  summary: 'The notes of a print run, rendered while they are sent; can be downloaded again',
  params: idParams,
  media: 'application/pdf',
})

const pickupParcel = z.object({
  id,
  trackingNumber: z.string(),
  reference: z.nullable(z.string()),
  receiverName: z.string(),
  receiverPlace: z.string(),
  weightGrams: z.number(),
  codAmountMinor: z.nullable(z.number()),
  currency: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
})

export const pickupGroup = z.object({
  /** Null: parcels that wait for a rider whose request is not known. */
  pickup: z.nullable(z.object({ id, number: z.string(), date: day, window: z.string(), address: party })),
  parcels: z.array(pickupParcel),
  totalWeightGrams: z.number(),
})
export type PickupGroup = z.output<typeof pickupGroup>

export const pickupList = endpoint({
  id: 'parcels.pickupList',
  method: 'GET',
  path: `${base}/pickup-list`,
  access: 'customer.view',
  summary: 'Parcels that wait for the rider, by pickup, as JSON or (format=pdf) as a list for the rider to sign',
  query: z.object({
    format: z._default(z.enum(['json', 'pdf']), 'json' as const),
    pickupRequestId: z.optional(id),
    date: z.optional(day),
  }),
  response: z.object({ groups: z.array(pickupGroup), parcelCount: z.number() }),
  // Exactly one of the two, depending on `format`.
  media: 'application/pdf',
})

/** The specification's statuses of a branding ticket, without open and closed. */
export const artworkStatuses = [
  'draft.in_progress',
  'draft.ready',
  'draft.rejected',
  'draft.completed',
  'artwork.rejected',
  'artwork.approved',
] as const satisfies readonly (keyof typeof ticketStatusLabels)[]
export type ArtworkStatus = (typeof artworkStatuses)[number]

export const artworkEvents = [
  'submitted',
  'draft_rejected',
  'draft_accepted',
  'artwork_rejected',
  'artwork_approved',
] as const
export type ArtworkEvent = (typeof artworkEvents)[number]
/** The decisions of staff; submitting is up to the owner. */
export const artworkDecisions = ['draft_rejected', 'draft_accepted', 'artwork_rejected', 'artwork_approved'] as const

export const artwork = z.object({
  id,
  version,
  attachmentId: id,
  status: z.enum(artworkStatuses),
  remark: z.nullable(z.string()),
  /** A link to the picture that expires. */
  imageUrl: z.nullable(z.string()),
  /** The artwork that is printed on the notes. */
  printed: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
})
export type Artwork = z.output<typeof artwork>

export const listArtworks = endpoint({
  id: 'artworks.list',
  method: 'GET',
  path: '/api/customer/artworks',
  access: 'corporate.owner',
  summary: 'The company’s artwork for its consignment notes, the latest first',
  response: z.object({ items: z.array(artwork) }),
})

export const createArtwork = endpoint({
  id: 'artworks.create',
  method: 'POST',
  path: '/api/customer/artworks',
  access: 'corporate.owner',
  summary: 'Creates an artwork from an uploaded image',
  body: z.object({ attachmentId: id }),
  response: artwork,
})

export const submitArtwork = endpoint({
  id: 'artworks.submit',
  method: 'POST',
  path: '/api/customer/artworks/:id/submit',
  access: 'corporate.owner',
  summary: 'Submits a draft for review',
  params: idParams,
  body: z.object({ version }),
  response: artwork,
})

const staffArtwork = z.extend(artwork, {
  accountName: z.string(),
  allowed: z.array(z.enum(artworkDecisions)),
})
export type StaffArtwork = z.output<typeof staffArtwork>

const artworkFilters = { status: z.optional(z.enum(artworkStatuses)) }

export const exportArtworks = endpoint({
  id: 'staff.artworksXls',
  method: 'GET',
  path: '/api/staff/artworks/xls',
  access: 'staff.accounts',
  summary: 'The artwork that the same filters list, all of it, as .xlsx or .csv; without the pictures',
  query: z.object({ ...artworkFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const staffArtworks = endpoint({
  id: 'staff.artworks',
  method: 'GET',
  path: '/api/staff/artworks',
  access: 'staff.accounts',
  summary: 'Artwork of all companies by status, those changed last first',
  query: z.extend(listQuery(['updatedAt']), artworkFilters),
  response: page(staffArtwork),
})

export const decideArtwork = endpoint({
  id: 'staff.decideArtwork',
  method: 'POST',
  path: '/api/staff/artworks/:id/decide',
  access: 'staff.accounts',
  summary: 'Moves an artwork to its next status; a rejection needs a reason',
  params: idParams,
  body: z.object({ version, event: z.enum(artworkDecisions), remark: optionalText(400) }),
  response: staffArtwork,
})
