import type { Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { kualaLumpur } from '../support/parcels.ts'
import { expectNothingCovered } from '../support/screen-checks.ts'
import { button, heading } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

test('a customer reads notifications and mutes a topic', async ({ page, text, startNewcomer, checkAccess }) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  const title = text('mail.address_filled_in.subject', { receiver: 'Siti Aminah' })
  const bell = (count: number) =>
    page.getByRole('banner').getByRole('link', {
      name: count > 0 ? text('notifications.bell', { count, badge: String(count) }) : text('notifications.title'),
      exact: true,
    })

  await test.step('the bell and the page show a new notification without a reload', async () => {
    await expect(bell(0)).toBeVisible()
    await answerLink(page)
    await expect(page.getByText(title)).toBeVisible()
    await expect(bell(1)).toBeVisible()
  })
  await test.step('a notification in the list opens its subject', async () => {
    await bell(1).click()
    await expect(heading(page, text('notifications.title'))).toBeVisible()
    await checkAccess(page, 'notifications')
    await page.getByRole('main').getByRole('button', { name: title }).click()
    await expect(page).toHaveURL(/address-book/)
    await expect(bell(0)).toBeVisible()
  })
  await test.step('a topic is muted', async () => {
    await page.goto('/preferences')
    const popup = page.getByRole('checkbox', {
      name: text('phrase.labelled', {
        label: text('notificationTopic.addresses'),
        value: text('notificationChannel.popup'),
      }),
    })
    await popup.uncheck()
    const save = button(page, text('notifications.savePreferences'))
    await save.press('Enter')
    await expect(page.getByText(text('preferences.saved'))).toBeVisible()
    // It loses the focus while its request runs.
    await expect(save).toBeFocused()
    await checkAccess(page, 'preferences of notifications')
    await answerLink(page)
    await expect(bell(1)).toBeVisible()
    await expect(page.getByText(title)).toBeHidden()
  })
  await test.step('all notifications are marked as read together', async () => {
    await page.goto('/notifications')
    await readAll(page, text)
    await expect(bell(0)).toBeVisible()
  })
  await test.step('notifications sent before the live stream is connected are shown', async () => {
    const stream = await holdStream(page, { cutFirst: false })
    await page.goto('/dashboard')
    await expect(bell(0)).toBeVisible()
    await stream.requested
    await answerLink(page)
    stream.release()
    await expect(bell(1)).toBeVisible()
  })
  await test.step('notifications sent while the live stream is interrupted are shown', async () => {
    const stream = await holdStream(page, { cutFirst: true })
    await page.goto('/dashboard')
    await expect(bell(1)).toBeVisible()
    await stream.requested
    await answerLink(page)
    stream.release()
    await expect(bell(2)).toBeVisible()
  })
})

test('a phone shows one message at a time, and none over the main action', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/profile')
  const action = page.locator('main [data-variant=filled]').first()
  // To where the messages are.
  await action.evaluate((button) => scrollBy(0, button.getBoundingClientRect().top - innerHeight + 150))
  await page
    .getByRole('banner')
    .getByRole('link', { name: text('notifications.title'), exact: true })
    .waitFor()
  const messages = page.locator('#root > section[aria-live] > [role=dialog]')
  await answerLink(page, 'Siti Aminah')
  await expect(messages).toHaveCount(1)
  await expectNothingCovered(messages)
  await answerLink(page, 'Tan Wei')
  await expect(messages).toHaveCount(2)
  const newest = messages.filter({ visible: true })
  await expect(newest).toHaveText(/Tan Wei/)
  await button(newest, text('actions.close')).click()
  await expect(newest).toHaveText(/Siti Aminah/)
})

test('a pop-up is shown although a newer request replaces the one that returns it', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  const stream = page.waitForResponse('**/api/customer/events')
  await page.goto('/dashboard')
  await stream
  const released = Promise.withResolvers<void>()
  const received: number[] = []
  await page.route('**/api/customer/notifications/browser/alert', async (route) => {
    const answer = await route.fetch()
    const { alerts } = (await answer.json()) as { alerts: unknown[] }
    if (alerts.length > 0) received.push(alerts.length)
    // The server returns a pop-up once, and this response is late.
    if (received.length === 1) await released.promise
    await route.fulfill({ response: answer }).catch(() => undefined)
  })
  await answerLink(page, 'Siti Aminah')
  await expect.poll(() => received.length).toBe(1)
  await answerLink(page, 'Tan Wei Ming')
  await expect.poll(() => received.length).toBe(2)
  released.resolve()
  for (const receiver of ['Siti Aminah', 'Tan Wei Ming'])
    await expect(page.getByText(text('mail.address_filled_in.subject', { receiver }))).toBeVisible()
})

/**
 * Holds back the next request for the live stream until `release`. With `cutFirst`, the request before it gets a stream
 * that ends immediately, as if the server stopped. `requested` resolves when the held request is sent.
 */
async function holdStream(page: Page, { cutFirst }: { cutFirst: boolean }) {
  const requested = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let cut = cutFirst
  await page.unroute('**/api/customer/events')
  await page.route('**/api/customer/events', async (route) => {
    if (cut) {
      cut = false
      return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 2000\n\n' })
    }
    requested.resolve()
    await released.promise
    await route.continue()
  })
  return { requested: requested.promise, release: released.resolve }
}

async function readAll(page: Page, text: Text): Promise<void> {
  await button(page, text('notifications.readAll')).click()
  await expect(button(page, text('notifications.readAll'))).toBeHidden()
  // The button is gone: a keyboard continues at the heading.
  await expect(heading(page, text('notifications.title'))).toBeFocused()
}

/** A receiver enters the address that the customer requested. */
async function answerLink(page: Page, contactName = 'Siti Aminah'): Promise<void> {
  const api = await callAsPage(page)
  const request = { label: 'Siti', email: null }
  const { url } = await api.post<{ url: string }>('/api/customer/address/requests', request)
  const address = { ...kualaLumpur, contactName }
  await api.post(`/api/public/address/${url.split('/').at(-1)}`, address)
}
