import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { button, field, fillAddress, receiver, sender, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function describeParcel(page: Page, text: Text): Promise<void> {
  const what = panel(page, text('newParcel.step.what'))
  await field(what, text('fields.weightGrams')).fill('2.4')
  await what.getByRole('combobox', { name: text('fields.contentType') }).selectOption('clothing')
  await what.getByRole('radio', { name: new RegExp(`^${text('newParcel.preset.s')}\\b`) }).check()
}

test('a sender without an account pays in cash, and leaves with a receipt', async ({ page, text, checkAccess }) => {
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/counter')
  await page.getByRole('link', { name: text('walkInPage.begin') }).click()
  const from = panel(page, text('newParcel.step.from'))
  const payment = panel(page, text('walkInPage.payment'))
  const cashField = field(payment, text('fields.givenMinor'))
  const take = button(payment, text('walkInPage.take'))

  await expect(field(from, text('fields.contactName'))).toBeFocused()
  await fillAddress(from, text, sender)
  await field(from, text('fields.email')).fill('mei.hua@example.com')
  await describeParcel(page, text)
  await test.step('what is missing is named, before any money is taken', async () => {
    await take.click()
    await expect(field(panel(page, text('newParcel.step.to')), text('fields.contactName'))).toBeFocused()
  })
  await fillAddress(panel(page, text('newParcel.step.to')), text, receiver)
  await expect(cashField).toBeVisible()
  await checkAccess(page, 'a walk-in with its price')

  await test.step('too little cash is refused at its field', async () => {
    await cashField.fill('1')
    await page.keyboard.press('Enter')
    await expect(cashField).toBeFocused()
    await expect(cashField).toHaveAttribute('aria-invalid', 'true')
  })
  await cashField.fill('100')
  await page.keyboard.press('Enter')
  const done = page.getByRole('region', { name: text('walkInPage.done') })
  await expect(done.getByRole('status').first()).toContainText(receiver.name)
  await expect(done.getByText('mei.hua@example.com')).toBeVisible()
  await expect(button(done, text('staffPrints.note'))).toBeFocused()
  await checkAccess(page, 'an accepted walk-in')
  const note = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  await (await note).close()

  await test.step('another parcel of the same sender begins with their address', async () => {
    await button(done, text('walkInPage.another')).click()
    await expect(field(from, text('fields.contactName'))).toHaveValue(sender.name)
    await expect(field(panel(page, text('newParcel.step.to')), text('fields.contactName'))).toHaveValue('')
  })
})
