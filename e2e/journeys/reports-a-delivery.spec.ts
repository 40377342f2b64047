import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { callAsDemoUser, callAsPage, demoPassword } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { kualaLumpur, payCompanyParcels, payParcel, payParcels } from '../support/parcels.ts'
import { wedge } from '../support/scanning.ts'
import { button, field, grouped, startSession } from '../support/steps.ts'

const door = fileURLToPath(new URL('../../docs/pictures/scan.png', import.meta.url))

/** No other journey uses this login, because this one ends all its sessions. */
const rider = 'rider@waybill.example'

test('a rider reports a delivery, and neither a reload nor an ended session loses name and signature', async ({
  page,
  request,
  text,
}) => {
  const [number = '', other = ''] = await payCompanyParcels(request, 2)
  await startSession(page, rider)
  for (const trackingNumber of [number, other])
    for (const event of ['accepted', 'out_for_delivery'])
      await (await callAsPage(page)).post('/api/staff/scans', { trackingNumber, event })
  await page.goto('/staff/deliveries')
  await expect(page.getByRole('listitem').filter({ hasText: grouped(other) })).toBeVisible()
  // Only the next delivery has a filled button.
  await expect(page.getByRole('listitem').locator('[data-variant="filled"]')).toHaveCount(1)
  await test.step('the run sheet opens in a tab of its own', async () => {
    const tab = page.waitForEvent('popup')
    const sheet = page.waitForResponse((answer) => answer.url().includes('/api/staff/deliveries/run-sheet'))
    await button(page, text('deliveriesPage.runSheet')).click()
    expect((await sheet).headers()['content-type']).toBe('application/pdf')
    await (await tab).close()
  })
  const task = page.getByRole('listitem').filter({ hasText: grouped(number) })
  await button(task, text('deliveriesPage.delivered')).click()
  const dialog = page.getByRole('dialog', { name: grouped(number) })
  const recipient = field(dialog, text('scanPage.recipient'))
  const pad = dialog.getByRole('img')

  await test.step('mistakes are named at their fields, the first one has the focus', async () => {
    await button(dialog, text('scanPage.report')).click()
    await expect(recipient).toBeFocused()
    await expect(recipient).toHaveAccessibleDescription(
      text('validation.required', { field: text('scanPage.recipient') }),
    )
    await recipient.fill('Puan Rohani')
    await button(dialog, text('scanPage.report')).click()
    await expect(pad).toBeFocused()
  })

  await test.step('a touch beside the form does not close it', async () => {
    await page.mouse.click(4, 4)
    await expect(recipient).toHaveValue('Puan Rohani')
  })

  await draw(page, pad)
  await expect(pad).toHaveAccessibleName(text('signature.drawn'))

  await page.reload()
  await button(task, text('deliveriesPage.delivered')).click()
  await expect(recipient).toHaveValue('Puan Rohani')
  await expect(pad).toHaveAccessibleName(text('signature.drawn'))

  const userId = await page.evaluate(() => JSON.parse(localStorage.getItem('u') ?? '{}').id as string)
  await (await callAsDemoUser(request, 'admin@waybill.example')).delete(`/api/staff/users/${userId}/sessions`)
  await button(dialog, text('scanPage.report')).click()
  const expired = page.getByRole('dialog', { name: text('auth.expired') })
  await expired.getByLabel(text('fields.password')).first().fill(demoPassword)
  await button(expired, text('auth.goOn')).click()
  await expect(dialog).toBeHidden()
  await expect(task).toBeHidden()

  type Parcel = { status: string; proof: { recipientName: string } }
  const { status, proof } = await (await callAsPage(page)).get<Parcel>(`/api/staff/parcels/trackno/${number}`)
  expect([status, proof.recipientName]).toEqual(['completed', 'Puan Rohani'])
})

test('a rider delivers several parcels at one door with one signature', async ({ page, request, text }) => {
  const company = await callAsDemoUser(request, 'owner@kinabalu.example')
  const receiver = { ...kualaLumpur, contactName: 'Puan Faridah', line1: '8, Jalan Setiawangsa 3' }
  const cod = { receiver, collectionMode: 'cod', codAmountMinor: 4500 }
  const atDoor = await payParcels(company, [{ receiver }, { receiver }, { receiver }, cod])
  const [first = '', second = '', remaining = '', withCash = ''] = atDoor.map(({ number }) => number)
  await startSession(page, 'kl@waybill.example')
  for (const trackingNumber of [first, second, remaining, withCash])
    for (const event of ['accepted', 'out_for_delivery'])
      await (await callAsPage(page)).post('/api/staff/scans', { trackingNumber, event })
  await page.goto('/staff/deliveries')
  const task = (number: string) => page.getByRole('listitem').filter({ hasText: grouped(number) })
  await button(task(first), text('deliveriesPage.delivered')).click()
  const dialog = page.getByRole('dialog', { name: grouped(first) })
  const others = dialog.getByRole('group', { name: text('deliveriesPage.sameDoor') })
  await expect(others.getByRole('checkbox')).toHaveCount(2)
  // The one with cash to collect is reported on its own.
  const alone = dialog.getByRole('note')
  await expect(alone).toContainText(grouped(withCash))
  await expect(alone).toContainText('45.00')
  // One is for a neighbour.
  await others.getByRole('checkbox', { name: grouped(remaining) }).uncheck()
  await field(dialog, text('scanPage.recipient')).fill('Encik Halim')
  await draw(page, dialog.getByRole('img'))
  await button(dialog, text('scanPage.report')).click()
  await expect(dialog).toBeHidden()
  await expect(task(first)).toBeHidden()
  await expect(task(second)).toBeHidden()
  await expect(task(remaining)).toBeVisible()
  type Parcel = { status: string; proof: { recipientName: string; signaturePath: string } | null }
  const read = async (number: string) => (await callAsPage(page)).get<Parcel>(`/api/staff/parcels/trackno/${number}`)
  const [one, two] = [await read(first), await read(second)]
  expect([one.status, two.status, (await read(remaining)).status]).toEqual(['completed', 'completed', 'delivering'])
  expect(two.proof).toMatchObject({ recipientName: 'Encik Halim', signaturePath: one.proof?.signaturePath })

  await test.step('a failed attempt is reported for the others at the door, too', async () => {
    await button(task(withCash), text('deliveriesPage.failed')).click()
    const failed = page.getByRole('dialog', { name: grouped(withCash) })
    const atDoorToo = failed.getByRole('group', { name: text('deliveriesPage.sameDoorFailed') })
    await expect(atDoorToo.getByRole('checkbox', { name: grouped(remaining) })).toBeChecked()
    await failed.getByRole('radio', { name: text('failureReason.not_home') }).check()
    await failed.locator('input[type="file"]').first().setInputFiles(door)
    await expect(failed.getByRole('img', { name: 'scan.png' })).toBeVisible()
    await button(failed, text('scanPage.report')).click()
    await expect(failed).toBeHidden()
    expect([(await read(withCash)).status, (await read(remaining)).status]).toEqual([
      'fail-to-deliver',
      'fail-to-deliver',
    ])
    await page.goto(`/staff/parcels/${withCash}`)
    await expect(page.getByRole('img', { name: text('parcelPage.attemptPhoto') })).toBeVisible()
  })
})

test('a report of several parcels continues after an error, and without a parcel that has moved', async ({
  page,
  request,
  text,
}) => {
  const company = await callAsDemoUser(request, 'owner@kinabalu.example')
  const receiver = { ...kualaLumpur, contactName: 'Puan Salmah', company: 'Kedai Salmah', line1: '9, Jalan Damai 4' }
  const other = { ...receiver, line1: '11, Jalan Damai 4' }
  const parcels = [receiver, receiver, receiver, other, other, other].map((to) => ({ receiver: to }))
  const numbers = (await payParcels(company, parcels)).map(({ number }) => number)
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = numbers
  await startSession(page, 'kl@waybill.example')
  const colleague = await callAsPage(page)
  const scan = (trackingNumber: string, event: string, details = {}) =>
    colleague.post('/api/staff/scans', { trackingNumber, event, ...details })
  for (const number of numbers) for (const event of ['accepted', 'out_for_delivery']) await scan(number, event)
  const read = async (number: string) =>
    (await colleague.get<{ status: string }>(`/api/staff/parcels/trackno/${number}`)).status
  await page.goto('/staff/deliveries')
  const problem = page.getByRole('alertdialog')
  const begin = async (number: string) => {
    const task = page.getByRole('listitem').filter({ hasText: grouped(number) })
    await expect(task).toContainText('Kedai Salmah')
    await button(task, text('deliveriesPage.delivered')).click()
    const dialog = page.getByRole('dialog', { name: grouped(number) })
    await field(dialog, text('scanPage.recipient')).fill('Puan Salmah')
    await draw(page, dialog.getByRole('img'))
    return { dialog, report: button(dialog, text('scanPage.report')) }
  }

  await test.step('a second try sends what is still open, and counts all parcels', async () => {
    const { dialog, report } = await begin(first)
    let isBroken = true
    await page.route('**/api/staff/scans', async (route) => {
      const { trackingNumber } = route.request().postDataJSON() as { trackingNumber: string }
      if (isBroken && trackingNumber === third) await route.abort()
      else await route.continue()
    })
    await report.click()
    await problem.getByRole('button').click()
    expect(await Promise.all([first, second, third].map(read))).toEqual(['completed', 'completed', 'delivering'])
    isBroken = false
    await report.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(text('deliveriesPage.deliveredTogether', { count: 3 }))).toBeVisible()
    expect(await read(third)).toBe('completed')
  })

  await test.step('a parcel that a colleague has reported is named, and the one after it is delivered', async () => {
    const { dialog, report } = await begin(fourth)
    await scan(fifth, 'attempt_failed', { failureReason: 'not_home' })
    await report.click()
    await expect(problem).toContainText(grouped(fifth))
    expect(await Promise.all([fourth, fifth, sixth].map(read))).toEqual(['completed', 'fail-to-deliver', 'completed'])
    await problem.getByRole('button').click()
    await report.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(text('deliveriesPage.deliveredTogether', { count: 2 }))).toBeVisible()
  })
})

test('the lists of work keep their filters after a reload', async ({ page, someoneElse, text }) => {
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/deliveries')
  const whose = page.getByRole('combobox', { name: text('deliveriesPage.whose') })
  const which = page.getByRole('combobox', { name: text('deliveriesPage.which') })
  await whose.selectOption('all')
  await which.selectOption('done')
  await expect(page).toHaveURL(/view=done/)
  await page.reload()
  await expect(whose).toHaveValue('all')
  await expect(which).toHaveValue('done')

  const clerk = await someoneElse()
  await startSession(clerk, 'accounts@waybill.example')
  await clerk.goto('/staff/disputes')
  // The name of the tab ends with the number of its rows.
  const decided = clerk.getByRole('button', { name: new RegExp(`^${text('disputesPage.tab.decided')}\\s*\\d`) })
  await decided.click()
  await expect(clerk).toHaveURL(/state=decided/)
  await clerk.reload()
  await expect(decided).toHaveAttribute('aria-current', 'page')
})

test('a rider is told the cash to collect when the parcel cannot be loaded', async ({ page, request, text }) => {
  const cod = { receiver: kualaLumpur, collectionMode: 'cod', codAmountMinor: 4500 }
  const { number } = await payParcel(await callAsDemoUser(request, 'owner@kinabalu.example'), cod)
  await startSession(page, 'kl@waybill.example')
  for (const event of ['accepted', 'out_for_delivery'])
    await (await callAsPage(page)).post('/api/staff/scans', { trackingNumber: number, event })
  await page.route('**/api/staff/parcels/trackno/**', (route) => route.abort())
  await page.goto('/staff/deliveries')
  const task = page.getByRole('listitem').filter({ hasText: grouped(number) })
  await button(task, text('deliveriesPage.delivered')).click()
  const dialog = page.getByRole('dialog', { name: grouped(number) })
  await expect(dialog.getByText('45.00')).toBeVisible()

  await test.step('the scan page knows no task, so it asks', async () => {
    await page.goto('/staff/scan')
    await button(page, text('scanPage.event.delivered')).click()
    await wedge(page, number)
    const details = page.getByRole('region', { name: text('scanPage.event.delivered') })
    await expect(details.getByText(text('scanPage.cashUnknown'))).toBeVisible()
    await details.getByRole('radio', { name: text('scanPage.cashAnswer.collected') }).check()
    await expect(field(details, text('scanPage.cashAmount'))).toBeVisible()
  })
})

/** Draws a signature. */
async function draw(page: Page, pad: Locator): Promise<void> {
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('the field for the signature is not visible')
  await page.mouse.move(box.x + 20, box.y + 30)
  await page.mouse.down()
  for (const step of [1, 2, 3, 4]) await page.mouse.move(box.x + 20 + step * 30, box.y + 30 + (step % 2) * 20)
  await page.mouse.up()
}

test('staff record what a receiver who calls wants after a failed delivery', async ({
  page,
  request,
  text,
  checkAccess,
}) => {
  const [number = ''] = await payCompanyParcels(request, 1)
  await startSession(page, 'kl@waybill.example')
  const staff = await callAsPage(page)
  for (const event of ['accepted', 'out_for_delivery'])
    await staff.post('/api/staff/scans', { trackingNumber: number, event })
  const failure = { trackingNumber: number, event: 'attempt_failed', failureReason: 'not_home' }
  await staff.post('/api/staff/scans', failure)
  await page.goto(`/staff/parcels/${number}`)
  await button(page, text('staffChoice.open')).click()
  const dialog = page.getByRole('dialog', { name: text('staffChoice.title') })
  await expect(dialog.getByRole('radio', { name: text('staffChoice.byReceiver') })).toBeChecked()
  await button(dialog, text('staffChoice.save')).click()
  await expect(dialog.getByText(text('validation.required', { field: text('staffChoice.what') }))).toBeVisible()
  await dialog.getByRole('radio', { name: text('deliveryChoice.kind.retry') }).check()
  await expect(dialog.getByRole('group', { name: text('deliveryChoice.whichDay') })).toBeVisible()
  await checkAccess(page, 'recording a delivery choice')
  await button(dialog, text('staffChoice.save')).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(text('deliveryChoice.recordedByStaff.receiver', { at: '' }).trim())).toBeVisible()
  await expect(button(page, text('staffChoice.open'))).toBeHidden()
})
