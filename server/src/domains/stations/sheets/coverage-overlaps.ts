/** Finds conflicts between coverage ranges, each with the row or station that it conflicts with. */

import type { RowProblem } from '../../sheet-imports/cell-reader.ts'
import type { Comparison, ImportContext, ReadRecord } from '../../sheet-imports/kind.ts'
import { mayManageStation } from '../manage/service.ts'
import { codeSuggestions } from './choices.ts'
import type { CoverageRecord, StationKey } from './queries.ts'
import { findOverlaps, sharedPart } from './rules-overlaps.ts'

type Problem = RowProblem & { row: number }
type RangeOfRow = CoverageRecord & { row: number | null }

/** A problem at the beginning of a range, which names the other range and the shared postcodes. */
function sharedProblem(row: number, range: CoverageRecord, other: RangeOfRow, own: boolean): Problem {
  const shared = sharedPart(
    { from: range.postcodeFrom, to: range.postcodeTo },
    { from: other.postcodeFrom, to: other.postcodeTo },
  )
  const vars = {
    ...shared,
    station: other.stationCode,
    otherFrom: other.postcodeFrom,
    otherTo: other.postcodeTo,
    otherRow: other.row,
  }
  const rule = own ? 'rangeTwiceInRow' : other.row === null ? 'rangeShared' : 'rangeSharedInRow'
  return { row, column: 'postcodeFrom', rule, vars }
}

/** Ranges of one station that share postcodes: a station's range may not lie inside another of its own. */
function ownOverlaps(rows: readonly ReadRecord<CoverageRecord>[]): Problem[] {
  const problems: Problem[] = []
  const stations = Map.groupBy(rows, ({ record }) => `${record.stationCode} ${record.postcodeFrom.length}`)
  for (const ranges of stations.values()) {
    let furthest: ReadRecord<CoverageRecord> | null = null
    for (const range of ranges.toSorted((a, b) => (a.record.postcodeFrom < b.record.postcodeFrom ? -1 : 1))) {
      const { record, number } = range
      if (furthest && record.postcodeFrom <= furthest.record.postcodeTo) {
        problems.push(sharedProblem(number, record, { ...furthest.record, row: furthest.number }, true))
      }
      if (!furthest || record.postcodeTo > furthest.record.postcodeTo) furthest = range
    }
  }
  return problems
}

/**
 * Compares the ranges of a file with those of all open stations. For a station that the file names, only the file's
 * ranges count.
 */
function sharedRanges(
  rows: readonly ReadRecord<CoverageRecord>[],
  stations: ReadonlyMap<string, StationKey>,
  coverage: readonly CoverageRecord[],
): Problem[] {
  const inFile = new Set(rows.map(({ record }) => record.stationCode))
  const open = (code: string) => stations.get(code)?.active ?? false
  const ranges: RangeOfRow[] = [
    ...rows.map(({ number, record }) => ({ ...record, row: number })),
    ...coverage.filter(({ stationCode }) => !inFile.has(stationCode)).map((range) => ({ ...range, row: null })),
  ].filter(({ stationCode }) => open(stationCode))
  const overlaps = findOverlaps(
    ranges.map(({ stationCode, postcodeFrom: from, postcodeTo: to }) => ({
      group: `${stations.get(stationCode)?.country} ${from.length}`,
      from,
      to,
    })),
  )
  return ranges.flatMap((range, index) => {
    const other = ranges[overlaps.get(index) ?? -1]
    return range.row !== null && other ? [sharedProblem(range.row, range, other, false)] : []
  })
}

/** All problems of a file's ranges: the first problem of each row. */
export function fileCoverageProblems(
  context: ImportContext,
  rows: readonly ReadRecord<CoverageRecord>[],
  stations: ReadonlyMap<string, StationKey>,
  coverage: readonly CoverageRecord[],
): Comparison<CoverageRecord>['problems'] {
  const suggest = codeSuggestions(stations.keys())
  const problems = new Map<number, Problem>()
  const addProblem = (problem: Problem) => {
    if (!problems.has(problem.row)) problems.set(problem.row, problem)
  }
  for (const { number, record } of rows) {
    const station = stations.get(record.stationCode)
    const at = { row: number, column: 'stationCode' }
    if (!station) addProblem({ ...at, rule: 'stationUnknown', ...suggest(record.stationCode) })
    else if (!mayManageStation(context.caller, station.id)) addProblem({ ...at, rule: 'stationNotYours' })
  }
  for (const problem of ownOverlaps(rows)) addProblem(problem)
  for (const problem of sharedRanges(rows, stations, coverage)) addProblem(problem)
  return [...problems.values()]
}
