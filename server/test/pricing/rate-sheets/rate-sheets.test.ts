import {
  createRateCard,
  getRateCard,
  listRateCards,
  publishRateCard,
  removeRateCard,
  updateRateCard,
} from '@waybill/contract/pricing/rate-cards'
import { applyRateImport, exportRateLines, getRateImport, uploadRateLines } from '@waybill/contract/pricing/rate-sheets'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { openSheet } from '../../testing/factories/sheets.ts'

const calls = { export: exportRateLines, upload: uploadRateLines, preview: getRateImport, apply: applyRateImport }

let test: TestApp
let token: string
let cardId: string
let sheet: ReturnType<typeof openSheet>
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { role: 'product_manager' })).token
  cardId = (await cards('current'))[0]?.id ?? ''
  sheet = openSheet(test, calls, token, { cardId })
})

const cards = async (state: 'draft' | 'current') =>
  (await test.call(listRateCards, { token, query: { state, search: 'STANDARD' } })).body.items
const readCard = async (id: string) => (await test.call(getRateCard, { token, params: { id } })).body
const discard = async (id: string) => test.call(removeRateCard, { token, params: { id } })

describe('rate lines as a spreadsheet', () => {
  it.each(['en', 'zh-CN'])('are exported (%s) and imported again without a change', async (language) => {
    const { lineCount } = await readCard(cardId)
    for (const format of ['xlsx', 'csv'] as const) {
      const { raw, headers } = await sheet.download(format, {}, language)
      expect(headers['content-type']).toContain(format === 'csv' ? 'text/csv' : 'spreadsheetml')
      const { body } = await sheet.sendBytes(Uint8Array.from(raw), `rates.${format}`)
      expect(body.counts).toEqual({ new: 0, changed: 0, unchanged: lineCount, removed: 0, faulty: 0 })
    }
    const [header] = await sheet.table(language)
    expect(header).toContain(language === 'en' ? 'Price of the first weight (MYR)' : '首重价格（MYR）')
  })

  it('accept the headers of the old table, too', async () => {
    const [, ...rows] = await sheet.table()
    const old = 'scope carrier service origin destination min_grams max_grams first_grams first_price step_grams'
    const { body } = await sheet.send([[...old.split(' '), 'step_price', 'days'], ...rows])
    expect(body.counts.unchanged).toBe(rows.length)
  })

  it('are read in the unit that a header names', async () => {
    const [header = [], ...rows] = await sheet.table()
    const inKg = rows.map((row) =>
      row.map((cell, n) => (/\(g\)$/.test(String(header[n])) ? Number(cell) / 1000 : cell)),
    )
    const { body } = await sheet.send([header.map((name) => String(name).replace('(g)', '(kg)')), ...inKg])
    expect(body.counts).toMatchObject({ unchanged: rows.length, faulty: 0 })
    const unknown = header.map((name) => (name === 'Minimum weight (g)' ? 'Minimum weight (斤)' : name))
    expect(await sheet.problems([unknown, ...rows.slice(0, 1)])).toMatchObject([{ cell: 'F2', code: 'number' }])
  })

  it('become a new draft: the published version stays unchanged', async () => {
    const before = await readCard(cardId)
    const [header = [], ...rows] = await sheet.table()
    const price = header.indexOf('Price of the first weight (MYR)')
    const [first = [], , ...rest] = rows
    const dearer = first.map((cell, n) => (n === price ? '12.34' : n === 5 ? '0.001 kg' : cell))
    const { body } = await sheet.send([header, dearer, ...rest])
    expect(body.counts).toEqual({ new: 0, changed: 1, unchanged: rest.length, removed: 1, faulty: 0 })
    const changed = (await sheet.look(body.id, { only: 'changed' })).body.items[0]
    expect(changed?.changes).toEqual([
      { column: 'firstPriceMinor', before: (Number(first[price]) || 0).toFixed(2), after: '12.34' },
    ])
    const applied = (await sheet.apply(body)).body
    const draft = await readCard(applied.resultId ?? '')
    expect(draft).toMatchObject({ code: before.code, edition: before.edition + 1, state: 'draft', name: before.name })
    expect(draft.lines).toHaveLength(before.lineCount - 1)
    expect(draft.lines.filter(({ firstPriceMinor }) => firstPriceMinor === 1234)).toHaveLength(1)
    expect(await readCard(cardId)).toEqual(before)
    const log = await listActivities(test, { action: 'rates.import' })
    expect(log).toMatchObject([{ subject: draft.id, detail: { cardId, changed: 1, removed: 1 } }])
    // A card has at most one draft, but a file can be imported into that draft.
    const again = await sheet.send([header, ...rows])
    expect(again.error).toMatchObject({ code: 'rate_card_draft_exists', details: { id: draft.id } })
    const draftSheet = openSheet(test, calls, token, { cardId: draft.id })
    const whole = (await draftSheet.send([header, ...rows])).body
    expect((await draftSheet.apply(whole)).body.resultId).toBe(draft.id)
    expect((await readCard(draft.id)).lines).toEqual(before.lines)
    expect((await discard(draft.id)).status).toBe(200)
  })

  it.each([
    ['Origin zone', 'NOWHERE', 'zoneUnknown', /no such zone/],
    ['Carrier', 'Hermes', 'oneOf', /./],
    ['Minimum weight (g)', 'light', 'number', /a number/],
    ['Maximum weight (g)', 0, 'min', /at least 1/],
    ['Price of the first weight (MYR)', '6.505', 'decimals', /2 decimals/],
    ['Price of the first weight (MYR)', -1, 'min', /./],
    ['Transit days', 99, 'max', /60/],
  ])('report a problem at %s: %s', async (column, value, code, message) => {
    const [header = [], first = []] = await sheet.table()
    const at = header.indexOf(column)
    const problems = await sheet.problems([header, first.map((cell, n) => (n === at ? value : cell))])
    expect(problems).toMatchObject([{ cell: `${String.fromCharCode(65 + at)}2`, code }])
    expect(problems[0]?.message).toMatch(message)
  })

  it('report a gap, an overlap and a repeated line', async () => {
    const [header = [], first = []] = await sheet.table()
    const line = (from: number, to: number) => first.map((cell, n) => (n === 5 ? from : n === 6 ? to : cell))
    const codes = async (...lines: ReturnType<typeof line>[]) =>
      (await sheet.problems([header, ...lines])).map(({ cell, code }) => [cell, code])
    expect(await codes(line(1, 1000), line(1002, 2000))).toEqual([['F3', 'bandGap']])
    expect(await codes(line(1, 1000), line(900, 2000))).toEqual([['F3', 'bandOverlap']])
    expect(await codes(line(1, 1000), line(1, 1000))).toContainEqual(['F3', 'rowTwice'])
    expect(await codes(line(1000, 1))).toEqual([['G2', 'beforeMinimum']])
  })

  it('detect a draft that was written since the preview, and one that was published', async () => {
    const draft = (await test.call(createRateCard, { token, body: { fromId: cardId } })).body
    const draftSheet = openSheet(test, calls, token, { cardId: draft.id })
    const [header = [], first = []] = await draftSheet.table()
    const { body } = await draftSheet.send([header, first])
    const lines = draft.lines.map((line, n) => (n === 0 ? { ...line, transitDays: 59 } : line))
    const params = { id: draft.id }
    const saved = await test.call(updateRateCard, { token, params, body: { version: 1, name: draft.name, lines } })
    expect(saved.status).toBe(200)
    expect((await draftSheet.apply(body)).error.code).toBe('sheet_import_outdated')
    const again = (await draftSheet.look(body.id)).body.import
    const validFrom = '2099-01-01'
    const published = await test.call(publishRateCard, { token, params, body: { version: 2, validFrom } })
    expect(published.status, JSON.stringify(published.error)).toBe(200)
    // The draft is published now, so the same file becomes a new draft.
    const applied = await draftSheet.apply(again)
    expect(applied.body.resultId).not.toBe(draft.id)
    expect(await readCard(draft.id)).toMatchObject({ state: 'upcoming', lineCount: lines.length })
    await discard(applied.body.resultId ?? '')
  })

  it('are refused for a missing card, and for staff who do not manage rates', async () => {
    const missing = openSheet(test, calls, token, { cardId: newId() })
    expect((await missing.download()).status).toBe(404)
    expect((await missing.send([['x']])).status).toBe(404)
    const other = openSheet(test, calls, (await createStaff(test, { role: 'normal_staff' })).token, { cardId })
    expect((await other.download()).status).toBe(403)
    expect((await other.send([['x']])).status).toBe(403)
  })
})
