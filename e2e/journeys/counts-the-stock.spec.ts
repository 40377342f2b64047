import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { expect, test } from '../support/journey.ts'
import { acceptAtCounter, payCompanyParcels } from '../support/parcels.ts'
import { button, startSession } from '../support/steps.ts'

test('a clerk sees what lies at the station, counts it, and what is missing stays listed', async ({
  page,
  request,
  text,
}) => {
  const [there = '', lost = ''] = await payCompanyParcels(request, 2)
  for (const number of [there, lost]) await acceptAtCounter(request, number)
  const label = groupTrackingNumber

  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/stock?sort=-lastEventAt')
  await expect(page.getByText(label(there)).first()).toBeVisible()
  await button(page, text('stockPage.count')).click()
  const field = page.getByRole('textbox', { name: text('stockCount.parcel'), exact: true })
  const scan = async (number: string) => {
    await field.fill(number)
    await page.keyboard.press('Enter')
  }
  const status = page.getByRole('status')
  await scan(there)
  await expect(status).toContainText(text('stockCount.there', { number: label(there) }))
  await scan('WB00000000000')
  await expect(status).toContainText(text('stockCount.more', { number: groupTrackingNumber('WB00000000000') }))

  await test.step('a reload loses no scan', async () => {
    await page.reload()
    await button(page, text('stockPage.countGoesOn')).click()
    await scan(there)
    await expect(status).toContainText(text('stockCount.again', { number: label(there) }))
  })
  await test.step('the end is asked for while parcels are missing; another scan withdraws the question', async () => {
    await button(page, text('stockCount.end')).click()
    const question = page.getByRole('alert')
    await expect(question).toBeVisible()
    await scan('WB00000000001')
    await expect(question).toBeHidden()
    await button(page, text('stockCount.end')).click()
    await button(question, text('stockCount.end')).click()
  })
  const result = page.getByRole('region', { name: text('stockCount.title') })
  await expect(result).toContainText(text('stockCount.doneDiffers'))
  await expect(result.getByText(label(lost))).toBeVisible()
  await expect(result.getByText(groupTrackingNumber('WB00000000000'))).toBeVisible()
  await expect(result).toContainText(text('stockCount.missingHint'))

  await test.step('the result is still there after the way to another screen', async () => {
    await result.getByRole('link', { name: label(lost) }).click()
    await expect(page).toHaveURL(new RegExp(lost))
    await page.goBack()
    await expect(result.getByText(label(lost))).toBeVisible()
    await expect(result.getByText(groupTrackingNumber('WB00000000000'))).toBeVisible()
  })
  await button(page, text('stockCount.close')).click()
  await page.goto('/staff/stock?tab=missing&sort=-lastEventAt')
  await expect(page.getByText(label(lost)).first()).toBeVisible()
  await expect(page.getByText(label(there))).toBeHidden()
})
