/** Proof dossiers: timeline, signature, photos and invoice of a parcel, an order or a month, in one file. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams } from '../ground/fields.ts'

export const dossierFormats = ['pdf', 'zip'] as const
export type DossierFormat = (typeof dossierFormats)[number]

const month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))

export const dossier = z.object({
  id,
  format: z.enum(dossierFormats),
  state: z.enum(['running', 'ready', 'failed']),
  /** Parcels written to the file so far, and in total. */
  done: z.number(),
  total: z.number(),
})
export type Dossier = z.output<typeof dossier>

const path = '/api/customer/dossiers'

export const createDossier = endpoint({
  id: 'dossiers.create',
  method: 'POST',
  path,
  access: 'customer.view',
  summary:
    'Makes a dossier of a parcel, of an order, or of all parcels delivered in a month, in the background. ' +
    'Exactly one of the three is set',
  body: z.object({
    format: z.enum(dossierFormats),
    parcelId: z._default(z.nullable(id), null),
    orderId: z._default(z.nullable(id), null),
    /** `YYYY-MM` in the time zone of the deployment. */
    month: z._default(z.nullable(month), null),
  }),
  response: dossier,
})

export const getDossier = endpoint({
  id: 'dossiers.get',
  method: 'GET',
  path: `${path}/:id`,
  access: 'customer.view',
  summary: 'The progress of a dossier',
  params: idParams,
  response: dossier,
})

export const downloadDossier = endpoint({
  id: 'dossiers.file',
  method: 'GET',
  path: `${path}/:id/file`,
  access: 'customer.view',
  summary: 'A finished dossier; it is kept for seven days',
  params: idParams,
  media: 'application/octet-stream',
})
