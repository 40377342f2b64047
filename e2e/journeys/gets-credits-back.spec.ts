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
})
