import { expect, test } from '../support/journey.ts'
import {
  button,
  field,
  fillAddress,
  fillRegistration,
  freshAddress,
  heading,
  receiver,
  sender,
  typeCode,
} from '../support/steps.ts'

test('a visitor sees a price, registers, and finds the entered values in the new parcel', async ({
  page,
  text,
  codeTo,
}) => {
  await test.step('shows the price on the home page, and an unknown postcode at its field', async () => {
    await page.goto('/')
    const footer = page.getByRole('contentinfo')
    for (const name of ['terms', 'privacy', 'contact'])
      await expect(footer.getByRole('link', { name: text(`legal.${name}`) })).toHaveAttribute('href', `/public/${name}`)
    await expect(page.getByRole('heading', { level: 2, name: text('home.services') })).toBeVisible()
    const box = page.getByRole('region', { name: text('home.priceTitle') })
    const ship = box.getByRole('link', { name: new RegExp(`^${text('prices.ship')}`) })
    await button(box, text('home.priceAction')).click()
    const required = text('validation.required').replace('%field%', text('home.from'))
    await expect(box.getByText(required)).toBeVisible()
    await field(box, text('home.from')).fill('50450')
    await field(box, text('home.to')).fill('88000')
    await field(box, text('fields.weightGrams')).fill('2.4')
    await button(box, text('home.priceAction')).click()
    await expect(ship.first()).toHaveAttribute('href', /^\/register\?next=.*to%3D88000/)
    await field(box, text('home.to')).fill('99999')
    await expect(ship).toHaveCount(0)
    await button(box, text('home.priceAction')).click()
    await expect(field(box, text('home.to'))).toHaveAttribute('aria-invalid', 'true')
    await expect(field(box, text('home.to'))).toBeFocused()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  await page.goto('/public/prices')
  await expect(heading(page, text('home.priceTitle'))).toBeVisible()
  await field(page, text('home.from')).fill('50450')
  await page.getByLabel(text('prices.to'), { exact: true }).fill('88000')
  await field(page, text('fields.weightGrams')).fill('2.4')
  await button(page, text('home.priceAction')).click()

  const services = page.getByRole('list', { name: text('prices.services') })
  await expect(services.getByText(/RM\s?\d/).first()).toBeVisible()
  await services
    .getByRole('link', { name: new RegExp(`^${text('prices.ship')}`) })
    .first()
    .click()

  const email = freshAddress()
  await expect(page.getByRole('main').getByRole('link', { name: text('legal.terms') })).toBeVisible()
  await fillRegistration(page, text, { name: sender.name, email })
  await button(page, text('auth.registerAction')).click()
  await expect(heading(page, text('auth.verifyTitle'))).toBeVisible()
  await typeCode(page, text, text('fields.code'), await codeTo(email, 'register_code'))
  await button(page, text('auth.verifyAction')).click()

  await page.waitForURL('**/parcels/new?**')
  await expect(heading(page, text('newParcel.title'))).toBeVisible()
  const postcode = field(page, text('fields.postcode'))
  await expect(postcode).toHaveValue('50450')
  await fillAddress(page, text, sender)
  await button(page, text('actions.continue')).last().click()
  await expect(postcode).toHaveValue('88000')
  await fillAddress(page, text, receiver)
  await button(page, text('actions.continue')).last().click()
  await expect(field(page, text('fields.weightGrams'))).toHaveValue(/^2\.40?/)

  // Two banners of the demo link to the prices page. At most three are shown, and other journeys add some.
  await page.goto('/dashboard')
  const banners = page.getByRole('region', { name: text('dashboardPage.news') })
  await banners.locator('a[href="/public/prices"]').first().click()
  await expect(heading(page, text('home.priceTitle'))).toBeVisible()
})
