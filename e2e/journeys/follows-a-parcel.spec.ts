import { callAsDemoUser } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { kualaLumpur, payCompanyParcels } from '../support/parcels.ts'
import { button, heading, startSession } from '../support/steps.ts'

type Parcel = { id: string; receiver: { contactName: string } }

test('a parcel that is out for delivery is expected today, with the promised day in the same line', async ({
  page,
  text,
  request,
}) => {
  const [number = ''] = await payCompanyParcels(request, 1)
  const counter = await callAsDemoUser(request, 'kl@waybill.example')
  for (const event of ['accepted', 'sorted', 'out_for_delivery'])
    await counter.post('/api/staff/scans', { trackingNumber: number, event })
  await startSession(page, 'owner@kinabalu.example')
  await page.goto(`/parcels?q=${number}`)
  await page.getByRole('main').locator(`a[href^="/parcels/"]:not([href*="/new"])`).first().click()

  const today = page.getByRole('main').getByText(text('parcelPage.expectedToday'))
  const [promised = ''] = text('parcelPage.promised', { date: '|' }).split('|')
  await expect(today).toContainText(promised.trim())
  await expect(today).toContainText(/ · .*\d/)
  const { height = 0 } = (await today.boundingBox()) ?? {}
  expect(height).toBeLessThan(30)

  await page.goto(`/public/track-parcels?no=${number}`)
  const day = page.getByText(text('trackPage.expected'), { exact: true }).locator('xpath=following-sibling::dd')
  const [first = ''] = text('trackPage.promised', { date: '|' }).split('|')
  await expect(day).toContainText(new RegExp(`\\d.*${first.trim()}.*\\d`))
})

test('the page of a parcel names the stations at both ends', async ({ page, text, request }) => {
  const company = await callAsDemoUser(request, 'owner@kinabalu.example')
  const { items } = await company.get<{ items: { id: string; name: string }[] }>('/api/public/stations')
  const [from, to] = [items[0], items.at(-1)]
  const { id } = await company.post<Parcel>('/api/customer/parcels', {
    serviceType: 'e_parcel',
    deliveryMode: 'P2P',
    dropOffStationId: from?.id,
    selfCollectionStationId: to?.id,
    sender: kualaLumpur,
    receiver: kualaLumpur,
  })
  await startSession(page, 'owner@kinabalu.example')
  await page.goto(`/parcels/${id}`)
  const details = page.getByRole('main')
  for (const [label, station] of [
    ['fields.dropOffStationId', from],
    ['fields.selfCollectionStationId', to],
  ] as const) {
    const value = details.getByText(text(label), { exact: true }).locator('xpath=following-sibling::dd')
    await expect(value).toHaveText(station?.name ?? 'a station')
  }
})

test('the list of parcels shows when they were created, relative to now', async ({ page, text }) => {
  await startSession(page, 'owner@kinabalu.example')
  await page.goto('/parcels?tab=delivered')
  await expect(page.getByRole('table').locator('tbody tr').first()).toBeVisible()
  const column = await page
    .getByRole('columnheader')
    .evaluateAll(
      (headers, name) => headers.findIndex(({ textContent }) => textContent === name),
      text('parcelsPage.created'),
    )
  const created = page.getByRole('table').locator('tbody tr').first().getByRole('cell').nth(column).locator('time')
  // The exact time is the title, because it would make the row wider than the list.
  await expect(created).toContainText(/ago|yesterday|前|昨天/)
  await expect(created).toHaveAttribute('title', /\d{1,2}:\d{2}/)
  await expect(created.locator('[data-exact]')).toBeHidden()
})

test('"Ship again" of a selection is always enabled, and says why it is not possible', async ({ page, text }) => {
  await startSession(page, 'owner@kinabalu.example')
  await page.goto('/parcels?tab=delivered')
  const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox')
  const again = button(page.getByRole('region', { name: text('list.bulk') }), text('parcelAction.repeat'))
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await expect(again).toBeEnabled()
  await again.click()
  const warning = page.getByRole('alertdialog')
  await expect(warning).toContainText(text('parcelsPage.repeatOne'))
  await button(warning, text('actions.ok')).click()
  // The selection is kept, so that it can be corrected.
  await boxes.nth(1).uncheck()
  await again.click()
  await expect(heading(page, text('newParcel.title'))).toBeVisible()
})
