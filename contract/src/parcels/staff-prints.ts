/** Prints that staff make of any parcel. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { commaSeparated, id, idParams, integerText } from '../ground/fields.ts'
import { noteFormats } from './labels.ts'

/** Prints for any customer's parcels. Each print is recorded in the activity log. */

/** The maximum number of notes that staff print at once. */
export const staffNotesAtOnce = 100

export const staffNotes = endpoint({
  id: 'staff.notes',
  method: 'GET',
  path: '/api/staff/parcels/generate-cn',
  access: 'staff.operate',
  summary: 'Consignment notes of any parcels as one PDF (or ZPL), in the order of the ids',
  query: z.object({
    ids: z.pipe(commaSeparated(staffNotesAtOnce), z.array(id).check(z.minLength(1), z.maxLength(staffNotesAtOnce))),
    format: z._default(z.enum(noteFormats), 'a6' as const),
    /** On A4: the position of the first label, 1 (top left) to 4. */
    startAt: z._default(integerText(1, 4), 1),
  }),
  media: 'application/pdf',
})

export const staffCustomsDocument = endpoint({
  id: 'staff.customs',
  method: 'GET',
  path: '/api/staff/parcels/:id/customs',
  access: 'staff.operate',
  summary: 'The customs declaration (CN22 or CN23) of any international parcel as PDF',
  params: idParams,
  media: 'application/pdf',
})

export const staffCarrierLabel = endpoint({
  id: 'staff.carrierLabel',
  method: 'GET',
  path: '/api/staff/parcels/:id/carrier-label',
  access: 'staff.operate',
  summary: "The other carrier's own label of any parcel as PDF; 404 until the carrier has given it",
  params: idParams,
  media: 'application/pdf',
})

export const staffGunnyLabel = endpoint({
  id: 'staff.gunnyLabel',
  method: 'GET',
  path: '/api/staff/gunny/:id/label',
  access: 'staff.operate',
  summary: 'The label of any gunny',
  params: idParams,
  query: z.object({ format: z._default(z.enum(['a6', '4x6', 'zpl']), 'a6' as const) }),
  media: 'application/pdf',
})

export const staffGunnyManifest = endpoint({
  id: 'staff.gunnyManifest',
  method: 'GET',
  path: '/api/staff/gunny/:id/manifest',
  access: 'staff.operate',
  summary: 'The manifest of any gunny',
  params: idParams,
  media: 'application/pdf',
})

export const staffPickupList = endpoint({
  id: 'staff.pickupList',
  method: 'GET',
  path: '/api/staff/pickups/:id/list',
  access: 'staff.operate',
  summary: "A pickup's parcels as a list for the rider and the sender to sign",
  params: idParams,
  media: 'application/pdf',
})
