/** Rules of a station that staff save: its place and its coverage. */
import type { CoverageRange, StationInput } from '@waybill/contract/stations/manage'
import type { FieldProblem } from '../../../http/errors.ts'
import { isPhone } from '../../../lib/phone.ts'
import { findState, hasPostcodes, lookupPostcode } from '../postcodes.ts'
import { covers, type PostcodeRange } from '../rules.ts'

/** The range of another open station that shares postcodes with the range at `index`. */
export type Neighbour = PostcodeRange & { index: number; code: string }

type Place = Pick<StationInput, 'country' | 'postcode' | 'state' | 'phone'>

/** The official name of a state ("Penang" is "Pulau Pinang"); any other text unchanged. */
export function officialState({ country, state }: Pick<Place, 'country' | 'state'>): string {
  return hasPostcodes(country) ? (findState(state) ?? state) : state
}

/** Problems of the address and the telephone number. A postcode of an unknown country is taken as it is. */
export function placeProblems({ country, postcode, state, phone }: Place): FieldProblem[] {
  const problems: FieldProblem[] = isPhone(phone) ? [] : [{ field: 'phone', rule: 'phone' }]
  if (!hasPostcodes(country)) return problems
  const place = lookupPostcode(postcode, country)
  if (!place) problems.push({ field: 'postcode', rule: 'postcodeUnknown' })
  else if (officialState({ country, state }) !== place.state) {
    problems.push({ field: 'state', rule: 'stateMismatch', vars: { postcode, state: place.state } })
  }
  return problems
}

const toRange = ({ postcodeFrom: from, postcodeTo: to }: CoverageRange): PostcodeRange => ({ from, to })

const overlap = (a: PostcodeRange, b: PostcodeRange) =>
  a.from.length === b.from.length && a.from <= b.to && b.from <= a.to

/**
 * Whether no range is the narrower one: both are equal, or each has postcodes that the other lacks. Chance would then
 * decide who fetches a parcel.
 */
export function clash(a: PostcodeRange, b: PostcodeRange): boolean {
  if (!overlap(a, b)) return false
  const inside = (inner: PostcodeRange, outer: PostcodeRange) => covers(outer, inner.from) && covers(outer, inner.to)
  return inside(a, b) === inside(b, a)
}

/** The first problem of each range: backwards, twice in this station, or shared with another one. */
export function coverageProblems(coverage: readonly CoverageRange[], neighbours: readonly Neighbour[]): FieldProblem[] {
  const sorted = coverage
    .map((range, index) => ({ ...toRange(range), index }))
    .sort((a, b) => (a.from < b.from ? -1 : 1))
  const twice = new Set<number>()
  // Sorted by their beginning, a range overlaps an earlier one of its length exactly if it begins before the furthest end.
  const ends = new Map<number, string>()
  for (const { from, to, index } of sorted) {
    const end = ends.get(from.length)
    if (end !== undefined && from <= end) twice.add(index)
    if (end === undefined || to > end) ends.set(from.length, to)
  }
  return coverage.flatMap((range, index): FieldProblem[] => {
    const { from, to } = toRange(range)
    if (from.length !== to.length || to < from) return [{ field: `coverage.${index}.postcodeTo`, rule: 'rangeEnd' }]
    if (twice.has(index)) return [{ field: `coverage.${index}.postcodeFrom`, rule: 'rangeTwice' }]
    const taken = neighbours.find((other) => other.index === index && clash(other, { from, to }))
    const vars = { station: taken?.code, from: taken?.from, to: taken?.to }
    return taken ? [{ field: `coverage.${index}.postcodeFrom`, rule: 'rangeTaken', vars }] : []
  })
}
