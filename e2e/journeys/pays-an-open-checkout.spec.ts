import type { Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { fillCart, kualaLumpur, placeOrder } from '../support/parcels.ts'
import { button, heading, payButton, payWithPin } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

const byRider = { deliveryMode: 'D2D' }
const to = (contactName: string) => ({ receiver: { ...kualaLumpur, contactName } })

async function checkOut(page: Page, text: Text, count: number): Promise<void> {
  await button(page, text('cart.checkoutCount', { count })).filter({ visible: true }).click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
}

const unfinished = (page: Page, text: Text) =>
  page.getByRole('region', { name: text('pendingCheckout.title', { count: 1 }) })

test('the cart shows the checkout at once after Back', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  await fillCart(await callAsPage(page), [{}, { weightGrams: 900 }])
  await page.goto('/cart')
  await checkOut(page, text, 2)
  await page.goBack()
  await expect(page.getByText(text('cart.inCheckout', { count: 2 }))).toBeVisible()
  await unfinished(page, text)
    .getByRole('link', { name: text('pendingCheckout.pay') })
    .click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
})

test('an order whose payment failed at the bank can be paid again, also beside a payment that was left', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  const { id } = await placeOrder(await callAsPage(page), [{}])
  await page.goto(`/checkout/${id}`)
  const payAtBank = async () => {
    await page.locator('input[name=method][value=credit_card]').check()
    await payButton(page, text).click()
    await expect(heading(page, text('bank.title'))).toBeVisible()
  }
  const again = page.getByRole('link', { name: text('paymentPage.payAgain') })
  await test.step('the first payment fails', async () => {
    await payAtBank()
    await button(page, text('bank.fail')).click()
    await expect(again).toBeVisible()
    await expect(page.getByText(text('paymentPage.unpaid.over'))).toBeHidden()
    await checkAccess(page, 'a failed payment')
  })
  await again.click()
  await test.step('the second is left with Back, and the third fails', async () => {
    await payAtBank()
    await page.goBack()
    await payAtBank()
    await button(page, text('bank.fail')).click()
    await again.click()
    await expect(heading(page, text('checkout.title'))).toBeVisible()
  })
  await page.goBack()
  await (await callAsPage(page)).delete(`/api/customer/checkouts/pending?ids=${id}`)
  await expect(page.getByText(text('paymentPage.unpaid.over'))).toBeVisible()
  await expect(again).toBeHidden()
})

test('the page of a parcel in an open checkout leads to its payment, and names what ends with it', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  const { id, parcelIds } = await placeOrder(await callAsPage(page), [{}, to('Anna Yusof')])
  await page.goto(`/parcels/${parcelIds[0]}`)
  const main = page.getByRole('main')
  const pay = main.getByRole('link', { name: text('pendingCheckout.pay') })
  await expect(pay).toHaveAttribute('href', `/checkout/${id}`)
  for (const name of ['parcelAction.cancel', 'actions.remove']) await expect(button(page, text(name))).toHaveCount(0)
  await checkAccess(page, 'a parcel in an open checkout')
  const takeOut = button(page, text('parcelAction.take_out_of_cart'))
  await takeOut.click()
  const question = page.getByRole('dialog', { name: text('parcelPage.takeOutTitle') })
  await expect(question).toContainText(text('pendingCheckout.ends'))
  await page.keyboard.press('Escape')
  await expect(pay).toBeVisible()
  await takeOut.click()
  await button(question, text('parcelAction.take_out_of_cart')).click()
  await expect(main.getByText(text('parcelPage.complete'))).toBeVisible()
  await page.goto('/cart')
  await expect(page.getByRole('link', { name: 'Anna Yusof' })).toBeVisible()
  await expect(unfinished(page, text)).toBeHidden()
})

test('the cart prices parcels beside a booked visit, and keeps its tab when they are ordered elsewhere', async ({
  page,
  context,
  text,
  startFundedNewcomer,
  checkAccess,
}) => {
  await startFundedNewcomer(page)
  await page.goto('/dashboard')
  const customer = await callAsPage(page)
  await fillCart(customer, [byRider])
  await page.goto('/cart')
  await checkOut(page, text, 1)
  await payWithPin(page, text)
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()

  // Two equal parcels: the one that is not selected costs no pickup either.
  await fillCart(customer, [
    { ...byRider, ...to('Badrul Hisham') },
    { ...byRider, ...to('Anna Yusof') },
  ])
  await fillCart(customer, [{}, {}])
  await page.goto('/cart')
  const amounts = () =>
    page
      .getByRole('row')
      .getByText(/^RM\s?\d/)
      .allTextContents()
  const row = page.getByRole('row').filter({ hasText: 'Anna Yusof' })
  await row.getByRole('checkbox').uncheck()
  await expect.poll(async () => new Set(await amounts()).size).toBe(1)
  await row.getByRole('checkbox').check()
  const riderComes = text('cart.riderComes', { day: '|', window: '' }).split('|')[0] ?? ''
  await expect(page.getByText(riderComes)).toBeVisible()
  const [amount] = await amounts()
  await row.getByRole('link', { name: 'Anna Yusof' }).click()
  const parcelPrice = page.getByRole('main')
  await expect(parcelPrice.getByText(text('parcelPage.pickupOpen'))).toBeVisible()
  await expect(parcelPrice.getByText(amount ?? '').first()).toBeVisible()
  // The form names the pickup without a fee. On a phone its price lines are in a sheet.
  await parcelPrice.getByRole('link', { name: text('actions.edit'), exact: true }).click()
  await page.getByRole('button', { name: text('newParcel.showPrice') }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(text('newParcel.pickupFree'))).toBeVisible()
  await expect(sheet.getByText(amount ?? '').first()).toBeVisible()
  await page.goto('/cart')

  const other = await context.newPage()
  await other.goto('/cart')
  await checkOut(other, text, 2)
  await payWithPin(other, text)
  await expect(page.getByText(text('cart.ordered', { count: 2 }))).toBeVisible()
  await expect(button(page, text('cart.checkoutCount', { count: 2 }))).toHaveCount(0)
  await checkAccess(page, 'a tab of the cart whose parcels were ordered elsewhere')
})
