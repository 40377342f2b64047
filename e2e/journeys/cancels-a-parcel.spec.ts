import { formatMoney } from '@waybill/contract/ground/format'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { payParcel, placeOrder } from '../support/parcels.ts'
import { button, startSession } from '../support/steps.ts'

const pending = { destination: 'card', status: 'requested' }

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
  const where = text('cancelParcel.doneWallet', { amount })
  await expect(page.getByRole('dialog', { name: text('notify.success') })).toContainText(where)
  await expect(page.getByRole('main').getByText(where)).toBeVisible()
  await expect(page.getByText(text('event.refunded'), { exact: true }).first()).toBeVisible()

  await test.step('a refund that staff still have to make does not look as if it had arrived', async () => {
    await page.route('**/credit-notes*', async (route) => {
      const answer = await route.fetch()
      const { items } = (await answer.json()) as { items: object[] }
      await route.fulfill({ json: { items: items.map((item) => ({ ...item, ...pending })) } })
    })
    await page.reload()
    const note = page.getByRole('main').getByText(text('cancelParcel.doneCard', { amount }))
    await expect(note).toContainText(text('cancelParcel.cardHint'))
    await page.getByRole('link', { name: text('parcelPage.order') }).click()
    await expect(page.getByText(`${text('refund.status.requested')} ${amount}`)).toBeVisible()
    await expect(page.getByText(`${text('ordersPage.refunded')} ${amount}`)).toBeHidden()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

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
