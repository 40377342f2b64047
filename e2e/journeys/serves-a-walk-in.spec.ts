import type { Page } from '@playwright/test'
import { type Api, callAsDemoUser } from '../support/api.ts'
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
  await payment.getByRole('radio', { name: '中文' }).check()
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
    await describeParcel(page, text)
    await fillAddress(panel(page, text('newParcel.step.to')), text, receiver)
    await expect(payment.getByRole('radio', { name: '中文' })).toBeChecked()
  })
})

/** Stations whose drawers no other journey uses. */
const quietClerks: Record<string, string> = {
  'desktop-en': 'melaka@waybill.example',
  'phone-zh': 'pahang@waybill.example',
}

/** A colleague counts the drawer of the station, if it is open. */
async function closeDrawer(api: Api): Promise<void> {
  type Drawer = { open: { id: string; version: number; currency: string } | null }
  const path = '/api/staff/cash'
  const [drawer] = (await api.get<{ drawers: Drawer[] }>(`${path}/drawers`)).drawers
  if (!drawer?.open) return
  const { id, version, currency } = drawer.open
  const body = { version, counted: { sumMinor: 10_000 }, currency, reason: 'Counted by a colleague' }
  await api.post(`${path}/shifts/${id}/close`, body)
}

test('a drawer is opened on the screen of a walk-in, and no input is lost', async ({ page, request, text }, {
  project,
}) => {
  const clerk = quietClerks[project.name] ?? ''
  const colleague = await callAsDemoUser(request, clerk)
  await closeDrawer(colleague)
  await startSession(page, clerk)
  await page.goto('/staff/counter/walk-in')
  const dialog = page.getByRole('dialog', { name: text('cashPage.open', { number: 1 }) })
  const open = async () => {
    const float = field(dialog, text('fields.floatMinor'))
    await expect(float).toBeFocused()
    await float.fill('100')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }
  await expect(page.getByText(text('walkInPage.noDrawer'))).toBeVisible()
  await button(page, text('cashPage.open', { number: 1 })).click()
  await open()

  const from = panel(page, text('newParcel.step.from'))
  const payment = panel(page, text('walkInPage.payment'))
  const cashField = field(payment, text('fields.givenMinor'))
  const take = button(payment, text('walkInPage.take'))
  await fillAddress(from, text, sender)
  await fillAddress(panel(page, text('newParcel.step.to')), text, receiver)
  await describeParcel(page, text)
  await cashField.fill('100')
  await closeDrawer(colleague)
  await test.step('the payment asks for the float instead of an error', async () => {
    await take.click()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(payment.getByRole('alert')).toContainText(text('walkInPage.drawerClosed', { number: 1 }))
  })
  await take.click()
  await open()
  await expect(payment.getByRole('alert')).toBeHidden()
  await expect(field(from, text('fields.contactName'))).toHaveValue(sender.name)
  await expect(cashField).toHaveValue('100.00')
  await take.click()
  await expect(page.getByRole('region', { name: text('walkInPage.done') })).toBeVisible()
})
