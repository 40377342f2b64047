import { expect, test } from '../support/journey.ts'
import { topUpAtBank } from '../support/newcomer.ts'
import { button, field, heading, startSession } from '../support/steps.ts'

test('staff record the transfer of the credits to the bank, and the customer sees it', async ({
  page,
  text,
  startNewcomer,
  someoneElse,
  checkAccess,
}) => {
  const name = `Wira ${Math.random().toString(36).slice(2, 8)}`
  const customer = await someoneElse()
  const email = await startNewcomer(customer, name)
  await customer.goto('/wallet')
  await topUpAtBank(customer)

  await startSession(page, 'accounts@waybill.example')
  await page.goto('/staff/accounts')
  await page.getByRole('searchbox', { name: text('accountsPage.search') }).fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).click()
  await expect(heading(page, name)).toBeVisible()

  await button(page, text('withdrawal.open')).click()
  const dialog = page.getByRole('dialog', { name: text('withdrawal.of', { name }) })
  const amount = field(dialog, text('fields.amountMinor'))
  await expect(amount).toHaveValue('150.00')
  await amount.fill('150.01')
  const reference = field(dialog, text('financePage.bankReference'))
  await reference.fill(`IBG ${name}`)
  await field(dialog, text('fields.note')).fill('Closes the account')
  await button(dialog, text('withdrawal.record')).click()
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await checkAccess(page, 'a withdrawal of more than the balance')
  await amount.fill('150')
  await button(dialog, text('withdrawal.record')).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(`IBG ${name}: Closes the account`)).toBeVisible()
  await expect(button(page, text('withdrawal.open'))).toHaveCount(0)

  await customer.goto('/wallet')
  const movement = customer.getByRole('row').filter({ hasText: text('movement.withdrawal') })
  await expect(movement).toContainText(`IBG ${name}`)

  // The bank returns the transfer.
  await page.goto('/staff/finance?part=movements')
  await page.getByRole('searchbox', { name: text('entries.search') }).fill(`IBG ${name}`)
  await page.keyboard.press('Enter')
  const returned = text('withdrawal.returned')
  await button(page, text('phrase.labelled', { label: returned, value: `IBG ${name}` })).click()
  const question = page.getByRole('dialog')
  await button(question, text('withdrawal.returnedAct')).click()
  await expect(field(question, text('fields.reason'))).toHaveAttribute('aria-invalid', 'true')
  await checkAccess(page, 'the reason of a returned withdrawal')
  await field(question, text('fields.reason')).fill('Account closed')
  await button(question, text('withdrawal.returnedAct')).click()
  await expect(question).toBeHidden()
  await expect(button(page, text('phrase.labelled', { label: returned, value: `IBG ${name}` }))).toHaveCount(0)

  await customer.reload()
  await expect(customer.getByRole('row').filter({ hasText: text('movement.withdrawal_returned') })).toContainText(
    '150.00',
  )
})

test("staff cancel a wrong record of a company's payment", async ({ page, text, checkAccess }) => {
  const company = 'Kinabalu Trading'
  const reference = `FPX ${Math.random().toString(36).slice(2, 8)}`
  await startSession(page, 'accounts@waybill.example')
  await page.goto('/staff/finance?part=companies')
  await page
    .getByRole('button', { name: new RegExp(`${company}.*`) })
    .filter({ hasText: text('companies.receipts') })
    .click()
  const dialog = page.getByRole('dialog')
  await field(dialog, text('fields.amountMinor')).fill('5')
  await field(dialog, text('financePage.bankReference')).fill(reference)
  await field(dialog, text('fields.receivedOn')).fill('2026-11-02')
  await button(dialog, text('companies.record')).click()
  const receipt = dialog.getByRole('listitem').filter({ hasText: reference })
  await expect(receipt).toContainText('5.00')

  await receipt.getByRole('button').click()
  await field(dialog, text('fields.reason')).fill('Another company')
  await button(dialog, text('companies.cancelAct')).click()
  await expect(receipt).toContainText(text('companies.receiptCancelled', { reason: 'Another company' }))
  await expect(receipt.getByRole('button')).toHaveCount(0)
  await checkAccess(page, 'a cancelled payment of a company')

  // The demo has fewer payments than a page.
  let offset: string | null = null
  await page.route('**/receipts?*', async (route) => {
    const answer = await route.fetch()
    offset = new URL(route.request().url()).searchParams.get('offset')
    await route.fulfill({ json: { ...(await answer.json()), total: 12 } })
  })
  await button(dialog, text('actions.close')).last().click()
  await page.reload()
  await page
    .getByRole('button', { name: new RegExp(`${company}.*`) })
    .filter({ hasText: text('companies.receipts') })
    .click()
  await button(dialog, text('list.next')).click()
  await expect.poll(() => offset).toBe('10')
})
