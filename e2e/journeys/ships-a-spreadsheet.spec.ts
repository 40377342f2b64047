import { expect, freshAddress, test } from '../support/journey.ts'
import { authorization } from '../support/other-device.ts'
import { button, heading, register, sender } from '../support/steps.ts'

const sheet = [
  'Receiver name,Phone,Address line 1,Postcode,City,Weight,Length,Width,Height',
  'Nurul Huda,012-345 6789,12 Jalan Burma,10050,George Town,1.2,30,20,10',
  'Siva Kumar,012-876 5432,3 Jalan Sultan,99999,Kuala Lumpur,2,30,30,15',
].join('\n')

test('imports a spreadsheet, fixes a cell, and puts the rows in the cart', async ({
  page,
  text,
  codeTo,
  request,
  checkAccess,
}) => {
  await register(page, text, codeTo, { name: sender.name, email: freshAddress() })
  const saved = await request.post('/api/customer/address', {
    headers: await authorization(page),
    data: {
      ...{ contactName: sender.name, phone: '+60123456789', line1: '1 Jalan Telawi', postcode: '59100' },
      ...{ city: 'Kuala Lumpur', state: 'Kuala Lumpur', country: 'my', kind: 'sender', isDefault: true },
    },
  })
  expect(saved.ok()).toBe(true)

  await page.goto('/parcels/bulk')
  await expect(heading(page, text('bulk.title'))).toBeVisible()
  await checkAccess(page, 'bulk')
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) }
  await page.getByLabel(text('bulk.chooseFile')).setInputFiles(file)

  const grid = page.getByRole('grid', { name: 'orders.csv' })
  await expect(grid.getByRole('row')).toHaveCount(2)
  const wrong = grid.getByRole('gridcell', { name: '99999', exact: true })
  await expect(wrong).toHaveAttribute('aria-invalid', 'true')
  await checkAccess(page, 'bulk-grid')
  await wrong.click()
  await page.keyboard.type('50000')
  await page.keyboard.press('Enter')
  await expect(page.getByText(text('bulk.save.saved'))).toBeVisible()

  await page.getByRole('button', { name: text('bulk.toCart', { rows: 2 }) }).click()
  await expect(heading(page, text('cart.title'))).toBeVisible()
  await expect(page.getByText('Nurul Huda').first()).toBeVisible()
  await expect(page.getByText('Siva Kumar').first()).toBeVisible()
  await expect(button(page, text('actions.tryAgain'))).toHaveCount(0)
})
