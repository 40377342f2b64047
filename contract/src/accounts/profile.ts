/** The signed-in user's own photo and preferences. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, locale, ok, version } from '../ground/fields.ts'
import { sessionUser } from './sign-in.ts'

const photo = z.object({
  /** A signed link that is valid for a quarter of an hour; null: there is no photo. */
  url: z.nullable(z.string()),
})

export const getPhoto = endpoint({
  id: 'auth.photo',
  method: 'GET',
  path: '/api/customer/auth/photo',
  access: 'signedIn',
  summary: 'A new link to the photo of the signed-in user',
  response: photo,
})

export const putPhoto = endpoint({
  id: 'auth.photoPut',
  method: 'PUT',
  path: '/api/customer/auth/photo',
  access: 'signedIn',
  summary: 'Sets the profile photo: a square upload with the purpose profile_photo',
  body: z.object({ attachmentId: id }),
  response: photo,
})

export const deletePhoto = endpoint({
  id: 'auth.photoDelete',
  method: 'DELETE',
  path: '/api/customer/auth/photo',
  access: 'signedIn',
  summary: 'Removes the photo',
  response: ok,
})

export const putPreferences = endpoint({
  id: 'auth.preferences',
  method: 'PUT',
  path: '/api/customer/auth/preferences',
  access: 'signedIn',
  summary: "Language and units of the signed-in user; null is the deployment's unit. A stale version answers 409",
  body: z.object({
    language: locale,
    weightUnit: z.nullable(z.enum(['kg', 'lb'])),
    dimensionUnit: z.nullable(z.enum(['cm', 'in'])),
    version,
  }),
  response: z.object({ user: sessionUser }),
})

export const getPreferences = endpoint({
  id: 'auth.preferencesGet',
  method: 'GET',
  path: '/api/customer/auth/preferences',
  access: 'signedIn',
  summary: 'Language and units of the signed-in user',
  response: z.object({ user: sessionUser }),
})
