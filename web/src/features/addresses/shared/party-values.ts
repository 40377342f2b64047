import type { Address, Party, PartyInput } from '@waybill/contract/addresses/addresses'
import type { ContractForm, FieldBinding } from '../../../components/form/contract-form.ts'

/** A party as it stands in a form: what is optional may be empty, phones as far as they are typed. */
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

/** Gives the binding of one of a party's fields, wherever the party stands in the form's values. */
export type PartyFieldOf = <K extends keyof PartyValues>(name: K) => FieldBinding<PartyValues[K]>

/** `country`: ISO 3166-1 alpha-2 in lower case, the deployment's. */
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

/** A party's own fields out of an address of the book or a parcel's snapshot. */
export function toPartyValues(party: Party | Address): PartyValues {
  const { contactName, company, phone, email, line1, line2, postcode, city, state, country, residential, remarks } =
    party
  return { contactName, company, phone, email, line1, line2, postcode, city, state, country, residential, remarks }
}

/** As a schema reads it: an e-mail that was emptied again is none. */
export function toPartyInput(values: PartyValues): PartyInput {
  return { ...values, email: values.email?.trim() ? values.email : null }
}

/** Whether nothing that is the party's own was written yet. */
export function isBlank({ contactName, phone, line1, postcode }: PartyValues): boolean {
  return contactName === '' && phone === '' && line1 === '' && postcode === ''
}

/** Bindings of the party that stands under `prefix` in a form's values: `partyFieldOf(form, 'sender')`. */
export function partyFieldBinder<V extends object & Record<P, PartyValues>, P extends 'sender' | 'receiver'>(
  form: ContractForm<V>,
  prefix: P,
): PartyFieldOf {
  // The compiler cannot follow a path whose prefix is a type parameter. The constraint on V says what is there.
  return (name) => form.fieldAt(`${prefix}.${name}`)
}
