import type { Locator, Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { button, startSession } from '../support/steps.ts'

type Answer = { total: number; counts: Record<string, number>; summary: { underWay: number } }

/** The first number in an element's text; 0 if it has none. */
async function readCount(element: Locator): Promise<number> {
  const text = (await element.textContent()) ?? ''
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

/** Reads a list of the staff that is signed in on the page. */
async function readList(page: Page, path: string): Promise<Answer> {
  return (await callAsPage(page)).get(`/api/staff/${path}`)
}

const findTile = (page: Page, path: string) => page.locator(`main a[href="${path}"]`)

/** Other journeys may change the lists meanwhile, so the page and the list are read again until they agree. */
async function expectCount(page: Page, element: Locator, readExpected: () => Promise<number>): Promise<number> {
  let count = 0
  await expect(async () => {
    await page.reload()
    const expected = await readExpected()
    await expect(element).toContainText(String(expected || ''), { timeout: 3000 })
    count = await readCount(element)
    expect(count).toBe(expected)
  }).toPass({ timeout: 60_000 })
  return count
}

test('the home page of staff and the finance tabs show how much waits in each list', async ({ page, text }) => {
  await startSession(page, 'accounts@waybill.example')
  await page.goto('/staff')
  const read = (path: string) => readList(page, path)
  const counts = {
    '/staff/tickets': async () => (await read('tickets?limit=1')).counts.due ?? 0,
    '/staff/inbox': async () => (await read('chat/threads?limit=1')).counts.waiting ?? 0,
    '/staff/disputes': async () => (await read('weight-disputes?limit=1')).total,
  }
  for (const [path, readExpected] of Object.entries(counts)) {
    const count = await expectCount(page, findTile(page, path), readExpected)
    expect(count, path).toBeGreaterThan(0)
  }

  const readRefunds = async () => (await read('refunds?status=requested&limit=1')).total
  const readGateway = async () => (await read('finance/gateway-answers?limit=1')).counts.open ?? 0
  const readBoth = async () => (await readRefunds()) + (await readGateway())
  expect(await expectCount(page, findTile(page, '/staff/finance'), readBoth)).toBeGreaterThan(0)

  await page.goto('/staff/finance')
  const tabs = page.getByRole('navigation', { name: text('financePage.tabs') })
  const findTab = (name: string) => tabs.getByRole('button', { name: new RegExp(`^${text(name)}`) })
  await expectCount(page, findTab('financePage.refunds'), readRefunds)
  expect(await expectCount(page, findTab('financePage.gateway'), readGateway)).toBeGreaterThan(0)
  // The table is not wider than its frame, which would cut off the actions.
  await expect(button(page, text('financePage.done')).first()).toBeInViewport({ ratio: 1 })
})

test('the home page of a station shows how many deliveries are under way', async ({ page }) => {
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff')
  const readUnderWay = async () => (await readList(page, 'deliveries?limit=1')).summary.underWay
  const count = await expectCount(page, findTile(page, '/staff/deliveries'), readUnderWay)
  expect(count).toBeGreaterThan(0)
})

test('a list of the staff that cannot be loaded does not look empty', async ({ page, text }) => {
  await startSession(page, 'accounts@waybill.example')
  await page.route('**/api/staff/chat/answers*', (route) =>
    route.fulfill({ status: 500, json: { statusCode: 500, code: 'internal', message: 'Broken for the test' } }),
  )
  await page.goto('/staff/inbox')
  await button(page, text('inbox.answers')).click()
  const dialog = page.getByRole('dialog', { name: text('inbox.answers') })
  await expect(dialog).toContainText('Broken for the test')
  await page.unroute('**/api/staff/chat/answers*')
  await button(dialog, text('actions.tryAgain')).click()
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
})
