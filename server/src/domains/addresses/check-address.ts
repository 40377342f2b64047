/** Checks an address before it is stored, and converts it to the stored form. */
import type { Address, addressInput } from '@waybill/contract/addresses/addresses'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type * as z from 'zod/mini'
import { AppError, type FieldProblem } from '../../http/errors.ts'
import { isPhone } from '../../lib/phone.ts'
import { findState, hasPostcodes, lookupPostcode } from '../stations/postcodes.ts'
import {
  type Contradiction,
  findContradictions,
  keepOverrides,
  type Override,
  withoutOverridden,
} from './contradictions.ts'
import { findUnprintableFields } from './printed-fields.ts'
import type { AddressContent } from './queries.ts'

export type AddressInput = z.output<typeof addressInput>
/** An address as users enter it; the overrides of its contradictions are separate. */
export type WrittenAddress = Omit<AddressInput, 'override'>
type Problem = { code: ErrorCode; field: FieldProblem }

/** Replaces the state by its official name, if it is known. */
function withOfficialState<A extends Pick<Address, 'state' | 'country'>>(address: A): A {
  return hasPostcodes(address.country) ? { ...address, state: findState(address.state) ?? address.state } : address
}

/** Finds broken rules, and values that only contradict the postcode. */
export function findAddressProblems(input: WrittenAddress): { problems: Problem[]; contradictions: Contradiction[] } {
  const address = withOfficialState(input)
  const problems: Problem[] = []
  if (!isPhone(address.phone, address.country)) {
    problems.push({ code: 'phone_invalid', field: { field: 'phone', rule: 'phone' } })
  }
  if (hasPostcodes(address.country) && !lookupPostcode(address.postcode, address.country)) {
    problems.push({ code: 'postcode_unknown', field: { field: 'postcode', rule: 'postcodeUnknown' } })
  }
  if (address.isDefault && address.kind === 'receiver') {
    problems.push({ code: 'validation', field: { field: 'isDefault', rule: 'defaultIsSender' } })
  }
  for (const field of findUnprintableFields(address)) problems.push({ code: 'validation', field })
  return { problems, contradictions: findContradictions(address) }
}

/** The stored form: the state by its official name, everything else unchanged. */
function toContent(input: WrittenAddress, overridden: Override[]): AddressContent {
  const address = withOfficialState(input)
  return {
    label: address.label,
    kind: address.kind,
    contact_name: address.contactName,
    company: address.company,
    phone: address.phone,
    email: address.email,
    line1: address.line1,
    line2: address.line2,
    postcode: address.postcode,
    city: address.city,
    state: address.state,
    country: address.country,
    residential: address.residential,
    remarks: address.remarks,
    is_default: address.isDefault,
    overridden,
    is_new: false,
  }
}

/**
 * The content to store. `before`: the overrides stored so far.
 * Throws 422 with every invalid field: a telephone number that does not exist, a postcode that does not
 * exist, a state or city of another postcode without an override, a default sender that only receives. If all problems
 * are of one kind they have its code, otherwise validation. If only overrides are missing, `details.override` has the
 * values for `override`.
 */
export function requireValidAddress(
  { override, ...input }: AddressInput,
  request: { by: string | null; at: Date },
  before: readonly Override[] = [],
): AddressContent {
  const { problems, contradictions } = findAddressProblems(input)
  const overrides = keepOverrides(contradictions, { fields: override, ...request }, before)
  const open = withoutOverridden(contradictions, overrides)
  const all: Problem[] = [
    ...problems,
    ...open.map(({ code, field, rule, vars }) => ({ code, field: { field, rule, vars } })),
  ]
  const [first] = all
  if (!first) return toContent(input, overrides)
  const code = all.every((problem) => problem.code === first.code) ? first.code : 'validation'
  throw new AppError(code, {
    fields: all.map(({ field }) => field),
    ...(problems.length === 0 ? { details: { override: contradictions.map(({ field }) => field) } } : {}),
  })
}
