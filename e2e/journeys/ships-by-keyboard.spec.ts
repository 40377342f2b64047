import { expect, test } from '../support/journey.ts'
import { pressByKey, tabTo } from '../support/keyboard.ts'
import { button, field, freshAddress, heading, password, payButton, receiver, sender } from '../support/steps.ts'

test('a newcomer registers, ships, pays and prints using only the keyboard', async ({ page, text, codeTo }) => {
  const { keyboard } = page
  const email = freshAddress()
  const type = async (label: string, value: string) => {
    await tabTo(page, field(page, text(label)))
    await keyboard.type(value)
  }

  await test.step('registers with the mailed code', async () => {
    await page.goto('/register')
    await expect(heading(page, text('auth.registerTitle'))).toBeVisible()
    await type('fields.personName', sender.name)
    await type('fields.email', email)
    await type('fields.phone', sender.phone)
    await tabTo(page, page.locator('input[name=password]'))
    await keyboard.type(password)
    await tabTo(page, page.getByRole('checkbox', { name: text('auth.acceptTerms') }))
    await keyboard.press('Space')
    await pressByKey(page, button(page, text('auth.registerAction')))
    await expect(heading(page, text('auth.verifyTitle'))).toBeVisible()
    // The first box of the code has the focus.
    await keyboard.type(await codeTo(email, 'register_code'))
    await keyboard.press('Enter')
    await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  })

  await test.step('pastes the receiver, and completes the sender and the contents', async () => {
    const steps = page.getByRole('region', { name: text('firstSteps.title') })
    await pressByKey(page, steps.getByRole('link', { name: text('firstSteps.action.parcel') }))
    await expect(heading(page, text('newParcel.title'))).toBeVisible()
    const { name, phone, street, postcode, city, state } = receiver
    await type('pasteBox.label', `${name}, ${phone}, ${street}, ${postcode} ${city}, ${state}`)
    await expect(page.getByText(text('pasteBox.filled.receiver'))).toBeVisible()
    await type('fields.line1', sender.street)
    await type('fields.postcode', sender.postcode)
    await expect(field(page, text('fields.state'))).toHaveValue(sender.state)
    await pressByKey(page, button(page, text('actions.continue')))
    await expect(field(page, text('fields.weightGrams'))).toBeFocused()
    await keyboard.type('1.2')
    await tabTo(page, page.getByRole('combobox', { name: text('fields.contentType') }))
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    const sizes = page.getByRole('group', { name: text('newParcel.size'), exact: true })
    await tabTo(page, sizes.getByRole('radio').first())
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
  })

  await test.step('pays at the bank', async () => {
    await pressByKey(page, button(page, text('newParcel.action.pay')))
    await expect(heading(page, text('checkout.title'))).toBeFocused()
    const methods = page.locator('input[name=method]')
    await tabTo(page, methods.and(page.locator(':checked')))
    while (!(await page.locator('input[value=ipay88]').isChecked())) await keyboard.press('ArrowDown')
    await pressByKey(page, payButton(page, text))
    await expect(page.getByRole('heading', { name: text('bank.title') })).toBeVisible()
    await tabTo(page, button(page, text('bank.pay')))
    await keyboard.press('Enter')
  })

  await test.step('prints the consignment note', async () => {
    await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
    const printing = page.waitForResponse(/generate-cn/)
    await pressByKey(page, button(page, text('checkout.openNotes')))
    expect((await printing).status()).toBe(200)
  })
})
