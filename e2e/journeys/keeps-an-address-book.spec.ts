import { callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { button, field, fillAddress, heading, receiver } from '../support/steps.ts'

const sheet = [
  'Nama,No. Telefon,Alamat,Poskod,Bandar,Negeri',
  'Siti Nurhaliza,012-345 6789,"12, Jalan SS 2/72",47300,Petaling Jaya,Selangor',
  'Siti Nurhaliza binti Ali,012-345 6789,"12, Jalan SS 2/27",47300,Petaling Jaya,Selangor',
  'Kumar,019-555 6677,5 Jalan Tun Razak,50400,Kuala Lumpur,Johor',
  'Lee,016-222 3344,3 Jalan Mawar,99999,,',
].join('\n')

test('a company imports its address book and merges duplicates', async ({ page, text, startNewcomer, checkAccess }) => {
  await startNewcomer(page)
  await page.goto('/address-book')
  await page.getByRole('link', { name: text('addressImport.title'), exact: true }).click()
  await expect(heading(page, text('addressImport.title'))).toBeVisible()
  await checkAccess(page, 'address-import')
  const file = { name: 'pelanggan.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) }
  await page.getByLabel(text('bulk.chooseFile')).setInputFiles(file)

  // The problems are shown by cell, and nothing is stored yet.
  await expect(page.getByText('D5:')).toBeVisible()
  await expect(page.getByText('F4:')).toBeVisible()
  await checkAccess(page, 'address-import-rows')
  await page.getByLabel(text('addressImport.take.contradiction', { rows: 1 })).check()
  await button(page, text('addressImport.save', { rows: 3 })).click()
  await expect(page.getByText(text('addressImport.done', { rows: 3 }))).toBeVisible()

  await page.getByRole('link', { name: text('addressImport.lookForDuplicates') }).click()
  await expect(heading(page, text('addressDuplicates.title'))).toBeVisible()
  await page.getByLabel('Siti Nurhaliza binti Ali').check()
  await checkAccess(page, 'address-duplicates')
  await button(page, text('addressDuplicates.merge', { addresses: 2 })).click()
  await expect(page.getByText(text('addressDuplicates.none'))).toBeVisible()
  type Book = { items: { contactName: string; line1: string; state: string }[] }
  const { items } = await (await callAsPage(page)).get<Book>('/api/customer/address?sort=contactName')
  expect(items.map(({ contactName, state }) => [contactName, state])).toEqual([
    ['Kumar', 'Johor'],
    ['Siti Nurhaliza binti Ali', 'Selangor'],
  ])

  await test.step('a missing page leads to the last one, and the field has the search of the URL', async () => {
    await page.goto('/address-book?page=9')
    await expect(page.getByText('Kumar')).toBeVisible()
    await expect(page).toHaveURL(/\/address-book$/)
    const search = page.getByLabel(text('addressBook.search'))
    await search.fill('Kumar')
    await expect(page).toHaveURL(/q=Kumar/)
    await expect(page.getByText('Siti')).toBeHidden()
    // As through the navigation.
    await page.evaluate(() => history.pushState({}, '', '/address-book'))
    await expect(page.getByText('Siti')).toBeVisible()
    await expect(search).toHaveValue('')
  })

  await test.step('a pasted state that contradicts the postcode stays, and is pointed out', async () => {
    await button(page, text('actions.new')).click()
    const dialog = page.getByRole('dialog', { name: text('addressBook.create') })
    await button(dialog, text('paste.title')).click()
    const paste = page.getByRole('dialog', { name: text('paste.title') })
    await expect(paste).toBeVisible()
    // Nothing has been typed yet.
    await expect(dialog.locator('[aria-invalid="true"]')).toHaveCount(0)
    await field(paste, text('paste.text')).fill('Tan, 016-777 8888, 8 Jalan Burma, 10050 Johor Bahru, Johor')
    await button(paste, text('paste.read')).click()
    await button(paste, text('paste.use')).click()
    await expect(dialog.locator('[data-doubtful]')).toHaveCount(2)
    await expect(field(dialog, text('fields.city'))).toHaveValue('Johor Bahru')
    await expect(field(dialog, text('fields.state'))).toHaveValue('Johor')
  })

  await test.step('selected addresses are removed together', async () => {
    await page.goto('/address-book')
    const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox')
    await expect(boxes).toHaveCount(2)
    for (const box of await boxes.all()) await box.check()
    await checkAccess(page, 'selected-addresses')
    await button(page.getByRole('region', { name: text('list.bulk') }), text('actions.remove')).click()
    const question = page.getByRole('dialog', { name: text('addressBook.removeSelectedTitle', { count: 2 }) })
    await button(question, text('actions.remove')).click()
    await expect(page.getByText(text('addressBook.removedSelected', { count: 2 }))).toBeVisible()
    await expect(page.getByText(text('addressBook.empty'))).toBeVisible()
  })

  await test.step('an import that is no longer needed is deleted', async () => {
    await page.goto('/address-book/import')
    await page.getByRole('link', { name: 'pelanggan.csv' }).click()
    await button(page, text('addressImport.remove')).click()
    const question = page.getByRole('dialog', { name: text('addressImport.remove') })
    await button(question, text('actions.remove')).click()
    await expect(page).toHaveURL(/\/address-book\/import$/)
    await expect(page.getByText('pelanggan.csv')).toBeHidden()
  })
})

test('a receiver fills in an address on a phone', async ({ page, text, startNewcomer, someoneElse, checkAccess }) => {
  await startNewcomer(page, 'Kedai Aisyah')
  await page.goto('/address-book/links')
  await button(page, text('addressLinks.create')).first().click()
  const dialog = page.locator('dialog')
  await field(dialog, text('fields.label')).fill('Rosmah')
  await checkAccess(page, 'ask-for-address')
  await button(dialog, text('addressLinks.make')).click()
  await expect(page.getByText(text('addressLinks.ready'))).toBeVisible()
  const url = (await page.getByText('/public/address/').textContent()) ?? ''
  await checkAccess(page, 'address-link')

  const phone = await someoneElse()
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto(new URL(url).pathname)
  await expect(phone.getByText(text('addressAnswer.lead', { sender: 'Kedai Aisyah' }))).toBeVisible()
  await checkAccess(phone, 'receiver-address')
  await fillAddress(phone, text, receiver)
  await button(phone, text('addressAnswer.send')).click()
  await expect(phone.getByText(text('addressAnswer.sent'))).toBeVisible()
  await checkAccess(phone, 'receiver-address-sent')

  // The link works once.
  await phone.reload()
  await expect(phone.getByText(text('errors.address_link_used'))).toBeVisible()

  await page.goto('/address-book')
  const entry = page.getByRole('row').filter({ hasText: receiver.name })
  await expect(entry.getByText(text('addressBook.newMark'), { exact: true })).toBeVisible()
})
