import { expect, test } from '../support/journey.ts'
import { authorization } from '../support/other-device.ts'
import { button, startSession } from '../support/steps.ts'

const party = {
  contactName: 'Nur Izzati',
  phone: '+60123847265',
  line1: '12, Jalan Kiara 3',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}

test('a customer cancels a paid parcel and gets the credits back', async ({ page, request, text }) => {
  const one = (key: string) => text(key, { count: 1 })
  await startSession(page, 'owner@kinabalu.example')
  const headers = await authorization(page)
  const post = async <T>(path: string, data: object): Promise<T> => {
    const answer = await request.post(`/api/customer/${path}`, { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
  const { id } = await test.step('pays for a parcel', async () => {
    const parcel = await post<{ id: string; priceMinor: number }>('parcels', {
      serviceType: 'e_parcel',
      deliveryMode: 'P2D',
      sender: party,
      receiver: { ...party, contactName: 'Lim Wei', postcode: '10300', city: 'George Town', state: 'Pulau Pinang' },
      contentType: 'clothing',
      weightGrams: 800,
      dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
      addToCart: true,
    })
    const checkout = { parcelIds: [parcel.id], expectedTotalMinor: parcel.priceMinor }
    const order = await post<{ id: string }>('orders', checkout)
    await post(`payments/express_credit/${order.id}`, { pin: '246810', expectedTotalMinor: parcel.priceMinor })
    return parcel
  })

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
