import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { button, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

const header =
  'Code,Name,Type,Address line 1,Postcode,City,State,Country,Latitude,Longitude,Phone,' +
  'Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday,Services,Open to customers'
const hours = Array.from({ length: 7 }, () => '00:00-00:00').join(',')
/** A station in Kuching; each run of the journey uses its own. */
const station = (code: string, phone: string) =>
  `${code},Station ${code},Partner point,"1, Jalan Padungan",93000,,,,1.557,110.344,${phone},${hours},` +
  'E-parcel: drop-off; E-parcel: pickup,Open'
const ranges = (code: string, ...rows: string[]) =>
  ['Station code,From postcode,To postcode,Cut-off time', ...rows.map((row) => `${code},${row},16:00`)].join('\r\n')

test('staff import stations and coverage from spreadsheets, and a visitor finds the new station', async ({
  page,
  text,
  someoneElse,
  checkAccess,
  isMobile,
}) => {
  const code = `KCH-${isMobile ? 'M' : 'D'}${text('nav.stations').length}${test.info().retry}`
  // A range of postcodes that no station covers; each run uses its own.
  const first = 10_000 + ([...code].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 70_000)
  const range = (from: number, to: number) => `9${String(from).padStart(5, '0')},9${String(to).padStart(5, '0')}`
  const staff = await someoneElse()
  await startSession(staff, 'admin@waybill.example')
  await staff.goto('/staff/stations')
  await staff.getByRole('link', { name: text('sheets.open') }).click()
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText(text('sheets.title.stations'))

  await test.step('reports problems by row and column', async () => {
    await send(staff, text, `${header}\r\n${station(code, '12')}`)
    const problem = text('sheets.atCell', { row: 2, column: text('fields.phone'), text: '' })
    await expect(staff.getByText(problem)).toBeVisible()
    await expect(staff.getByText(text('sheets.faulty_one', { rows: 1 }))).toBeVisible()
    await expect(button(staff, text('sheets.apply', { rows: 1 }))).toBeHidden()
    await checkAccess(staff, 'a spreadsheet of stations with a problem')
    const download = staff.waitForEvent('download')
    await button(staff, text('bulk.saveBad')).click()
    expect((await download).suggestedFilename()).toBe('stations-to-correct.xlsx')
  })
  await test.step('opens the station with the corrected file', async () => {
    await button(staff, text('bulk.another')).click()
    await send(staff, text, `${header}\r\n${station(code, '082-412 345')}`)
    await button(staff, text('sheets.apply', { rows: 1 })).click()
    const applied = text('sheets.applied', { new: 1, changed: 0, removed: 0 })
    await expect(staff.getByText(applied)).toBeVisible()
    await checkAccess(staff, 'an applied spreadsheet')
  })
  await test.step('refuses overlapping coverage with its row, and accepts the corrected file', async () => {
    await staff.getByRole('link', { name: text('sheets.tab.coverage'), exact: true }).click()
    await expect(staff.getByRole('heading', { level: 1 })).toHaveText(text('sheets.title.coverage'))
    await send(staff, text, ranges(code, range(first, first + 5), range(first + 3, first + 9)))
    const problem = text('sheets.atCell', { row: 3, column: text('fields.postcodeFrom'), text: '' })
    await expect(staff.getByText(problem)).toBeVisible()
    await button(staff, text('bulk.another')).click()
    await send(staff, text, ranges(code, range(first, first + 5), range(first + 6, first + 9)))
    await button(staff, text('sheets.apply', { rows: 2 })).click()
    await expect(staff.getByText(text('sheets.applied', { new: 2, changed: 0, removed: 0 }))).toBeVisible()
  })
  await test.step('shows the station to a visitor', async () => {
    await page.goto('/public/stations')
    await page.getByRole('searchbox', { name: text('stations.search') }).fill(code)
    await button(page, text('actions.search')).click()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: `Station ${code}` }) })
    await button(card, text('stations.coverageOf', { station: `Station ${code}` })).click()
    await expect(page.getByRole('dialog')).toContainText(`9${String(first).padStart(5, '0')}`)
  })
})

async function send(page: Page, text: Text, csv: string): Promise<void> {
  const file = { name: 'stations.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel(text('bulk.chooseFile')).setInputFiles(file)
}
