/**
 * Visitors follow a parcel by email, confirmed and ended through links in mails, or by push messages to their browser.
 */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { email, ok } from '../ground/fields.ts'
import { pushSubscription } from '../notifications/push.ts'
import {
  endFollowingRequest,
  followByPushRequest,
  followingRequest,
  followKeyRequest,
  followRequest,
} from './requests.ts'

const number = z.string().check(z.minLength(1), z.maxLength(40))

export const followParcel = endpoint({
  ...followRequest,
  body: z.object({ number, email }),
  response: ok,
})

export const getFollowKey = endpoint({
  ...followKeyRequest,
  response: z.object({ publicKey: z.nullable(z.string()) }),
})

export const followByPush = endpoint({
  ...followByPushRequest,
  body: z.object({ number, ...pushSubscription.shape }),
  response: z.object({ token: z.string() }),
})

const path = '/api/public/following/:token'
const params = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/** The parcel of a link in a mail. */
export const following = z.object({ trackingNumber: z.string(), confirmed: z.boolean() })
export type Following = z.output<typeof following>

export const getFollowing = endpoint({
  ...followingRequest,
  params,
  response: following,
})

export const confirmFollowing = endpoint({
  id: 'tracking.followingConfirm',
  method: 'POST',
  path: `${path}/confirm`,
  access: 'public',
  summary: 'Confirms a subscription to the mails about a parcel',
  params,
  response: following,
  perMinute: 20,
})

export const endFollowing = endpoint({
  ...endFollowingRequest,
  params,
  response: ok,
})

/** Mail programs without one-click unsubscribe open the same address in a browser. */
export const openFollowingEnd = endpoint({
  id: 'tracking.followingEndPage',
  method: 'GET',
  path: `${path}/end`,
  access: 'public',
  summary: 'Redirects to the unsubscribe page; changes nothing, because mail programs prefetch links',
  params,
  media: 'text/html',
})
