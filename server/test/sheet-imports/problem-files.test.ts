import { listRateCards } from '@waybill/contract/pricing/rate-cards'
import {
  applyRateImport,
  exportRateLines,
  getRateImport,
  rateProblemFile,
  uploadRateLines,
} from '@waybill/contract/pricing/rate-sheets'
import type { SheetProblems } from '@waybill/contract/sheet-imports/sheet-imports'
import * as stations from '@waybill/contract/stations/sheets'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { openSheet, toTable } from '../testing/factories/sheets.ts'

let test: TestApp
let token: string
let cardId: string
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { type: 'superadmin' })).token
  const { body } = await test.call(listRateCards, { token, query: { state: 'current', search: 'STANDARD' } })
  cardId = body.items[0]?.id ?? ''
})

const kinds = [
  {
    name: 'stations',
    calls: {
      export: stations.exportStations,
      upload: stations.uploadStations,
      preview: stations.getStationImport,
      apply: stations.applyStationImport,
    },
    problems: stations.stationProblemFile,
    columns: ['Phone', 'Latitude'],
  },
  {
    name: 'coverage',
    calls: {
      export: stations.exportCoverage,
      upload: stations.uploadCoverage,
      preview: stations.getCoverageImport,
      apply: stations.applyCoverageImport,
    },
    problems: stations.coverageProblemFile,
    columns: ['From postcode', 'Cut-off time'],
  },
  {
    name: 'zones',
    calls: {
      export: stations.exportZoneSheet,
      upload: stations.uploadZoneSheet,
      preview: stations.getZoneImport,
      apply: stations.applyZoneImport,
    },
    problems: stations.zoneProblemFile,
    columns: ['Domestic or international', 'Remote-area surcharge'],
  },
  {
    name: 'rates',
    calls: { export: exportRateLines, upload: uploadRateLines, preview: getRateImport, apply: applyRateImport },
    problems: rateProblemFile,
    columns: ['Service', 'Price of the first weight'],
  },
] as const

const download = (problems: SheetProblems, id: string, { as = token, language = 'en' } = {}) =>
  test.app.inject({
    method: 'GET',
    url: problems.path.replace(':id', id),
    headers: { authorization: `Bearer ${as}`, 'accept-language': language },
  })

/** Uploads an export with an unknown value in the second and the last row. */
async function sendFaulty({ calls, name, columns }: (typeof kinds)[number], as = token) {
  const sheet = openSheet(test, calls, as, name === 'rates' ? { cardId } : {})
  const [header = [], ...rows] = await sheet.table()
  const [first, last] = columns.map((column) => header.findIndex((text) => String(text).startsWith(column)))
  const breakCell = (row: number, column: number | undefined) => {
    const cells = rows.at(row)
    if (cells && column !== undefined) cells[column] = '?!'
  }
  breakCell(1, first)
  breakCell(-1, last)
  const { body } = await sheet.send([header, ...rows])
  expect(body.counts.faulty).toBe(2)
  return { sheet, id: body.id, header, rows }
}

describe.each(kinds)('the rows of $name with problems', (kind) => {
  it('are a file that has only them as they were typed, each with its problems by column', async () => {
    const { id, header, rows } = await sendFaulty(kind)
    const answer = await download(kind.problems, id)
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([
      200,
      `attachment; filename="${kind.name}-to-correct.xlsx"`,
    ])
    const [head, first = [], last = [], ...others] = await toTable(answer.rawPayload)
    expect([head, others]).toEqual([['What is wrong', ...header], []])
    const asText = (cells: readonly unknown[] = []) => cells.map((cell) => String(cell ?? ''))
    expect(asText(first.slice(1))).toEqual(asText(rows[1]).slice(0, header.length))
    expect(asText(last.slice(1))).toEqual(asText(rows.at(-1)).slice(0, header.length))
    expect(first[0]).toContain(`Row 3, column “${kind.columns[0]}`)
    expect(last[0]).toContain(`Row ${rows.length + 1}, column “${kind.columns[1]}`)
    const chinese = await toTable((await download(kind.problems, id, { language: 'zh-CN' })).rawPayload)
    expect([chinese[0]?.[0], chinese[1]?.[0]]).toEqual(['问题', expect.stringContaining('第 3 行')])
  })

  it('are not accepted as a whole file, which would remove the other records', async () => {
    const { sheet, id } = await sendFaulty(kind)
    for (const language of ['en', 'zh-CN']) {
      const { rawPayload } = await download(kind.problems, id, { language })
      const { error } = await sheet.sendBytes(Uint8Array.from(rawPayload))
      expect(error).toMatchObject({ code: 'validation', errors: [{ field: 'file' }] })
      expect(error.errors?.[0]?.message).toContain('only the rows with problems')
    }
    const [header = [], ...rows] = await toTable((await download(kind.problems, id)).rawPayload)
    const withoutProblems = [header, ...rows].map((cells) => cells.slice(1))
    expect((await sheet.send(withoutProblems)).body.counts.faulty).toBe(2)
  })

  it('are only for the user who uploaded them, and only where there is such an import', async () => {
    const { id } = await sendFaulty(kind)
    const colleague = (await createStaff(test, { type: 'superadmin' })).token
    expect((await download(kind.problems, id, { as: colleague })).statusCode).toBe(404)
    expect((await download(kind.problems, newId())).statusCode).toBe(404)
    const other = kinds.find(({ name }) => name !== kind.name)
    if (other) expect((await download(other.problems, id)).statusCode).toBe(404)
  })
})
