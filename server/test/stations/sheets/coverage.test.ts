import { createStation, type StationInput } from '@waybill/contract/stations/manage'
import {
  applyCoverageImport,
  exportCoverage,
  getCoverageImport,
  uploadCoverage,
} from '@waybill/contract/stations/sheets'
import { publicCoverage } from '@waybill/contract/stations/stations'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { openSheet, type Table } from '../../testing/factories/sheets.ts'
import { stationBody } from '../../testing/factories/stations.ts'

const calls = { export: exportCoverage, upload: uploadCoverage, preview: getCoverageImport, apply: applyCoverageImport }
const header = ['Station code', 'From postcode', 'To postcode', 'Cut-off time']

let test: TestApp
let token: string
let sheet: ReturnType<typeof openSheet>
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { type: 'admin' })).token
  sheet = openSheet(test, calls, token)
  for (const code of ['T-1', 'T-2', 'T-3']) await open(code)
})

async function open(code: string, changes: Partial<StationInput> = {}) {
  const answer = await test.call(createStation, { token, body: stationBody(code, changes) })
  expect(answer.status, JSON.stringify(answer.error)).toBe(200)
  return answer.body
}

describe('coverage as a spreadsheet', () => {
  it.each(['en', 'zh-CN'])('is exported (%s) and imported again without a change', async (language) => {
    for (const format of ['xlsx', 'csv'] as const) {
      const { raw } = await sheet.download(format, {}, language)
      const { body } = await sheet.sendBytes(Uint8Array.from(raw), `coverage.${format}`)
      expect(body.counts).toMatchObject({ new: 0, changed: 0, removed: 0, faulty: 0 })
      expect(body.counts.unchanged).toBeGreaterThan(10)
    }
    const { raw } = await sheet.download('xlsx', { template: 'true' }, language)
    expect((await sheet.sendBytes(Uint8Array.from(raw))).status).toBe(200)
  })

  it('adds, changes and removes the ranges of the stations in the file, and leaves others unchanged', async () => {
    const before = await sheet.table()
    const first = await sheet.send([
      ['网点代码', '起始邮编', '截止邮编', '截止时间'],
      ['t-1', 97000, '97010', '15:00'],
      ['T-1', '97020', '97020', ''],
      ['T-2', '97007', '97007', new Date('1899-12-30T15:30:00Z')],
    ])
    expect(first.body.counts).toEqual({ new: 3, changed: 0, unchanged: 0, removed: 0, faulty: 0 })
    expect((await sheet.apply(first.body)).status).toBe(200)
    const stationsAt = async (postcode: string) =>
      (await test.call(publicCoverage, { query: { postcode } })).body.items.map(({ station }) => station.code)
    expect(await stationsAt('97008')).toEqual(['T-1'])
    expect(await stationsAt('97007')).toEqual(['T-2'])
    const second = await sheet.send([header, ['T-1', '97000', '97012', '15:00'], ['T-1', '97030', '97030', '16:00']])
    expect(second.body.counts).toEqual({ new: 1, changed: 1, unchanged: 0, removed: 1, faulty: 0 })
    const removed = (await sheet.look(second.body.id, { only: 'removed' })).body.items
    expect(removed).toMatchObject([{ row: null, state: 'removed', cells: ['T-1', '97020', '97020', '16:00'] }])
    await sheet.apply(second.body)
    const after = await sheet.table()
    expect(after.filter(([code]) => String(code).startsWith('T-'))).toEqual([
      ['T-1', '97000', '97012', '15:00'],
      ['T-1', '97030', '97030', '16:00'],
      ['T-2', '97007', '97007', '15:30'],
    ])
    expect(after.filter(([code]) => !String(code).startsWith('T-'))).toEqual(before)
    const log = await listActivities(test, { action: 'coverage.import' })
    expect(log.at(-1)?.detail).toMatchObject({ new: 1, changed: 1, removed: 1, stations: ['T-1'] })
  })

  const one: Table = [['T-3', '96500', '96599', '16:00']]
  it.each([
    ['an unknown station', [['T-33', '96500', '96599', '16:00']], 'A2', 'stationUnknown', /no station.*/, 'T-3'],
    ['a range without an end', [['T-3', '96500', '', '16:00']], 'C2', 'required', /To postcode/, null],
    ['a range that ends before it begins', [['T-3', '96500', '96400', '16:00']], 'C2', 'rangeEnd', /before/, null],
    ['a postcode that is none', [['T-3', '96 500', '96599', '16:00']], 'B2', 'pattern', /./, null],
    ['a time that is none', [['T-3', '96500', '96599', '4 pm']], 'D2', 'time', /16:00/, null],
    [
      'an overlap with another row of the file',
      [...one, ['T-2', '96550', '96650', '16:00']],
      'B3',
      'rangeSharedInRow',
      /^Row 3, column “From postcode”: 96550–96599 are also in row 2, for station T-3 \(96500–96599\)/,
      null,
    ],
    [
      'the same range of two stations',
      [...one, ['T-2', '96500', '96599', '16:00']],
      'B2',
      'rangeSharedInRow',
      /96500–96599 are also in row 3, for station T-2/,
      null,
    ],
    [
      'an overlap within a station',
      [...one, ['T-3', '96510', '96511', '16:00']],
      'B3',
      'rangeTwiceInRow',
      /96510–96511 are also in row 2 \(96500–96599\)/,
      null,
    ],
    [
      'an overlap with a station that the file does not name',
      [['T-3', '97011', '97019', '16:00']],
      'B2',
      'rangeShared',
      /97011–97012 are also served by station T-1 \(97000–97012\)/,
      null,
    ],
    ['a range that stands there twice', [...one, ...one], 'B3', 'rowTwice', /row 2/, null],
  ] as const)('reports %s with its cell', async (_, rows, cell, code, message, suggestion) => {
    const problems = await sheet.problems([header, ...rows.map((row) => [...row])])
    expect(problems).toContainEqual({
      cell,
      code,
      suggestion,
      column: expect.any(String),
      message: expect.stringMatching(message),
    })
  })

  it('accepts a range inside a wider one, and that of a closed station', async () => {
    await open('T-9', { active: false })
    const rows = [
      ['T-3', '96500', '96599', '16:00'],
      ['T-2', '96510', '96520', '16:00'],
      ['T-9', '96500', '96599', '16:00'],
    ]
    const { body } = await sheet.send([header, ...rows])
    expect(body.counts).toMatchObject({ new: 3, faulty: 0 })
  })

  it('detects coverage that another station received since the preview', async () => {
    const { body } = await sheet.send([header, ['T-3', '95000', '95099', '16:00']])
    expect(body.counts.new).toBe(1)
    await open('T-4', { coverage: [{ postcodeFrom: '95050', postcodeTo: '95150', cutOffTime: '16:00' }] })
    expect((await sheet.apply(body)).error.code).toBe('sheet_import_outdated')
    const { import: again, items } = (await sheet.look(body.id)).body
    expect(items[0]?.problems).toMatchObject([{ code: 'rangeShared', message: expect.stringContaining('T-4') }])
    expect((await sheet.apply(again)).error.code).toBe('sheet_import_faulty')
  })

  it('lets an admin of one station change its coverage only', async () => {
    const { id } = await open('T-5')
    const own = openSheet(test, calls, (await createStaff(test, { type: 'admin', stationId: id })).token)
    const { body } = await own.send([header, ['T-5', '94500', '94501', '16:00']])
    expect((await own.apply(body)).status).toBe(200)
    expect(await own.table()).toEqual([header, ['T-5', '94500', '94501', '16:00']])
    const problems = await own.problems([header, ['T-3', '94600', '94601', '16:00']])
    expect(problems).toMatchObject([{ code: 'stationNotYours', cell: 'A2' }])
  })
})
