import type { Page } from '@playwright/test'
import { expect, type Text, test } from '../support/journey.ts'
import { button, field, heading, signIn } from '../support/steps.ts'

const demoPassword = 'waybill-demo'

test('books a pickup, moves it to another day, and a rider fetches the parcels', async ({
  page,
  text,
  someoneElse,
}) => {
  await signIn(page, text, 'aisyah@example.com', demoPassword)
  await page.goto('/pickups?tab=coming')
  await test.step('gives up the one that is coming', () => giveUp(page, text))
  const { pickup, parcel } = await test.step('books another for the same parcel', () => book(page, text))
  const day = await test.step('moves it to another day', () => move(page, text, pickup))
  await test.step('a rider takes it, goes, scans and completes', async () => {
    const { page: rider } = await riderOf(someoneElse, text)
    await fetchParcel(rider, text, { pickup, parcel, day })
  })
  await page.goto('/pickups?tab=done')
  await expect(page.getByRole('button', { name: pickup })).toBeVisible()
})

async function riderOf(someoneElse: () => Promise<Page>, text: Text): Promise<{ page: Page }> {
  const rider = await someoneElse()
  await signIn(rider, text, 'kl@waybill.example', demoPassword, '/staff/login')
  return { page: rider }
}

async function giveUp(page: Page, text: Text): Promise<void> {
  await page.getByRole('button', { name: /^PU-/ }).first().click()
  const dialog = page.getByRole('dialog', { name: /^PU-/ })
  await button(dialog, text('pickupsPage.cancel')).click()
  await button(page.getByRole('dialog', { name: text('pickupsPage.cancel') }), text('pickupsPage.cancel')).click()
  await expect(dialog).toBeHidden()
}

async function book(page: Page, text: Text): Promise<{ pickup: string; parcel: string }> {
  await button(page, text('pickupsPage.book')).click()
  const dialog = page.getByRole('dialog', { name: text('pickupsPage.bookTitle') })
  const boxes = dialog.getByRole('checkbox')
  const parcel = (await dialog.getByRole('listitem').first().locator('label').innerText()).replaceAll(' ', '')
  for (const box of (await boxes.all()).slice(1)) await box.uncheck()
  await dialog.locator('input[name="date"]:enabled').first().check()
  await button(dialog, text('pickupsPage.book')).click()
  await expect(dialog).toBeHidden()
  const pickup = await page.getByRole('button', { name: /^PU-/ }).first().innerText()
  return { pickup, parcel }
}

/** Answers the day as it stands in the radio button, `YYYY-MM-DD`. */
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

async function fetchParcel(
  rider: Page,
  text: Text,
  { pickup, parcel, day }: { pickup: string; parcel: string; day: string },
): Promise<void> {
  await rider.goto('/staff/pickups')
  await expect(heading(rider, text('pickupTasks.title'))).toBeVisible()
  await rider.getByLabel(text('pickupTasks.day'), { exact: true }).fill(day)
  await rider.getByRole('button', { name: pickup }).click()
  const task = rider.getByRole('dialog', { name: pickup })
  await button(task, text('pickupTasks.take')).click()
  await button(task, text('pickupTasks.start')).click()
  await field(task, text('pickupTasks.scan')).fill(parcel)
  await rider.keyboard.press('Enter')
  await expect(task.getByText(text('pickupTasks.picked'), { exact: true })).toBeVisible()
  await button(task, text('pickupTasks.complete')).click()
  await expect(button(task, text('pickupTasks.complete'))).toBeHidden()
}
