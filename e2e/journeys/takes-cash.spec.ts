import { callAsDemoUser, callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { payAtCounter, placeOrder } from '../support/parcels.ts'
import { button, startSession } from '../support/steps.ts'

/**
 * A station closes its day only once, but the journey runs at several widths, in several languages and with retries.
 * Therefore every attempt uses a different station.
 */
const clerks: Record<string, readonly [string, string]> = {
  'desktop-en': ['penang', 'perak'],
  'phone-zh': ['johor', 'kedah'],
}

test('staff take cash for a slip at the counter, print its receipt and close the day', async ({ page, request, text }, {
  project,
  retry,
}) => {
  const customer = await callAsDemoUser(request, 'priya@example.com')
  const order = await placeOrder(customer, [{}])
  await payAtCounter(customer, order)

  const clerk = clerks[project.name]?.[retry]
  expect(clerk, 'a separate station for this attempt').toBeDefined()
  await startSession(page, `${clerk}@waybill.example`)
  await page.goto('/staff/cash')
  await page.getByLabel(text('fields.floatMinor')).fill('100')
  await button(page, text('cashPage.openAct')).click()

  await page.getByLabel(text('cashPage.code')).fill(order.number)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: text('cashPage.due') })).toContainText('Priya Nair')
  await page.getByLabel(text('fields.givenMinor')).fill('100')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText(order.number)).toBeVisible()

  await test.step('prints the receipt on the roll, then a copy of it', async () => {
    // The browser's print dialog would block the test, so the printed content is captured instead.
    await page.evaluate(() => {
      window.print = () => {
        const paper = document.querySelector('[data-printed]')
        document.body.dataset.paper = paper?.textContent ?? ''
        window.dispatchEvent(new Event('afterprint'))
      }
    })
    const body = page.locator('body')
    await button(page, text('cashPage.receipt')).click()
    await expect(body).toHaveAttribute('data-paper', new RegExp(`${order.number}[^]*${text('receiptDoc.change')}`))
    const copy = text('receiptDoc.copy', { print: 2 })
    await expect(body).not.toHaveAttribute('data-paper', new RegExp(copy.split(' ')[0] ?? ''))
    await button(page, text('cashPage.receipt')).click()
    await expect(body).toHaveAttribute('data-paper', new RegExp(copy))
    await expect(page.locator('[data-printed]')).toHaveCount(0)
  })

  await button(page, text('cashPage.close')).click()
  const dialog = page.locator('dialog')
  const firstPiece = dialog.getByRole('textbox').first()
  await test.step('an empty count is no count of zero', async () => {
    await button(dialog, text('cashPage.closeAct')).click()
    await expect(firstPiece).toBeFocused()
    await expect(firstPiece).toHaveAccessibleDescription(text('validation.required', { field: text('fields.counted') }))
    // Before the first amount there is no difference to explain, so there is no field for a reason.
    await expect(dialog.getByRole('definition').last()).toHaveText('–')
    await expect(dialog.getByLabel(text('cashDoc.reason'))).toBeHidden()
  })
  await test.step('a count survives a closed dialog', async () => {
    await firstPiece.fill('1')
    await page.keyboard.press('Escape')
    await button(page, text('cashPage.close')).click()
    await expect(firstPiece).toHaveValue('1')
  })
  await button(dialog, text('cashPage.asSum')).click()
  const countedField = dialog.getByLabel(text('fields.counted'))
  const fillExpected = async () => {
    const expected = await dialog.getByRole('definition').first().textContent()
    await countedField.fill((expected ?? '').replace(/[^\d.]/g, ''))
  }
  await test.step('cash moves during the count: the dialog says what is expected now', async () => {
    await fillExpected()
    const expectedBefore = (await dialog.getByRole('definition').first().textContent()) ?? ''
    const data = { kind: 'cash_in', amountMinor: 500, currency: 'MYR', reason: 'Coins for change' }
    await (await callAsPage(page)).post('/api/staff/cash/movements', data)
    // The open page may have heard of the movement already; the count is then checked against it.
    await button(dialog, text('cashPage.closeAct')).click()
    const [before = ''] = text('cashPage.countMoved', { amount: '|' }).split('|')
    const conflictNotice = dialog.getByRole('alert').filter({ hasText: before })
    await expect(conflictNotice.or(dialog.getByLabel(text('cashDoc.reason')))).not.toHaveCount(0)
    await expect(dialog.getByRole('definition').first()).not.toHaveText(expectedBefore)
  })
  await fillExpected()
  await button(dialog, text('cashPage.closeAct')).click()
  await expect(page.getByText(text('cashPage.closedToday'))).toBeVisible()
})
