import type { Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { endOtherSessions } from '../support/other-device.ts'
import {
  button,
  field,
  heading,
  openPrice,
  password,
  payWithPin,
  receiver,
  writePricedParcel,
} from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

const openContents = (page: Page, text: Text) =>
  page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) }).click()

/** The main action of the form: in the bar at the bottom of a phone, or next to the steps. */
const main = (page: Page, text: Text, name: string) =>
  button(page, text(`newParcel.action.${name}`))
    .filter({ visible: true })
    .first()

async function addToCart(page: Page, text: Text): Promise<void> {
  await writePricedParcel(page, text)
  await openPrice(page, text)
  await main(page, text, 'cart').click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
}

test('a session that ends in the middle of a new parcel costs nothing that was typed', async ({
  page,
  text,
  startNewcomer,
  request,
}) => {
  const email = await startNewcomer(page)
  await writePricedParcel(page, text)
  await openContents(page, text)
  await field(page, text('fields.contentDescription')).fill('Three red shirts')
  await endOtherSessions(request, email, password)
  const dialog = page.getByRole('dialog', { name: text('auth.expired') })
  await expect(dialog).toBeInViewport({ ratio: 1 })
  await dialog.locator('input[name=password]').fill(password)
  await button(dialog, text('auth.goOn')).click()
  await expect(dialog).toBeHidden()
  await expect(field(page, text('fields.contentDescription'))).toHaveValue('Three red shirts')
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(receiver.name) })).toBeVisible()
  await main(page, text, 'pay').click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
})

test('a session that ends while its user types asks for the password after the last letter', async ({
  page,
  text,
  startNewcomer,
  request,
}) => {
  const email = await startNewcomer(page)
  await page.goto('/parcels/new')
  await openContents(page, text)
  const contents = field(page, text('fields.contentDescription'))
  await contents.pressSequentially('Three ')
  await endOtherSessions(request, email, password)
  const refused = page.waitForResponse((answer) => answer.status() === 401)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await contents.pressSequentially('red shirts and a blue hat', { delay: 60 })
  await refused
  await expect(page.getByRole('dialog', { name: text('auth.expired') })).toBeVisible()
  await expect(contents).toHaveValue('Three red shirts and a blue hat')
})

test('a session ends if its user does nothing, after a warning, and keeps what was typed', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await page.clock.install()
  await page.route('**/settings/general', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), idleMinutes: 15 } })
  })
  await startNewcomer(page)
  await page.goto('/parcels/new')
  await openContents(page, text)
  const contents = field(page, text('fields.contentDescription'))
  // The page watches its user only once it is idle.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user:acted'))).not.toBeNull()
  await contents.fill('Three ')
  const warning = page.getByRole('alertdialog', { name: text('auth.idleTitle') })
  await page.clock.fastForward('13:30')
  await expect(warning).toBeHidden()
  await page.clock.fastForward('00:45')
  await expect(warning).toHaveAccessibleDescription(new RegExp(text('auth.idleText')))
  await checkAccess(page, 'idle warning')
  await page.keyboard.type('red shirts')
  await expect(warning).toBeHidden()
  await expect(contents).toHaveValue('Three red shirts')
  await page.clock.fastForward('14:30')
  await button(warning, text('auth.idleStay')).click()
  await expect(warning).toBeHidden()
  // An action in another tab counts as well.
  await page.clock.fastForward('14:30')
  await expect(warning).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await expect(warning).toBeHidden()
  await other.close()
  await page.clock.fastForward('15:30')
  const dialog = page.getByRole('dialog', { name: text('auth.expired') })
  await expect(dialog.getByText(text('auth.idleOver'))).toBeVisible()
  await dialog.locator('input[name=password]').fill(password)
  await button(dialog, text('auth.goOn')).click()
  await expect(dialog).toBeHidden()
  await expect(contents).toHaveValue('Three red shirts')
})

test('a parcel that was saved in another tab is only overwritten on request', async ({
  page,
  context,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await addToCart(page, text)
  type CartParcel = { id: string; contentDescription: string }
  const customer = await callAsPage(page)
  const readCart = async () => (await customer.get<{ items: [CartParcel] }>('/api/customer/parcels/cart')).items[0]
  const { id } = await readCart()
  const other = await context.newPage()
  for (const [tab, contents] of [
    [page, 'Typed first'],
    [other, 'Typed second'],
  ] as const) {
    await tab.goto(`/parcels/new?id=${id}`)
    await openContents(tab, text)
    await field(tab, text('fields.contentDescription')).fill(contents)
  }
  await main(page, text, 'save').click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  await main(other, text, 'save').click()
  const question = other.getByRole('dialog', { name: text('newParcel.changed') })
  await expect(question).toBeVisible()
  await other.keyboard.press('Escape')
  expect((await readCart()).contentDescription).toBe('Typed first')
  await expect(field(other, text('fields.contentDescription'))).toHaveValue('Typed second')
  await main(other, text, 'save').click()
  await button(question, text('newParcel.changedAction')).click()
  await expect(heading(other, text('cart.title'))).toBeVisible()
  expect((await readCart()).contentDescription).toBe('Typed second')
})

test('a parcel that was removed in another tab is added again on request, with what was typed', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await addToCart(page, text)
  type CartParcel = { id: string; contentDescription: string }
  const customer = await callAsPage(page)
  const readCart = async () => (await customer.get<{ items: CartParcel[] }>('/api/customer/parcels/cart')).items
  const [first] = await readCart()
  const ids = [first?.id]
  await page.goto(`/parcels/new?id=${first?.id}`)
  await openContents(page, text)
  const contents = field(page, text('fields.contentDescription'))
  await contents.fill('Typed before')
  await customer.post('/api/customer/parcels/remove', { ids })
  // The user comes back from the other tab, which fetches the parcel again.
  const missing = page.waitForResponse((answer) => answer.url().endsWith(`/parcels/${first?.id}`) && !answer.ok())
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await missing
  await expect(contents).toHaveValue('Typed before')
  await main(page, text, 'save').click()
  const question = page.getByRole('dialog', { name: text('newParcel.removed') })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(contents).toHaveValue('Typed before')
  await main(page, text, 'save').click()
  await button(question, text('newParcel.removedAction')).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  expect((await readCart()).map(({ contentDescription }) => contentDescription)).toEqual(['Typed before'])
})

test('a page whose first response about its user is lost gets its actions a moment later', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await page.route('**/auth/profile', (route) => route.abort(), { times: 1 })
  await page.goto('/address-book')
  await expect(button(page, text('actions.new')).first()).toBeVisible()
})

test('a slow payment shows that it runs, and one whose answer is lost is shown as paid without a warning', async ({
  page,
  text,
  startFundedNewcomer,
}) => {
  await startFundedNewcomer(page)
  await writePricedParcel(page, text)
  await main(page, text, 'pay').click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  const lost = Promise.withResolvers<void>()
  await page.route('**/payments/express_credit/**', async (route) => {
    await lost.promise
    await route.fetch()
    await route.abort('connectionreset')
  })
  await payWithPin(page, text)
  // The dots in the place of the words of the button.
  await expect(page.locator('button[data-loading] .mantine-Loader-root > span').first()).toBeVisible()
  lost.resolve()
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('Back and Forward pass through a paid checkout without paying or offering the parcel again', async ({
  page,
  text,
  startFundedNewcomer,
}) => {
  await startFundedNewcomer(page)
  await addToCart(page, text)
  await button(page, text('cart.checkoutCount', { count: 1 }))
    .filter({ visible: true })
    .click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  await page.goBack()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  await page.goForward()
  await payWithPin(page, text)
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  await page.goBack()
  await expect(page.getByText(text('cart.empty.pickup'))).toBeVisible()
  await page.goBack()
  await expect(heading(page, text('newParcel.title'))).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: new RegExp(receiver.name) })).toBeHidden()
  await page.goForward()
  await page.goForward()
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
})

test('an API key whose answer is lost is shown by the next press, and exists once', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await page.goto('/developers')
  const keys: (string | undefined)[] = []
  await page.route('**/api/customer/api-keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await button(page, text('developers.newKey')).click()
  const dialog = page.getByRole('dialog')
  await field(dialog, text('fields.name')).fill('Shop at the corner')
  await button(dialog, text('developers.createKey')).click()
  await button(page.getByRole('alertdialog'), text('actions.ok')).click()
  await button(dialog, text('developers.createKey')).click()
  await expect(dialog.getByRole('heading', { name: text('developers.yourKey') })).toBeVisible()
  await button(dialog, text('developers.stored')).click()
  await expect(page.getByText('Shop at the corner')).toHaveCount(1)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})
