import { type APIResponse, expect, type Locator, type Page } from '@playwright/test'
import { demoPassword, getSide } from './api.ts'
import type { Text } from './texts.ts'

/* Steps that several journeys share, using the accessible names: labels, buttons, headings. */

export const password = 'a quiet morning at the counter'
/** A PIN that the rules accept. */
export const pin = '480517'

type Scope = Page | Locator

/** A text field, by its complete label. */
export function field(scope: Scope, label: string): Locator {
  return scope.getByRole('textbox', { name: label, exact: true })
}

export function button(scope: Scope, name: string): Locator {
  return scope.getByRole('button', { name, exact: true })
}

/** A number of letters and digits as the pages group it: `WB 1234 5678 901`. */
export const grouped = (number: string) => new RegExp([...number].join('\\s?'))

/** The page's main heading. */
export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { level: 1, name, exact: true })
}

/** Types into six boxes: the keyboard focus moves from one to the next automatically. */
export async function typeCode(scope: Scope, text: Text, label: string, code: string): Promise<void> {
  const first = scope.getByLabel(text('format.digitOf', { label, position: 1, count: 6 }))
  await first.focus()
  await first.pressSequentially(code)
}

export async function signIn(page: Page, text: Text, email: string, secret: string, path = '/login'): Promise<void> {
  await page.goto(path)
  await field(page, text('fields.email')).fill(email)
  await page.getByLabel(text('fields.password'), { exact: false }).first().fill(secret)
  await button(page, text('auth.signIn')).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
}

/**
 * Signs in a demo user through the API and stores the session for the page, which the test must then open. For journeys
 * that are not about signing in.
 */
export async function startSession(page: Page, email: string): Promise<void> {
  const data = { email, password: demoPassword }
  const answer = await expectSuccess(page.request.post(`/api/${getSide(email)}/auth/login`, { data }))
  await storeSession(page, await answer.json())
}

/** Expects that a request succeeds. */
export async function expectSuccess(sending: Promise<APIResponse>): Promise<APIResponse> {
  const answer = await sending
  expect(answer.status(), await answer.text()).toBe(200)
  return answer
}

/** Stores the session in the browser as the sign-in form does. */
export async function storeSession(
  page: Page,
  session: { token: string; refreshToken: string; user: object },
): Promise<void> {
  // Any URL of the portal's origin works; this one loads nothing.
  await page.goto('/healthz')
  await page.evaluate(({ token, refreshToken, user }) => {
    localStorage.setItem('t', token)
    localStorage.setItem('rt', refreshToken)
    localStorage.setItem('u', JSON.stringify(user))
  }, session)
}

let serial = 0

/** An address that no other journey uses. */
export function freshAddress(): string {
  serial += 1
  return `person-${process.pid}-${Date.now()}-${serial}@example.test`
}

type Newcomer = { name: string; email: string }

/** Registers an individual. Ends on the dashboard, signed in. */
export async function register(
  page: Page,
  text: Text,
  codeTo: (address: string, kind: string) => Promise<string>,
  { name, email }: Newcomer,
): Promise<void> {
  await page.goto('/register')
  await fillRegistration(page, text, { name, email })
  await button(page, text('auth.registerAction')).click()
  await expect(heading(page, text('auth.verifyTitle'))).toBeVisible()
  await typeCode(page, text, text('fields.code'), await codeTo(email, 'register_code'))
  await button(page, text('auth.verifyAction')).click()
  await page.waitForURL('**/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
}

export async function fillRegistration(page: Page, text: Text, { name, email }: Newcomer): Promise<void> {
  await field(page, text('fields.personName')).fill(name)
  await field(page, text('fields.email')).fill(email)
  await fillPhone(page, text, '012-345 6789')
  await page.getByLabel(text('fields.password')).first().fill(password)
  await page.getByRole('checkbox', { name: text('auth.acceptTerms') }).check()
}

/** Types a number in national format; on blur it is shown with its country code. */
async function fillPhone(scope: Scope, text: Text, number: string): Promise<void> {
  const phone = field(scope, text('fields.phone'))
  await phone.fill(number)
  await phone.blur()
  await expect(phone).toHaveValue(/^\+60 /)
}

export type Person = { name: string; phone: string; street: string; postcode: string; city: string; state: string }

export const sender: Person = {
  name: 'Lim Mei Hua',
  phone: '012-345 6789',
  street: '12 Jalan Ampang',
  postcode: '50450',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
}
export const receiver: Person = {
  name: 'Rosmah binti Idris',
  phone: '019-876 5432',
  street: '7 Lorong Bukit Padang',
  postcode: '88000',
  city: 'Kota Kinabalu',
  state: 'Sabah',
}

/** The fields of an address; the postcode fills in city and state. */
export async function fillAddress(scope: Scope, text: Text, person: Person): Promise<void> {
  await field(scope, text('fields.contactName')).fill(person.name)
  await fillPhone(scope, text, person.phone)
  await field(scope, text('fields.line1')).fill(person.street)
  await field(scope, text('fields.postcode')).fill(person.postcode)
  await expect(field(scope, text('fields.city'))).toHaveValue(person.city)
  await expect(field(scope, text('fields.state'))).toHaveValue(person.state)
}

/** Tops up 150 at the bank, beginning on the top-up page and ending on the wallet's page. */
export async function topUp(page: Page, text: Text): Promise<void> {
  await field(page, text('walletPage.topUpAmount')).fill('150')
  await page.getByRole('button', { name: /150/ }).last().click()
  await expect(page.getByRole('heading', { name: text('bank.title') })).toBeVisible()
  await button(page, text('bank.pay')).click()
  await expect(page.getByRole('heading', { name: text('paymentPage.topup.succeeded') })).toBeVisible()
  await page.getByRole('link', { name: text('paymentPage.toWallet') }).click()
  await expect(page.getByRole('region', { name: text('walletPage.balance') })).toContainText('150.00')
}

/** Sets the PIN on the wallet's page. */
export async function setPin(page: Page, text: Text, code: () => Promise<string>): Promise<void> {
  await button(page, text('walletPage.setPin')).click()
  const dialog = page.getByRole('dialog', { name: text('walletPage.task.set') })
  await typeCode(dialog, text, text('fields.otp'), await code())
  await button(dialog, text('actions.continue')).click()
  await typeCode(dialog, text, text('walletPage.newPin'), pin)
  await typeCode(dialog, text, text('fields.pinAgain'), pin)
  await button(dialog, text('walletPage.savePin')).click()
  await expect(page.getByText(text('walletPage.done.set'))).toBeVisible()
  await expect(page.getByText(text('walletPage.pinSet'))).toBeVisible()
}

/** Enters clothing of 30 x 20 x 15 cm and this weight. Ends in the step that offers the services. */
export async function describeGoods(page: Page, text: Text, kilograms: string): Promise<void> {
  await field(page, text('fields.weightGrams')).fill(kilograms)
  await page.getByRole('combobox', { name: text('fields.contentType') }).selectOption('clothing')
  await page.getByRole('radio', { name: text('newParcel.preset.own') }).check()
  await field(page, text('fields.lengthMm')).fill('30')
  await field(page, text('fields.widthMm')).fill('20')
  await field(page, text('fields.heightMm')).fill('15')
  await button(page, text('actions.continue')).last().click()
}

/** Pays at the checkout. */
export async function payWithPin(page: Page, text: Text, typed: string = pin): Promise<void> {
  await typeCode(page, text, text('checkout.pin'), typed)
  await payButton(page, text).click()
}

/** The button that pays, with any amount. */
export function payButton(page: Page, text: Text): Locator {
  const [before = ''] = text('checkout.pay', { amount: '|' }).split('|')
  // In Chinese the link for a forgotten PIN has the same word, but not at its start.
  return page.getByRole('button', { name: new RegExp(`^${before.trim()}`) }).filter({ visible: true })
}

/** Credits are not preselected if they are insufficient. */
export async function chooseCredits(page: Page): Promise<void> {
  await page.locator('input[name=method][value=express_credit]').check()
}

/** Fills in a new parcel without an address book, up to its weight. */
export async function writeParcel(page: Page, text: Text, kilograms = '2.4'): Promise<void> {
  await page.goto('/parcels/new')
  for (const [step, person] of [
    ['sender', sender],
    ['receiver', receiver],
  ] as const) {
    const search = page.getByRole('combobox', { name: text(`newParcel.search.${step}`) })
    // A default sender is already filled in.
    await expect(page.getByRole('main').getByRole('combobox').first()).toBeVisible()
    if (!(await search.isVisible())) continue
    await search.click()
    await page.getByRole('option', { name: text('addressBook.writeNew') }).click()
    await fillAddress(page, text, person)
    await button(page, text('actions.continue')).last().click()
  }
  await describeGoods(page, text, kilograms)
}

/** Expects a selected service, which determines the price. */
export async function seePrice(page: Page, text: Text): Promise<void> {
  const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
  await expect(services.getByRole('radio', { checked: true })).toBeVisible()
}

/** Opens the sheet with the price and the actions on a phone. Elsewhere they are next to the fields. */
export async function openPrice(page: Page, text: Text): Promise<void> {
  // Before there is a price, the button names what is missing.
  const [missing = ''] = text('newParcel.missing', { what: '|' }).split('|')
  const name = new RegExp(`${text('newParcel.showPrice')}|^${missing.trim()}`)
  const sheet = page.getByRole('button', { name })
  if (await sheet.isVisible()) await sheet.click()
}

/** Fills in a new parcel and waits for its price. */
export async function writePricedParcel(page: Page, text: Text): Promise<void> {
  await writeParcel(page, text)
  await seePrice(page, text)
}
