import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderPicture, writeFilm } from '../support/camera.ts'
import { findChromium } from '../support/chromium.ts'
import { expect, test } from '../support/journey.ts'
import { authorization } from '../support/other-device.ts'
import { button, startSession } from '../support/steps.ts'

const film = join(tmpdir(), `waybill-camera-${process.pid}.y4m`)
const { executablePath, args } = await findChromium()

test.use({
  launchOptions: {
    executablePath,
    args: [
      ...args,
      // Nobody can answer the permission prompt.
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
})
test.afterAll(() => rmSync(film, { force: true }))

const party = {
  contactName: 'Goh Pei Shan',
  phone: '+60123847267',
  line1: '3, Jalan Kiara 2',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}

test('staff scan two printed consignment notes with the camera', async ({ page, request, text, someoneElse }) => {
  const sender = await someoneElse()
  await startSession(sender, 'owner@kinabalu.example')
  const headers = await authorization(sender)
  const post = async <T>(path: string, data: object): Promise<T> => {
    const answer = await request.post(`/api/customer/${path}`, { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
  const parcels = await test.step('a customer pays two parcels and prints their consignment notes', async () => {
    const ids: string[] = []
    let expectedTotalMinor = 0
    for (const name of ['Lim Wei', 'Siti 小玲']) {
      const { id, priceMinor } = await post<{ id: string; priceMinor: number }>('parcels', {
        serviceType: 'e_parcel',
        deliveryMode: 'P2D',
        sender: party,
        receiver: { ...party, contactName: name, postcode: '10300', city: 'George Town', state: 'Pulau Pinang' },
        contentType: 'clothing',
        weightGrams: 900,
        dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
        addToCart: true,
      })
      ids.push(id)
      expectedTotalMinor += priceMinor
    }
    const order = await post<{ id: string }>('orders', { parcelIds: ids, expectedTotalMinor })
    await post(`payments/express_credit/${order.id}`, { pin: '246810', expectedTotalMinor })
    const numbers: string[] = []
    const pictures: Awaited<ReturnType<typeof renderPicture>>[] = []
    for (const id of ids) {
      const parcel = await (await request.get(`/api/customer/parcels/${id}`, { headers })).json()
      numbers.push(String(parcel.trackingNumber))
      const note = await request.get(`/api/customer/parcels/generate-cn?ids=${id}&format=a6`, { headers })
      expect(note.status()).toBe(200)
      pictures.push(await renderPicture(await note.body()))
    }
    writeFilm(film, pictures, 4)
    return numbers
  })

  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/scan')
  await button(page, text('scanPage.event.accepted')).click()
  await button(page, text('scanPage.camera')).click()
  await expect(page.getByLabel(text('scanPage.cameraHere'))).toBeVisible()
  for (const number of parcels) {
    const grouped = new RegExp([...number].join('\\s?'))
    // The film loops: a label missed in one round appears again.
    const pile = page.getByRole('region', { name: text('scanPage.pile') })
    const line = pile.getByRole('listitem').filter({ hasText: grouped }).first()
    await expect(line.locator('[data-tone]')).toBeVisible({ timeout: 60_000 })
  }
  // A label that is visible for several seconds is reported only once.
  for (const number of parcels) {
    const answer = await request.get(`/api/customer/parcels/trackno/${number}`, { headers })
    const { status, events } = (await answer.json()) as { status: string; events: { event: string }[] }
    expect(status).toBe('inbound')
    expect(events.filter(({ event }) => event === 'accepted')).toHaveLength(1)
  }
})
