import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { endOtherSessions } from '../support/other-device.ts'
import { button, field, heading, password, payWithPin, startSession, writePricedParcel } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/* Scripts that cannot be loaded: the connection was reset, or a deployment has removed the files of the last one. */

const openContents = (page: Page, text: Text) =>
  page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) }).click()

test('a payment whose token has expired is made, although no script can be loaded', async ({
  page,
  text,
  startFundedNewcomer,
}) => {
  await startFundedNewcomer(page)
  await writePricedParcel(page, text)
  await button(page, text('newParcel.action.pay')).filter({ visible: true }).first().click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  const expired = { statusCode: 401, code: 'unauthorized', message: 'expired' }
  await page.route('**/payments/express_credit/**', (route) => route.fulfill({ status: 401, json: expired }), {
    times: 1,
  })
  await page.route('**/assets/*.js', (route) => route.abort('connectionreset'))
  const renewal = page.waitForRequest('**/auth/refresh').then(() => page.unroute('**/assets/*.js'))
  await payWithPin(page, text)
  await renewal
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('a session that ends without its dialog asks for a reload, which keeps what was typed', async ({
  page,
  text,
  startNewcomer,
  request,
}) => {
  const dialogScript = '**/assets/session-expired-dialog-*.js'
  await page.route(dialogScript, (route) => route.abort('connectionreset'))
  const email = await startNewcomer(page)
  await writePricedParcel(page, text)
  await openContents(page, text)
  await field(page, text('fields.contentDescription')).fill('Three red shirts')
  await endOtherSessions(request, email, password)
  const question = page.getByRole('dialog', { name: text('auth.expired') })
  await expect(question.getByText(text('app.notLoaded'))).toBeVisible()
  await page.unroute(dialogScript)
  await button(question, text('app.reload')).click()
  await expect(question).toBeHidden()
  // A call that is refused before the page has a dialog leads to the sign-in page, and from there back to the form.
  const secret = page.locator('input[name=password]')
  await expect(secret).toBeVisible()
  const address = page.locator('input[name=email]')
  if (await address.isVisible()) await address.fill(email)
  await secret.fill(password)
  await secret.press('Enter')
  await expect(secret).toBeHidden()
  await openContents(page, text)
  await expect(field(page, text('fields.contentDescription'))).toHaveValue('Three red shirts')
})

test('a page whose script fails twice says so, and loads at the next try', async ({ page, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  const pageScript = '**/assets/wallet-page-*.js'
  await page.route(pageScript, (route) => route.abort('connectionreset'))
  await page
    .getByRole('link', { name: text('nav.wallet'), exact: true })
    .filter({ visible: true })
    .first()
    .click()
  await expect(page.getByText(text('app.notLoaded'))).toBeVisible()
  await page.unroute(pageScript)
  await button(page, text('actions.tryAgain')).click()
  await expect(heading(page, text('walletPage.title'))).toBeVisible()
})

test('a part or a dialog whose script fails leaves the rest of the page as it was', async ({
  page,
  text,
  startNewcomer,
}) => {
  const scripts = '**/assets/{several-addresses,paste-address}-*.js'
  await page.route(scripts, (route) => route.abort('connectionreset'))
  await startNewcomer(page)
  const name = 'Tan Mei Ling'

  await test.step('a dialog', async () => {
    await page.goto('/address-book')
    await button(page, text('actions.new')).click()
    const dialog = page.getByRole('dialog', { name: text('addressBook.create') })
    const nameField = field(dialog, text('fields.contactName'))
    await nameField.fill(name)
    await button(dialog, text('paste.title')).click()
    const problem = page.getByRole('alertdialog')
    await expect(problem.getByText(text('app.notLoaded'))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(problem).toBeHidden()
    await expect(nameField).toHaveValue(name)
    // The button still answers.
    await button(dialog, text('paste.title')).click()
    await expect(problem.getByText(text('app.notLoaded'))).toBeVisible()
  })

  await test.step('a part', async () => {
    await page.goto('/parcels/new')
    const nameField = field(page, text('fields.contactName')).filter({ visible: true }).first()
    await nameField.fill(name)
    const addresses = ['Ali', 'Bala'].map((person) => `${person}, 012-345 6789, 1 Jalan Ampang, 50450 Kuala Lumpur`)
    await page.getByRole('textbox', { name: text('pasteBox.label') }).fill(addresses.join('\n\n'))
    await expect(page.getByRole('alert').getByText(text('app.partNotLoaded'))).toBeVisible()
    await expect(nameField).toHaveValue(name)
  })
})
