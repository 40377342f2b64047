import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { button, field, heading, startSession } from '../support/steps.ts'

/** Presses Tab until the element has the focus. Fails if the keyboard is trapped on the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const stops: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await target.count()) > 0 && (await target.first().evaluate((element) => element === document.activeElement)))
      return
    await page.keyboard.press('Tab')
    stops.push(await focused(page))
  }
  throw new Error(`not reached by Tab; what was: ${stops.join(' > ')}`)
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const name = element?.getAttribute('aria-label') ?? element?.getAttribute('name') ?? element?.textContent ?? ''
    return `${element?.tagName.toLowerCase()} ${name.trim().slice(0, 30)}`
  })
}

/** Expects the focused element to have a visible focus ring. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const visible = await page.evaluate(() => {
    const element = document.activeElement
    if (!element) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  })
  expect(visible, `${await focused(page)} shows its focus`).toBe(true)
}

test('signs in and adds a parcel to the cart with the keyboard alone', async ({ page, text, language }) => {
  await page.goto('/login')
  const keyboard = page.keyboard

  await test.step('signs in', async () => {
    // The page gives the first field the focus by itself.
    await expect(field(page, text('fields.email'))).toBeFocused()
    await keyboard.type(language === 'en' ? 'priya@example.com' : 'weiming@example.com')
    await tabTo(page, page.locator('input[name=password]'))
    await keyboard.type('waybill-demo')
    await keyboard.press('Enter')
    await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  })

  await test.step('skips the navigation, then goes through it to New parcel', async () => {
    await tabTo(page, page.getByRole('link', { name: text('app.skip') }))
    await expect(page.getByRole('link', { name: text('app.skip') })).toBeInViewport()
    await keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()
    await page.reload()
    await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
    const link = page.getByRole('navigation', { name: text('nav.main') }).getByRole('link', {
      name: text('nav.newParcel'),
      exact: true,
    })
    await expect(link).toBeVisible()
    await tabTo(page, link)
    await expectVisibleFocus(page)
    await keyboard.press('Enter')
    await expect(heading(page, text('newParcel.title'))).toBeVisible()
  })

  await test.step('chooses the receiver from the address book', async () => {
    const search = page.getByRole('combobox', { name: text('newParcel.search.receiver') })
    await expect(search).toBeVisible()
    await tabTo(page, search)
    // Streets are looked through as well, and the first match is meant.
    await keyboard.type('Jalan')
    await expect(page.getByRole('option', { selected: true })).toBeVisible()
    await keyboard.press('Enter')
  })

  await test.step('weighs and measures it', async () => {
    // The focus moves to the next step.
    await expect(field(page, text('fields.weightGrams'))).toBeFocused()
    await keyboard.type('1.5')
    await tabTo(page, page.getByRole('combobox', { name: text('fields.contentType') }))
    // Past the documents to clothing.
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await tabTo(
      page,
      page
        .getByRole('group', { name: text('newParcel.size'), exact: true })
        .getByRole('radio')
        .first(),
    )
    // Arrow keys go from the first one, the flat document, to S and M.
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: new RegExp(`^${text('newParcel.preset.m')}`) })).toBeChecked()
    await tabTo(page, button(page, text('actions.continue')))
    await keyboard.press('Enter')
  })

  await test.step('starts another one, with the same weight and size', async () => {
    const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
    await expect(services.getByRole('radio', { checked: true })).toBeVisible()
    await keyboard.press('Control+Enter')
    const search = page.getByRole('combobox', { name: text('newParcel.search.receiver') })
    await expect(search).toBeFocused()
    await keyboard.type('Jalan')
    await expect(page.getByRole('option', { selected: true })).toBeVisible()
    // Another receiver than before: the same parcel twice would be asked about.
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    const what = page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) })
    await expect(what).toContainText(/1\.5/)
  })

  await test.step('chooses a service and adds the parcel to the cart', async () => {
    const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
    await expect(services.getByRole('radio', { checked: true })).toBeVisible()
    await tabTo(page, services.getByRole('radio', { checked: true }))
    await keyboard.press('ArrowDown')
    const add = button(page, text('newParcel.action.cart'))
    await tabTo(page, add)
    await expectVisibleFocus(page)
    await keyboard.press('Enter')
    await expect(heading(page, text('cart.title'))).toBeVisible()
    await expect(heading(page, text('cart.title'))).toBeFocused()
    const [added = ''] = text('newParcel.added', { name: '|' }).split('|')
    await expect(page.getByRole('dialog', { name: text('notify.success') }).last()).toContainText(added)
  })
})

test('reaches the skip link with the first Tab, wherever the page begins', async ({ page, text }) => {
  await startSession(page, 'owner@kinabalu.example')
  const navigation = page.getByRole('navigation', { name: text('nav.main') }).filter({ visible: true })
  for (const path of ['/dashboard', '/parcels', '/orders', '/statements', '/stations', '/users', '/approvals']) {
    await page.goto(path)
    await expect(navigation.locator('[aria-current=page]')).toBeVisible()
    await expect(page.locator('[data-page-title]')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: text('app.skip') }), path).toBeFocused()
  }
})

test('sees Home, Ship and the present page of a long navigation on a small screen', async ({ page, text }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await startSession(page, 'owner@kinabalu.example')
  const navigation = page.getByRole('navigation', { name: text('nav.main') }).filter({ visible: true })
  const collapse = button(navigation, text('nav.collapse'))
  for (const path of ['/dashboard', '/parcels/new', '/wallet', '/users', '/approvals']) {
    await page.goto(path)
    const present = navigation.locator('[aria-current=page]')
    await expect(present).toBeVisible()
    for (const label of ['dashboard', 'newParcel', 'bulk', 'cart']) {
      const link = navigation.getByRole('link', { name: text(`nav.${label}`), exact: true })
      await expect(link, `${label} at ${path}`).toBeInViewport({ ratio: 1 })
    }
    await expect(present).toBeInViewport({ ratio: 1 })
    const [item, foot] = [await present.boundingBox(), await collapse.boundingBox()]
    expect((item?.y ?? 0) + (item?.height ?? 0), path).toBeLessThanOrEqual(foot?.y ?? 0)
    expect(item?.height, path).toBe(32)
  }
})
