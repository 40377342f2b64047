import type { Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { button, field, grouped, startSession } from '../support/steps.ts'

/** A pickup of this station that is assigned to the clerk and in progress. */
async function startOwnPickup(page: Page): Promise<{ number: string; date: string; expected: readonly string[] }> {
  type Task = { id: string; number: string; date: string; version: number; status: string; riderId: string | null }
  const clerk = await callAsPage(page)
  const me = await page.evaluate(() => JSON.parse(localStorage.getItem('u') ?? '{}').id as string)
  const { items } = await clerk.get<{ items: Task[] }>('/api/staff/pickups?limit=200')
  const task = items.find(({ status }) => ['new', 'open', 'in_progress'].includes(status))
  if (!task) throw new Error('the demo has no pickup that is still to be fetched')
  const path = `/api/staff/pickups/${task.id}`
  if (task.riderId !== me) {
    await clerk.put(`${path}/rider`, { version: task.version, riderId: me, note: 'I go there' })
  }
  const { version, status } = await clerk.get<Task>(path)
  if (status !== 'in_progress') await clerk.post(`${path}/start`, { version })
  const { expected } = await clerk.get<{ expected: { trackingNumber: string }[] }>(path)
  return { ...task, expected: expected.map(({ trackingNumber }) => trackingNumber) }
}

test('sends a rider’s scans at a pickup one after the other, and asks about refused ones before completion', async ({
  page,
  text,
}) => {
  await startSession(page, 'kl@waybill.example')
  const task = await startOwnPickup(page)
  const release = await holdRequests(page, '**/api/staff/pickups/*/scans')
  await page.goto('/staff/pickups')
  await field(page, text('pickupTasks.day')).fill(task.date)
  await page.getByRole('button', { name: new RegExp(task.number) }).click()
  const dialog = page.getByRole('dialog', { name: task.number })
  await expect(field(dialog, text('pickupTasks.scan'))).toBeFocused()
  const unknown = ['WB00000000019', 'WB00000000027', 'WB00000000035']
  for (const each of unknown) {
    await page.keyboard.type(each)
    await page.keyboard.press('Enter')
  }
  release()
  const refusedScans = dialog.getByRole('region', { name: text('scanPage.failed') }).getByRole('listitem')
  await expect(refusedScans).toHaveCount(3)
  for (const [at, each] of unknown.entries()) await expect(refusedScans.nth(at)).toContainText(grouped(each))
  await expect(field(dialog, text('pickupTasks.scan'))).toBeFocused()
  await page.reload()
  await field(page, text('pickupTasks.day')).fill(task.date)
  await page.getByRole('button', { name: new RegExp(task.number) }).click()
  await expect(refusedScans).toHaveCount(3)
  await button(refusedScans.first(), text('scanPage.dismiss')).click()
  await expect(refusedScans).toHaveCount(2)

  for (const each of task.expected) {
    await field(dialog, text('pickupTasks.scan')).fill(each)
    await page.keyboard.press('Enter')
  }
  const complete = button(dialog, text('pickupTasks.complete'))
  await complete.click()
  const question = page.getByRole('dialog', { name: text('pickupTasks.unrecordedTitle') })
  for (const each of unknown.slice(1)) await expect(question).toContainText(grouped(each))
  await button(question, text('actions.cancel')).click()
  await expect(refusedScans).toHaveCount(2)
  await complete.click()
  await button(question, text('pickupTasks.acceptUnrecorded')).click()
  await expect(page.getByText(text('pickupTasks.completed'))).toBeVisible()
  await expect(dialog).toBeHidden()
})
