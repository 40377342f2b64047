import { expect, test } from '../support/journey.ts'
import { startOwnPickup } from '../support/other-device.ts'
import { button, field, grouped, startSession } from '../support/steps.ts'

const latencyMs = 500

test('sends a rider’s scans at a pickup one after the other, and keeps refused ones after a reload', async ({
  page,
  text,
}) => {
  await startSession(page, 'kl@waybill.example')
  const task = await startOwnPickup(page)
  await page.route('**/api/staff/pickups/*/scans', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, latencyMs))
    await route.continue()
  })
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
  const refusedScans = dialog.getByRole('list', { name: text('scanPage.failed') }).getByRole('listitem')
  await expect(refusedScans).toHaveCount(3)
  for (const [at, each] of unknown.entries()) await expect(refusedScans.nth(at)).toContainText(grouped(each))
  await expect(field(dialog, text('pickupTasks.scan'))).toBeFocused()
  await page.reload()
  await field(page, text('pickupTasks.day')).fill(task.date)
  await page.getByRole('button', { name: new RegExp(task.number) }).click()
  await expect(refusedScans).toHaveCount(3)
  await button(refusedScans.first(), text('scanPage.dismiss')).click()
  await expect(refusedScans).toHaveCount(2)
})
