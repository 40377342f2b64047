/* The scan pages, as a hand scanner uses them. */
import type { Locator, Page } from '@playwright/test'
import { callAsPage } from './api.ts'
import { grouped } from './steps.ts'
import type { Text } from './texts.ts'

/** The scans that are not recorded. */
export const toDecide = (page: Page, text: Text) => page.getByRole('region', { name: text('scanPage.failed') })

/** The line of a number in a list of scans. */
export const getLine = (scope: Locator, number: string) =>
  scope.getByRole('listitem').filter({ hasText: grouped(number) })

/** A hand scanner types into any element that has the focus. */
export async function wedge(page: Page, number: string, suffix = 'Enter'): Promise<void> {
  await page.keyboard.type(number)
  await page.keyboard.press(suffix)
}

/** The server's scans of these parcels, in the order in which they were made. */
export async function listScans(page: Page, numbers: readonly string[]): Promise<string[]> {
  type Scans = { items: { trackingNumber: string; event: string }[] }
  const { items } = await (await callAsPage(page)).get<Scans>('/api/staff/scans?limit=100')
  return items
    .filter(({ event, trackingNumber }) => event === 'accepted' && numbers.includes(trackingNumber))
    .map(({ trackingNumber }) => trackingNumber)
    .reverse()
}
