import { applyZoneImport, exportZoneSheet, getZoneImport, uploadZoneSheet } from '@waybill/contract/stations/sheets'
import { createZone, listZones, updateZone } from '@waybill/contract/stations/zones'
import { beforeAll, describe, expect, it } from 'vitest'
import { xlsx } from '../../parcels/bulk/bulk-sheets.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { openSheet } from '../../testing/factories/sheets.ts'

const calls = { export: exportZoneSheet, upload: uploadZoneSheet, preview: getZoneImport, apply: applyZoneImport }
const header = [
  'Code',
  'Name',
  'Name in Chinese',
  'Domestic or international',
  'Country',
  'State',
  'From postcode',
  'To postcode',
  'Remote-area surcharge',
]

let test: TestApp
let token: string
let sheet: ReturnType<typeof openSheet>
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { role: 'product_manager' })).token
  sheet = openSheet(test, calls, token)
})

const range = (code: string, from: string, to: string, more: (string | number)[] = []) =>
  [code, `Zone ${code}`, `${code} 区`, 'Domestic', '', '', from, to, ...more] as (string | number)[]

const readZone = async (code: string) =>
  (await test.call(listZones, { token, query: { search: code } })).body.items.find((zone) => zone.code === code)

describe('zones as a spreadsheet', () => {
  it.each(['en', 'zh-CN'])('are exported (%s) and imported again without a change', async (language) => {
    for (const format of ['xlsx', 'csv'] as const) {
      const { raw } = await sheet.download(format, {}, language)
      const { body } = await sheet.sendBytes(Uint8Array.from(raw), `zones.${format}`)
      expect(body.counts).toMatchObject({ new: 0, changed: 0, removed: 0, faulty: 0 })
      expect(body.counts.unchanged).toBeGreaterThan(10)
    }
  })

  it('take hidden rows too, whose records they would otherwise remove, and say how many there are', async () => {
    const rows = [header, range('H1', '03000', '03009'), range('H2', '03020', '03029')]
    const file = await xlsx(rows, { rowDefs: new Map([[2, { hidden: true }]]) })
    const { body } = await sheet.sendBytes(Uint8Array.from(file), 'zones.xlsx')
    expect(body).toMatchObject({ hiddenRows: 1, counts: { new: 2 } })
    expect((await sheet.send(rows)).body.hiddenRows).toBe(0)
  })

  it('create new zones, change others, and remove areas that are not in the file', async () => {
    const first = await sheet.send([header, range('X1', '01000', '01009', [2.5]), range('X1', '01020', '01029')])
    expect(first.body.counts).toEqual({ new: 2, changed: 0, unchanged: 0, removed: 0, faulty: 0 })
    expect((await sheet.apply(first.body)).status).toBe(200)
    const created = await readZone('X1')
    expect(created).toMatchObject({ name: 'Zone X1', nameZh: 'X1 区', scope: 'domestic', version: 1 })
    expect(created?.areas).toMatchObject([
      { postcodeFrom: '01000', postcodeTo: '01009', remoteSurchargeMinor: 250, country: 'my', state: null },
      { postcodeFrom: '01020' },
    ])
    const others = (await sheet.table()).filter(([code]) => code !== 'X1')
    const second = await sheet.send([header, range('X1', '01000', '01009', [3])])
    expect(second.body.counts).toMatchObject({ changed: 1, removed: 1 })
    await sheet.apply(second.body)
    const changed = await readZone('X1')
    expect(changed).toMatchObject({ id: created?.id, version: 2, areas: [{ remoteSurchargeMinor: 300 }] })
    expect((await sheet.table()).filter(([code]) => code !== 'X1')).toEqual(others)
  })

  it.each([
    ['an area of another zone', [range('Y1', '01005', '01015')], 'G2', 'areaShared', /Zone X1 already has 01005–01009/],
    [
      'an area of another row',
      [range('Y1', '02000', '02100'), range('Y2', '02050', '02150')],
      'G3',
      'areaSharedInRow',
      /Row 2 already has 02050–02100, in zone Y1/,
    ],
    [
      'a state that another zone has',
      [['Y1', 'Y', '', 'Domestic', '', 'Selangor', '', '', '']],
      'F2',
      'areaTaken',
      /already in zone KV/,
    ],
    ['an unknown state', [['Y1', 'Y', '', 'Domestic', '', 'Atlantis', '', '', '']], 'F2', 'enum', /State/],
    ['a country abroad', [['Y1', 'Y', '', 'Domestic', 'Singapore', '', '', '', '']], 'E2', 'homeOnly', /own country/],
    [
      'a range abroad',
      [['Y1', 'Y', '', 'International', 'Germany', '', '10000', '10001', '']],
      'G2',
      'countryOnly',
      /countries only/,
    ],
    ['half a range', [range('Y1', '02000', '')], 'H2', 'required', /To postcode/],
    ['an amount that is none', [range('Y1', '02000', '02001', ['much'])], 'I2', 'number', /a number/],
    ['half a sen', [range('Y1', '02000', '02001', ['1.005'])], 'I2', 'decimals', /2 decimals/],
    [
      'another scope',
      [['X1', 'Zone X1', 'X1 区', 'International', 'Germany', '', '', '', '']],
      'D2',
      'scopeStays',
      /cannot change/,
    ],
    [
      'two names of a zone',
      [range('Y1', '02000', '02001'), ['Y1', 'Why', 'Y1 区', 'Domestic', '', '', '02010', '02011', '']],
      'B3',
      'zoneDiffers',
      /Row 2/,
    ],
    [
      'two Chinese names of a zone',
      [range('Y1', '02000', '02001'), ['Y1', 'Zone Y1', '', 'Domestic', '', '', '02010', '02011', '']],
      'C3',
      'zoneDiffers',
      /Name in Chinese.*Row 2/,
    ],
    ['an area twice', [range('Y1', '02000', '02001'), range('Y1', '02000', '02001')], 'A3', 'rowTwice', /row 2/],
  ] as const)('report %s with its cell', async (_, rows, cell, code, message) => {
    const problems = await sheet.problems([header, ...rows.map((row) => [...row])])
    expect(problems.map((problem) => [problem.cell, problem.code])).toContainEqual([cell, code])
    expect(problems.find((problem) => problem.cell === cell && problem.code === code)?.message).toMatch(message)
  })

  it('detect a zone that was changed since the preview', async () => {
    const { body } = await sheet.send([header, range('X1', '01000', '01009', [9])])
    const zone = await readZone('X1')
    const areas = [{ country: 'my', postcodeFrom: '01000', postcodeTo: '01009', remoteSurchargeMinor: 777 }]
    const params = { id: zone?.id ?? '' }
    const saved = await test.call(updateZone, {
      token,
      params,
      body: { version: 2, name: 'Zone X1', nameZh: 'X1 区', areas },
    })
    expect(saved.status).toBe(200)
    expect((await sheet.apply(body)).error.code).toBe('sheet_import_outdated')
    const { import: again, items } = (await sheet.look(body.id)).body
    expect(items[0]?.changes).toMatchObject([{ before: '7.77', after: '9.00' }])
    expect((await sheet.apply(again)).status).toBe(200)
  })

  it('accept a range inside a wider one, as the form does', async () => {
    const { body } = await sheet.send([header, range('Z1', '01003', '01004')])
    expect(body.counts.faulty).toBe(0)
    const areas = [{ country: 'my', postcodeFrom: '01003', postcodeTo: '01004' }]
    const answer = await test.call(createZone, { token, body: { code: 'Z1', name: 'Z', scope: 'domestic', areas } })
    expect(answer.status).toBe(200)
  })

  it('are refused for staff who do not manage rates', async () => {
    const { token: other } = await createStaff(test, { role: 'normal_staff' })
    expect((await openSheet(test, calls, other).download()).status).toBe(403)
    expect((await openSheet(test, calls, other).send([header])).status).toBe(403)
  })
})
