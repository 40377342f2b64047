/** Visitors follow a parcel by email: asked for on the public page, confirmed and ended by links of mails. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { email, ok } from '../ground/fields.ts'
import { followRequest } from './requests.ts'

export const followParcel = endpoint({
  ...followRequest,
  body: z.object({ number: z.string().check(z.minLength(1), z.maxLength(40)), email }),
  response: ok,
})

const path = '/api/public/following/:token'
const params = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/** What a link of a mail is about. */
export const following = z.object({ trackingNumber: z.string(), confirmed: z.boolean() })
export type Following = z.output<typeof following>

export const getFollowing = endpoint({
  id: 'tracking.following',
  method: 'GET',
  path,
  access: 'public',
  summary: 'Which parcel the link of a mail is about, and whether it is followed; changes nothing',
  params,
  response: following,
  perMinute: 60,
})

export const confirmFollowing = endpoint({
  id: 'tracking.followingConfirm',
  method: 'POST',
  path: `${path}/confirm`,
  access: 'public',
  summary: 'Confirms that the reader of the mail wants to follow the parcel',
  params,
  response: following,
  perMinute: 20,
})

export const endFollowing = endpoint({
  id: 'tracking.followingEnd',
  method: 'POST',
  path: `${path}/end`,
  access: 'public',
  summary: 'Ends following; mail programs post here with one click (RFC 8058)',
  params,
  response: ok,
})

/** Mail programs that know no one-click end open the same address in a browser. */
export const openFollowingEnd = endpoint({
  id: 'tracking.followingEndPage',
  method: 'GET',
  path: `${path}/end`,
  access: 'public',
  summary: 'Leads to the page that ends following; changes nothing, because programs fetch links ahead',
  params,
  media: 'text/html',
})
