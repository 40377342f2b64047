import { expect, test } from '../support/journey.ts'
import { heading, writePricedParcel } from '../support/steps.ts'

const amountPattern = /RM\s?([\d,]+\.\d{2})/

test('services are offered by need: the cheapest with its day, the fastest with its extra cost', async ({
  page,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page)
  await writePricedParcel(page, text)
  const needs = page.getByRole('group', { name: text('serviceNeed.legend') })
  const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
  const option = (need: string) => needs.locator('label').filter({ hasText: text(`serviceNeed.${need}`) })
  const readAmount = async (need: string) =>
    Number(amountPattern.exec((await option(need).textContent()) ?? '')?.[1]?.replace(',', ''))
  const [arrives = ''] = text('newParcel.expected', { day: '|' }).split('|')
  for (const need of ['cheapest', 'fastest'])
    await expect(option(need)).toContainText(new RegExp(`${arrives.trim()}.*\\d`))
  await expect(option('fastest')).toContainText(/\+RM/)

  await option('cheapest').click()
  const selection = services.locator('label').filter({ has: page.getByRole('radio', { checked: true }) })
  await expect(selection).toContainText((await readAmount('cheapest')).toFixed(2))
  await option('fastest').click()
  await expect(needs.getByRole('radio').last()).toBeChecked()
  await expect(selection).toContainText(((await readAmount('cheapest')) + (await readAmount('fastest'))).toFixed(2))
})

test('several pasted addresses become a bulk upload with a row for each', async ({ page, text, startNewcomer }) => {
  await startNewcomer(page)
  await page.goto('/parcels/new')
  const addresses = [
    'Nurul Huda, 012-345 6789, 12 Jalan Burma, 10050 George Town, Pulau Pinang',
    'Siva Kumar, 012-876 5432, 3 Jalan Sultan, 50000 Kuala Lumpur',
    'Chong Mei, 016-777 8888, 8 Lorong Setia, 93100 Kuching, Sarawak',
  ]
  await page.getByRole('textbox', { name: text('pasteBox.label') }).fill(addresses.join('\n\n'))
  await expect(page.getByText(text('pasteBox.several', { count: 3 }))).toBeVisible()
  await page.getByRole('button', { name: text('pasteBox.toBulk') }).click()
  await expect(heading(page, text('pasteBox.batch'))).toBeVisible()
  await expect(page).toHaveURL(/\/parcels\/bulk\/[0-9a-f-]{36}$/)
  for (const name of ['Nurul Huda', 'Siva Kumar', 'Chong Mei']) await expect(page.getByText(name).first()).toBeVisible()
})
