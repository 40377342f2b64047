import { fileURLToPath } from 'node:url'
import { callAsDemoUser } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { acceptAtCounter, payParcel } from '../support/parcels.ts'
import { button, field, startSession } from '../support/steps.ts'

const receipt = fileURLToPath(new URL('../../docs/pictures/scan.png', import.meta.url))

test('a claim for a lost parcel is paid to the wallet', async ({ page, text, someoneElse, checkAccess }) => {
  const company = await callAsDemoUser(page.request, 'owner@kinabalu.example')
  const insurance = { declaredValueMinor: 30_000, insuredValueMinor: 25_000 }
  const { id, number } = await payParcel(company, insurance)
  await acceptAtCounter(page.request, number)
  await startSession(page, 'owner@kinabalu.example')

  await test.step('the customer claims on the page of the parcel, at most the insured value', async () => {
    await page.goto(`/parcels/${id}`)
    const declared = page.getByText(text('fields.declaredValueMinor'), { exact: true })
    await expect(declared.locator('xpath=following-sibling::dd')).toHaveText(/RM\s?300\.00/)
    await button(page, text('tickets.claim.make')).click()
    const dialog = page.getByRole('dialog', { name: text('tickets.claim.make') })
    await field(dialog, text('tickets.claim.amount')).fill('300')
    await field(dialog, text('tickets.claim.description')).fill('No scan for two weeks.')
    await checkAccess(page, 'a claim')
    await button(dialog, text('tickets.send')).click()
    await expect(field(dialog, text('tickets.claim.amount'))).toHaveAttribute('aria-invalid', 'true')
    await field(dialog, text('tickets.claim.amount')).fill('200')
    await button(dialog, text('tickets.send')).click()
    await page.waitForURL('**/tickets/*')
  })

  await test.step('the customer adds the required document, which submits the claim to staff', async () => {
    await expect(page.getByText(text('tickets.required'))).toBeVisible()
    const choosers = page.locator('input[data-purpose="ticket_document"]')
    const pictures = page.getByRole('img', { name: 'scan.png' })
    // The first upload is slow; the end of the second one must not let the form go without it.
    const slow = Promise.withResolvers<void>()
    await page.route(
      '**/api/attachments/create',
      async (route) => {
        await slow.promise
        await route.continue()
      },
      { times: 1 },
    )
    const upload = page.waitForRequest('**/api/attachments/create')
    await choosers.first().setInputFiles(receipt)
    await upload
    await choosers.nth(1).setInputFiles(receipt)
    await expect(pictures).toHaveCount(1)
    await button(page, text('tickets.addDocuments')).click()
    const warning = page.getByRole('alertdialog')
    await expect(warning).toContainText(text('tickets.uploading'))
    await button(warning, text('actions.ok')).click()
    slow.resolve()
    await expect(pictures).toHaveCount(2)
    await button(page, text('tickets.addDocuments')).click()
    await expect(page.getByText(text('tickets.there'))).toHaveCount(2)
    await checkAccess(page, 'a ticket with a claim')
  })

  const clerk = await someoneElse()
  await test.step('staff accept it in part, with a reason', async () => {
    await startSession(clerk, 'accounts@waybill.example')
    await clerk.goto(page.url().replace('/tickets/', '/staff/tickets/'))
    await button(clerk, text('tickets.decide.accepted')).click()
    const [title = ''] = text('tickets.decideTitle.accepted', { number: '|' }).split('|')
    const dialog = clerk.getByRole('dialog', { name: title.trim() })
    await field(dialog, text('tickets.claim.pay')).fill('150')
    await field(dialog, text('tickets.claim.noteField')).fill('Second-hand value')
    await checkAccess(clerk, 'a decision on a claim')
    await button(dialog, text('tickets.decide.accepted')).click()
    await expect(clerk.getByText(text('tickets.claim.note', { note: 'Second-hand value' }))).toBeVisible()
  })

  await test.step('the customer sees the decision live, and the money in the wallet', async () => {
    await expect(page.getByText(text('tickets.claim.note', { note: 'Second-hand value' }))).toBeVisible()
    const ticket = await page
      .getByText(/^T\d{6,}$/)
      .first()
      .innerText()
    await page.goto('/wallet')
    const entry = page.locator('tr, li').filter({ hasText: ticket })
    await expect(entry).toContainText(text('movement.claim'))
    await expect(entry).toContainText('150.00')
    await page.goto(`/parcels/${id}`)
    await expect(page.getByText(text('parcelPage.next.lost'))).toBeVisible()
  })
})

test('the form of a claim stays when a colleague claims first', async ({ page, text }) => {
  const company = await callAsDemoUser(page.request, 'owner@kinabalu.example')
  const { id, number } = await payParcel(company, { declaredValueMinor: 30_000, insuredValueMinor: 25_000 })
  await acceptAtCounter(page.request, number)
  await startSession(page, 'owner@kinabalu.example')
  await page.goto(`/parcels/${id}`)
  await button(page, text('tickets.claim.make')).click()
  const dialog = page.getByRole('dialog', { name: text('tickets.claim.make') })
  await field(dialog, text('tickets.claim.description')).fill('No scan for two weeks.')
  const claim = { parcelId: id, reason: 'lost', amountMinor: 25_000, description: 'Not found.' }
  await company.post('/api/customer/tickets/claims', claim)
  await expect(page.getByText(text('tickets.claim.open'))).toBeAttached()
  await expect(field(dialog, text('tickets.claim.description'))).toHaveValue('No scan for two weeks.')
  await button(dialog, text('tickets.send')).click()
  await expect(page.getByRole('alertdialog')).toContainText(text('errors.claim_made'))
})
