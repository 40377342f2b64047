import { expect, it } from 'vitest'
import { readStream } from '../../src/domains/attachments/file-store.ts'
import { type Report, renderReports } from '../../src/lib/print/report-pdf.ts'
import { openPaper } from '../testing/paper.ts'

const buildRows = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ cells: [`${word}${n}`, '1'] }))
const columns = (header: string) => [{ header }, { header: 'Parcels', width: 30, align: 'right' as const }]
const report = (rows: number, lateRows: number): Report => ({
  title: 'Report',
  issuer: { name: 'Courier', lines: [] },
  facts: [],
  columns: columns('Day'),
  rows: buildRows('day', rows),
  empty: 'No orders',
  closing: () => [['Sum', '42']],
  furtherTables: [
    { title: 'Late parcels', columns: columns('Station'), rows: buildRows('station', lateRows), empty: 'None late' },
  ],
  foot: (page) => `Page ${page}`,
  colour: '#336699',
})
const print = async (rows: number, lateRows: number) => {
  const info = { title: 'Report', author: 'Courier', language: 'en', createdAt: new Date(0) }
  return (await openPaper(await readStream(renderReports([report(rows, lateRows)], info)))).pages.map(
    ({ text }) => text,
  )
}
const count = (pages: readonly string[], word: string) => pages.join(' ').split(word).length - 1

it('a second table follows the totals, on as many pages as it needs, with its headings on each page', async () => {
  const pages = await print(3, 120)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages[0]).toMatch(/day2.*Sum.*42.*Late parcels.*Station.*station0/s)
  for (const page of pages.slice(1)) expect(page).toContain('Station')
  expect([count(pages, 'Late parcels'), count(pages, 'Day'), count(pages, 'Sum')]).toEqual([1, 1, 1])
  for (let n = 0; n < 120; n += 1) expect(pages.join(' ')).toContain(`station${n}\n`)
  pages.forEach((page, n) => {
    expect(page).toContain(`Page ${n + 1}`)
  })
})

it('the title of a table is never alone at the bottom of a page, and an empty table says so', async () => {
  for (let rows = 20; rows < 45; rows += 1) {
    const pages = await print(rows, 0)
    const withTitle = pages.find((page) => page.includes('Late parcels'))
    expect(withTitle, `${rows} rows`).toContain('None late')
  }
})
