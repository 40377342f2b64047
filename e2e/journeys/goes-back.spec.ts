import { expect, test } from '../support/journey.ts'
import { button, field, heading } from '../support/steps.ts'

test('Back on a phone closes the sheet or dialog on top, and asks before input is lost', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await page.goto('/dashboard')
  const sheet = page.getByRole('dialog', { name: text('nav.main') })
  const follow = async (label: string) => {
    await button(page, text('nav.more')).click()
    await sheet.getByRole('link', { name: text(`nav.${label}`), exact: true }).click()
    await expect(sheet).toBeHidden()
  }
  await follow('addressBook')
  await expect(heading(page, text('addressBook.title'))).toBeVisible()

  await test.step('the sheet of the navigation', async () => {
    await button(page, text('nav.more')).click()
    await expect(sheet).toBeVisible()
    await page.goBack()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL(/\/address-book$/)
  })

  await test.step('a new address, which is kept as a draft', async () => {
    const dialog = page.getByRole('dialog', { name: text('addressBook.create') })
    const name = field(dialog, text('fields.contactName'))
    await button(page, text('actions.new')).click()
    await name.fill('Puan Rohani')
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/address-book$/)
    await button(page, text('actions.new')).click()
    await expect(name).toHaveValue('Puan Rohani')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await follow('tickets')
  await expect(heading(page, text('tickets.title'))).toBeVisible()
  const dialog = page.getByRole('dialog', { name: text('tickets.new') })
  const subject = field(dialog, text('tickets.subject'))
  const question = page.getByRole('dialog', { name: text('unsaved.closeTitle') })

  await test.step('a new ticket asks first, and Back on the question keeps the ticket', async () => {
    await button(page, text('actions.new')).click()
    await subject.fill('A torn box')
    await page.goBack()
    await expect(question).toBeVisible()
    await expect(page).toHaveURL(/\/tickets$/)
    await page.goBack()
    await expect(question).toBeHidden()
    await expect(page).toHaveURL(/\/tickets$/)
    await expect(subject).toHaveValue('A torn box')
  })

  await test.step('once it is closed, Back leaves the page', async () => {
    await page.goBack()
    await button(question, text('actions.close')).last().click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/tickets$/)
    await page.goBack()
    await expect(heading(page, text('addressBook.title'))).toBeVisible()
  })
})
