import { createAttachment } from '@waybill/contract/attachments/attachments'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { putSettings } from '@waybill/contract/settings/settings'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { createPrintedViews } from '../settings/printed-views.ts'
import { buildTestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createPayer } from '../testing/factories/wallet.ts'
import { upload } from '../testing/forms.ts'
import { darkest, type PaperPage, scan } from '../testing/paper.ts'

/** Where the logo is printed, in millimetres, without text nearby. */
const places = {
  note: { x: 8, y: 7, width: 10, height: 3 },
  invoice: { x: 24, y: 6, width: 20, height: 8 },
}

it('prints the logo on consignment notes, invoices and credit notes, which stay readable', async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const { token } = await createStaff(test, { type: 'superadmin' })
  const owner = await createPayer(test, { creditsMinor: 1_000_000 })
  const views = createPrintedViews(test, owner)
  const order = await placeOrder(test, owner)
  await payCredits(test, owner, order)
  await test.call(cancelOrder, { token: owner.token, params: { id: order.id }, body: {} })
  const isDark = async (page: PaperPage, place: keyof typeof places) =>
    darkest(await page.raster(150), places[place]) < 60
  const printDocuments = async () => ({
    note: await isDark(await views.note(), 'note'),
    invoice: await isDark(await views.invoice(), 'invoice'),
    creditNote: await isDark(await views.creditNote(order.id), 'invoice'),
  })
  // Without a logo the consignment note shows the company's name in its place.
  const before = await printDocuments()
  expect([before.invoice, before.creditNote]).toEqual([false, false])

  const black = sharp({ create: { width: 800, height: 200, channels: 3, background: '#000000' } })
  const bytes = Uint8Array.from(await black.png().toBuffer())
  const logo = await upload(test, createAttachment, {
    token,
    fields: { purpose: 'logo' },
    file: { name: 'logo.png', bytes },
  })
  await test.call(putSettings, { token, body: { values: { 'company.logo': logo.body.id } } })
  expect(await printDocuments()).toEqual({ note: true, invoice: true, creditNote: true })
  const note = await views.note()
  // The barcodes can be read as before.
  expect((await scan(await note.raster(203))).map(({ format }) => format)).toContain('Code128')
})
