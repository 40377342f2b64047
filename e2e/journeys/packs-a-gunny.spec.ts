import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { button, field, grouped, heading, startSession } from '../support/steps.ts'

/**
 * Demo logins with parcels that wait for drop-off. Each language uses its own, because a parcel can be packed only
 * once.
 */
const packers = { en: 'weiming@example.com', cn_zh: 'owner@kinabalu.example' }

/** Longer than a hand scanner needs for the next number. */
const latencyMs = 300

test('a customer packs a gunny and prints its label, and a counter accepts it', async ({
  page,
  text,
  language,
  someoneElse,
}) => {
  await startSession(page, packers[language])
  await page.goto('/gunny')
  await page
    .getByRole('link', { name: text('gunnyPage.new') })
    .first()
    .click()
  await expect(heading(page, text('gunnyPage.newTitle'))).toBeVisible()
  await button(page, text('gunnyPage.addAll')).click()
  await field(page, text('fields.sealNumber')).fill('S-1001')
  // A list survives a reload.
  await page.reload()
  await expect(field(page, text('fields.sealNumber'))).toHaveValue('S-1001')
  await button(page, text('gunnyPage.create')).click()
  await expect(button(page, text('gunnyPage.label'))).toBeVisible()

  const tab = page.waitForEvent('popup')
  const label = page.waitForResponse(/\/label\?/)
  await button(page, text('gunnyPage.label')).click()
  expect((await label).headers()['content-type']).toBe('application/pdf')
  await (await tab).close()

  const id = page.url().split('/').at(-1) ?? ''
  type Gunny = { number: string; sscc: string; parcels: { trackingNumber: string }[] }
  const customer = await callAsPage(page)
  const readGunny = () => customer.get<Gunny>(`/api/customer/parcels/gunny/${id}`)
  const gunny = await readGunny()

  await test.step('parcels that are removed or scanned quickly are all removed and added', async () => {
    const [first = '', second = ''] = gunny.parcels.map(({ trackingNumber }) => trackingNumber)
    const readNumbers = async () => (await readGunny()).parcels.map(({ trackingNumber }) => trackingNumber)
    await page.route(`**/api/customer/parcels/gunny/${id}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, latencyMs))
      await route.continue()
    })
    const rows = page.getByRole('listitem')
    for (const number of [first, second])
      await rows
        .filter({ hasText: grouped(number) })
        .getByRole('button')
        .click()
    await expect.poll(readNumbers).not.toContain(second)
    expect(await readNumbers()).not.toContain(first)
    await field(page, text('gunnyPage.scan')).focus()
    for (const number of [first, second]) {
      await page.keyboard.type(number)
      await page.keyboard.press('Enter')
    }
    await expect(rows.filter({ hasText: grouped(second) })).toBeVisible()
    await expect(rows.filter({ hasText: grouped(first) })).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  const counter = await someoneElse()
  await startSession(counter, 'kl@waybill.example')
  await counter.goto('/staff/gunny')
  // The answer to an unknown number does not take the focus: the next scan goes on.
  await expect(field(counter, text('gunnyStation.sack'))).toBeFocused()
  await counter.keyboard.type('GY99999999')
  await counter.keyboard.press('Enter')
  await expect(counter.getByRole('status')).toContainText('GY')
  await counter.keyboard.type(`00${gunny.sscc}`)
  await counter.keyboard.press('Enter')
  const scanner = field(counter, text('gunnyStation.parcel'))
  await expect(scanner).toBeFocused()
  await counter.keyboard.type('hello')
  await counter.keyboard.press('Enter')
  await expect(counter.getByRole('status')).toContainText(text('gunnyStation.wrong', { number: 'HELLO' }))
  for (const { trackingNumber } of gunny.parcels) {
    await scanner.fill(trackingNumber)
    await scanner.press('Enter')
  }
  // A count survives a reload.
  await counter.reload()
  await counter.getByRole('button', { name: grouped(gunny.number) }).click()
  await button(counter, text('gunnyStation.finish')).click()
  await expect(counter.getByText(text('gunnyStation.doneEven'))).toBeVisible()

  await page.reload()
  await expect(page.getByText(text('gunnyPage.even'))).toBeVisible()
})
