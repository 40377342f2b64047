import { expect, test } from '../support/journey.ts'
import { button, startSession } from '../support/steps.ts'

test('a failed job is discarded only after a question that says what is lost', async ({ page, text, isMobile }) => {
  // All journeys share the demo's failed job, so the call ends in the browser.
  const bodies: unknown[] = []
  await page.route('**/api/staff/failed-work/discard', async (route) => {
    bodies.push(route.request().postDataJSON())
    await route.fulfill({ json: { discarded: 1 } })
  })
  await startSession(page, 'admin@waybill.example')
  await page.goto('/staff/failed-work')
  const dialog = page.getByRole('dialog', { name: text('failedWork.discardTitle', { name: 'mail:send' }) })
  // On a phone the actions are in the details of the row.
  if (isMobile) await button(page, text('list.more', { what: 'mail:send' })).click()
  const ask = async () => {
    await button(page, text('failedWork.discard')).first().click()
    await expect(dialog).toContainText(text('failedWork.loss.message'))
  }
  await ask()
  await dialog.getByRole('button', { name: text('actions.cancel') }).click()
  await expect(dialog).toBeHidden()
  expect(bodies).toEqual([])
  await ask()
  await dialog.getByRole('button', { name: text('failedWork.discard') }).click()
  await expect(page.getByText(text('failedWork.discarded'))).toBeVisible()
  expect(bodies).toEqual([{ items: [{ kind: 'job', id: expect.stringMatching(/^\d+$/) }] }])
})
