import type { Locator, Page } from '@playwright/test'
import { type Api, callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { fillCart, kualaLumpur } from '../support/parcels.ts'
import { button, chooseCredits, field, heading, payWithPin, pin, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

test('a customer cancels a pickup, books another and moves it to another day', async ({ page, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/cart')
  const daysInCart = await dayTitles(page.locator('main'))
  await page.goto('/pickups?tab=coming')
  await test.step('cancels the next pickup', () => giveUp(page, text))
  const { pickup } = await test.step('books another pickup for the same parcel', () => book(page, text, daysInCart))
  const day = await test.step('moves it to another day', () => move(page, text, pickup))
  expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
})

async function giveUp(page: Page, text: Text): Promise<void> {
  await page.getByRole('button', { name: /^PU-/ }).first().click()
  const dialog = page.getByRole('dialog', { name: /^PU-/ })
  await button(dialog, text('pickupsPage.cancel')).click()
  await button(page.getByRole('dialog', { name: text('pickupsPage.cancel') }), text('pickupsPage.cancel')).click()
  await expect(dialog).toBeHidden()
}

/** The names of the days on the choice cards. */
async function dayTitles(scope: Locator): Promise<string[]> {
  const cards = scope.locator('label', { has: scope.page().locator('input[name$="date"]') })
  await expect(cards.first()).toBeVisible()
  return cards.locator('[class*="title"]').allTextContents()
}

async function book(page: Page, text: Text, daysInCart: readonly string[]): Promise<{ pickup: string }> {
  await button(page, text('pickupsPage.book')).click()
  const dialog = page.getByRole('dialog', { name: text('pickupsPage.bookTitle') })
  const boxes = dialog.getByRole('checkbox')
  for (const box of (await boxes.all()).slice(1)) await box.uncheck()
  // The first open day and its first open window are proposed, as in the cart.
  await expect(dialog.locator('input[name="date"]:enabled').first()).toBeChecked()
  await expect(dialog.locator('input[name="window"]:enabled').first()).toBeChecked()
  // The days have the same names as in the cart.
  expect(daysInCart.slice(0, 2)).toEqual([text('cart.today'), text('cart.tomorrow')])
  expect((await dayTitles(dialog)).slice(0, daysInCart.length)).toEqual(daysInCart)
  // A day without a pickup shows the reason.
  const reasons = ['past', 'rest_day', 'full'].map((reason) => text(`pickupClosed.${reason}`))
  const closed = dialog.locator('label', { has: page.locator('input[name="date"]:disabled') })
  await expect(closed.first()).toBeVisible()
  for (const day of await closed.allTextContents())
    expect(
      reasons.some((reason) => day.includes(reason)),
      day,
    ).toBe(true)
  await button(dialog, text('pickupsPage.book')).click()
  await expect(dialog).toBeHidden()
  const pickup = await page.getByRole('button', { name: /^PU-/ }).first().textContent()
  return { pickup: pickup ?? '' }
}

/** Returns the day as in the radio button's value, `YYYY-MM-DD`. */
async function move(page: Page, text: Text, pickup: string): Promise<string> {
  await button(page, pickup).click()
  const dialog = page.getByRole('dialog', { name: pickup })
  await button(dialog, text('pickupsPage.reschedule')).click()
  const other = dialog.locator('input[name="date"]:enabled').last()
  const day = await other.inputValue()
  await other.check()
  await button(dialog, text('pickupsPage.save')).click()
  await expect(button(dialog, text('pickupsPage.reschedule'))).toBeVisible()
  await page.keyboard.press('Escape')
  return day
}

type Slot = { date: string; window: string; closed: string | null }
type Order = { id: string; totalMinor: number }
const pickups = '/api/customer/pickup-request'

/** Orders a parcel that is fetched at this address, in the last open window. */
async function orderPickup(api: Api, line1: string): Promise<Order> {
  const sender = { ...kualaLumpur, line1 }
  const { parcelIds } = await fillCart(api, [{ deliveryMode: 'D2D', sender }])
  const { postcode, country } = sender
  const { items } = await api.get<{ items: Slot[] }>(`${pickups}/slots?postcode=${postcode}&country=${country}`)
  const slot = items.findLast(({ closed }) => closed === null)
  const pickup = { address: sender, date: slot?.date, window: slot?.window }
  const { totalMinor } = await api.post<Order>('/api/customer/prices/summary', { parcelIds, pickup })
  return api.post<Order>('/api/customer/orders', { parcelIds, pickup, expectedTotalMinor: totalMinor })
}

/** Pays the order, then cancels its pickup, so that the parcel waits for another one. */
async function payWithoutPickup(api: Api, { id, totalMinor }: Order): Promise<void> {
  await api.post(`/api/customer/payments/express_credit/${id}`, { pin, expectedTotalMinor: totalMinor })
  const { items } = await api.get<{ items: { id: string; version: number }[] }>(`${pickups}?tab=coming`)
  for (const { id: pickup, version } of items) await api.post(`${pickups}/${pickup}/cancel`, { version })
}

test('parcels at two addresses are offered one address at a time', async ({ page, text, startFundedNewcomer }) => {
  await startFundedNewcomer(page)
  const customer = await callAsPage(page)
  for (const line1 of ['3, Jalan Kiara 2', '3 JALAN KIARA 2', '8, Jalan Ampang'])
    await payWithoutPickup(customer, await orderPickup(customer, line1))
  await page.goto('/pickups')
  await button(page, text('pickupsPage.book')).click()
  const dialog = page.getByRole('dialog', { name: text('pickupsPage.bookTitle') })
  const door = dialog.getByRole('combobox', { name: text('pickupsPage.door') })
  await expect(door.getByRole('option')).toHaveCount(2)
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await door.selectOption({ index: 1 })
  await expect(dialog.getByRole('checkbox')).toHaveCount(1)
  await expect(dialog.getByText('8, Jalan Ampang', { exact: true })).toBeVisible()
  await door.selectOption({ index: 0 })
  await dialog.locator('input[name="date"]:enabled').first().check()
  await button(dialog, text('pickupsPage.book')).click()
  await expect(dialog).toBeHidden()
  await button(page, text('pickupsPage.book')).click()
  await expect(dialog.getByText('8, Jalan Ampang', { exact: true })).toBeVisible()
  await expect(door).toBeHidden()
})

test('the pages of an order name the rider’s visit as it is now', async ({ page, text, startFundedNewcomer }) => {
  await startFundedNewcomer(page)
  const customer = await callAsPage(page)
  const order = await orderPickup(customer, '5, Jalan Kiara 2')
  await payWithoutPickup(customer, order)
  for (const path of [`/orders/${order.id}`, `/checkout/${order.id}`]) {
    await page.goto(path)
    await expect(page.getByText(text('checkout.noVisit'))).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(/PU-\d/)
    await expect(button(page, text('calendar.add'))).toBeHidden()
  }
  await page.getByRole('link', { name: text('parcelPage.toPickups') }).click()
  await button(page, text('pickupsPage.book')).click()
  const dialog = page.getByRole('dialog', { name: text('pickupsPage.bookTitle') })
  await dialog.locator('input[name="date"]:enabled').last().check()
  await dialog.locator('input[name="window"]:enabled').first().check()
  await button(dialog, text('pickupsPage.book')).click()
  await expect(dialog).toBeHidden()
  const { items } = await customer.get<{ items: { number: string }[] }>(`${pickups}?tab=coming`)
  await page.goto(`/orders/${order.id}`)
  await expect(page.getByText(items[0]?.number ?? '-')).toBeVisible()
  await expect(button(page, text('calendar.add'))).toBeVisible()
})

test('the cart warns of parcels at another door than the rider’s, and leaves them out', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  const line1 = '8, Jalan Ampang'
  await fillCart(await callAsPage(page), [
    { deliveryMode: 'D2D', sender: { ...kualaLumpur, line1 } },
    { deliveryMode: 'D2D' },
    // The same door in another spelling.
    { deliveryMode: 'D2D', sender: { ...kualaLumpur, line1: kualaLumpur.line1.toUpperCase() } },
  ])
  await page.goto('/cart?tab=pickup')
  const warning = page.getByText(text('cart.elsewhere', { count: 1 }))
  await expect(warning).toBeVisible()
  await button(page, text('cart.leaveOut', { count: 1 })).click()
  await expect(warning).toBeHidden()
  await expect(
    button(page, text('cart.checkoutCount', { count: 2 }))
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
})

test('an address where a pickup has another price is refused at the address', async ({
  page,
  text,
  startFundedNewcomer,
}) => {
  await startFundedNewcomer(page)
  const customer = await callAsPage(page)
  const kinabalu = { postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' }
  await customer.post('/api/customer/address', {
    ...kualaLumpur,
    ...kinabalu,
    kind: 'sender',
    line1: '50, Jalan Gaya',
  })
  const [, reason = ''] = text('validation.otherPrice').split('%field%')
  const chooseKinabalu = async (scope: Locator) => {
    await scope.getByRole('combobox', { name: text('cart.otherAddress') }).click()
    await page.getByRole('option').filter({ hasText: '88000' }).click()
  }
  const findRefusal = (scope: Locator) => scope.getByRole('alert').filter({ hasText: reason })

  await fillCart(customer, [{ deliveryMode: 'D2D' }])
  await page.goto('/cart?tab=pickup')
  await expect(page.getByText(kualaLumpur.line1).first()).toBeVisible()
  await button(page, text('cart.changeAddress')).click()
  await chooseKinabalu(page.locator('main'))
  await expect(findRefusal(page.locator('main'))).toBeVisible()
  await expect(button(page, text('cart.checkoutCount', { count: 1 }))).toBeDisabled()

  const order = await orderPickup(customer, '8, Jalan Ampang')
  await customer.post(`/api/customer/payments/express_credit/${order.id}`, {
    pin,
    expectedTotalMinor: order.totalMinor,
  })
  await page.goto('/pickups?tab=coming')
  await page.getByRole('button', { name: /^PU-/ }).first().click()
  const dialog = page.getByRole('dialog', { name: /^PU-/ })
  await button(dialog, text('pickupsPage.reschedule')).click()
  await chooseKinabalu(dialog)
  await dialog.locator('input[name="date"]:enabled').last().check()
  await button(dialog, text('pickupsPage.save')).click()
  await expect(findRefusal(dialog)).toBeVisible()
})

test('a payment for a rider who cannot come any more leads to another time', async ({
  page,
  text,
  startFundedNewcomer,
}) => {
  await startFundedNewcomer(page)
  const order = await orderPickup(await callAsPage(page), '3, Jalan Kiara 2')
  const message = text('errors.pickup_missed')
  // The window starts while the customer types the PIN.
  await page.route('**/payments/express_credit/*', (route) =>
    route.fulfill({ status: 409, json: { statusCode: 409, code: 'pickup_missed', message } }),
  )
  await page.goto(`/checkout/${order.id}`)
  await chooseCredits(page)
  await payWithPin(page, text)
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog')).filter({ hasText: message })
  await button(question, text('checkout.otherTime')).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  await expect(page.locator('input[name$="date"]:enabled').first()).toBeAttached()
})

test('staff turn the pages of a station’s pickups', async ({ page, text }) => {
  await startSession(page, 'kl@waybill.example')
  let query = new URLSearchParams()
  // The demo has fewer pickups than a page.
  await page.route('**/api/staff/pickups?*', async (route) => {
    // Before the response, which a later request may overtake.
    query = new URL(route.request().url()).searchParams
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), total: 120 } })
  })
  await page.goto('/staff/pickups')
  await field(page, text('pickupTasks.day')).fill('')
  // Each change of a filter shows the first page again.
  await expect.poll(() => [query.has('stationId'), query.has('date')]).toEqual([true, false])
  const pages = page.getByRole('navigation', { name: text('list.pages') })
  await button(pages, text('list.next')).click()
  await expect.poll(() => query.get('offset')).toBe('50')
  const whose = page.getByRole('combobox', { name: text('pickupTasks.whose') })
  await whose.selectOption('nobody')
  await expect.poll(() => query.get('offset')).toBe('0')
  // A reload keeps the filters.
  const search = page.getByRole('searchbox', { name: text('pickupTasks.number') })
  await search.fill('PU-1')
  await search.blur()
  await expect(page).toHaveURL(/no=PU-1/)
  await page.reload()
  await expect(search).toHaveValue('PU-1')
  await search.fill('')
  await expect(whose).toHaveValue('nobody')
  await expect(field(page, text('pickupTasks.day'))).toHaveValue('')
  await expect
    .poll(() => [query.get('rider'), query.has('date'), query.has('search')])
    .toEqual(['nobody', false, false])
})
