import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorization, callAsPage } from '../support/api.ts'
import { renderPicture, writeFilm } from '../support/camera.ts'
import { findChromium } from '../support/chromium.ts'
import { expect, test } from '../support/journey.ts'
import { kualaLumpur, payParcels } from '../support/parcels.ts'
import { button, grouped, startSession } from '../support/steps.ts'

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

test('staff scan two printed consignment notes with the camera', async ({ page, request, text, someoneElse }) => {
  const sender = await someoneElse()
  await startSession(sender, 'owner@kinabalu.example')
  const api = await callAsPage(sender)
  const numbers = await test.step('a customer pays two parcels and prints their consignment notes', async () => {
    const receivers = ['Lim Wei', 'Siti 小玲'].map((contactName) => ({ receiver: { ...kualaLumpur, contactName } }))
    const parcels = await payParcels(api, receivers)
    const pictures: Awaited<ReturnType<typeof renderPicture>>[] = []
    const headers = await authorization(sender)
    for (const { id } of parcels) {
      const note = await request.get(`/api/customer/parcels/generate-cn?ids=${id}&format=a6`, { headers })
      expect(note.status()).toBe(200)
      pictures.push(await renderPicture(await note.body()))
    }
    writeFilm(film, pictures, 4)
    return parcels.map(({ number }) => number)
  })

  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/scan')
  await button(page, text('scanPage.event.accepted')).click()
  await button(page, text('scanPage.camera')).click()
  await expect(page.getByLabel(text('scanPage.cameraHere'))).toBeVisible()
  for (const number of numbers) {
    // The film loops: a label missed in one round appears again.
    const pile = page.getByRole('region', { name: text('scanPage.pile') })
    const line = pile
      .getByRole('listitem')
      .filter({ hasText: grouped(number) })
      .first()
    await expect(line.locator('[data-tone]')).toBeVisible({ timeout: 60_000 })
  }
  // A label that is visible for several seconds is reported only once.
  for (const number of numbers) {
    type Parcel = { status: string; events: { event: string }[] }
    const { status, events } = await api.get<Parcel>(`/api/customer/parcels/trackno/${number}`)
    expect(status).toBe('inbound')
    expect(events.filter(({ event }) => event === 'accepted')).toHaveLength(1)
  }
})
