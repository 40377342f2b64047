/** Links with which receivers enter their own address. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { email, id, idParams, instant, locale, ok, optionalText } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { override, party } from './addresses.ts'

export const requestStatuses = ['open', 'answered', 'expired', 'withdrawn'] as const

/** A link as its sender sees it. The link itself is shown once, when it is created. */
export const addressRequest = z.object({
  id,
  label: z.nullable(z.string()),
  /** The address to which the link was mailed. */
  email: z.nullable(z.string()),
  status: z.enum(requestStatuses),
  createdAt: instant,
  expiresAt: instant,
  answeredAt: z.nullable(instant),
  /** The address that the receiver entered, unless it was deleted. */
  addressId: z.nullable(id),
})
export type AddressRequest = z.output<typeof addressRequest>

const path = '/api/customer/address/requests'

export const createAddressRequest = endpoint({
  id: 'addressRequests.create',
  method: 'POST',
  path,
  access: 'addresses',
  summary: 'Creates a link for a receiver to enter their address; with `email` it is mailed to them',
  body: z.object({
    /** Becomes the label of the address. The receiver does not see it. */
    label: optionalText(60),
    email: z._default(z.nullable(email), null),
    /** The language of the mail. */
    language: z.optional(locale),
  }),
  response: z.object({ request: addressRequest, url: z.string() }),
  idempotent: true,
  showsSecret: true,
})

export const listAddressRequests = endpoint({
  id: 'addressRequests.list',
  method: 'GET',
  path,
  access: 'addresses.view',
  summary: 'The links, newest first',
  query: listQuery(['createdAt']),
  response: page(addressRequest),
})

export const exportAddressRequests = endpoint({
  id: 'addressRequests.xls',
  method: 'GET',
  path: `${path}/xls`,
  access: 'addresses.view',
  summary: 'The links, all of them, as .xlsx or .csv; who they are for and their status, not the URL',
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})

export const withdrawAddressRequest = endpoint({
  id: 'addressRequests.withdraw',
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'addresses',
  summary: 'Withdraws a link that has not been used: it stops working at once',
  params: idParams,
  response: ok,
})

const tokenParams = z.object({ token: z.string().check(z.regex(/^[\w-]{1,100}$/)) })

export const getPublicAddressRequest = endpoint({
  id: 'addressRequests.public',
  method: 'GET',
  path: '/api/public/address/:token',
  access: 'public',
  summary: 'The sender who requests an address by this link, and when the link expires',
  params: tokenParams,
  response: z.object({ senderName: z.string(), expiresAt: instant, country: z.string(), timezone: z.string() }),
  perMinute: 30,
})

export const answerAddressRequest = endpoint({
  id: 'addressRequests.answer',
  method: 'POST',
  path: '/api/public/address/:token',
  access: 'public',
  summary: "Stores the receiver's address in the sender's address book; works once",
  params: tokenParams,
  body: z.extend(party, { override }),
  response: ok,
  perMinute: 10,
})
