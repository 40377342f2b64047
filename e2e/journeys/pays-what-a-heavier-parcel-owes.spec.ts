import type { Page } from '@playwright/test'
import { callAsDemoUser, callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { acceptAtCounter, demoPin, payAtCounter, payParcel, placeOrder } from '../support/parcels.ts'
import { button, field, grouped, heading, payButton, pin, startSession, typeCode } from '../support/steps.ts'

test('tops up an amount due and returns to it', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  const customer = await callAsPage(page)
  const order = await placeOrder(customer, [{ collectionMode: 'cod', codAmountMinor: 12_395 }])
  await payAtCounter(customer, order)

  await page.goto(`/parcels/${order.parcelIds[0]}`)
  const main = page.getByRole('main')
  // The amount that the rider collects, and what is due, with the button that pays it.
  await expect(main.getByText('123.95')).toBeVisible()
  const amount = (order.totalMinor / 100).toFixed(2)
  const [pay = ''] = text('checkout.pay', { amount: '|' }).split('|')
  await main.getByRole('link', { name: pay.trim() }).filter({ hasText: amount }).click()

  await page.waitForURL('**/outstanding?parcel=*')
  const due = page.url()
  await page.getByRole('link', { name: text('checkout.topUp') }).click()
  await expect(field(page, text('walletPage.topUpAmount'))).toHaveValue(amount)
  await page.getByRole('button', { name: new RegExp(text('walletPage.payNow', { amount: '' }).trim()) }).click()
  await button(page, text('bank.pay')).click()
  await page.getByRole('link', { name: text('paymentPage.goOnPaying') }).click()
  await expect(heading(page, text('outstandingPage.title'))).toBeVisible()
  expect(page.url()).toBe(due)
})

/** Selects one parcel: payments for other parcels of the company may be due too. */
async function selectOnly(page: Page, number: string): Promise<void> {
  const boxes = page.getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  for (const box of await boxes.all()) {
    const name = (await box.getAttribute('aria-label')) ?? ''
    if (name.replace(/\s/g, '') !== number) await box.uncheck()
  }
}

test('a customer pays the difference for a heavier parcel', async ({ page, text, someoneElse }) => {
  await startSession(page, 'owner@kinabalu.example')
  const { id, number } = await test.step('the customer pays for a parcel of 1.2 kg', async () =>
    payParcel(await callAsPage(page), { weightGrams: 1200 }))
  await page.goto(`/parcels/${id}`)

  const counter = await someoneElse()
  await test.step('the counter accepts it and weighs 5.2 kg', async () => {
    await startSession(counter, 'kl@waybill.example')
    await counter.goto('/staff/counter')
    const scanner = field(counter, text('counterPage.number'))
    await scanner.fill(number)
    await scanner.press('Enter')
    await button(counter, text('counterPage.accept')).click()
    await button(counter, text('counterPage.reweigh')).click()
    await field(counter, text('fields.weightGrams')).fill('5.2')
    await field(counter, text('fields.scaleReading')).fill('5.200 kg')
    const photo = { name: 'scale.png', mimeType: 'image/png', buffer: await counter.screenshot() }
    await counter.locator('input[type=file]').first().setInputFiles(photo)
    await expect(counter.locator('form img')).toBeVisible()
    await button(counter, text('reweighPage.save')).click()
    const [message = ''] = text('reweighPage.result.heavier', { amount: '|' }).split('|')
    await expect(counter.getByText(message.trim())).toBeVisible()
  })

  await test.step('the next clerk who weighs the parcel sees the reading', async () => {
    await counter.goto('/staff/reweigh')
    const scanner = field(counter, text('fields.trackingNumber'))
    await scanner.fill(number)
    await scanner.press('Enter')
    const form = counter.getByRole('region', { name: text('reweighPage.title') })
    await expect(form.getByText(text('weighing.measured'))).toContainText(/5\.2\skg/)
  })

  await test.step('the counter offers the payment as its main action', async () => {
    await counter.goto(`/staff/counter?no=${number}`)
    const payment = counter.getByRole('link', { name: text('counterPage.takeCash') })
    await expect(payment).toHaveAttribute('data-variant', 'filled')
    await expect(counter.getByText(text('counterPage.nothing'))).toHaveCount(0)
  })

  const weighing = page.getByRole('region', { name: text('weighing.title') })
  await expect(weighing).toContainText('5.200 kg')
  await expect(weighing.getByText(/ · \S/).filter({ hasText: 'Shah Alam' })).toBeVisible()
  await expect(weighing.getByRole('img', { name: text('weighing.stationPhoto') })).toBeVisible()
  const [pay = ''] = text('checkout.pay', { amount: '|' }).split('|')
  await page.getByRole('main').getByRole('link', { name: pay.trim() }).click()

  await page.waitForURL('**/outstanding?parcel=*')
  await selectOnly(page, number)
  await typeCode(page, text, text('checkout.pin'), demoPin)
  await payButton(page, text).click()
  const [, paid = ''] = text('outstandingPage.paid', { amount: '|' }).split('|')
  await expect(page.getByText(paid).first()).toBeVisible()

  await page.goto(`/parcels/${id}`)
  await expect(page.getByText(text('event.difference_paid'), { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: pay.trim() })).toHaveCount(0)

  await test.step('the counter sees how the price was computed', async () => {
    await counter.goto(`/staff/counter?no=${number}`)
    await counter.getByText(text('counterPage.price.title')).click()
    await expect(counter.getByText(text('counterPage.price.same'))).toBeVisible()
    await expect(counter.getByRole('main')).toContainText('5.2 kg')
  })
})

test('a company has the difference for a heavier parcel billed', async ({ page, text, request }) => {
  await startSession(page, 'owner@kinabalu.example')
  const { id, number } = await payParcel(await callAsPage(page), { weightGrams: 1200 })
  await acceptAtCounter(request, number)
  const counter = await callAsDemoUser(request, 'kl@waybill.example')
  await counter.post(`/api/staff/parcels/${id}/reweigh`, { weightGrams: 5200 })

  await page.goto(`/outstanding?parcel=${id}`)
  await selectOnly(page, number)
  const [act = ''] = text('billing.pay', { amount: '|' })
    .split('|')
    .sort((a, b) => b.length - a.length)
  await page.getByRole('button', { name: act.trim() }).click()
  await expect(page.getByText(text('outstandingPage.billed', { amount: '' }).trim()).first()).toBeVisible()

  await page.goto(`/parcels/${id}`)
  await expect(page.getByText(text('event.difference_paid'), { exact: true }).first()).toBeVisible()
})

test('a difference that the sender disputes is not offered for payment first', async ({
  page,
  text,
  startFundedNewcomer,
  request,
  checkAccess,
}) => {
  await startFundedNewcomer(page)
  await page.goto('/dashboard')
  const customer = await callAsPage(page)
  const order = await placeOrder(customer, [{ weightGrams: 1200 }])
  await customer.post(`/api/customer/payments/express_credit/${order.id}`, {
    pin,
    expectedTotalMinor: order.totalMinor,
  })
  const path = `/api/customer/parcels/${order.parcelIds[0]}`
  const { id, trackingNumber: number } = await customer.get<{ id: string; trackingNumber: string }>(path)
  await acceptAtCounter(request, number)
  const counter = await callAsDemoUser(request, 'kl@waybill.example')
  await counter.post(`/api/staff/parcels/${id}/reweigh`, { weightGrams: 5200 })
  await customer.post(`${path}/weighing/contest`, { reason: 'My scale shows 1.2 kg', photoIds: [] })

  await page.goto(`/parcels/${id}`)
  const [before = '', after = ''] = text('parcelPage.dueOrWait', { amount: '|' }).split('|')
  const state = page.getByRole('main').locator('p').filter({ hasText: before }).filter({ hasText: after })
  await expect(state).toBeVisible()
  await expect(page.getByText(text('weighing.state.contested')).first()).toBeVisible()
  await checkAccess(page, 'a parcel whose weight is disputed')

  await page.goto('/outstanding')
  const box = page.getByRole('checkbox', { name: grouped(number) })
  await expect(box).toBeVisible()
  await expect(box).not.toBeChecked()
  const [pay = ''] = text('checkout.pay', { amount: '|' }).split('|')
  const dues = page.waitForResponse('**/parcels/outstanding?*')
  await page.goto(`/orders/${order.id}`)
  await dues
  await expect(page.getByRole('main').getByText(text('ordersPage.payment')).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: pay.trim() })).toHaveCount(0)
  await expect(page.getByRole('main').getByText(text('weighing.state.contested'))).toBeVisible()
})
