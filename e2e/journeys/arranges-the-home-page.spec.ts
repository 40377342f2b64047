import type { Locator, Page } from '@playwright/test'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { button, heading } from '../support/steps.ts'

/** The kinds of widgets on the page, in reading order. */
const kindsOnPage = (page: Page) =>
  page.locator('[data-widgets] > li').evaluateAll((items) => items.map((item) => item.getAttribute('data-kind')))

/** The kinds in the list for arranging widgets. */
const rows = (page: Page) => page.locator('li[data-kind]:has(select)')

test('a customer arranges the home page by keyboard and by dragging', async ({
  page,
  text,
  startNewcomer,
  checkAccess,
}) => {
  await startNewcomer(page, 'Nor Aini')
  await page.goto('/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  await test.step('shows the first steps, with name and phone filled in', async () => {
    await button(page, text('firstSteps.action.address')).click()
    const dialog = page.getByRole('dialog', { name: text('addressBook.createOwn') })
    await expect(dialog.getByRole('textbox', { name: text('fields.contactName') })).toHaveValue('Nor Aini')
    await expect(dialog.getByRole('textbox', { name: text('fields.phone') })).toHaveValue(/12.?345 6789/)
    await expect(dialog.getByRole('textbox', { name: text('fields.line1') })).toBeFocused()
    await button(dialog, text('actions.cancel')).click()
  })
  // A new user sees the widgets only while arranging them.
  await button(page, text('dashboardPage.arrange.open')).click()
  await expect(page.locator('[data-widgets] [data-kind="parcels_per_day"]')).toBeVisible()
  const before = await kindsOnPage(page)
  expect(before.slice(0, 3)).toEqual(['parcels_per_day', 'parcels_by_status', 'wallet'])
  const handle = (kind: string) =>
    rows(page)
      .and(page.locator(`[data-kind="${kind}"]`))
      .getByRole('button')
      .first()

  await expect(rows(page)).toHaveCount(before.length)
  await checkAccess(page, 'arranging the home page')

  await test.step('moves a widget with the arrow buttons of its row', async () => {
    const name = (await rows(page).nth(1).locator('span').first().textContent()) ?? ''
    const up = button(page, text('dashboardPage.arrange.up', { name }))
    await up.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => kindsOnPage(page)).toEqual(['parcels_by_status', 'parcels_per_day', ...before.slice(2)])
    await expect(page.getByRole('status').filter({ hasText: name })).toBeAttached()
    // The button moved with its row and still has the focus.
    await expect(up).toBeFocused()
  })

  await test.step('moves a widget twice with two quick presses', async () => {
    const name = (await rows(page).first().locator('span').first().textContent()) ?? ''
    const [kind = ''] = await kindsOnPage(page)
    const down = button(page, text('dashboardPage.arrange.down', { name }))
    // The second press comes before the first response.
    const pressTwice = async (target: Locator) => {
      const release = await holdRequests(page, '**/api/customer/dashboard/*')
      for (let press = 0; press < 2; press += 1) await target.press('Enter')
      release()
    }
    await pressTwice(down)
    await expect.poll(async () => (await kindsOnPage(page)).indexOf(kind ?? '')).toBe(2)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    const up = button(page, text('dashboardPage.arrange.up', { name }))
    await pressTwice(up)
    await expect.poll(async () => (await kindsOnPage(page)).indexOf(kind ?? '')).toBe(0)
  })

  await test.step('moves a widget by its handle with the keyboard', async () => {
    await handle('wallet').focus()
    await page.keyboard.press('Space')
    await expect(page.locator('li[data-kind="wallet"][data-dragging="true"]')).toBeVisible()
    // The places are measured after the handle is lifted; before its own is announced, arrows do nothing.
    await expect(page.locator('[aria-live="assertive"]')).toContainText('3')
    await page.keyboard.press('ArrowUp')
    await expect(page.locator('[aria-live="assertive"]')).toContainText('2')
    await page.keyboard.press('Space')
    await expect
      .poll(() => kindsOnPage(page))
      .toEqual(['parcels_by_status', 'wallet', 'parcels_per_day', ...before.slice(3)])
  })

  await test.step('moves a widget by dragging', async () => {
    const from = await handle('parcels_per_day').boundingBox()
    const to = await handle('parcels_by_status').boundingBox()
    if (!from || !to) throw new Error('no handles')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(from.x + from.width / 2, from.y, { steps: 4 })
    await page.mouse.move(to.x + to.width / 2, to.y - 4, { steps: 8 })
    await page.mouse.up()
    await expect
      .poll(() => kindsOnPage(page))
      .toEqual(['parcels_per_day', 'parcels_by_status', 'wallet', ...before.slice(3)])
  })

  await test.step('changes the width of a widget, removes one and adds another', async () => {
    await rows(page).first().getByRole('combobox').selectOption('large')
    await expect(page.locator('[data-widgets] > li').first()).toHaveAttribute('data-size', 'large')
    await rows(page).nth(2).getByRole('button').last().click()
    await expect.poll(() => kindsOnPage(page)).not.toContain('wallet')
    const add = page.getByRole('button', { name: text('dashboardPage.arrange.addOne', { name: '' }).trim() })
    await add.first().click()
    await expect.poll(() => kindsOnPage(page)).toHaveLength(before.length)
  })

  await test.step('keeps the arrangement after a reload and in another tab', async () => {
    await button(page, text('dashboardPage.arrange.done')).click()
    const after = await kindsOnPage(page)
    await page.reload()
    await expect(page.locator('[data-kind="parcels_per_day"]')).toBeVisible()
    expect(await kindsOnPage(page)).toEqual(after)
  })
})

test('reports a conflict to the second of two tabs that arrange at the same time', async ({
  page,
  context,
  text,
  startNewcomer,
}) => {
  await startNewcomer(page, 'Nor Aini')
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/dashboard')
    await button(tab, text('dashboardPage.arrange.open')).click()
    await expect(rows(tab).first()).toBeVisible()
  }
  const last = (tab: Page) => rows(tab).last().getByRole('button').nth(1)
  await last(page).click()
  await expect(rows(page).last()).not.toHaveAttribute('data-kind', 'banner')
  await last(other).click()
  await expect(other.getByText(text('dashboardPage.arrange.conflict'))).toBeVisible()
  await expect(rows(other).last()).not.toHaveAttribute('data-kind', 'banner')
})
