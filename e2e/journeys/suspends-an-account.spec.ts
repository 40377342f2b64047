import { expect, test } from '../support/journey.ts'
import { button, field, heading, startSession } from '../support/steps.ts'

test('staff suspend an account with a reason and view it as the customer', async ({
  page,
  text,
  startNewcomer,
  someoneElse,
  checkAccess,
}) => {
  const name = `Sari ${Math.random().toString(36).slice(2, 8)}`
  const customer = await someoneElse()
  const email = await startNewcomer(customer, name)
  await startSession(page, 'accounts@waybill.example')
  const operator = await someoneElse()
  await startSession(operator, 'it@waybill.example')
  await operator.goto('/staff/logs?action=settings.put')
  // A setting has its name, not its key.
  const setting = operator.getByRole('row').filter({ hasText: text('action.settings.put') })
  await expect(setting.getByText(text('fields.phone'), { exact: true })).toBeVisible()
  await button(operator, text('actions.clear')).click()

  await page.goto('/staff/accounts')
  await page.getByRole('searchbox', { name: text('accountsPage.search') }).fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).click()
  await expect(heading(page, name)).toBeVisible()

  await test.step('writes a note', async () => {
    await field(page, text('accountPage.note')).fill('Called about the March invoice')
    await button(page, text('accountPage.addNote')).click()
    await expect(page.getByText('Called about the March invoice')).toBeVisible()
  })

  await test.step('suspends the account, which requires a reason', async () => {
    await button(page, text('accountPage.changeStatus')).click()
    const dialog = page.getByRole('dialog', { name: text('accountPage.statusOf', { name }) })
    await dialog.getByRole('radio').nth(1).check()
    await button(dialog, text('actions.save')).click()
    await expect(field(dialog, text('fields.reason'))).toHaveAttribute('aria-invalid', 'true')
    await field(dialog, text('fields.reason')).fill('Three invoices unpaid')
    await checkAccess(page, 'changing the status')
    await button(dialog, text('actions.save')).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Three invoices unpaid')).toBeVisible()
    // Reloads because a toast covers a button for a moment.
    await page.reload()
    await expect(page.getByText('Three invoices unpaid')).toBeVisible()
    await checkAccess(page, 'a suspended account')
  })

  await test.step('the open log of the IT staff shows it without a reload', async () => {
    const entry = operator
      .getByRole('row')
      .filter({ hasText: name })
      .filter({ hasText: text('action.accounts.status') })
    await expect(entry).toBeVisible()
  })

  await test.step('the suspended customer may write to support, and reads why other pages are closed', async () => {
    await customer.goto('/tickets')
    await button(customer, text('actions.new')).click()
    await expect(customer.getByRole('dialog', { name: text('tickets.new') })).toBeVisible()
    const banner = customer.getByRole('complementary', { name: text('suspendedBanner.label') })
    await expect(banner).toContainText(text('suspendedBanner.account'))
    await customer.goto('/parcels/new')
    await expect(customer.getByText(text('errors.account_suspended'))).toBeVisible()
    await expect(customer.getByText(text('newParcel.mayNot'))).toBeHidden()
    await checkAccess(customer, 'a page for a suspended customer')
    await customer.goto('/wallet/top-up')
    await expect(customer.getByText(text('errors.account_suspended'))).toBeVisible()
    await customer.goto('/users')
    await expect(customer.getByText(text('list.companiesOnly'))).toBeVisible()
    await expect(button(customer, text('actions.new'))).toHaveCount(0)
    await checkAccess(customer, 'a page for companies')
  })

  await test.step('views the portal as the customer, without being able to change anything', async () => {
    await button(page, text('accountPage.view')).click()
    const question = page.getByRole('dialog', { name: text('accountPage.viewTitle', { name }) })
    await button(question, text('accountPage.view')).click()
    await page.waitForURL('**/dashboard')
    const banner = page.getByRole('complementary', { name: text('viewBanner.label') })
    await expect(banner).toContainText(name)
    await checkAccess(page, 'a view by staff')
    await page.goto('/profile')
    await expect(banner).toBeVisible()
    await field(page, text('fields.personName')).first().fill('Somebody else')
    await button(page, text('actions.save')).first().click()
    await expect(page.getByText(text('errors.view_only'))).toBeVisible()
    await page.keyboard.press('Escape')
    await button(banner, text('viewBanner.end')).click()
    await page.waitForURL('**/staff/accounts/*')
    await expect(heading(page, name)).toBeVisible()
  })

  await test.step('the customer sees the view in the activity log, but not the note', async () => {
    await customer.goto('/activity')
    const entries = customer.getByRole('table')
    await expect(entries.getByText(text('action.accounts.viewed'))).toBeVisible()
    await expect(entries.getByText(text('action.accounts.status'))).toBeVisible()
    await expect(customer.getByText('Called about the March invoice')).toHaveCount(0)
    await button(customer, text('actions.showFilters')).click()
    await customer
      .getByRole('combobox', { name: text('logsPage.action') })
      .selectOption({ label: text('action.accounts.viewed') })
    await button(customer, text('actions.search')).click()
    await expect(entries.getByText(text('action.accounts.status'))).toHaveCount(0)
    await expect(entries.getByText(text('action.accounts.viewed'))).toBeVisible()
  })
})
