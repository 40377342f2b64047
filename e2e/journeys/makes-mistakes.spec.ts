import type { Locator } from '@playwright/test'
import { demoPassword } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { endOtherSessions, getSlip, weighAgain } from '../support/other-device.ts'
import {
  button,
  chooseCredits,
  field,
  fillRegistration,
  freshAddress,
  heading,
  openPrice,
  password,
  payWithPin,
  pin,
  receiver,
  sender,
  setPin,
  signIn,
  startSession,
  topUp,
  typeCode,
  writeParcel,
  writePricedParcel,
} from '../support/steps.ts'

/** A screen reader announces that the field is invalid, and why. */
async function expectProblem(input: Locator, message: string): Promise<void> {
  await expect(input).toHaveAttribute('aria-invalid', 'true')
  await expect(input).toHaveAccessibleDescription(new RegExp(escaped(message)))
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

test('refuses a wrong code, accepts the right one, and explains a used one', async ({ page, text, codeTo }) => {
  const email = freshAddress()
  await page.goto('/register')
  await fillRegistration(page, text, { name: sender.name, email })
  await button(page, text('auth.registerAction')).click()
  const code = await codeTo(email, 'register_code')

  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const label = text('fields.code')
  await typeCode(page, text, label, wrong)
  await button(page, text('auth.verifyAction')).click()
  await expect(page.getByText(text('validation.codeWrong', { field: label }))).toBeVisible()

  await typeCode(page, text, label, code)
  await button(page, text('auth.verifyAction')).click()
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()

  await page.goto('/register/verify')
  await expect(page.getByText(text('auth.verifyElsewhere'))).toBeVisible()
})

test('keeps what was entered, without the password, if the email address was mistyped', async ({ page, text }) => {
  await page.goto('/register')
  await fillRegistration(page, text, { name: sender.name, email: freshAddress() })
  await button(page, text('auth.registerAction')).click()
  await page.getByRole('link', { name: text('auth.otherEmail') }).click()
  await expect(field(page, text('fields.personName'))).toHaveValue(sender.name)
  await expect(field(page, text('fields.phone'))).toHaveValue(/^\+60 /)
  await expect(page.getByLabel(text('fields.password')).first()).toHaveValue('')
  await expect(page.getByRole('checkbox', { name: text('auth.acceptTerms') })).not.toBeChecked()
})

test('lets a user open the mailed link in another browser and choose the password there', async ({
  page,
  text,
  codeTo,
  request,
  someoneElse,
}) => {
  const email = freshAddress()
  await page.goto('/register')
  await fillRegistration(page, text, { name: sender.name, email })
  await button(page, text('auth.registerAction')).click()
  await codeTo(email, 'register_code')
  const { items } = (await (await request.get('/demo/mailbox.json')).json()) as {
    items: { to: string[]; text: string }[]
  }
  const link = /\/register\/verify\?token=[\w-]+/.exec(items.find(({ to }) => to.includes(email))?.text ?? '')?.[0]

  const elsewhere = await someoneElse()
  await elsewhere.goto(new URL(link ?? '', page.url()).href)
  await expect(heading(elsewhere, text('auth.confirmedTitle'))).toBeVisible()
  await elsewhere.getByLabel(text('fields.password')).first().fill('chosen at another desk')
  await button(elsewhere, text('auth.confirmedAction')).click()
  await expect(heading(elsewhere, text('dashboardPage.title'))).toBeVisible()
  await signIn(page, text, email, 'chosen at another desk')
})

test('refuses a wrong password, then accepts the right one', async ({ page, text }) => {
  await page.goto('/login')
  await field(page, text('fields.email')).fill('priya@example.com')
  await page.getByLabel(text('fields.password')).first().fill('not her password')
  await button(page, text('auth.signIn')).click()
  await expect(page.getByRole('alert')).toHaveText(text('errors.wrong_credentials'))
  await page.getByLabel(text('fields.password')).first().fill(demoPassword)
  await button(page, text('auth.signIn')).click()
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
})

test('refuses a checkout with insufficient credits, then with wrong PINs', async ({
  page,
  text,
  startNewcomer,
  codeTo,
  checkAccess,
}) => {
  const email = await startNewcomer(page)
  await writePricedParcel(page, text)
  await button(page, text('newParcel.action.pay')).filter({ visible: true }).click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  const checkout = page.url()
  await chooseCredits(page)
  await expect(page.getByRole('link', { name: text('checkout.topUp') })).toBeVisible()
  await checkAccess(page, 'checkout with too few credits')

  await page.getByRole('link', { name: text('checkout.topUp') }).click()
  await topUp(page, text)
  await setPin(page, text, () => codeTo(email, 'wallet_otp'))

  await page.goto(checkout)
  const other = pin.replace('4', '5')
  for (const tries of [4, 3, 2, 1]) {
    await payWithPin(page, text, other)
    await expect(page.getByText(text('checkout.triesLeft', { count: tries }))).toBeVisible()
    await expect(page.getByText(text('errors.pin_wrong'))).toBeVisible()
    await expect(
      page.getByLabel(text('format.digitOf', { label: text('checkout.pin'), position: 1, count: 6 })),
    ).toBeFocused()
  }
  await checkAccess(page, 'checkout with a wrong PIN')
  await payWithPin(page, text, other)
  const problem = page.getByRole('alertdialog')
  await expect(problem).toContainText(text('errors.pin_locked'))
  await checkAccess(page, 'an error that stays until it is dismissed')
  await button(problem, text('actions.ok')).click()
  const [locked = ''] = text('checkout.locked', { time: '|' }).split('|')
  await expect(page.getByText(locked)).toBeVisible()
})

test('shows both totals if the price has changed in the meantime', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await startNewcomer(page)
  await writePricedParcel(page, text)
  await openPrice(page, text)
  await button(page, text('newParcel.action.cart')).filter({ visible: true }).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  const total = page
    .getByRole('complementary', { name: text('cart.checkout') })
    .getByRole('definition')
    .last()
  const before = (await total.textContent()) ?? ''

  await weighAgain(page, 9_000)
  await button(page, text('cart.checkoutCount', { count: 1 })).click()
  const question = page.getByRole('dialog', { name: text('cart.priceChanged') })
  await expect(question).toContainText(before)
  const goOn = question.getByRole('button', { name: /\d/ })
  const now = /RM\s[\d.,]+/.exec((await goOn.textContent()) ?? '')?.[0] ?? ''
  expect(now).not.toBe(before)
  await checkAccess(page, 'the question whether to go on')
  await goOn.click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: now })).toBeVisible()
})

test('refuses an unknown postcode', async ({ page, text, checkAccess }) => {
  await startSession(page, 'priya@example.com')
  await page.goto('/address-book')
  await button(page, text('actions.new')).first().click()
  const dialog = page.getByRole('dialog', { name: text('addressBook.create') })
  const label = text('fields.postcode')
  // The message names the field also where the field is narrow.
  await button(dialog, text('actions.save')).click()
  await expectProblem(field(dialog, label), text('validation.required', { field: label }))
  await field(dialog, label).fill('99999')
  await expectProblem(field(dialog, label), text('validation.postcodeUnknown', { field: label }))
  await checkAccess(page, 'a new address with a wrong postcode')
  await field(dialog, label).fill(receiver.postcode)
  await expect(field(dialog, text('fields.city'))).toHaveValue(receiver.city)
})

test('explains a report that ends before it begins only below its field', async ({ page, text }) => {
  await startSession(page, 'priya@example.com')
  await page.goto('/reports?from=2026-11-20&to=2026-11-01')
  await expectProblem(page.getByLabel(text('fields.to')), text('validation.endBeforeStart'))
  await expect(page.getByText(text('list.failed'))).toHaveCount(0)
})

test('suggests the right tracking number if two digits are swapped', async ({ page, text, checkAccess }) => {
  await startSession(page, 'priya@example.com')
  const { number, slip } = await getSlip(page)
  await page.goto('/public/track-parcels')
  await field(page, text('trackPage.label')).fill(slip)
  await button(page, text('trackPage.submit')).click()
  const right = page.getByRole('button', { name: new RegExp(number.slice(-3)) })
  await expect(right).toBeVisible()
  await checkAccess(page, 'a number with a slip')
  await right.click()
  await expect(page.getByRole('article')).toContainText(number.slice(-3))
  await checkAccess(page, 'a tracked parcel')
  await expect(page).toHaveURL(new RegExp(number))
})

test('refuses a weight of zero, then one above the limit of every service', async ({ page, text }) => {
  await startSession(page, 'priya@example.com')
  await writeParcel(page, text, '0')
  const weight = field(page, text('fields.weightGrams'))
  const [least = ''] = text('validation.min', { min: '0.001|', field: text('fields.weightGrams') }).split('|')
  await expectProblem(weight, least)
  await weight.fill('900')
  await button(page, text('actions.continue')).last().click()
  const [limit = ''] = text('serviceClosed.too_heavy', { limit: '|' }).split('|')
  const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
  await expect(services.getByText(limit.trim()).first()).toBeVisible()
  await expect(services.getByRole('radio').first()).toBeDisabled()
  await openPrice(page, text)
  await expect(page.getByText(text('home.noService')).filter({ visible: true }).first()).toBeVisible()
})

test('completes an action that was clicked before the price arrived', async ({ page, text }) => {
  await startSession(page, 'priya@example.com')
  const releasePrices = await holdRequests(page, '**/prices/services')
  // A unique weight: other journeys ship for this account, and a second identical parcel would raise a warning.
  await writeParcel(page, text, (1 + (Date.now() % 1000) / 1000).toFixed(3))
  await openPrice(page, text)
  await button(page, text('newParcel.action.cart')).filter({ visible: true }).click()
  releasePrices()
  await expect(heading(page, text('cart.title'))).toBeVisible()
})

test('restores an incomplete parcel after a reload', async ({ page, text }) => {
  await startSession(page, 'priya@example.com')
  await writeParcel(page, text, '2.4')
  await page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) }).click()
  await field(page, text('fields.contentDescription')).fill('Two school uniforms')
  await page.reload()
  for (const fact of [receiver.name, '2.4']) {
    await expect(page.getByRole('heading', { level: 2, name: new RegExp(fact) })).toBeVisible()
  }
  await page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) }).click()
  await expect(field(page, text('fields.contentDescription'))).toHaveValue('Two school uniforms')
})

test('continues after entering the password when the session has ended', async ({
  page,
  text,
  startNewcomer,
  request,
  checkAccess,
}) => {
  const email = await startNewcomer(page)
  await page.goto('/profile')
  await field(page, text('fields.personName')).fill('Lim Mei Hua II')
  // The session ends while the form is sent: otherwise a dialog may cover the form before.
  let hasEnded = false
  await page.route('**/api/customer/auth/profile', async (route) => {
    if (route.request().method() === 'PUT' && !hasEnded) {
      hasEnded = true
      await endOtherSessions(request, email, password)
    }
    await route.continue()
  })
  // The page also has a form for invoices; the personal one comes first.
  await button(page, text('actions.save')).first().click()

  const dialog = page.getByRole('dialog', { name: text('auth.expired') })
  const secret = dialog.locator('input[name=password]')
  await secret.fill('forgotten')
  await button(dialog, text('auth.goOn')).click()
  await expectProblem(secret, text('auth.wrongPassword'))
  await checkAccess(page, 'the password in place')
  await secret.fill(password)
  await button(dialog, text('auth.goOn')).click()
  await expect(page.getByText(text('profile.saved'))).toBeVisible()
  await expect(field(page, text('fields.personName'))).toHaveValue('Lim Mei Hua II')
  // The account's actions appear without a reload.
  const newParcel = page.getByRole('navigation', { name: text('nav.main') }).getByRole('link', {
    name: new RegExp(`^(${text('nav.newParcel')}|${text('nav.short.newParcel')})$`),
  })
  await newParcel.click()
  await expect(page.getByRole('combobox', { name: text('newParcel.search.sender') })).toBeVisible()
})

for (const [email, path] of [
  ['accounts@waybill.example', '/staff/reports'],
  ['owner@kinabalu.example', '/reports'],
] as const) {
  test(`keeps both days of ${path} if the period is refused as too long`, async ({ page, text }) => {
    await startSession(page, email)
    await page.goto(path)
    const [from, to] = [field(page, text('fields.from')), field(page, text('fields.to'))]
    const show = button(page, text('reports.show'))
    await expect(to).toHaveValue(/^\d{4}/)
    const [firstDay, lastDay] = [await from.inputValue(), await to.inputValue()]
    await from.fill('2020-01-01')
    await show.click()
    await expect(from).toHaveAttribute('aria-invalid', 'true')
    await expect(to).toHaveValue(lastDay)
    await from.fill(firstDay)
    await show.click()
    await expect(page.getByRole('region', { name: text('reports.totals') })).toBeVisible()
    await expect(to).toHaveValue(lastDay)
  })
}
