import { expect, test } from '../support/journey.ts'
import { button, expectSuccess, heading, password, startSession } from '../support/steps.ts'

test('signs all other devices out, and stays signed in', async ({ page, text, startNewcomer, request }) => {
  const email = await startNewcomer(page)
  const data = { email, password }
  for (let devices = 0; devices < 5; devices += 1)
    await expectSuccess(request.post('/api/customer/auth/login', { data }))
  await page.goto('/profile')
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: text('profile.sessions') }) })
  const devices = section.getByRole('listitem')
  await expect(devices).toHaveCount(5)
  await expect(devices.first()).toContainText(text('profile.thisDevice'))
  await button(section, text('profile.allSessions', { count: '6' })).click()
  await expect(devices).toHaveCount(6)

  await button(section, text('profile.endOtherSessions')).click()
  await button(page.getByRole('dialog'), text('profile.endSession')).click()
  await expect(page.getByText(text('profile.otherSessionsEnded'))).toBeVisible()
  await expect(devices).toHaveCount(1)
  await page.reload()
  await expect(devices).toHaveCount(1)
})

test('shows a customer no page of staff, and follows staff who sign in in another tab', async ({
  page,
  context,
  text,
}) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/staff/scan')
  await expect(heading(page, text('nav.dashboard'))).toBeVisible()
  const other = await context.newPage()
  await startSession(other, 'kl@waybill.example')
  await other.goto('/staff')
  await expect(heading(page, text('nav.staffHome'))).toBeVisible()
})
