import type { Page } from '@playwright/test'
import { expect, type Text, test } from '../support/journey.ts'
import { fundWallet, startNewcomer } from '../support/newcomer.ts'
import { authorization } from '../support/other-device.ts'
import {
  button,
  chooseCredits,
  demoPassword,
  describeGoods,
  field,
  heading,
  openPrice,
  payWithPin,
  receiver,
  seePrice,
  signIn,
  startSession,
  writeParcel,
} from '../support/steps.ts'

async function payNow(page: Page, text: Text): Promise<void> {
  // On a phone it is both in the bar and in the sheet with the price.
  await button(page, text('newParcel.action.pay')).filter({ visible: true }).first().click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
}

test('goes back from the checkout to the same parcel, and pays for it once', async ({
  page,
  text,
  codeTo,
  language,
  request,
}) => {
  await startNewcomer(page, codeTo, language)
  await writeParcel(page, text)
  await seePrice(page, text)
  await payNow(page, text)
  const first = page.url()

  await page.goBack()
  await expect(heading(page, text('newParcel.editTitle'))).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(receiver.name) })).toBeVisible()
  await seePrice(page, text)
  await payNow(page, text)
  expect(page.url()).not.toBe(first)

  const headers = await authorization(page)
  const parcels = await (await request.get('/api/customer/parcels', { headers })).json()
  expect(parcels.total).toBe(1)
  const checkouts = async () =>
    (await (await request.get('/api/customer/checkouts/pending', { headers })).json()).items.length
  await expect.poll(checkouts).toBe(1)
})

test('is asked before the same parcel is made twice', async ({ page, text, codeTo, language, request }) => {
  await startNewcomer(page, codeTo, language)
  for (const time of ['first', 'second']) {
    await writeParcel(page, text)
    await seePrice(page, text)
    await openPrice(page, text)
    await button(page, text('newParcel.action.cart')).filter({ visible: true }).first().click()
    if (time === 'first') await expect(heading(page, text('cart.title'))).toBeVisible()
  }
  const question = page.getByRole('dialog', { name: text('newParcel.twin') })
  await expect(question).toContainText(receiver.name)
  await button(question, text('newParcel.twinAction')).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  const headers = await authorization(page)
  const count = await (await request.get('/api/customer/parcels/cartCount', { headers })).json()
  expect(count.count).toBe(2)
})

test('ships again from the parcel, and is offered what was begun before', async ({ page, text, request }) => {
  await startSession(page, 'aisyah@example.com')
  const headers = await authorization(page)
  const answer = await request.get('/api/customer/parcels?tab=delivered&limit=1', { headers })
  const { items } = (await answer.json()) as { items: { id: string; receiver: { contactName: string } }[] }
  const [past] = items
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

test('finds a draft restored with a notice, and starts over', async ({ page, text, codeTo, language }) => {
  await startNewcomer(page, codeTo, language)
  await writeParcel(page, text)
  await page.reload()
  const [restored = ''] = text('draftNotice.restoredFor', { at: '|', name: '' }).split('|')
  const notice = page.getByRole('status').filter({ hasText: restored.trim() })
  await expect(notice).toContainText(receiver.name)
  await button(notice, text('draftNotice.startOver')).click()
  await expect(notice).toBeHidden()
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(receiver.name) })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('main').getByRole('combobox').first()).toBeVisible()
  await expect(notice).toBeHidden()
})

test('pastes a doubtful address offline and online, and sees no price of another weight', async ({
  page,
  context,
  text,
  checkAccess,
}) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/parcels/new')
  // On a phone nothing has the focus yet: its keyboard would cover the page.
  await expect(page.getByRole('combobox', { name: text('newParcel.search.receiver') })).not.toBeFocused()
  const box = page.getByRole('textbox', { name: text('pasteBox.label') })
  await box.fill('Arif bin Said, 019-345 3328, 7 Jalan Dagang, 68000 Ampang, Johor')
  await expect(page.getByText(text('pasteBox.check'))).toBeVisible()
  // The state contradicts the postcode, and says so before the form is sent.
  const state = field(page, text('fields.state'))
  await expect(state).toHaveValue('Johor')
  await expect(state).toHaveAccessibleDescription(
    text('validation.stateMismatch', { postcode: '68000', state: 'Selangor' }),
  )
  await checkAccess(page, 'a doubtful address')
  await state.fill('Selangor')
  await expect(state).toHaveAccessibleDescription('')
  await button(page, text('actions.continue')).click()
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
})

test('loses the connection while paying, and tries again with the same request', async ({
  page,
  text,
  codeTo,
  language,
}) => {
  await fundWallet(page, codeTo, await startNewcomer(page, codeTo, language))
  await writeParcel(page, text)
  await seePrice(page, text)
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
  const [pay = ''] = text('checkout.pay', { amount: '|' }).split('|')
  await page.getByRole('button', { name: pay.trim() }).filter({ visible: true }).click()
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('pays in one tab while the other follows', async ({ page, context, text, codeTo, language }) => {
  await fundWallet(page, codeTo, await startNewcomer(page, codeTo, language))
  await writeParcel(page, text)
  await seePrice(page, text)
  await payNow(page, text)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(heading(other, text('checkout.title'))).toBeVisible()
  await payWithPin(other, text)
  await expect(heading(other, text('checkout.doneTitle'))).toBeVisible()
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
})

test('tops up what is missing and comes back to the checkout', async ({ page, text, codeTo, language }) => {
  await startNewcomer(page, codeTo, language)
  await writeParcel(page, text)
  await seePrice(page, text)
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

test('begins the PIN at its first box', async ({ page, text, codeTo, language }) => {
  await startNewcomer(page, codeTo, language)
  await page.goto('/wallet')
  await button(page, text('walletPage.setPin')).click()
  const label = text('format.digitOf', { label: text('fields.otp'), position: 1, count: 6 })
  await expect(page.getByLabel(label)).toBeFocused()
})

test('mistypes an address of the portal and keeps the navigation', async ({ page, text }) => {
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

test('is told about a lost connection, in the frame and by a page of its own', async ({ page, context, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/orders')
  await expect(heading(page, text('ordersPage.title'))).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await context.setOffline(true)
  await expect(page.getByText(text('app.offline'))).toBeVisible()
  await page.goto('/pickups')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(heading(page, text('pickupsPage.title'))).toBeVisible()
  await expect(page.getByText(text('app.offline'))).toBeHidden()
})

test('lands as staff on a page of their role; pages of other roles say why they are closed', async ({ page, text }) => {
  await signIn(page, text, 'kl@waybill.example', demoPassword, '/staff/login')
  await expect(heading(page, text('nav.staffHome'))).toBeVisible()
  await page.goto('/dashboard')
  await expect(heading(page, text('nav.staffHome'))).toBeVisible()
  await page.goto('/staff/settings')
  await expect(heading(page, text('nav.mayNotTitle'))).toBeVisible()
  await expect(page.getByText(text('errors.forbidden_staff'))).toBeVisible()
})

test('finds as marketing staff the banners among its work', async ({ page, text }) => {
  await signIn(page, text, 'marketing@waybill.example', demoPassword, '/staff/login')
  const work = page.getByRole('main').getByRole('link')
  await expect(work.filter({ hasText: text('nav.content') })).toBeVisible()
  await expect(page.locator('[aria-hidden] [class*=ghost]')).toHaveCount(0)
})

test('sees the chosen colours before any module has run', async ({ page }) => {
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
