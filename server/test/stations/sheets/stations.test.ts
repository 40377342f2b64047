import { createStation, getManagedStation, listManagedStations, updateStation } from '@waybill/contract/stations/manage'
import { applyStationImport, exportStations, getStationImport, uploadStations } from '@waybill/contract/stations/sheets'
import { publicStations } from '@waybill/contract/stations/stations'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepSheetImports } from '../../../src/domains/sheet-imports/jobs.ts'
import { days } from '../../../src/lib/clock.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { openSheet, type Table } from '../../testing/factories/sheets.ts'

const calls = { export: exportStations, upload: uploadStations, preview: getStationImport, apply: applyStationImport }

let test: TestApp
let token: string
let sheet: ReturnType<typeof openSheet>
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { type: 'admin' })).token
  sheet = openSheet(test, calls, token)
})

/** The header and one row for a new station, with changes by header. */
async function newStation(changes: Record<string, string | number | null> = {}): Promise<Table> {
  const [header = []] = await sheet.table()
  const values: Record<string, string | number | null> = {
    Code: 'NEW-1',
    Name: 'Sentul',
    Type: 'Service centre, tier 1',
    'Address line 1': '12, Jalan Ipoh',
    Postcode: '51200',
    City: '',
    State: '',
    Country: '',
    Latitude: 3.18,
    Longitude: 101.69,
    Phone: '03-2694 2510',
    Monday: '09:00-18:00',
    Services: 'E-parcel: drop-off; E-parcel: pickup',
    ...changes,
  }
  return [header, header.map((name) => values[String(name)] ?? null)]
}
const readStation = async (code: string) => {
  const { body } = await test.call(listManagedStations, { token, query: { search: code } })
  const id = body.items[0]?.id ?? ''
  return (await test.call(getManagedStation, { token, params: { id } })).body
}

describe('stations as a spreadsheet', () => {
  it.each([
    ['xlsx', 'en'],
    ['csv', 'en'],
    ['xlsx', 'zh-CN'],
    ['csv', 'zh-CN'],
  ] as const)('are exported as .%s (%s) and imported again without a change', async (format, language) => {
    const file = await sheet.download(format, {}, language)
    expect(file.status).toBe(200)
    expect(file.headers['content-disposition']).toBe(`attachment; filename="stations.${format}"`)
    const answer = await sheet.sendBytes(Uint8Array.from(file.raw), `stations.${format}`)
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    const { total } = (await test.call(publicStations, { query: {} })).body
    expect(answer.body.counts).toEqual({ new: 0, changed: 0, unchanged: total, removed: 0, faulty: 0 })
    const applied = await sheet.apply(answer.body)
    expect(applied.error.code).toBe('sheet_import_unchanged')
  })

  it('have a template that can be imported unchanged', async () => {
    const { raw, headers } = await sheet.download('xlsx', { template: 'true' })
    expect(headers['content-disposition']).toContain('stations-template.xlsx')
    const { body } = await sheet.sendBytes(Uint8Array.from(raw))
    expect(body.counts).toMatchObject({ faulty: 0 })
  })

  it('are opened and changed with all their fields, which the public sees immediately', async () => {
    const rows = await sheet.table()
    const [header = [], first = []] = rows
    const at = (name: string) => header.indexOf(name)
    const changed = first.map((cell, n) =>
      n === at('Name') ? 'A new name' : n === at('Monday') ? '8:30 - 22.00' : cell,
    )
    const [, opened = []] = await newStation({ Postcode: 51200, Sunday: 'closed', Country: '马来西亚' })
    const { body } = await sheet.send([header, changed, opened])
    expect(body.counts).toEqual({ new: 1, changed: 1, unchanged: 0, removed: 0, faulty: 0 })
    const before = await readStation(String(first[0]))
    const preview = (await sheet.look(body.id, { only: 'changed' })).body.items[0]
    expect(preview?.changes).toEqual([
      { column: 'name', before: before.name, after: 'A new name' },
      { column: 'monday', before: expect.any(String), after: '08:30-22:00' },
    ])
    // Nothing is stored before the import is applied.
    expect(before.name).not.toBe('A new name')
    const applied = await sheet.apply(body)
    expect(applied.body).toMatchObject({ applied: true, version: 2 })
    expect(await readStation(String(first[0]))).toMatchObject({ name: 'A new name', version: before.version + 1 })
    expect((await readStation(String(first[0]))).coverage).toEqual(before.coverage)
    expect(await readStation('NEW-1')).toMatchObject({
      state: 'Kuala Lumpur',
      city: 'Kuala Lumpur',
      country: 'my',
      phone: '+60326942510',
      openingHours: [{ open: '09:00', close: '18:00' }, null, null, null, null, null, null],
      serviceCodes: ['e_parcel.drop_off', 'e_parcel.pickup'],
      active: true,
      version: 1,
    })
    const answer = await test.call(publicStations, { query: { search: 'NEW-1' } })
    expect(answer.body.items).toMatchObject([{ name: 'Sentul', latitude: 3.18, longitude: 101.69 }])
    expect((await sheet.apply(body)).error.code).toBe('sheet_import_applied')
    const log = await listActivities(test, { action: 'stations.import' })
    expect(log.at(-1)).toMatchObject({ level: 'NOTICE', detail: { import: body.id, new: 1, changed: 1, removed: 0 } })
  })

  it.each([
    ['Code', 'no code!', 'pattern', null],
    ['Code', '', 'required', null],
    ['Name', '', 'required', null],
    ['Type', 'Werehouse', 'oneOf', 'Warehouse'],
    ['Postcode', '99999', 'postcodeUnknown', null],
    ['State', 'Johor', 'stateMismatch', 'Kuala Lumpur'],
    ['Country', 'Atlantis', 'countryUnknown', null],
    ['Latitude', '3,18', 'number', '3.18'],
    ['Latitude', 93, 'latitude', null],
    ['Longitude', -181, 'longitude', null],
    ['Phone', '12', 'phone', null],
    ['Monday', '9 to 5', 'hours', null],
    ['Services', 'E-parcel: dropoff; Nonsense', 'serviceUnknown', null],
    ['Services', 'E-parcel: drop-orf', 'serviceUnknown', 'E-parcel: drop-off'],
    ['Open to customers', 'perhaps', 'oneOf', null],
  ])('report a problem at %s: %s', async (column, value, code, suggestion) => {
    const rows = await newStation({ [column]: value })
    const [problem, ...others] = await sheet.problems(rows)
    expect(others).toEqual([])
    const letter = String.fromCharCode(65 + (rows[0]?.indexOf(column) ?? 0))
    expect(problem).toMatchObject({ cell: `${letter}2`, code, suggestion })
    expect(problem?.message).toMatch(new RegExp(`^Row 2, column “${column}”: .`))
    const [chinese] = await sheet.problems(rows, 'zh-CN')
    expect(chinese?.message).toMatch(/^第 2 行“[\u4e00-\u9fff]+.*”列：.*[\u4e00-\u9fff]/)
  })

  it.each([
    ['Type', 'Werehouse', '仓库'],
    ['Services', 'E-parcel: drop-orf', '电商包裹：交寄'],
  ])('suggest a choice at %s in the reader’s language', async (column, value, suggestion) => {
    const [problem] = await sheet.problems(await newStation({ [column]: value }), 'zh-CN')
    expect(problem?.suggestion).toBe(suggestion)
  })

  it('report a repeated station, a missing column and a file without rows', async () => {
    const [header = [], row = []] = await newStation()
    expect(await sheet.problems([header, row, row])).toMatchObject([
      { cell: 'A3', code: 'rowTwice', message: expect.stringContaining('row 2') },
    ])
    const without = await sheet.send([header.slice(1), row.slice(1)])
    expect(without).toMatchObject({
      status: 422,
      error: { errors: [{ field: 'file', message: expect.stringContaining('Code') }] },
    })
    expect((await sheet.send([header])).error.code).toBe('file_no_rows')
    expect((await sheet.sendBytes(new TextEncoder().encode('%PDF-1.7 nonsense'))).error.code).toBe('file_not_a_sheet')
    const tooMany = [header, ...Array.from({ length: 10_001 }, () => ['x'])]
    expect((await sheet.send(tooMany)).error).toMatchObject({
      code: 'file_too_many_rows',
      message: expect.stringContaining('10000'),
    })
  })

  it('are all imported, or none', async () => {
    const [header = [], good = []] = await newStation({ Code: 'ALL-1' })
    const [, bad = []] = await newStation({ Code: 'ALL-2', Phone: '12' })
    const { body } = await sheet.send([header, good, bad])
    expect(body.counts).toMatchObject({ new: 1, faulty: 1 })
    expect((await sheet.apply(body)).error.code).toBe('sheet_import_faulty')
    expect((await test.call(listManagedStations, { token, query: { search: 'ALL-' } })).body.total).toBe(0)
  })

  it('detect changes by another user since the preview, and show a new preview', async () => {
    const [header = [], row = []] = await newStation({ Code: 'RACE-1', City: 'Kuala Lumpur' })
    await sheet.apply((await sheet.send([header, row])).body)
    const [, renamed = []] = await newStation({ Code: 'RACE-1', Name: 'From the file', City: 'Kuala Lumpur' })
    const { body } = await sheet.send([header, renamed])
    const { code: _, id, updatedAt: __, editable: ___, ...station } = await readStation('RACE-1')
    const changed = await test.call(updateStation, { token, params: { id }, body: { ...station, name: 'By hand' } })
    expect(changed.status).toBe(200)
    const outdated = await sheet.apply(body)
    expect(outdated).toMatchObject({ status: 409, error: { code: 'sheet_import_outdated' } })
    expect((await readStation('RACE-1')).name).toBe('By hand')
    const { import: again, items } = (await sheet.look(body.id)).body
    expect(items[0]?.changes).toEqual([{ column: 'name', before: 'By hand', after: 'From the file' }])
    expect((await sheet.apply(body)).error.code).toBe('version_conflict')
    expect((await sheet.apply(again)).status).toBe(200)
    expect((await readStation('RACE-1')).name).toBe('From the file')
  })

  it('are imported once if two clerks apply the same file', async () => {
    const rows = await newStation({ Code: 'TWIN-1' })
    const [one, two] = [(await sheet.send(rows)).body, (await sheet.send(rows)).body]
    const answers = await Promise.all([sheet.apply(one), sheet.apply(two)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await test.call(listManagedStations, { token, query: { search: 'TWIN-1' } })).body.total).toBe(1)
  })

  it('are shown only to the user who uploaded them', async () => {
    const { body } = await sheet.send(await newStation({ Code: 'MINE-1' }))
    const other = openSheet(test, calls, (await createStaff(test, { type: 'admin' })).token)
    expect((await other.look(body.id)).status).toBe(404)
    expect((await other.apply(body)).status).toBe(404)
    const pricer = openSheet(test, calls, (await createStaff(test, { role: 'product_manager' })).token)
    expect((await pricer.look(body.id)).status).toBe(403)
    expect((await pricer.download()).status).toBe(403)
  })

  it('are exported and changed by an admin of one station for that station only', async () => {
    const own = await readStation('KUL')
    const admin = await createStaff(test, { type: 'admin', stationId: own.id })
    const ownSheet = openSheet(test, calls, admin.token)
    const rows = await ownSheet.table()
    expect(rows.slice(1).map(([code]) => code)).toEqual([own.code])
    expect(await ownSheet.problems(await newStation())).toMatchObject([{ code: 'stationNotYours', cell: 'A2' }])
    const all = await sheet.table()
    expect((await ownSheet.problems(all)).length).toBe(all.length - 2)
  })

  it('are not reopened if another station has the same coverage by then', async () => {
    const coverage = [{ postcodeFrom: '88000', postcodeTo: '88100', cutOffTime: '16:00' }]
    const station = await readStation('NEW-1')
    const { id: _, version: __, updatedAt: ___, editable: ____, ...content } = station
    await test.deps.db.deleteFrom('station_coverage').where('postcode_from', 'like', '88%').execute()
    const closed = { ...content, code: 'SHUT-1', active: false, coverage }
    expect((await test.call(createStation, { token, body: closed })).status).toBe(200)
    expect((await test.call(createStation, { token, body: { ...content, code: 'OPEN-1', coverage } })).status).toBe(200)
    const [header = [], ...rows] = await sheet.table()
    const shut = rows.find(([code]) => code === 'SHUT-1') ?? []
    const reopened = shut.map((cell, n) => (n === header.indexOf('Open to customers') ? 'Open' : cell))
    expect(await sheet.problems([header, reopened])).toMatchObject([
      { code: 'rangeTaken', message: expect.stringContaining('OPEN-1') },
    ])
  })

  it('have their import deleted ninety days after the last access', async () => {
    const { body } = await sheet.send(await newStation({ Code: 'OLD-1' }))
    const rows = async () => {
      await sweepSheetImports(test.deps)
      const { id } = body
      return test.deps.db.selectFrom('sheet_import_rows').select('position').where('import_id', '=', id).execute()
    }
    test.clock.advance(days(89))
    expect(await rows()).toHaveLength(1)
    test.clock.advance(days(2))
    expect(await rows()).toHaveLength(0)
  })
})
