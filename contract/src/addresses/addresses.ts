/** Addresses: the fields of a party, the address book, and parsing a pasted text. */
import * as z from 'zod/mini'
import { countryChecks } from '../ground/address-forms.ts'
import { endpoint } from '../ground/endpoint.ts'
import { addressKindLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { deliveryModeLabels, serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import {
  country,
  email,
  id,
  idParams,
  instant,
  nameText,
  ok,
  optionalName,
  optionalText,
  phone,
  postcode,
  text,
  version,
} from '../ground/fields.ts'
import { listQuery, page } from '../ground/paging.ts'
import { defaultAddressRequest } from './default-request.ts'

/** The sender or receiver of a parcel, stored with it as a snapshot. */
export const party = z
  .object({
    contactName: nameText(120),
    company: optionalName(120),
    phone,
    email: z._default(z.nullable(email), null),
    line1: text(120),
    line2: optionalText(120),
    /** Empty in countries without postcodes. */
    postcode: z.string().check(z.trim(), z.maxLength(12), z.regex(/^([0-9A-Za-z][0-9A-Za-z -]*)?$/)),
    city: text(80),
    /** Empty in countries whose addresses have no state. */
    state: z.string().check(z.trim(), z.maxLength(80)),
    country,
    residential: z._default(z.boolean(), true),
    remarks: optionalText(200),
  })
  .check(...countryChecks)
export type Party = z.output<typeof party>
export type PartyInput = z.input<typeof party>

const addressFields = {
  label: optionalText(60),
  kind: z._default(z.enum(labelValues(addressKindLabels)), 'both' as const),
  isDefault: z._default(z.boolean(), false),
}

/**
 * The fields whose contradiction with the postcode a user may override, because the postcode data may be incomplete.
 */
export const contradictoryFields = ['state', 'city'] as const
export type ContradictoryField = (typeof contradictoryFields)[number]
const contradictions = z.array(z.enum(contradictoryFields)).check(z.maxLength(2))
/** Contradictions that the user overrides. */
export const override = z._default(contradictions, [])

export const addressInput = z.extend(party, { ...addressFields, override })
export const address = z.extend(party, {
  ...addressFields,
  /** The contradictions that a user has overridden. */
  overridden: contradictions,
  /** True when a receiver entered the address through a link and no user of the account has saved it since. */
  isNew: z.boolean(),
  id,
  version,
  createdAt: instant,
  updatedAt: instant,
})
export type Address = z.output<typeof address>

/** The filters of the address book, for the list and its spreadsheet. */
export const bookFilter = {
  search: z.optional(z.string().check(z.maxLength(120))),
  kind: z.optional(z.enum(labelValues(addressKindLabels))),
}

export const listAddresses = endpoint({
  id: 'addresses.list',
  method: 'GET',
  path: '/api/customer/address',
  access: 'addresses.view',
  summary: 'The address book; `search` looks through every field as you type',
  query: z.extend(listQuery(['contactName', 'city', 'createdAt', 'updatedAt']), bookFilter),
  response: page(address),
})

export const getDefaultAddress = endpoint({
  ...defaultAddressRequest,
  response: z.object({ address: z.nullable(address) }),
})

export const getAddress = endpoint({
  id: 'addresses.get',
  method: 'GET',
  path: '/api/customer/address/:id',
  access: 'addresses.view',
  summary: 'One address',
  params: idParams,
  response: address,
})

export const createAddress = endpoint({
  id: 'addresses.create',
  method: 'POST',
  path: '/api/customer/address',
  access: 'addresses',
  summary: 'Adds an address; `override` keeps a city or state that contradicts the postcode',
  body: addressInput,
  response: address,
  idempotent: true,
})

export const updateAddress = endpoint({
  id: 'addresses.update',
  method: 'PUT',
  path: '/api/customer/address/:id',
  access: 'addresses',
  summary: 'Changes an address; a stale version answers 409',
  params: idParams,
  body: z.extend(addressInput, { version }),
  response: address,
})

export const removeAddress = endpoint({
  id: 'addresses.remove',
  method: 'DELETE',
  path: '/api/customer/address/:id',
  access: 'addresses',
  summary: 'Removes an address from the book; parcels keep their snapshot',
  params: idParams,
  response: ok,
})

export const removeAddresses = endpoint({
  id: 'addresses.removeSelected',
  method: 'POST',
  path: '/api/customer/address/remove',
  access: 'addresses',
  summary: 'Removes several addresses from the book: all of them or, if one is unknown, none',
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(200)) }),
  response: ok,
})

export const getPostcode = endpoint({
  id: 'addresses.postcode',
  method: 'POST',
  question: true,
  path: '/api/customer/address/get-postcode',
  access: 'public',
  summary:
    'Cities and state of a postcode; fills the form. With `city` and `state`, `contradictions` says which of them do ' +
    'not fit the postcode',
  body: z.object({
    postcode,
    country: z._default(country, 'my'),
    city: z.optional(z.string().check(z.trim(), z.maxLength(80))),
    state: z.optional(z.string().check(z.trim(), z.maxLength(80))),
  }),
  response: z.object({
    postcode: z.string(),
    country: z.string(),
    state: z.string(),
    cities: z.array(z.string()),
    /** Only in the response to a request with `city` and `state`. */
    contradictions: z.optional(z.array(z.object({ field: z.enum(contradictoryFields), message: z.string() }))),
  }),
})

export const getAvailablePostcode = endpoint({
  id: 'addresses.availablePostcode',
  method: 'POST',
  question: true,
  path: '/api/customer/address/get-available-postcode',
  access: 'public',
  summary: 'Whether a postcode is covered, by which station, with which services',
  body: z.object({
    postcode,
    country: z._default(country, 'my'),
    serviceType: z.optional(z.enum(labelValues(serviceTypeLabels))),
    deliveryMode: z.optional(z.enum(labelValues(deliveryModeLabels))),
  }),
  response: z.object({
    covered: z.boolean(),
    station: z.nullable(z.object({ id, code: z.string(), name: z.string() })),
    serviceCodes: z.array(z.string()),
    cutOffTime: z.nullable(z.string()),
    remoteSurchargeMinor: z.number(),
    currency: z.string(),
  }),
})

/** The fields of an address that free text can contain, in the order of the form. */
export const parsedFields = [
  'contactName',
  'company',
  'phone',
  'email',
  'line1',
  'line2',
  'postcode',
  'city',
  'state',
  'country',
  'remarks',
] as const
export type ParsedField = (typeof parsedFields)[number]

/** A value read from a pasted text, with its confidence from 0 (a guess) to 1 (certain). */
export const parsedAddress = z.partialRecord(
  z.enum(parsedFields),
  z.object({ value: z.string(), confidence: z.number().check(z.minimum(0), z.maximum(1)) }),
)
export type ParsedAddress = z.output<typeof parsedAddress>

export const parseAddress = endpoint({
  id: 'addresses.parse',
  method: 'POST',
  path: '/api/customer/address/parse',
  access: 'addresses.view',
  summary: 'Parses an address from free text into fields, each with a confidence; the sender confirms them',
  body: z.object({ text: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000)) }),
  response: z.object({ fields: parsedAddress }),
})
