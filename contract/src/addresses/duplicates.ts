/** Duplicates in the address book: found, merged, or dismissed as different. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, ok, version } from '../ground/fields.ts'
import { address, addressInput } from './addresses.ts'

/** The maximum number of addresses per group, and of groups. */
export const duplicateLimits = { group: 12, groups: 50 } as const

/** `same`: phone, postcode and first line agree. `similar`: nearly so, in name or street. */
export const duplicateKinds = ['same', 'similar'] as const

export const duplicateGroup = z.object({ kind: z.enum(duplicateKinds), addresses: z.array(address) })
export type DuplicateGroup = z.output<typeof duplicateGroup>

const path = '/api/customer/address/duplicates'

export const listDuplicates = endpoint({
  id: 'addressDuplicates.list',
  method: 'GET',
  path,
  access: 'addresses',
  summary: 'Groups of probable duplicate addresses, the most probable first. `total` counts all groups',
  response: z.object({ groups: z.array(duplicateGroup), total: z.number() }),
})

export const mergeDuplicates = endpoint({
  id: 'addressDuplicates.merge',
  method: 'POST',
  path: `${path}/merge`,
  access: 'addresses',
  summary: 'Keeps one address with the chosen values and deletes the others; a stale version answers 409',
  body: z.object({
    keep: z.extend(addressInput, { id, version }),
    remove: z.array(z.object({ id, version })).check(z.minLength(1), z.maxLength(duplicateLimits.group - 1)),
  }),
  response: address,
})

export const dismissDuplicates = endpoint({
  id: 'addressDuplicates.dismiss',
  method: 'POST',
  path: `${path}/dismiss`,
  access: 'addresses',
  summary: 'Stores that these addresses are not duplicates',
  body: z.object({ ids: z.array(id).check(z.minLength(2), z.maxLength(duplicateLimits.group)) }),
  response: ok,
})
