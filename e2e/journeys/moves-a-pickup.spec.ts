import type { Locator, Page } from '@playwright/test'
import { expect, type Text, test } from '../support/journey.ts'
import { button, startSession } from '../support/steps.ts'

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
  await dialog.locator('input[name="date"]:enabled').first().check()
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
