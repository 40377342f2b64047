/** The coverage of stations as a spreadsheet: one row for each range of postcodes. */
import { coverageRange, stationCode } from '@waybill/contract/stations/manage'
import { extend } from 'zod/mini'
import { inBatches } from '../../../db/batches.ts'
import type { RecordKind } from '../../sheet-imports/kind.ts'
import { lockCoverage } from '../manage/queries.ts'
import { networkTopic } from '../network.ts'
import { readRangeEnd } from './choices.ts'
import { fileCoverageProblems } from './coverage-overlaps.ts'
import { type CoverageRecord, listCoverage, listStationKeys, nextCoverage, saveCoverage } from './queries.ts'
import { onlyStation } from './station-kind.ts'

const coverageRow = extend(coverageRange, { stationCode })

/** The maximum number of ranges of a station, as in its form. */
const maxRanges = 2000
/** Rows per query. */
const batch = 1000
/** The maximum number of codes named in an activity log entry. */
const loggedCodes = 50

/** A file contains all ranges of each station that it names. Other stations keep theirs. */
export const coverageKind: RecordKind<CoverageRecord> = {
  name: 'coverage',
  title: 'fields.coverage',
  columns: [
    { key: 'stationCode', kind: 'text', aliases: ['station', 'code', 'station code', '网点', '网点代码'] },
    { key: 'postcodeFrom', kind: 'text', aliases: ['postcode from', 'from', 'first postcode', '起始邮编', '邮编起'] },
    { key: 'postcodeTo', kind: 'text', aliases: ['postcode to', 'to', 'last postcode', '截止邮编', '邮编止'] },
    { key: 'cutOffTime', kind: 'text', aliases: ['cut off', 'cutoff', 'cut-off', '截单时间', '截止时间'] },
  ],
  rows: 30_000,
  examples: [
    { stationCode: 'KUL-T11', postcodeFrom: '50000', postcodeTo: '50999', cutOffTime: '16:00' },
    { stationCode: 'KUL-T11', postcodeFrom: '52100', postcodeTo: '52100', cutOffTime: '15:30' },
  ],
  read(cells, { home }) {
    const range = cells.parse(coverageRow, {
      stationCode: cells.at('stationCode'),
      // Postcodes abroad are unknown to us, so no zero is restored there.
      postcodeFrom: readRangeEnd(cells.at('postcodeFrom'), home),
      postcodeTo: readRangeEnd(cells.at('postcodeTo'), home),
      cutOffTime: cells.time('cutOffTime', '16:00'),
    })
    if (!range) return null
    const { postcodeFrom: from, postcodeTo: to } = range
    if (from.length === to.length && from <= to) return range
    cells.addProblem('postcodeTo', 'rangeEnd')
    return null
  },
  write: ({ stationCode: code, postcodeFrom, postcodeTo, cutOffTime }) => [code, postcodeFrom, postcodeTo, cutOffTime],
  key: ({ stationCode: code, postcodeFrom }) => `${code} ${postcodeFrom}`,
  keyColumn: 'postcodeFrom',
  async compare(db, context, rows) {
    const stations = new Map((await listStationKeys(db)).map((station) => [station.code, station]))
    const coverage = await listCoverage(db)
    const perStation = Map.groupBy(rows, ({ record }) => record.stationCode)
    const keys = new Set(rows.map(({ record }) => coverageKind.key(record)))
    const tooMany = [...perStation.values()].flatMap((ranges) =>
      ranges.slice(maxRanges).map(({ number }) => {
        return { row: number, column: 'stationCode', rule: 'stationRanges', vars: { max: maxRanges } }
      }),
    )
    return {
      current: new Map(coverage.map((range) => [coverageKind.key(range), range])),
      removed: coverage.filter((range) => perStation.has(range.stationCode) && !keys.has(coverageKind.key(range))),
      problems: [...fileCoverageProblems(context, rows, stations, coverage), ...tooMany],
    }
  },
  lock: (trx) => lockCoverage(trx),
  async save(trx, { deps }, { changed, removed }) {
    const ranges = changed.map(({ record }) => record)
    await saveCoverage(trx, { ranges, removed }, deps.clock.now())
    await deps.live.publish(trx, networkTopic, {})
    const stations = [...new Set([...ranges, ...removed].map(({ stationCode: code }) => code))]
    return { resultId: null, detail: { stationCount: stations.length, stations: stations.slice(0, loggedCodes) } }
  },
  records: ({ deps, caller }) =>
    inBatches<CoverageRecord>((last) =>
      nextCoverage(deps.db, onlyStation(caller), last ?? { stationCode: '', postcodeFrom: '' }, batch),
    ),
}
