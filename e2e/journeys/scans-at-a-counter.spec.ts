import type { Page } from '@playwright/test'
import { callAsDemoUser } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { payCompanyParcels, payOrder, placeOrder } from '../support/parcels.ts'
import { getLine, listScans, toDecide, wedge } from '../support/scanning.ts'
import { button, field, grouped, startSession } from '../support/steps.ts'
import { waitForPaint } from '../support/watch.ts'

const getTitle = (page: Page, number: string) => page.getByRole('heading', { level: 2, name: grouped(number) })

test('shows the last scanned number at a counter even if an earlier response arrives later', async ({
  page,
  request,
  text,
}) => {
  const numbers = await payCompanyParcels(request, 2)
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/counter')
  const [first = '', second = ''] = numbers
  const releaseFirst = await holdRequests(page, `**/api/staff/parcels/trackno/${first}`)
  await expect(field(page, text('counterPage.number'))).toBeFocused()
  const slowResponse = page.waitForResponse(new RegExp(first))
  for (const each of numbers) await wedge(page, each)
  await expect(getTitle(page, second)).toBeVisible()
  releaseFirst()
  await (await slowResponse).finished()
  await waitForPaint(page)
  await expect(getTitle(page, second)).toBeVisible()
})

test('a counter finds a parcel by the number of its order', async ({ page, request, text, checkAccess }) => {
  const company = await callAsDemoUser(request, 'owner@kinabalu.example')
  const order = await placeOrder(company, [{}, {}])
  const parcels = await payOrder(company, order)
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/counter')
  const number = field(page, text('counterPage.number'))
  await expect(number).toBeFocused()
  await wedge(page, order.number)
  const matches = page.getByRole('region', { name: text('counterPage.matches', { text: order.number }) })
  const choices = matches.getByRole('button')
  await expect(choices).toHaveCount(2)
  await checkAccess(page, 'matches at a counter')

  // The field takes the position of a parcel, as it takes that of an action.
  const choice = (await choices.nth(1).textContent()) ?? ''
  const second = parcels.find((parcel) => grouped(parcel.number).test(choice))?.number ?? ''
  await wedge(page, '2')
  await expect(getTitle(page, second)).toBeVisible()
  await expect(button(page, text('counterPage.accept'))).toBeVisible()

  await wedge(page, 'Nobody Known')
  await expect(page.getByRole('status').filter({ hasText: text('counterPage.otherNumber') })).toBeVisible()
  await expect(number).toBeFocused()
})

test('a parcel that waits for a rider leads from the counter to the scan of its pickup', async ({
  page,
  request,
  text,
}) => {
  const company = await callAsDemoUser(request, 'owner@kinabalu.example')
  type Parcels = { items: { trackingNumber: string | null; status: string }[] }
  const { items } = await company.get<Parcels>('/api/customer/parcels?limit=200')
  const number = items.find(({ status }) => status === 'pending_pickup')?.trackingNumber ?? ''
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/counter')
  await expect(field(page, text('counterPage.number'))).toBeFocused()
  await wedge(page, number)
  await expect(getTitle(page, number)).toBeVisible()
  await expect(page.getByText(text('counterPage.waitsForRider'))).toBeVisible()
  await expect(page.getByText(text('counterPage.nothing'))).toBeHidden()
  await page.getByRole('link', { name: text('counterPage.scanPickup') }).click()
  await expect(page).toHaveURL(/\/staff\/scan$/)
})

test('a counter takes the number of the main action, but not before the parcel is on the screen', async ({
  page,
  request,
  text,
}) => {
  const [first = '', second = '', third = ''] = await payCompanyParcels(request, 3)
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/counter')
  await expect(field(page, text('counterPage.number'))).toBeFocused()
  await wedge(page, first)
  await expect(getTitle(page, first)).toBeVisible()

  const releaseLookup = await holdRequests(page, `**/api/staff/parcels/trackno/${second}`)
  await wedge(page, second)
  // The first parcel is still on the screen; accepting it now would be a mistake.
  await wedge(page, '1')
  releaseLookup()
  await expect(getTitle(page, second)).toBeVisible()
  await expect(button(page, text('counterPage.accept'))).toBeVisible()
  const releaseReports = await holdRequests(page, '**/api/staff/scans')
  await wedge(page, '1')
  // The report of the second parcel is still pending: the third one stays on the screen, and is accepted too.
  await wedge(page, third)
  await expect(getTitle(page, third)).toBeVisible()
  await wedge(page, '1')
  releaseReports()
  const accepted = page.getByRole('status').filter({ hasText: text('counterPage.accepted') })
  await expect(accepted).toContainText(grouped(third))
  await expect(getTitle(page, third)).toBeVisible()
  expect(await listScans(page, [first, second, third])).toEqual([second, third])
})

test('a refused report at a counter stays in a list, and does not take the keys of the next scan', async ({
  page,
  request,
  text,
}) => {
  const [first = '', second = ''] = await payCompanyParcels(request, 2)
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/counter')
  await expect(field(page, text('counterPage.number'))).toBeFocused()
  await wedge(page, first)
  await expect(getTitle(page, first)).toBeVisible()
  const answer = Promise.withResolvers<void>()
  await page.route(
    '**/api/staff/scans',
    async (route) => {
      await answer.promise
      const details = { kind: 'station', trackingNumber: first }
      const json = { statusCode: 409, code: 'custody_take_over', message: 'It is held elsewhere', errors: [], details }
      await route.fulfill({ status: 409, json })
    },
    { times: 1 },
  )
  await wedge(page, '1')
  await page.keyboard.type(second.slice(0, 5))
  answer.resolve()
  const line = getLine(toDecide(page, text), first)
  await expect(line).toContainText('It is held elsewhere')
  await wedge(page, second.slice(5))
  await expect(getTitle(page, second)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await button(line, text('scanPage.open')).click()
  const dialog = page.getByRole('dialog')
  await expect(field(dialog, text('takeOver.reason'))).toBeFocused()
  await button(dialog, text('actions.cancel')).click()
  await button(line, text('actions.tryAgain')).click()
  await expect(toDecide(page, text)).toBeHidden()
  expect(await listScans(page, [first, second])).toEqual([first])
})
