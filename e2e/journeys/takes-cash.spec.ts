import { roundToCash } from '@waybill/contract/payments/coins'
import { callAsDemoUser, callAsPage } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { payAtCounter, placeOrder } from '../support/parcels.ts'
import { button, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/**
 * The journey runs at several widths, in several languages and with retries. Every attempt uses a different station, so
 * that each begins with a drawer that was never opened.
 */
const clerks: Record<string, readonly [string, string]> = {
  'desktop-en': ['penang', 'perak'],
  'phone-zh': ['johor', 'kedah'],
}

test('staff take cash for a slip at the counter, print its receipt and end their shift with a blind count', async ({
  page,
  request,
  text,
}, { project, retry }) => {
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
  await page.getByLabel(text('fields.givenMinor')).fill('100.03')
  await page.keyboard.press('Enter')
  const amounts = { field: text('fields.givenMinor'), lower: '100.00', upper: '100.05' }
  await expect(page.getByText(text('validation.coins', amounts))).toBeVisible()
  const otherTab = await page.context().newPage()
  await otherTab.goto(`/staff/cash?no=${order.number}`)
  await expect(otherTab.getByRole('region', { name: text('cashPage.due') })).toBeVisible()
  await page.getByLabel(text('fields.givenMinor')).fill('100')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText(order.number)).toBeVisible()

  await test.step('another tab that still shows the order takes no cash for it', async () => {
    await otherTab.getByLabel(text('fields.givenMinor')).fill('100')
    await otherTab.keyboard.press('Enter')
    await expect(otherTab.getByRole('status').getByText(text('cashPage.nothingDue.other'))).toBeVisible()
    await otherTab.close()
  })

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

  await test.step('a link to the paid order is no dead end', async () => {
    await page.goto(`/staff/cash?no=${order.number}`)
    await expect(page.getByRole('status').getByText(text('cashPage.nothingDue.other'))).toBeVisible()
  })

  await button(page, text('cashPage.close')).click()
  const dialog = page.locator('dialog')
  const firstPiece = dialog.getByRole('textbox').first()
  await test.step('an empty count is no count of zero', async () => {
    await button(dialog, text('cashPage.closeAct')).click()
    await expect(firstPiece).toBeFocused()
    await expect(firstPiece).toHaveAccessibleDescription(text('validation.required', { field: text('fields.counted') }))
    // Whoever counts does not see what is expected, and need not explain a difference before the count.
    await expect(dialog.getByRole('definition').last()).toHaveText('–')
    await expect(dialog.getByText(text('cashDoc.expected'), { exact: true })).toBeHidden()
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
  const notice = dialog.getByRole('alert')
  await test.step('a count that differs is asked for again, without the amount', async () => {
    await countedField.fill('1')
    await button(dialog, text('cashPage.closeAct')).click()
    await expect(notice.filter({ hasText: text('cashPage.countAgain') })).toBeVisible()
    const reason = dialog.getByLabel(text('cashDoc.reason'))
    await expect(reason).toBeVisible()
    await expect(reason).not.toHaveAttribute('aria-invalid')
    await button(dialog, text('cashPage.closeAct')).click()
    await expect(reason).toBeFocused()
    await expect(reason).toHaveAttribute('aria-invalid')
  })
  await test.step('cash moves during the count', async () => {
    const reason = 'Coins for change'
    const data = { drawerNumber: 1, kind: 'cash_in', amountMinor: 500, currency: 'MYR', reason }
    await (await callAsPage(page)).post('/api/staff/cash/movements', data)
    const signOff = button(dialog, text('cashPage.closeAct'))
    const movedNotice = notice.filter({ hasText: text('cashPage.countMovedBlind') })
    const press = async (sum: string) => {
      await countedField.fill(sum)
      await signOff.click()
    }
    const waitForRefusal = () => page.waitForResponse((response) => response.status() === 409)
    const loadDrawers = await holdRequests(page, '**/api/staff/cash/drawers')
    const first = waitForRefusal()
    await press('2')
    await first
    // A second press, before the page has loaded the movement: its refusal comes after that.
    const sendSecond = await holdRequests(page, '**/api/staff/cash/shifts/*/close')
    await press('3')
    loadDrawers()
    await expect(movedNotice).toBeVisible()
    const second = waitForRefusal()
    sendSecond()
    await second
    await expect(signOff).toBeEnabled()
    await expect(movedNotice).toBeVisible()
  })
  const openForm = page.getByRole('region', { name: text('cashPage.open', { number: 1 }) })
  await test.step('the right count ends the shift, and the drawer can be opened again', async () => {
    await countedField.fill(String((10_000 + roundToCash(order.totalMinor, 'MYR') + 500) / 100))
    await button(dialog, text('cashPage.closeAct')).click()
    await expect(openForm).toBeVisible()
    await button(openForm, text('cashPage.openAct')).click()
    await expect(page.getByRole('region', { name: text('cashPage.drawer', { number: 1 }) })).toBeVisible()
  })
  await test.step('a second counter opens a drawer of its own', async () => {
    await button(page, text('cashPage.another')).click()
    await page.getByLabel(text('fields.floatMinor')).fill('50')
    await button(page, text('cashPage.openAct')).click()
    await expect(page.getByRole('region', { name: text('cashPage.drawer', { number: 2 }) })).toBeVisible()
    const drawers = page.getByRole('navigation', { name: text('cashPage.drawers') })
    await button(drawers, text('cashPage.drawer', { number: 1 })).click()
    await expect(page.getByRole('region', { name: text('cashPage.drawer', { number: 1 }) })).toBeVisible()
  })
})

test('a supervisor has a drawer counted again, and sees every count', async ({ page, request, text }) => {
  const currency = 'MYR'
  const clerk = await callAsDemoUser(request, 'kl@waybill.example')
  const cash = '/api/staff/cash'
  type Shift = { id: string; version: number; station: { code: string }; day: string; number: number; shift: number }
  const { nextNumber } = await clerk.get<{ nextNumber: number }>(`${cash}/drawers`)
  const opened = await clerk.post<Shift>(`${cash}/drawers`, { drawerNumber: nextNumber, floatMinor: 20_000, currency })
  const count = { version: opened.version, counted: { sumMinor: 15_000 }, currency, reason: 'A note is missing' }
  await clerk.post(`${cash}/shifts/${opened.id}/close`, count)

  await startSession(page, 'admin@waybill.example')
  await page.goto('/staff/finance?part=shifts&difference=any')
  const reopen = page.getByRole('button', { name: reopenName(text, opened) })
  await reopen.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(text('cashPage.reason')).fill('The note was found')
  await button(dialog, text('cashPage.reopen')).click()
  await expect(page.getByText(text('cashPage.reopenedSaid'))).toBeVisible()
  await expect(reopen).toHaveCount(0)
})

/** The end of the label of the button that reopens a shift: its day is formatted. */
function reopenName(
  text: Text,
  { station, number, shift }: { station: { code: string }; number: number; shift: number },
) {
  const label = text('cashPage.reopenOf', { day: '|', station: station.code, number, shift })
  const [start = '', end = ''] = label.split('|')
  return new RegExp(`^${start}.*${end}$`)
}
