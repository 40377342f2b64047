import type { APIRequestContext, Page } from '@playwright/test'
import { callAs } from '../support/api.ts'
import { superadmin as boss, type EmptyPortal, signInStaff, startEmptyPortal } from '../support/empty-portal.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { kualaLumpur, payAtCounter, placeOrder } from '../support/parcels.ts'
import { button, field, heading, password, signIn } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/*
 * A production deployment that starts empty: no demo, no seed, no SQL. From the command for the first superadmin to
 * the first parcel, paid at the counter and delivered. The setup and its screens are tested in the browser; steps that
 * other journeys cover use the API.
 */

const clerk = { name: 'Ahmad Fauzi', email: 'clerk@kurier.test' }
const customer = { name: 'Lim Mei Hua', email: 'meihua@example.test' }

let portal: EmptyPortal
test.beforeAll(async () => {
  portal = await startEmptyPortal()
})
test.afterAll(async () => portal?.stop())

test('an empty deployment is set up, and its first parcel is delivered', async ({
  page,
  request,
  text,
  checkAccess,
}) => {
  test.setTimeout(180_000)
  await test.step('creates the superadmin, who chooses a password', async () => {
    await portal.createSuperadmin()
    await page.goto(await portal.linkTo(boss.email))
    await page.getByLabel(text('fields.newPassword')).first().fill(password)
    await button(page, text('auth.resetAction')).click()
    await expect(heading(page, text('auth.resetDone'))).toBeVisible()
    await signIn(page, text, boss.email, password, `${portal.url}/staff/login`)
    await expect(heading(page, text('setupPage.title'))).toBeVisible()
    await checkAccess(page, 'set-up of an empty deployment')
  })
  await test.step('sets up company, currency and mail', () => setUpCompany(page, text))
  await test.step('opens a warehouse', () => openStation(page, text))
  const token = (await page.evaluate(() => localStorage.getItem('t'))) ?? ''
  await callAs(request, token, portal.url).post('/api/customer/zone', {
    code: 'MY',
    name: 'Malaysia',
    scope: 'domestic',
    areas: [{ country: 'my' }],
  })
  await test.step('publishes terms, privacy notice and contact', async () => {
    const superadmin = callAs(request, token, portal.url)
    for (const kind of ['terms', 'privacy'])
      await superadmin.post(`/api/staff/legal/${kind}`, { after: null, text: { en: `Our ${kind}`, cn_zh: null } })
    await superadmin.put('/api/settings', { values: { 'company.phone': '+60326942510' } })
  })
  await test.step('publishes a rate card', () => publishCard(page, text))
  await test.step('reports the complete set-up and removes it from the navigation', async () => {
    await page.goto(`${portal.url}/staff/setup`)
    await expect(page.getByText(text('setupPage.ready'))).toBeVisible()
    const nav = page.getByRole('navigation', { name: text('nav.main') })
    await expect(nav.getByRole('link', { name: text('nav.stations') })).toBeVisible()
    await expect(nav.getByRole('link', { name: text('nav.setup') })).toBeHidden()
  })
  await test.step('ships the first parcel', () => shipFirstParcel(request, token))
})

const findStep = (page: Page, text: Text, id: string) =>
  page.getByRole('listitem', { name: text(`setupPage.step.${id}`), exact: true })

async function setUpCompany(page: Page, text: Text): Promise<void> {
  const company = findStep(page, text, 'company')
  await expect(company).toContainText(text('setupPage.missing.registrationNumber'))
  await company.getByRole('link', { name: text('setupPage.go.company') }).click()
  await page.getByLabel(text('fields.companyName')).fill('Kurier Utara Sdn Bhd')
  await page.getByLabel(text('fields.registrationNumber')).fill('202401000001')
  await page.getByLabel(text('fields.taxNumber')).fill('W10-2401-32000001')
  await page
    .getByRole('textbox', { name: text('fields.address'), exact: true })
    .fill('1, Jalan Ipoh\n51200 Kuala Lumpur')
  await button(page, text('actions.save')).click()
  await expect(page.getByText(text('settingsPage.saved_other', { count: 4 }))).toBeVisible()

  await page.goto(`${portal.url}/staff/setup`)
  for (const id of ['company', 'money']) {
    const step = findStep(page, text, id)
    await button(step, text('setupPage.confirm')).click()
    await expect(step).toContainText(text('setupPage.state.done'))
  }
  const mail = findStep(page, text, 'mail')
  await mail.getByRole('button', { name: text('setupPage.mail.test') }).click()
  await expect(mail).toContainText(text('setupPage.mail.sent', { to: boss.email }))
  await expect(mail).toContainText(text('setupPage.state.done'))
  const subject = text('mail.mail_test.subject', { appName: 'Waybill' })
  await portal.mailbox.waitFor((each) => each.to.includes(boss.email) && each.subject === subject)
}

async function openStation(page: Page, text: Text): Promise<void> {
  await findStep(page, text, 'stations')
    .getByRole('link', { name: text('setupPage.go.stations') })
    .click()
  await button(page, text('stationsAdmin.new')).first().click()
  const dialog = page.getByRole('dialog')
  await field(dialog, text('fields.recordCode')).fill('KUL-WH1')
  await field(dialog, text('fields.name')).fill('Sentul')
  await field(dialog, text('fields.phone')).fill('03-2694 2510')
  await field(dialog, text('fields.line1')).fill('1, Jalan Ipoh')
  await field(dialog, text('fields.postcode')).fill('51200')
  await field(dialog, text('fields.city')).fill('Kuala Lumpur')
  await dialog.getByRole('combobox', { name: text('fields.state') }).selectOption('Kuala Lumpur')
  await field(dialog, text('fields.latitude')).fill('3.1787')
  await field(dialog, text('fields.longitude')).fill('101.6914')
  await field(dialog, text('fields.postcodeFrom')).fill('50000')
  await field(dialog, text('fields.postcodeTo')).fill('59999')
  await button(dialog, text('actions.save')).click()
  await expect(page.getByText(text('stationsAdmin.saved', { name: 'Sentul' }))).toBeVisible()
  await expect(page.getByRole('cell', { name: 'KUL-WH1 Sentul' })).toBeVisible()
}

async function publishCard(page: Page, text: Text): Promise<void> {
  await page.goto(`${portal.url}/staff/rates`)
  await button(page, text('ratesPage.newCard')).first().click()
  await field(page.getByRole('dialog'), text('fields.name')).fill('Standard')
  await button(page.getByRole('dialog'), text('ratesPage.create')).click()
  await button(page, text('ratesPage.addService')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: text('fields.originZone') }).selectOption('MY')
  await dialog.getByRole('combobox', { name: text('fields.destinationZone') }).selectOption('MY')
  await dialog.getByLabel(text('fields.transitDays')).fill('2')
  await dialog.getByLabel(text('fields.firstPriceMinor')).fill('6.00')
  await dialog.getByLabel(text('fields.stepPriceMinor')).fill('1.50')
  await button(dialog, text('ratesPage.add')).click()
  // The card is published before its saved lines have been loaded again.
  const release = await holdRequests(page, '**/api/**/rate-cards/*', 'GET')
  await button(page, text('actions.save')).click()
  await button(page, text('ratesPage.publish')).click()
  const publish = page.getByRole('dialog')
  const from = publish.getByLabel(text('fields.validFrom'))
  // The first selectable day is today in the time zone of the deployment.
  await from.fill((await from.getAttribute('min')) ?? '')
  const answer = page.waitForResponse('**/publish')
  await button(publish, text('ratesPage.publish')).click()
  await answer
  release()
  await expect(page.getByText(text('ratesPage.state.current'), { exact: true })).toBeVisible()
}

/** A clerk is invited, a customer registers, brings a parcel and pays in cash, and the clerk delivers it. */
async function shipFirstParcel(request: APIRequestContext, bossToken: string): Promise<void> {
  const asBoss = callAs(request, bossToken, portal.url)
  const asNobody = callAs(request, null, portal.url)
  const [station] = (await asBoss.get<{ items: { id: string }[] }>('/api/staff/stations')).items
  const stationId = station?.id
  const role = { type: 'staff', role: 'normal_staff', stationId }
  await asBoss.post('/api/staff/team', { ...clerk, ...role, language: 'en', phone: null })
  const asClerk = await signInStaff(request, portal, clerk.email)

  const person = { ...customer, userType: 'customer', phone: '+60123456789', password, acceptTerms: true }
  const register = '/api/customer/auth/register'
  const { browserToken } = await asNobody.post<{ browserToken: string }>(register, person)
  const mail = await portal.mailbox.waitFor((each) => each.to.includes(customer.email))
  const code = /\b(\d{6})\b/.exec(mail.subject)?.[1]
  const session = await asNobody.post<{ token: string }>(`${register}/verify`, { code, browserToken })
  const asCustomer = callAs(request, session.token, portal.url)

  const parties = {
    sender: { ...kualaLumpur, contactName: customer.name },
    receiver: { ...kualaLumpur, contactName: 'Nur Izzati' },
  }
  const order = await placeOrder(asCustomer, [parties])
  await payAtCounter(asCustomer, order)

  const desk = '/api/staff/cash'
  const currency = 'MYR'
  await asClerk.post(`${desk}/drawers`, { drawerNumber: 1, floatMinor: 10_000, currency })
  const sale = { drawerNumber: 1, code: order.number, totalSeenMinor: order.totalMinor, givenMinor: 10_000, currency }
  await asClerk.post(`${desk}/sales`, sale)

  const parcelNow = () =>
    asCustomer.get<{ trackingNumber: string; status: string }>(`/api/customer/parcels/${order.parcelIds[0]}`)
  const { trackingNumber } = await parcelNow()
  for (const event of ['accepted', 'sorted', 'out_for_delivery'])
    await asClerk.post('/api/staff/scans', { trackingNumber, event })
  const proof = { recipientName: 'Nur Izzati', signaturePath: 'M10 100 L200 60 L400 140' }
  await asClerk.post('/api/staff/scans', { trackingNumber, event: 'delivered', ...proof })
  expect(await parcelNow()).toMatchObject({ status: 'completed' })
}
