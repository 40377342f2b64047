import type { Page } from '@playwright/test'
import { expect, type Text, test } from '../support/journey.ts'
import { startNewcomer } from '../support/newcomer.ts'
import { authorization } from '../support/other-device.ts'
import { button, heading } from '../support/steps.ts'

test('a customer sees, reads and silences notifications', async ({ page, text, codeTo, language, checkAccess }) => {
  await startNewcomer(page, codeTo, language)
  await page.goto('/dashboard')
  const title = text('mail.address_filled_in.subject', { receiver: 'Siti Aminah' })
  const bell = (count: number) =>
    page.getByRole('banner').getByRole('link', {
      name: count > 0 ? text('notifications.bell', { count }) : text('notifications.title'),
      exact: true,
    })

  await test.step('the bell counts and the page says it, without a reload', async () => {
    await expect(bell(0)).toBeVisible()
    await answerLink(page)
    await expect(page.getByText(title)).toBeVisible()
    await expect(bell(1)).toBeVisible()
  })
  await test.step('the list opens what it tells of', async () => {
    await bell(1).click()
    await expect(heading(page, text('notifications.title'))).toBeVisible()
    await checkAccess(page, 'notifications')
    await page.getByRole('main').getByRole('button', { name: title }).click()
    await expect(page).toHaveURL(/address-book/)
    await expect(bell(0)).toBeVisible()
  })
  await test.step('a topic is silenced', async () => {
    await page.goto('/preferences')
    const popup = page.getByRole('checkbox', {
      name: `${text('notificationTopic.addresses')}, ${text('notificationChannel.popup')}`,
    })
    await popup.uncheck()
    await button(page, text('notifications.savePreferences')).click()
    await expect(page.getByText(text('preferences.saved'))).toBeVisible()
    await checkAccess(page, 'preferences of notifications')
    await answerLink(page)
    await expect(bell(1)).toBeVisible()
    await expect(page.getByText(title)).toBeHidden()
  })
  await test.step('all are read at once', async () => {
    await page.goto('/notifications')
    await readAll(page, text)
    await expect(bell(0)).toBeVisible()
  })
})

async function readAll(page: Page, text: Text): Promise<void> {
  await button(page, text('notifications.readAll')).click()
  await expect(button(page, text('notifications.readAll'))).toBeHidden()
}

/** A receiver fills in the address that the customer asked for. */
async function answerLink(page: Page): Promise<void> {
  const headers = await authorization(page)
  const created = await page.request.post('/api/customer/address/requests', {
    headers,
    data: { label: 'Siti', email: null },
  })
  const { url } = (await created.json()) as { url: string }
  const data = {
    contactName: 'Siti Aminah',
    phone: '+60123847265',
    line1: '12, Jalan Kiara 3',
    postcode: '50480',
    city: 'Kuala Lumpur',
    state: 'Kuala Lumpur',
    country: 'my',
  }
  const answer = await page.request.post(`/api/public/address/${url.split('/').at(-1)}`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
}
