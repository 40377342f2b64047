/** Ownership transfer: the owner offers the company to a member, who accepts or declines. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, ok } from '../ground/fields.ts'
import { proofFields } from './proof.ts'

/** The number of days in which the member may accept. */
export const ownershipOfferDays = 7

const person = z.object({ id, name: z.string() })

export const ownershipOffer = z.object({
  id,
  from: person,
  to: person,
  /** Whether it was made to the caller. */
  toYou: z.boolean(),
  createdAt: instant,
  expiresAt: instant,
})
export type OwnershipOffer = z.output<typeof ownershipOffer>

export const getOwnershipOffer = endpoint({
  id: 'ownership.get',
  method: 'GET',
  path: '/api/customer/ownership',
  access: 'customer.view',
  summary: 'The open offer of ownership, for the owner and the member who received it; null for all others',
  response: z.object({ offer: z.nullable(ownershipOffer) }),
})

export const offerOwnership = endpoint({
  id: 'ownership.offer',
  method: 'POST',
  path: '/api/customer/ownership',
  access: 'corporate.owner',
  summary: 'Offers the company to an active member, who is mailed. Needs proof of the owner; ends after seven days',
  body: z.object({ memberId: id, ...proofFields }),
  response: ownershipOffer,
  perMinute: 10,
})

export const withdrawOwnership = endpoint({
  id: 'ownership.withdraw',
  method: 'DELETE',
  path: '/api/customer/ownership/:id',
  access: 'corporate.owner',
  summary: 'Withdraws an open offer',
  params: idParams,
  response: ok,
})

export const acceptOwnership = endpoint({
  id: 'ownership.accept',
  method: 'POST',
  path: '/api/customer/ownership/:id/accept',
  access: 'customer.act',
  summary: 'The member becomes the owner, and the owner gets the rights that the member had. Both are mailed',
  params: idParams,
  response: ok,
})

export const declineOwnership = endpoint({
  id: 'ownership.decline',
  method: 'POST',
  path: '/api/customer/ownership/:id/decline',
  access: 'customer.view',
  summary: 'Declines the offer; the owner is mailed',
  params: idParams,
  response: ok,
})
