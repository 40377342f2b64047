import { expect, test } from '../support/journey.ts'
import { button, expectSuccess, password } from '../support/steps.ts'

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
