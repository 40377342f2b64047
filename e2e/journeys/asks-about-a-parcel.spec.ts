import { fileURLToPath } from 'node:url'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { expect, test } from '../support/journey.ts'
import { payCompanyParcels } from '../support/parcels.ts'
import { button, field, startSession } from '../support/steps.ts'

test.use({ serviceWorkers: 'allow' })

const picture = fileURLToPath(new URL('../../docs/pictures/scan.png', import.meta.url))

test('a customer asks about a parcel and receives a live answer with a picture', async ({
  page,
  text,
  someoneElse,
  checkAccess,
}) => {
  const [number = ''] = await payCompanyParcels(page.request, 1)
  const question = `Is ${number} dry? <b>Please</b> look.`
  await startSession(page, 'owner@kinabalu.example')
  await page.goto(`/parcels?q=${number}`)
  await page.getByRole('table').getByRole('link').first().click()
  const log = page.getByRole('log')

  await test.step('the customer writes on the page of the parcel', async () => {
    await field(page, text('chat.message')).fill(question)
    // An unsent text survives a reload.
    await page.reload()
    await expect(field(page, text('chat.message'))).toHaveValue(question)
    await field(page, text('chat.message')).press('Control+Enter')
    await expect(field(page, text('chat.message'))).toHaveValue('')
    // Markup is shown as text on both sides.
    await expect(log).toContainText(question)
    await checkAccess(page, 'a parcel with messages')
  })

  const clerk = await someoneElse()
  await test.step('staff find the question in the inbox and answer with a picture', async () => {
    await startSession(clerk, 'accounts@waybill.example')
    await clerk.goto('/staff/inbox?tab=all')
    await clerk.getByRole('searchbox', { name: text('inbox.search') }).fill(number)
    await clerk.keyboard.press('Enter')
    await clerk.getByRole('link', { name: groupTrackingNumber(number) }).click()
    await expect(clerk.getByRole('log')).toContainText(question)
    await field(clerk, text('chat.message')).fill('Dry, ')
    await expect(page.getByText(text('chat.staffTyping'))).toBeVisible()
    await field(clerk, text('chat.message')).fill('Dry, see the picture.')
    const chooser = clerk.locator('input[data-purpose="message"]')
    await expect(chooser).toHaveAttribute('accept', /image\/jpeg.*application\/pdf/)
    await chooser.setInputFiles(picture)
    await expect(clerk.getByRole('img', { name: 'scan.png' })).toBeVisible()
    await checkAccess(clerk, 'a thread of the inbox')
    await button(clerk, text('chat.send')).click()
    await expect(clerk.getByRole('log')).toContainText('Dry, see the picture.')
  })

  await test.step('the answer appears without a reload and is marked as read', async () => {
    await expect(log).toContainText('Dry, see the picture.')
    await expect(log.getByRole('img')).toBeVisible()
    await expect(clerk.getByText(text('chat.seen'))).toBeVisible()
  })

  await test.step('messages sent while the connection was lost are loaded afterwards', async () => {
    await page.context().setOffline(true)
    await field(clerk, text('chat.message')).fill('It leaves tonight.')
    await button(clerk, text('chat.send')).click()
    await expect(clerk.getByRole('log')).toContainText('It leaves tonight.')
    await page.context().setOffline(false)
    await expect(log).toContainText('It leaves tonight.', { timeout: 40_000 })
  })
})
