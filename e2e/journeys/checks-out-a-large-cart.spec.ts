import type { Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { button, heading, sender } from '../support/steps.ts'

/** More than the cart shows. */
const count = 205

const header = 'Receiver name,Phone,Address line 1,Postcode,City,State,Weight,Length,Width,Height,Delivery mode'
const line = (n: number) =>
  `Receiver ${n},012-345 6789,${n} Jalan Burma,10050,George Town,Pulau Pinang,1.2,30,20,10,P2D`

test('a customer checks out more parcels than the cart shows, in one order', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await startNewcomer(page)
  await (await callAsPage(page)).post('/api/customer/address', {
    ...{ contactName: sender.name, phone: '+60123456789', line1: '1 Jalan Telawi', postcode: '59100' },
    ...{ city: 'Kuala Lumpur', state: 'Kuala Lumpur', country: 'my', kind: 'sender', isDefault: true },
  })
  const rows = [header, ...Array.from({ length: count }, (_, n) => line(n + 1))].join('\n')
  await page.goto('/parcels/bulk')
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) }
  await page.getByLabel(text('bulk.chooseFile')).setInputFiles(file)
  await pasteReferences(page)
  const batch = page.url().split('/').at(-1) ?? ''
  const customer = await callAsPage(page)
  const readLastCells = async () => {
    const last = `/api/customer/parcels/bulk/${batch}?offset=${count - 1}&limit=1`
    return (await customer.get<{ items: { cells: string[] }[] }>(last)).items[0]?.cells
  }
  await expect.poll(readLastCells).toContain(`REF-${count}`)
  await expect(page.getByText(text('bulk.save.saved'))).toBeVisible()
  await page.getByRole('button', { name: text('bulk.toCart', { rows: count }) }).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()

  const checkOut = (parcels: number) => button(page, text('cart.checkoutCount', { count: parcels }))
  await expect(checkOut(200)).toBeVisible()
  await expect(page.getByText(text('cart.more', { shown: '200', total: String(count) }))).toBeVisible()
  await button(page, text('cart.chooseWhole', { count: String(count) })).click()
  await expect(page.getByText(text('cart.wholeChosen', { count: String(count) }))).toBeVisible()
  // Before that, the old price is dimmed.
  await expect(checkOut(count)).toBeEnabled()
  await checkAccess(page, 'a cart of more parcels than it shows')
  await checkOut(count).click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  await expect(button(page, text('checkout.showAll', { count: String(count) }))).toBeVisible()
})

/** Pastes a reference into every row, also into those that the grid has not loaded yet. */
async function pasteReferences(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'orders.csv' })
  await grid.getByRole('gridcell').first().waitFor()
  const references = Array.from({ length: count }, (_, n) => `REF-${n + 1}`).join('\n')
  await grid.evaluate((box, cells) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', cells)
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, references)
}
