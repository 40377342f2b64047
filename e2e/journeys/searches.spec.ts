import type { Page } from '@playwright/test'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { listParcels } from '@waybill/contract/parcels/list'
import { callAsPage } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { placeOrder } from '../support/parcels.ts'
import { heading, startSession } from '../support/steps.ts'

/** The tracking number of a delivered parcel of the signed-in customer. */
async function findNumber(page: Page): Promise<string> {
  type Parcels = { items: { trackingNumber: string }[] }
  const customer = await callAsPage(page)
  const [parcel] = (await customer.get<Parcels>(`${listParcels.path}?tab=delivered&limit=1`)).items
  return parcel?.trackingNumber ?? ''
}

test('a customer finds a parcel, a page and an address with the same search box', async ({
  page,
  text,
  checkAccess,
}) => {
  await startSession(page, 'priya@example.com')
  await page.goto('/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  const number = await findNumber(page)
  const box = page.getByRole('combobox', { name: text('nav.search') })
  const keyboard = page.keyboard

  await test.step('finds a tracking number using only the keyboard', async () => {
    await keyboard.press('/')
    await keyboard.type(number)
    await expect(box).toHaveValue(number)
    const hit = page.getByRole('option', { name: groupTrackingNumber(number) }).first()
    await expect(hit).toHaveAttribute('aria-selected', 'true')
    await checkAccess(page, 'hits of a search')
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/parcels\/[0-9a-f-]{36}$/)
    // A new page takes the focus once it is rendered.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('finds a page by its name', async () => {
    await keyboard.press('Control+k')
    await expect(box).toBeFocused()
    await keyboard.type(text('nav.wallet'))
    await expect(page.getByRole('option', { name: text('nav.wallet') }).first()).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/wallet$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('finds an action by its name', async () => {
    await keyboard.press('Control+k')
    await keyboard.type(text('nav.topUp'))
    await expect(page.getByRole('option', { name: text('nav.topUp') }).first()).toHaveAttribute('aria-selected', 'true')
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/wallet\/top-up$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('reports that nothing was found, and closes the list with Escape', async () => {
    await keyboard.press('/')
    await keyboard.type('qqzzxx')
    await expect(page.getByRole('option', { name: text('search.parcelsWith', { text: 'qqzzxx' }) })).toBeVisible()
    await keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
  })
})

test('staff find a parcel and a pickup by number, and an account by its name', async ({ page, text }) => {
  await startSession(page, 'priya@example.com')
  await page.goto('/dashboard')
  const number = await findNumber(page)

  await startSession(page, 'admin@waybill.example')
  await page.goto('/staff')
  const box = page.getByRole('combobox', { name: text('nav.searchStaff') })
  await expect(box).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(number)
  await expect(box).toHaveValue(number)
  await page.getByRole('option', { name: new RegExp(`^${groupTrackingNumber(number)}`) }).click()
  await expect(page).toHaveURL(`/staff/parcels/${number}`)
  await page.getByRole('link', { name: text('staffParcel.atCounter') }).click()
  await expect(page).toHaveURL(`/staff/counter?no=${number}`)
  await expect(page.getByRole('region', { name: number }).or(page.getByLabel(number))).toBeVisible()

  const releaseAccount = await holdRequests(page, /\/api\/staff\/accounts\/[0-9a-f-]{36}$/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Priya')
  await page.getByRole('option', { name: /Priya/ }).first().click()
  await expect(page).toHaveURL(/\/staff\/accounts\/[0-9a-f-]{36}$/)

  // A user who searches again while the page still loads keeps the focus. Lists open with the text in their own search.
  await page.keyboard.press('Control+k')
  releaseAccount()
  await expect(page.getByRole('heading', { level: 1, name: 'Priya Nair' })).toBeVisible()
  await page.keyboard.type('marketing@waybill')
  await page.getByRole('option', { name: /marketing@waybill/ }).click()
  await expect(page).toHaveURL(/\/staff\/team\?q=/)
  await expect(page.getByText('marketing@waybill.example').first()).toBeVisible()

  // A pickup opens whatever its day and station.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pu-1')
  await page.getByRole('option', { name: /PU-00000001/ }).click()
  await expect(page).toHaveURL(/\/staff\/pickups\?no=PU-00000001/)
  await expect(page.getByRole('main').getByRole('button', { name: /PU-00000001/ })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
})

test('sales staff answer a sender who asks where a parcel is', async ({ page, text, checkAccess }) => {
  await startSession(page, 'priya@example.com')
  await page.goto('/dashboard')
  const number = await findNumber(page)

  await startSession(page, 'sales@waybill.example')
  await page.goto('/staff')
  await expect(page.getByRole('combobox', { name: text('nav.searchStaff') })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(number)
  await page.getByRole('option', { name: new RegExp(`^${groupTrackingNumber(number)}`) }).click()
  await expect(page.getByRole('list', { name: text('parcelPage.timeline') })).toContainText(text('event.delivered'))
  await expect(page.getByText(/^ORD-\d{8}$/)).toBeVisible()
  // Only staff who work with parcels have the counter.
  await expect(page.getByRole('link', { name: text('staffParcel.atCounter') })).toHaveCount(0)
  await page.getByText(text('counterPage.price.title')).click()
  await expect(page.getByText(text('counterPage.price.same'))).toBeVisible()
  await checkAccess(page, 'a parcel for sales staff')

  await page.getByRole('link', { name: text('staffParcel.messages') }).click()
  await expect(page.getByText(text('chat.open.parcel'))).toBeVisible()
  await page.getByRole('link', { name: text('chat.open.parcel') }).click()
  await expect(page).toHaveURL(`/staff/parcels/${number}`)
})

test('an empty tab of a list leads to the parcels in another tab', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await placeOrder(await callAsPage(page), [{}])
  await page.goto('/parcels?tab=delivered')
  const label = { tab: text('parcelsPage.tab.all'), number: '1' }
  await page.getByRole('button', { name: text('list.showTab', label) }).click()
  await expect(page.getByText('Lim Wei')).toBeVisible()
})

test('an empty tab of a list does not look like an empty list', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/orders')
  await expect(page.getByText(text('ordersPage.empty'))).toBeVisible()
  await page
    .getByRole('navigation', { name: text('list.tabs') })
    .getByRole('button')
    .last()
    .click()
  await expect(page.getByText(text('list.nothingInTab'))).toBeVisible()
  await expect(page.getByText(text('ordersPage.empty'))).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText(text('ordersPage.empty'))).toBeVisible()
})
