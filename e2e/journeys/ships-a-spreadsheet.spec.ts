import type { Locator, Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { button, heading, sender } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

const sheet = [
  'Receiver name,Phone,Address line 1,Postcode,City,Weight,Length,Width,Height',
  'Nurul Huda,012-345 6789,12 Jalan Burma,10050,George Town,1.2,30,20,10',
  'Siva Kumar,012-876 5432,3 Jalan Sultan,99999,Kuala Lumpur,2,30,30,15',
].join('\n')

/** Chooses a .csv on the page of spreadsheets. */
const upload = (page: Page, text: Text, name: string, content: string) =>
  page.getByLabel(text('bulk.chooseFile')).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('a customer imports a spreadsheet, corrects a cell and adds the rows to the cart', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
  isMobile,
}) => {
  await startNewcomer(page)
  await (await callAsPage(page)).post('/api/customer/address', {
    ...{ contactName: sender.name, phone: '+60123456789', line1: '1 Jalan Telawi', postcode: '59100' },
    ...{ city: 'Kuala Lumpur', state: 'Kuala Lumpur', country: 'my', kind: 'sender', isDefault: true },
  })

  await page.goto('/parcels/bulk')
  await expect(heading(page, text('bulk.title'))).toBeVisible()
  await checkAccess(page, 'bulk')
  await upload(page, text, 'orders.csv', sheet)

  if (isMobile) await correctCard(page, text, checkAccess)
  else await correctCell(page, checkAccess)
  await expect(page.getByText(text('bulk.save.saved'))).toBeVisible()

  await page.getByRole('button', { name: text('bulk.toCart', { rows: 2 }) }).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  await expect(page.getByText('Nurul Huda').first()).toBeVisible()
  await expect(page.getByText('Siva Kumar').first()).toBeVisible()
  await expect(button(page, text('actions.tryAgain'))).toHaveCount(0)
})

const unknownHeaders = [
  'Siapa,No. Telefon,Jalan,Poskod,Bandar,Berat',
  'Nurul Huda,012-345 6789,12 Jalan Burma,10050,George Town,1.2',
  'Siva Kumar,012-876 5432,3 Jalan Sultan,50000,Kuala Lumpur,2',
].join('\n')

test('a customer maps the columns of a spreadsheet, and gives all rows one size', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await page.goto('/parcels/bulk')
  await upload(page, text, 'pesanan.csv', unknownHeaders)

  const column = page.getByRole('combobox', { name: 'Siapa' })
  await expect(column).toHaveAccessibleDescription(/Nurul Huda.*Siva Kumar/)
  await column.selectOption({ label: text('bulk.column.receiverName') })
  await button(page, text('bulk.readFile')).click()

  const groups = page.getByRole('list', { name: text('bulk.shared') })
  const size = groups.getByRole('listitem').filter({ hasText: text('bulk.group.size', { count: 2, rows: 2 }) })
  await size.getByRole('button', { name: /^M[,、]/ }).click()
  await expect(size).toHaveCount(0)
})

const oneOfEach = [
  'Receiver name,Phone,Address line 1,Postcode,City,Weight,Length,Width,Height',
  'Nurul Huda,012-345 6789,12 Jalan Burma,10050,George Town,1.2,,,',
  'Siva Kumar,012-876 5432,3 Jalan Tunku Ibrahim,5000,Alor Setar,2,30,30,15',
].join('\n')

const noHeaders = [
  'Nurul Huda,012-345 6789,12 Jalan Burma,10050,1.2',
  'Siva Kumar,012-876 5432,3 Jalan Sultan,50000,2',
].join('\n')

test('the first row of a spreadsheet without headers is a parcel', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/parcels/bulk')
  await upload(page, text, 'plain.csv', noHeaders)

  await expect(page.getByLabel(text('bulk.noHeader'))).toBeChecked()
  const fields = ['receiverName', 'phone', 'line1', 'postcode', 'weight']
  for (const [n, field] of fields.entries()) {
    const column = page.getByRole('combobox', { name: text('bulk.columnNumber', { number: n + 1 }) })
    await column.selectOption({ label: text(`bulk.column.${field}`) })
  }
  await button(page, text('bulk.readFile')).click()
  await expect(page.getByText('Nurul Huda').first()).toBeVisible()
  await expect(page.getByText('Siva Kumar').first()).toBeVisible()
})

test('a file that was uploaded by mistake is deleted before its columns are chosen', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await page.goto('/parcels/bulk')
  await upload(page, text, 'plain.csv', noHeaders)
  await button(page, text('bulk.clear')).click()
  await button(page.getByRole('dialog'), text('actions.remove')).click()
  await expect(heading(page, text('bulk.title'))).toBeVisible()
  await expect(page.getByRole('link', { name: 'plain.csv' })).toHaveCount(0)
})

test('a batch that was deleted in another window says so when a cell is corrected', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
  isMobile,
}) => {
  await startNewcomer(page)
  await page.goto('/parcels/bulk')
  await upload(page, text, 'orders.csv', sheet)
  await page.waitForURL('**/parcels/bulk/*')
  await expect(page.getByText('Siva Kumar').first()).toBeVisible()
  await (await callAsPage(page)).post('/api/customer/parcels/bulk/clear', { id: page.url().split('/').at(-1) })
  if (isMobile) await correctCard(page, text, checkAccess)
  else await correctCell(page, checkAccess)
  await expect(page.getByText(text('bulk.gone'))).toBeVisible()
  await button(page, text('bulk.backToBulk')).click()
  await expect(heading(page, text('bulk.title'))).toBeVisible()
})

test('two problems of one row each have their own action', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/parcels/bulk')
  await upload(page, text, 'orders.csv', oneOfEach)

  const groups = page.getByRole('list', { name: text('bulk.shared') })
  const size = groups.getByRole('listitem').filter({ hasText: text('bulk.group.size', { count: 1, rows: 1 }) })
  const postcode = groups.getByRole('button', { name: text('bulk.fixAll', { count: 1, rows: 1 }) })
  await expect(size).toBeVisible()
  await postcode.click()
  await expect(postcode).toHaveCount(0)
  await size.getByRole('button', { name: /^M[,、]/ }).click()
  await expect(groups).toHaveCount(0)
})

type CheckAccess = (page: Page, name: string) => Promise<void>

/** As in a spreadsheet, typing replaces the selected cell. */
async function correctCell(page: Page, checkAccess: CheckAccess): Promise<void> {
  const grid = page.getByRole('grid', { name: 'orders.csv' })
  await expect(grid.getByRole('row')).toHaveCount(2)
  const wrong = grid.getByRole('gridcell', { name: '99999', exact: true })
  await expect(wrong).toHaveAttribute('aria-invalid', 'true')
  await checkAccess(page, 'bulk-grid')
  await expectPinned(grid)
  await wrong.click()
  await page.keyboard.type('50000')
  await page.keyboard.press('Enter')
}

/** The number, the state and the receiver of a row stay where they are while the grid scrolls sideways. */
async function expectPinned(grid: Locator): Promise<void> {
  const row = grid.getByRole('row').filter({ hasText: 'Siva Kumar' })
  const listLeftEdges = () =>
    row.locator(':scope > *').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left))
  const before = await listLeftEdges()
  await grid.evaluate((box) => box.scrollTo({ left: 400 }))
  await expect.poll(async () => (await listLeftEdges())[3]).toBeLessThan(before[3] ?? 0)
  expect((await listLeftEdges()).slice(0, 3)).toEqual(before.slice(0, 3))
  await grid.evaluate((box) => box.scrollTo({ left: 0 }))
}

/** On a phone, the card shows the problem and its form has the field. Nothing scrolls sideways. */
async function correctCard(page: Page, text: Text, checkAccess: CheckAccess): Promise<void> {
  const cards = page.getByRole('list', { name: 'orders.csv' })
  await expect(cards.getByRole('article')).toHaveCount(1)
  await expect(cards.getByText(text('bulk.problem.postcode_unknown'))).toBeVisible()
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wider).toBeLessThanOrEqual(0)
  await checkAccess(page, 'bulk-cards')
  const edit = button(page, text('bulk.editRow', { row: 3, name: 'Siva Kumar' }))
  await edit.click()
  const form = page.getByRole('dialog', { name: text('bulk.rowNumber', { row: 3 }) })
  const postcode = form.getByRole('textbox', { name: text('bulk.column.postcode') })
  await expect(postcode).toBeFocused()
  await expect(postcode).toHaveAttribute('aria-invalid', 'true')
  await checkAccess(page, 'bulk-row-form')
  // Closing the unchanged form returns the focus.
  await page.keyboard.press('Escape')
  await expect(edit).toBeFocused()
  await edit.click()
  await postcode.fill('50000')
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)
}
