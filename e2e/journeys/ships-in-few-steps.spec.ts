import { holdRequests } from '../support/hold-requests.ts'
import { countInteractions } from '../support/interactions.ts'
import { expect, test } from '../support/journey.ts'
import { topUpAtBank } from '../support/newcomer.ts'
import { demoPin } from '../support/parcels.ts'
import { button, field, heading, payButton, receiver, seePrice, sender, startSession } from '../support/steps.ts'

test('a new account ships its first parcel in at most 14 interactions', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: text('firstSteps.title') })
  const charts = page.getByRole('main').locator('figure')
  const { click, fill, choose, check, count } = countInteractions()

  await expect(steps).toBeVisible()
  // Nothing has happened yet that a chart could show.
  await expect(charts).toHaveCount(0)
  await checkAccess(page, 'the first steps')

  await test.step("pastes the receiver, and adds the sender's street while it is being read", async () => {
    await click(steps.getByRole('link', { name: text('firstSteps.action.parcel') }))
    await expect(field(page, text('fields.contactName'))).toHaveValue(sender.name)
    const { name, phone, street, postcode, city, state } = receiver
    const address = [name, phone, street, `${postcode} ${city}`, state].join('\n')
    const release = await holdRequests(page, '**/address/parse')
    await fill(page.getByRole('textbox', { name: text('pasteBox.label') }), address)
    await expect(page.getByText(text('pasteBox.reading'))).toBeVisible()
    await fill(field(page, text('fields.line1')), sender.street)
    await fill(field(page, text('fields.postcode')), sender.postcode)
    await expect(field(page, text('fields.state'))).toHaveValue(sender.state)
    release()
    await expect(page.getByText(text('pasteBox.filled.receiver'))).toBeVisible()
  })

  await test.step('enters the contents', async () => {
    await checkAccess(page, 'a pasted address')
    await fill(field(page, text('fields.weightGrams')), '1.2')
    await choose(page.getByRole('combobox', { name: text('fields.contentType') }), 'clothing')
    await check(page.getByRole('radio', { name: new RegExp(`^${text('newParcel.preset.m')}`) }))
  })

  await test.step('pays at the bank', async () => {
    await click(button(page, text('newParcel.action.pay')).filter({ visible: true }).first())
    await expect(heading(page, text('checkout.title'))).toBeVisible()
    await check(page.locator('input[name="method"][value="ipay88"]'))
    await click(payButton(page, text))
    await click(button(page, text('bank.pay')))
  })

  await test.step('prints the consignment note, and no longer sees the first steps', async () => {
    await expect(button(page, text('checkout.openNotes'))).toBeVisible()
    const printResponse = page.waitForResponse(/generate-cn/)
    await click(button(page, text('checkout.openNotes')))
    await printResponse
    expect(count()).toBeLessThanOrEqual(14)
    await page.goto('/dashboard')
    await expect(page.getByText(text('dashboardPage.todo'))).toBeVisible()
    await expect(steps).toHaveCount(0)
    await expect(charts.first()).toBeVisible()
    const [tasksTop, chartTop] = await Promise.all(
      [page.getByText(text('dashboardPage.todo')), charts.first()].map(async (part) => (await part.boundingBox())?.y),
    )
    expect(tasksTop).toBeLessThan(chartTop ?? 0)
  })
})

test('a repeat shipment takes at most 6 interactions', async ({ page, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/parcels?tab=delivered')
  // Journeys before this one spend from the same wallet.
  await topUpAtBank(page)
  const { click, type, count } = countInteractions()
  const main = page.getByRole('main')
  await click(main.locator('a[href^="/parcels/"]:not([href*="/new"])').first())
  await click(main.getByRole('link', { name: text('parcelAction.repeat') }))
  await expect(heading(page, text('newParcel.title'))).toBeVisible()
  await seePrice(page, text)
  await click(button(page, text('newParcel.action.pay')).filter({ visible: true }).first())
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  await type(page.getByLabel(text('format.digitOf', { label: text('checkout.pin'), position: 1, count: 6 })), demoPin)
  await click(payButton(page, text))
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  expect(count()).toBeLessThanOrEqual(6)
})
