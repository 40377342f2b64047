import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { expect, type Text, test } from '../support/journey.ts'
import { authorization } from '../support/other-device.ts'
import { paidParcels } from '../support/paid-parcels.ts'
import { button, field, signIn } from '../support/steps.ts'

const latencyMs = 500
const intervalMs = 100

/** `WB12345678901` as the page groups it. */
const grouped = (number: string) => new RegExp([...number].join('\\s?'))
const pile = (page: Page, text: Text) => page.getByRole('region', { name: text('scanPage.pile') })
const toDecide = (page: Page, text: Text) => page.getByRole('region', { name: text('scanPage.failed') })
const lineOf = (scope: Locator, number: string) => scope.getByRole('listitem').filter({ hasText: grouped(number) })

async function openScanner(page: Page, text: Text, event: string): Promise<Locator> {
  await signIn(page, text, 'kl@waybill.example', 'waybill-demo', '/staff/login')
  await page.goto('/staff/scan')
  await button(page, text(`scanPage.event.${event}`)).click()
  const number = field(page, text('scanPage.number'))
  await expect(number).toBeFocused()
  return number
}

/** A hand scanner: it types wherever the focus is, and knows nothing of the page. */
async function wedge(page: Page, number: string, suffix = 'Enter'): Promise<void> {
  await page.keyboard.type(number)
  await page.keyboard.press(suffix)
}

/** One number after the other, at the pace of somebody with a pile before them. */
async function scanPile(page: Page, numbers: readonly string[]): Promise<void> {
  for (const number of numbers) {
    const next = page.waitForTimeout(intervalMs)
    await wedge(page, number)
    await next
  }
}

/** The scans of these parcels as the server has them, in the order in which they were made. */
async function recorded(page: Page, request: APIRequestContext, numbers: readonly string[]): Promise<string[]> {
  const answer = await request.get('/api/staff/scans?limit=100', { headers: await authorization(page) })
  const { items } = (await answer.json()) as { items: { trackingNumber: string; event: string }[] }
  return items
    .filter(({ event, trackingNumber }) => event === 'accepted' && numbers.includes(trackingNumber))
    .map(({ trackingNumber }) => trackingNumber)
    .reverse()
}

test('scans sixty parcels over a slow line, a reload and a lost connection, each once and in order', async ({
  page,
  context,
  request,
  text,
}) => {
  const numbers = await paidParcels(request, 60)
  const number = await openScanner(page, text, 'accepted')
  let sent = 0
  await page.route('**/api/staff/scans', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent += 1
    await new Promise((resolve) => setTimeout(resolve, latencyMs))
    // A request that went with its page has nobody to answer.
    await route.continue().catch(() => {})
  })

  await scanPile(page, numbers.slice(0, 50))
  await expect(number).toHaveValue('')
  // Most of them still wait when the page is loaded anew.
  expect(sent).toBeLessThan(50)
  await page.reload()
  await expect(pile(page, text).getByRole('heading')).toContainText('50')
  await expect(field(page, text('scanPage.number'))).toBeFocused()

  await context.setOffline(true)
  await scanPile(page, numbers.slice(50))
  await expect(pile(page, text).getByRole('heading')).toContainText('60')
  await expect(page.getByText(text('scanPage.stalled'))).toBeVisible()
  await expect(lineOf(pile(page, text), numbers[59] ?? '')).toContainText(text('scanPage.waiting'))
  await context.setOffline(false)

  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 60 }), { timeout: 60_000 })
  await expect(pile(page, text)).toContainText(text('scanPage.pileWaiting', { count: 0 }))
  await expect(pile(page, text).getByRole('listitem')).toHaveCount(60)
  await expect(toDecide(page, text)).toBeHidden()
  expect(await recorded(page, request, numbers)).toEqual(numbers)
})

test('what scanners send around a number is understood, and the focus comes back', async ({ page, request, text }) => {
  const [tab = '', aim = '', first = '', second = '', click = '', afterButton = ''] = await paidParcels(request, 6)
  const number = await openScanner(page, text, 'accepted')
  const done = (each: string) => expect(lineOf(pile(page, text), each).locator('[data-tone]')).toBeVisible()

  await wedge(page, tab, 'Tab')
  await expect(number).toBeFocused()
  await wedge(page, `]C1${aim}`)
  await wedge(page, first + second)
  for (const each of [tab, aim, first, second]) await done(each)

  await page.locator('main').click({ position: { x: 5, y: 300 } })
  await expect(number).toBeFocused()
  await wedge(page, click)
  await done(click)

  // A button that was pressed last must not be pressed again by the Enter of a scanner.
  await button(page, text('scanPage.camera')).focus()
  await wedge(page, afterButton)
  await done(afterButton)
  await expect(button(page, text('scanPage.camera'))).toBeVisible()

  // The same scan again is no error.
  await wedge(page, tab)
  await expect(page.getByRole('status')).toHaveAttribute('data-tone', 'done')
  const [before = ''] = text('scanPage.already.accepted', { who: text('scanPage.you'), time: '|' }).split('|')
  await expect(page.getByRole('status')).toContainText(before)
})

test('a refused scan stays until somebody has dealt with it', async ({ page, request, text }) => {
  const [known = ''] = await paidParcels(request, 1)
  await openScanner(page, text, 'accepted')
  await wedge(page, 'WB00000000000')
  await expect(page.getByRole('status')).toHaveAttribute('data-tone', 'failed')
  await wedge(page, known)
  await expect(page.getByRole('status')).toHaveAttribute('data-tone', 'done')
  const line = lineOf(toDecide(page, text), 'WB00000000000')
  await expect(line).toBeVisible()
  await page.reload()
  await expect(line).toBeVisible()
  await button(line, text('actions.tryAgain')).click()
  await expect(line).toBeVisible()
  await button(line, text('scanPage.dismiss')).click()
  await expect(toDecide(page, text)).toBeHidden()
})

test('asked for each, a scan never answers the question of another one', async ({ page, request, text }) => {
  const [first = '', second = ''] = await paidParcels(request, 2)
  const number = await openScanner(page, text, 'ask')
  const question = page.getByRole('region', { name: text('scanPage.whatNow') })
  await wedge(page, first)
  await expect(question).toContainText(grouped(first))
  await expect(number).toBeFocused()
  await wedge(page, second)
  await expect(question).toContainText(grouped(second))
  // Nothing was reported for the first one, which waits for a decision.
  await expect(lineOf(toDecide(page, text), first)).toContainText(text('scanPage.unanswered'))
  await expect(pile(page, text).getByRole('listitem')).toHaveCount(0)

  await wedge(page, '1')
  await expect(lineOf(pile(page, text), second)).toContainText(text('scanPage.event.accepted'))
  await button(lineOf(toDecide(page, text), first), text('scanPage.decide')).click()
  await expect(question).toContainText(grouped(first))
  await button(question, text('scanPage.event.accepted')).click()
  await expect(lineOf(pile(page, text), first)).toContainText(text('scanPage.event.accepted'))
  await expect(toDecide(page, text)).toBeHidden()
})

test('the next station is chosen once for a pile, and goes with the clerk', async ({ page, request, text }) => {
  const numbers = await paidParcels(request, 3)
  await openScanner(page, text, 'accepted')
  for (const each of numbers) await wedge(page, each)
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 3 }))
  await button(page, text('scanPage.event.departed')).click()
  await wedge(page, numbers[0] ?? '')
  await expect(lineOf(toDecide(page, text), numbers[0] ?? '')).toContainText(text('scanPage.noNextStation'))
  await page
    .getByRole('combobox', { name: text('scanPage.nextStation') })
    .selectOption({ label: 'BKI-T11 · Kota Kinabalu' })
  await expect(page.getByRole('note')).toHaveCount(0)
  await page.locator('main').click({ position: { x: 5, y: 300 } })
  for (const each of numbers) await wedge(page, each)
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 6 }))
  await expect(toDecide(page, text)).toBeHidden()

  // Another station than one's own, and a scan that cannot be sent: signing out says so, and forgets the station.
  const station = page.getByRole('combobox', { name: text('scanPage.station'), exact: true })
  const own = await station.inputValue()
  await station.selectOption({ label: 'BKI-T11 · Kota Kinabalu' })
  await page.route('**/api/staff/scans', (route) => route.abort())
  await page.locator('main').click({ position: { x: 5, y: 300 } })
  await wedge(page, numbers[1] ?? '')
  await button(page, text('nav.account')).click()
  await button(page, text('auth.signOut')).click()
  const warning = page.getByRole('dialog', { name: text('auth.unsentTitle') })
  await button(warning, text('auth.signOut')).click()
  await page.waitForURL(/\/staff\/login/)

  // A colleague at the same device neither sees nor sends it.
  await signIn(page, text, 'sabah@waybill.example', 'waybill-demo', '/staff/login')
  await page.goto('/staff/scan')
  await expect(pile(page, text).getByRole('heading')).toContainText('0')
  await page.goto('/staff/scan')
  await button(page, text('nav.account')).click()
  await button(page, text('auth.signOut')).click()
  await page.waitForURL(/\/staff\/login/)
  await signIn(page, text, 'kl@waybill.example', 'waybill-demo', '/staff/login')
  await page.goto('/staff/scan')
  await expect(station).toHaveValue(own)
  await expect(lineOf(pile(page, text), numbers[1] ?? '')).toContainText(text('scanPage.waiting'))
})
