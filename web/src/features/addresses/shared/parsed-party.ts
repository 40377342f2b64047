import { type ParsedAddress, type ParsedField, parsedFields } from '@waybill/contract/addresses/addresses'
import { emptyParty, type PartyValues } from './party-values.ts'

/** Below this confidence the user should check the value: it was guessed, or contradicts another one. */
const sureEnough = 0.75

/** Values that were guessed, by field. A field is doubtful until its value is changed or confirmed. */
export type Doubts = Partial<Record<ParsedField, string>>

/**
 * The fields of a pasted address as form values. `country`: the deployment's, for an address that does not name one.
 */
export function toParsedParty(fields: ParsedAddress, country: string): PartyValues {
  const values = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
  return { ...emptyParty(country), ...values, residential: !fields.company }
}

/** The values of a pasted address that the user should check. */
export function getDoubts(fields: ParsedAddress): Doubts {
  const doubtful = parsedFields.flatMap((name) => {
    const field = fields[name]
    return field && field.confidence < sureEnough ? [[name, field.value] as const] : []
  })
  return Object.fromEntries(doubtful)
}
