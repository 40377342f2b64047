import { formatMoney } from '@waybill/contract/ground/format'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { payParcel, placeOrder } from '../support/parcels.ts'
import { button, startSession } from '../support/steps.ts'

test('a customer cancels a paid parcel and gets the credits back', async ({ page, text }) => {
  const one = (key: string) => text(key, { count: 1 })
  await startSession(page, 'owner@kinabalu.example')
  const { id } = await payParcel(await callAsPage(page))

  await page.goto(`/parcels/${id}`)
  await button(page, text('parcelAction.cancel')).click()
  const dialog = page.getByRole('dialog', { name: one('cancelParcel.title') })
  const refund = dialog.getByText(/RM\s?\d+\.\d\d/).first()
  await expect(refund).toBeVisible()
  const amount = /RM\s?[\d.]+\d/.exec((await refund.textContent()) ?? '')?.[0] ?? ''
  await button(dialog, one('cancelParcel.act')).click()
  await expect(page.getByText(text('cancelParcel.doneWallet', { amount }))).toBeVisible()
  await expect(page.getByText(text('event.refunded'), { exact: true }).first()).toBeVisible()

  await page.goto('/wallet')
  const line = page
    .getByRole('row')
    .filter({ hasText: text('movement.refund') })
    .first()
  await expect(line).toContainText(amount.replace(/[^\d.]/g, ''))

  const chart = page.getByRole('figure').filter({ hasText: text('walletPage.balanceChart') })
  await expect(chart).toBeVisible()
  // The chart has bars: some of its pixels are not transparent.
  const isDrawn = (canvas: HTMLCanvasElement) =>
    canvas
      .getContext('2d')
      ?.getImageData(0, 0, canvas.width, canvas.height)
      .data.some((value) => value > 0)
  await expect.poll(() => chart.locator('canvas').evaluate(isDrawn)).toBe(true)
})

test('a company that paid in two ways reads where each part of the money goes', async ({ page, text, language }) => {
  await startSession(page, 'owner@kinabalu.example')
  const api = await callAsPage(page)
  const reference = `TWO-${Date.now()}`
  await payParcel(api, { reference })
  const billed = await placeOrder(api, [{ reference }])
  await api.post(`/api/customer/payments/corporate/${billed.id}`, { expectedTotalMinor: billed.totalMinor })

  await page.goto(`/parcels?q=${reference}`)
  const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox')
  await expect(boxes).toHaveCount(2)
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await button(page.getByRole('region', { name: text('list.bulk') }), text('cancelParcel.bulk')).click()
  await button(page, text('cancelParcel.act', { count: 2 })).click()
  // Both parcels cost the same.
  const amount = formatMoney(billed.totalMinor, 'MYR', language)
  const message = page.getByRole('dialog').filter({ hasText: text('cancelParcel.done', { count: 2 }) })
  await expect(message).toContainText(text('cancelParcel.doneWallet', { amount }))
  await expect(message).toContainText(text('cancelParcel.doneBill', { amount }))
})
