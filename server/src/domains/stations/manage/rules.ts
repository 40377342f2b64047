/** Rules for coverage that staff save. */
import type { CoverageRange } from '@waybill/contract/stations/manage'
import type { FieldProblem } from '../../../http/errors.ts'
import type { PostcodeRange } from '../rules.ts'

/** A range of another open station that shares a part of the range at `index`, or is equal to it. */
export type Clash = PostcodeRange & { index: number; code: string }

const toRange = ({ postcodeFrom: from, postcodeTo: to }: CoverageRange): PostcodeRange => ({ from, to })

/** The first problem of each range: backwards, twice in this station, or shared with another station. */
export function coverageProblems(coverage: readonly CoverageRange[], clashes: readonly Clash[]): FieldProblem[] {
  const sorted = coverage
    .map((range, index) => ({ ...toRange(range), index }))
    .sort((a, b) => (a.from < b.from ? -1 : 1))
  const twice = new Set<number>()
  // Sorted by beginning: a range overlaps an earlier one of its length if it begins before the furthest end so far.
  const ends = new Map<number, string>()
  for (const { from, to, index } of sorted) {
    const end = ends.get(from.length)
    if (end !== undefined && from <= end) twice.add(index)
    if (end === undefined || to > end) ends.set(from.length, to)
  }
  const byIndex = new Map(clashes.map((clash) => [clash.index, clash]))
  return coverage.flatMap((range, index): FieldProblem[] => {
    const { from, to } = toRange(range)
    if (from.length !== to.length || to < from) return [{ field: `coverage.${index}.postcodeTo`, rule: 'rangeEnd' }]
    if (twice.has(index)) return [{ field: `coverage.${index}.postcodeFrom`, rule: 'rangeTwice' }]
    const clash = byIndex.get(index)
    const vars = { station: clash?.code, from: clash?.from, to: clash?.to }
    return clash ? [{ field: `coverage.${index}.postcodeFrom`, rule: 'rangeTaken', vars }] : []
  })
}
