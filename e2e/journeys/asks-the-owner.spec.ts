import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { kualaLumpur, placeOrder } from '../support/parcels.ts'
import { button, field, heading, startSession } from '../support/steps.ts'

test('a member needs the approval of the owner before a large order is billed', async ({ page, text, someoneElse }) => {
  const owner = await someoneElse()
  await startSession(owner, 'owner@kinabalu.example')
  await startSession(page, 'finance@kinabalu.example')
  const order = await test.step('the member has a large order at the checkout', async () => {
    // Above the demo company's approval limit, but a small part of the member's monthly limit, because the other
    // languages and widths place orders too.
    const heavy = { weightGrams: 10_000, dimensions: { lengthMm: 300, widthMm: 300, heightMm: 300 } }
    const sabah = { contactName: 'Dealer', postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' }
    const parcel = { ...heavy, contentType: 'household', receiver: { ...kualaLumpur, ...sabah } }
    return placeOrder(await callAsPage(owner), [parcel], await callAsPage(page))
  })

  await page.goto(`/checkout/${order.id}`)
  const ask = page.getByRole('region', { name: text('approvals.askTitle') })
  await field(ask, text('approvals.note')).fill('New showroom')
  await button(ask, text('approvals.ask')).click()
  await expect(page.getByRole('heading', { name: text('approvals.waitsTitle') })).toBeVisible()

  // An order that waits for the approval cannot be paid meanwhile.
  await page.goto('/orders')
  const waiting = page.getByRole('main').getByRole('listitem').filter({ hasText: order.number })
  await expect(waiting.getByRole('link', { name: text('pendingCheckout.approval') })).toBeVisible()
  await expect(waiting.getByRole('link', { name: text('pendingCheckout.pay') })).toHaveCount(0)

  await page.goto(`/orders/${order.id}`)
  await expect(page.getByRole('main').getByText(text('approvals.waitsTitle'))).not.toHaveCount(0)
  await expect(page.getByRole('main').getByText(/Waiting for payment|等待付款/)).toHaveCount(0)

  // A parcel of a billed order gets its tracking number at the approval.
  await owner.goto(`/parcels/${order.parcelIds[0]}`)
  await expect(owner.getByText(text('parcelPage.noNumberYet'))).toBeVisible()
  await expect(owner.getByText(text('parcelPage.noNumber'))).toHaveCount(0)

  await owner.goto('/approvals')
  const row = owner.getByRole('row').filter({ hasText: order.number })
  const approve = owner.getByRole('button', {
    name: text('phrase.labelled', { label: text('approvals.approve'), value: order.number }),
  })
  // On a phone, the note and the actions of a row are behind one button.
  const more = row.getByRole('button', { name: text('list.more', { what: order.number }) })
  await expect(approve.or(more)).toBeVisible()
  const onPhone = await more.isVisible()
  if (onPhone) await more.click()
  await expect(onPhone ? owner.getByRole('dialog', { name: order.number }) : row).toContainText('New showroom')
  await approve.click()
  const sure = owner.getByRole('dialog', { name: text('approvals.approveTitle', { number: order.number }) })
  await button(sure, text('approvals.approve')).click()
  await expect(owner.getByText(text('approvals.approved', { number: order.number }))).toBeVisible()

  await page.goto(`/checkout/${order.id}`)
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()

  await test.step('once the billed order is cancelled, its credit note appears and nothing is left to do', async () => {
    await (await callAsPage(owner)).post(`/api/customer/orders/${order.id}/cancel`, { refundTo: 'wallet' })
    await page.goto(`/orders/${order.id}`)
    await expect(page.getByRole('heading', { name: text('ordersPage.creditNotes') })).toBeVisible()
    await page.goto(`/checkout/${order.id}`)
    await expect(page.getByRole('main').getByText(text('checkout.overText'))).toBeVisible()
  })
})

test('a member who may not pay sees what the cart costs, and whom to ask', async ({ page, text }) => {
  await startSession(page, 'shipping@kinabalu.example')
  await page.goto('/cart?tab=dropoff')
  const total = page.getByRole('complementary', { name: text('cart.total') })
  await expect(total).toContainText(/RM\s?\d/)
  await expect(total).toContainText(text('paymentClosed.no_permission'))
  await expect(page.getByRole('button', { name: /checkout/i })).toHaveCount(0)
})
