/** Which texts can be the number of a parcel, before any lookup. */
import { checkDigit, readTrackingNumber } from '../tracking-number.ts'

/** The prefix may have changed in the settings while parcels with the earlier one are still in transit. */
function hasEarlierPrefix(number: string): boolean {
  const [, digits = '', check] = /^[A-Z]{2,4}(\d{10})(\d)$/.exec(number) ?? []
  return check !== undefined && checkDigit(digits) === Number(check)
}

/** Why no parcel can have a number: a typing error, another form, or the number of a postal service. */
export type NumberProblem = 'slip' | 'format' | 'postal'

/** Checks a number of ours by its check digit, and those of carriers by their formats. Null: a parcel can have it. */
export function findNumberProblem(input: string, prefix: string): NumberProblem | null {
  const { kind, number } = readTrackingNumber(input, prefix)
  if (kind === 'slip') return 'slip'
  // A valid number of a postal service is never ours.
  if (kind === 's10') return 'postal'
  return kind === 'unknown' && !hasEarlierPrefix(number) ? 'format' : null
}
