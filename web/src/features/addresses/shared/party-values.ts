import type { Address, Party, PartyInput } from '@waybill/contract/addresses/addresses'
import type { ContractForm, FieldBinding } from '../../../components/form/contract-form.ts'

/** A party in a form: optional values may be empty, and phones may be incomplete. */
export type PartyValues = {
  contactName: string
  company: string | null
  phone: string
  email: string | null
  line1: string
  line2: string | null
  postcode: string
  city: string
  state: string
  country: string
  residential: boolean
  remarks: string | null
}

/** Returns the binding of one field of a party, wherever the party is in the form's values. */
export type PartyFieldOf = <K extends keyof PartyValues>(name: K) => FieldBinding<PartyValues[K]>

/** `country`: the deployment's country, ISO 3166-1 alpha-2 in lower case. */
export function emptyParty(country: string): PartyValues {
  return {
    contactName: '',
    company: null,
    phone: '',
    email: null,
    line1: '',
    line2: null,
    postcode: '',
    city: '',
    state: '',
    country,
    residential: true,
    remarks: null,
  }
}

/** The fields of a party, taken from an address of the book or from a parcel's snapshot. */
export function toPartyValues(party: Party | Address): PartyValues {
  const { contactName, company, phone, email, line1, line2, postcode, city, state, country, residential, remarks } =
    party
  return { contactName, company, phone, email, line1, line2, postcode, city, state, country, residential, remarks }
}

/** Converts to schema input: an email that was emptied becomes null. */
export function toPartyInput(values: PartyValues): PartyInput {
  return { ...values, email: values.email?.trim() ? values.email : null }
}

/** Whether the party has no values of its own yet. */
export function isBlank({ contactName, phone, line1, postcode }: PartyValues): boolean {
  return contactName === '' && phone === '' && line1 === '' && postcode === ''
}

/** Bindings of the party under `prefix` in a form's values: `partyFieldBinder(form, 'sender')`. */
export function partyFieldBinder<V extends object & Record<P, PartyValues>, P extends 'sender' | 'receiver'>(
  form: ContractForm<V>,
  prefix: P,
): PartyFieldOf {
  // The compiler cannot follow a path whose prefix is a type parameter. The constraint on V ensures the type.
  return (name) => form.fieldAt(`${prefix}.${name}`)
}
