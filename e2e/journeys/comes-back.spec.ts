import type { Page } from '@playwright/test'
import { callAsPage, demoPassword } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { nameReceiver } from '../support/other-device.ts'
import { expectNoSidewaysScroll, expectNothingCovered, expectWordInside } from '../support/screen-checks.ts'
import {
  button,
  chooseCredits,
  describeGoods,
  field,
  heading,
  openPrice,
  payButton,
  payWithPin,
  receiver,
  seePrice,
  signIn,
  startSession,
  writeParcel,
  writePricedParcel,
} from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

test.use({ serviceWorkers: 'allow' })

async function payNow(page: Page, text: Text): Promise<void> {
  // On a phone the button is in the bottom bar and in the sheet with the price.
  await button(page, text('newParcel.action.pay')).filter({ visible: true }).first().click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
}

test('returns from the checkout to the same parcel, which is paid only once', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await writePricedParcel(page, text)
  await payNow(page, text)
  const first = page.url()

  await page.goBack()
  await expect(heading(page, text('newParcel.editTitle'))).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(receiver.name) })).toBeVisible()
  await seePrice(page, text)
  await payNow(page, text)
  expect(page.url()).not.toBe(first)

  const customer = await callAsPage(page)
  const parcels = await customer.get<{ total: number }>('/api/customer/parcels')
  expect(parcels.total).toBe(1)
  const checkouts = async () =>
    (await customer.get<{ items: unknown[] }>('/api/customer/checkouts/pending')).items.length
  await expect.poll(checkouts).toBe(1)

  await page.goto('/cart')
  await expect(page.getByText(text('cart.inCheckout', { count: 1 }))).toBeVisible()
})

test('asks for confirmation before the same parcel is created twice', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  for (const time of ['first', 'second']) {
    await writePricedParcel(page, text)
    await openPrice(page, text)
    await button(page, text('newParcel.action.cart')).filter({ visible: true }).first().click()
    if (time === 'second') continue
    await expect(heading(page, text('cart.title'))).toBeVisible()
    await expect(page.locator('[data-foot]')).toContainText(/RM\s?\d/)
    await expect(page.locator('[data-foot]')).toBeInViewport({ ratio: 1 })
    await expectNothingCovered(page.getByRole('dialog', { name: text('notify.success') }))
  }
  const question = page.getByRole('dialog', { name: text('newParcel.identical') })
  await expect(question).toContainText(receiver.name)
  await button(question, text('newParcel.identicalAction')).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  const customer = await callAsPage(page)
  expect(await customer.get('/api/customer/parcels/cartCount')).toMatchObject({ count: 2 })
})

test('shows a word of 118 letters completely in the cart and on the page of the parcel', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  const word = 'm'.repeat(118)
  await writePricedParcel(page, text)
  await openPrice(page, text)
  await button(page, text('newParcel.action.cart')).filter({ visible: true }).first().click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  const id = await nameReceiver(page, word)
  for (const address of ['/cart', '/parcels', `/parcels/${id}`]) {
    await page.goto(address)
    await expect(page.getByRole('main').getByText(word).first()).toBeVisible()
    await expectWordInside(page, word)
    await expectNoSidewaysScroll(page, address)
  }
})

test('ships a parcel again, and offers the draft that was begun before', async ({ page, text }) => {
  await startSession(page, 'aisyah@example.com')
  type Parcels = { items: { id: string; receiver: { contactName: string } }[] }
  const customer = await callAsPage(page)
  const [past] = (await customer.get<Parcels>('/api/customer/parcels?tab=delivered&limit=1')).items
  const again = `/parcels/new?repeat=${past?.id}`
  const to = (name: string) => page.getByRole('heading', { level: 2, name: new RegExp(name) })

  await page.goto(again)
  await expect(to(past?.receiver.contactName ?? '')).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.to')}`) }).click()
  await field(page, text('fields.contactName')).last().fill('Somebody Else')
  // The draft of the form is saved when the page is left.
  await page.goto('/dashboard')

  await page.goto(again)
  await expect(to(past?.receiver.contactName ?? '')).toBeVisible()
  const [offered = ''] = text('draftNotice.offeredFor', { at: '|', name: '' }).split('|')
  const notice = page.getByRole('status').filter({ hasText: offered.trim() })
  await expect(notice).toContainText('Somebody Else')
  await button(notice, text('draftNotice.discard')).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(to(past?.receiver.contactName ?? '')).toBeVisible()
  await expect(notice).toBeHidden()
})

test('restores a draft with a notice, and discards it on request', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await writeParcel(page, text)
  await page.reload()
  const [restored = ''] = text('draftNotice.restoredFor', { at: '|', name: '' }).split('|')
  const notice = page.getByRole('status').filter({ hasText: restored.trim() })
  await expect(notice).toContainText(receiver.name)
  await expect(notice).toContainText(/\d{1,2}:\d{2}/)
  await button(notice, text('draftNotice.startOver')).click()
  await expect(notice).toBeHidden()
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(receiver.name) })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('main').getByRole('combobox').first()).toBeVisible()
  await expect(notice).toBeHidden()
})

test('reads a doubtful pasted address offline and online, and never shows the price of another weight', async ({
  page,
  context,
  text,
  checkAccess,
}) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/parcels/new')
  // On a phone nothing has the focus yet, because the on-screen keyboard would cover the page.
  await expect(page.getByRole('combobox', { name: text('newParcel.search.receiver') })).not.toBeFocused()
  const box = page.getByRole('textbox', { name: text('pasteBox.label') })
  await box.fill('Arif bin Said, 019-345 3328, 7 Jalan Dagang, 68000 Ampang, Johor')
  await expect(page.getByText(text('pasteBox.check'))).toBeVisible()
  // The state contradicts the postcode; the warning appears before the form is submitted.
  const state = field(page, text('fields.state'))
  await expect(state).toHaveValue('Johor')
  await expect(state).toHaveAccessibleDescription(
    text('validation.stateMismatch', { postcode: '68000', state: 'Selangor' }),
  )
  await checkAccess(page, 'a doubtful address')
  await state.fill('Selangor')
  await expect(state).toHaveAccessibleDescription('')
  // A postcode that does not exist is no filled-in field of the price.
  const postcode = field(page, text('fields.postcode'))
  await postcode.fill('99999')
  const unknown = text('validation.postcodeUnknown', { field: text('fields.postcode') })
  await expect(postcode).toHaveAccessibleDescription(unknown)
  await openPrice(page, text)
  const sheet = page.getByRole('dialog', { name: text('newParcel.price') })
  const need = sheet.getByRole('listitem').filter({ hasText: text('newParcel.needed.to') })
  await expect(need).toContainText(unknown)
  await expect(need).not.toContainText(text('newParcel.given'))
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-step=to]')).toHaveAttribute('data-state', 'wrong')
  await postcode.fill('68000')
  await expect(page.locator('[data-step=to]')).toHaveAttribute('data-state', 'done')
  await button(page, text('actions.continue')).click()
  // On a phone the bar names what the price needs.
  const what = text('newParcel.needed.weight')
  const missing = page.getByRole('button', { name: text('newParcel.missing', { what }), exact: true })
  await expect(missing.or(page.getByRole('complementary').getByText(text('newParcel.priceNeeds')))).toBeVisible()
  await describeGoods(page, text, '2.4')
  await seePrice(page, text)

  const price = page.getByRole('button', { name: text('newParcel.showPrice') })
  await expect(price).toContainText(/RM\s?\d/)
  await context.setOffline(true)
  await page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) }).click()
  await field(page, text('fields.weightGrams')).fill('9')
  await expect(price).not.toContainText(/RM\s?\d/)
  await expect(page.locator('#step-how').getByText(text('newParcel.offline'))).toBeVisible()
  await context.setOffline(false)
  await expect(price).toContainText(/RM\s?\d/)

  await page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.to')}`) }).click()
  await field(page, text('fields.postcode')).fill('99999')
  await expect(price).not.toContainText(/RM\s?\d/)
})

test('repeats the same request if the connection is lost while paying', async ({ page, text, startFundedNewcomer }) => {
  await startFundedNewcomer(page)
  await writePricedParcel(page, text)
  await payNow(page, text)
  const keys: (string | undefined)[] = []
  await page.route('**/payments/express_credit/**', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length === 1) await route.abort('internetdisconnected')
    else await route.continue()
  })
  await payWithPin(page, text)
  const problem = page.getByRole('alertdialog')
  await expect(problem).toContainText(text('paymentProblem.charge'))
  await button(problem, text('actions.ok')).click()
  // It had the focus before it was disabled while its request ran.
  await expect(payButton(page, text)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('updates a checkout that is paid in another tab', async ({ page, context, text, startFundedNewcomer }) => {
  await startFundedNewcomer(page)
  await writePricedParcel(page, text)
  await payNow(page, text)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(heading(other, text('checkout.title'))).toBeVisible()
  await payWithPin(other, text)
  await expect(heading(other, text('checkout.doneTitle'))).toBeVisible()
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
})

test('tops up the missing amount and returns to the checkout', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await writePricedParcel(page, text)
  await payNow(page, text)
  const checkout = page.url()
  await chooseCredits(page)
  await page.getByRole('link', { name: text('checkout.topUp') }).click()
  await expect(field(page, text('walletPage.topUpAmount'))).toHaveValue(/[1-9]/)
  await page.getByRole('button', { name: new RegExp(text('walletPage.payNow', { amount: '' }).trim()) }).click()
  await button(page, text('bank.pay')).click()
  await page.getByRole('link', { name: text('paymentPage.goOnPaying') }).click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  expect(page.url()).toBe(checkout)
})

test('focuses the first box of the PIN', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/wallet')
  // Nothing to fill in is on the page above the movements.
  const history = page.getByRole('heading', { name: text('walletPage.history') })
  await expect(history).toBeVisible()
  const end = (await history.boundingBox())?.y ?? 0
  const fields = page.getByRole('main').getByRole('textbox')
  await expect(fields).not.toHaveCount(0)
  for (const one of await fields.all()) expect((await one.boundingBox())?.y).toBeGreaterThan(end)
  await button(page, text('walletPage.setPin')).click()
  const label = text('format.digitOf', { label: text('fields.otp'), position: 1, count: 6 })
  const first = page.getByLabel(label)
  await expect(first).toBeFocused()
  // A seventh digit is ignored; a pasted code replaces all digits.
  const code = page.locator('input[type=hidden][name=otp]')
  await page.keyboard.type('1357924')
  await expect(code).toHaveValue('135792')
  await first.evaluate((box) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '246813')
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await expect(code).toHaveValue('246813')
  await page.keyboard.type('9')
  await expect(code).toHaveValue('246813')
})

test('keeps the navigation on an unknown URL of the portal', async ({ page, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/parcles')
  await expect(heading(page, text('app.notFound'))).toBeVisible()
  const navigation = page.getByRole('navigation', { name: text('nav.main') }).filter({ visible: true })
  await navigation
    .getByRole('link', { name: new RegExp(text('nav.parcels')) })
    .first()
    .click()
  await expect(heading(page, text('parcelsPage.title'))).toBeVisible()
})

test('reports a lost connection in the page frame and on a separate page', async ({ page, context, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/orders')
  await expect(heading(page, text('ordersPage.title'))).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await context.setOffline(true)
  await expect(page.getByText(text('app.offline'))).toBeVisible()
  await page.goto('/pickups')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  // It reloads by itself.
  await context.setOffline(false)
  await expect(heading(page, text('pickupsPage.title'))).toBeVisible()
  await expect(page.getByText(text('app.offline'))).toBeHidden()
})

test('opens the start page of their role for staff, and explains why pages of other roles are closed', async ({
  page,
  text,
}) => {
  await signIn(page, text, 'kl@waybill.example', demoPassword, '/staff/login')
  await expect(heading(page, text('nav.staffHome'))).toBeVisible()
  await page.goto('/dashboard')
  await expect(heading(page, text('nav.staffHome'))).toBeVisible()
  // A signed-in user need not sign in or register.
  await page.goto('/register')
  await expect(heading(page, text('nav.staffHome'))).toBeVisible()
  await page.goto('/login?next=/staff/settings')
  await expect(heading(page, text('nav.mayNotTitle'))).toBeVisible()
  await expect(page.getByText(text('errors.forbidden_staff'))).toBeVisible()
})

test('lists the banners among the work of marketing staff', async ({ page, text }) => {
  await signIn(page, text, 'marketing@waybill.example', demoPassword, '/staff/login')
  const work = page.getByRole('main').getByRole('link')
  await expect(work.filter({ hasText: text('nav.content') })).toBeVisible()
  await expect(page.locator('[aria-hidden] [class*=ghost]')).toHaveCount(0)
})

test('uses the chosen colour scheme before any module runs', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('scheme', 'dark')
  })
  await page.route('**/assets/*.js', (route) => route.abort())
  for (const path of ['/login', '/public/track-parcels', '/parcels/new']) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    // The colour of the empty page.
    await page.evaluate(() => document.body.style.setProperty('color', 'Canvas'))
    await expect(page.locator('body')).toHaveCSS('color', 'rgb(18, 18, 18)')
    await expect(page.locator('#root')).toBeEmpty()
  }
})
