import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fundWallet, startNewcomer } from '../support/newcomer.ts'
import { button, heading, openPrice, payWithPin, seePrice, writeParcel } from '../support/steps.ts'

/*
 * New parcel and checkout as a screen reader goes through them: by the accessibility tree, not by what is seen. Axe
 * finds wrong markup; this finds a page whose parts come in the wrong order, have no name, or are not there at all.
 */

/** One line of the accessibility tree: `radio "E-parcel RM 12.20" [checked]`. */
type Line = string

async function listen(page: Page): Promise<readonly Line[]> {
  const tree = await page.locator('body').ariaSnapshot()
  return tree.split('\n').map((line) => line.replace(/^\s*- /, ''))
}

/** What users act on, and pictures, have names; headings go down by one level at a time. */
function expectOrientation(lines: readonly Line[]): void {
  const needsName = /^(button|link|textbox|combobox|checkbox|radio|spinbutton|searchbox|img|dialog)(?=$|:| \[)/
  expect(lines.filter((line) => needsName.test(line))).toEqual([])
  const levels = lines.flatMap((line) => /^heading .*\[level=(\d)\]/.exec(line)?.[1] ?? []).map(Number)
  expect(levels.filter((level) => level === 1)).toHaveLength(1)
  const main = levels.slice(levels.indexOf(1))
  expect(main.filter((level, n) => level > (main[n - 1] ?? 0) + 1)).toEqual([])
}

/** The parts come in this order, whatever lies between them. */
function expectOrder(lines: readonly Line[], parts: readonly (string | RegExp)[]): void {
  let from = 0
  for (const part of parts) {
    const isPart = (line: Line) => (typeof part === 'string' ? line.includes(part) : part.test(line))
    const at = lines.slice(from).findIndex(isPart)
    expect(at, `${part} is not read after line ${from} of:\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
    from += at + 1
  }
}

test('a screen reader goes through new parcel and checkout', async ({ page, text, codeTo, language }) => {
  const email = await startNewcomer(page, codeTo, language)
  await fundWallet(page, codeTo, email)

  await test.step('hears the four steps in their order, and where the sender is written', async () => {
    await page.goto('/parcels/new')
    await expect(page.getByRole('main').getByRole('combobox').first()).toBeVisible()
    const lines = await listen(page)
    expectOrientation(lines)
    const steps = ['from', 'to', 'what', 'how'].map((step) => text(`newParcel.step.${step}`))
    expectOrder(lines, [
      `link "${text('app.skip')}"`,
      `heading "${text('newParcel.title')}" [level=1]`,
      ...steps.map((step) => new RegExp(`^heading ".*${step}.*"`)),
    ])
  })

  await test.step('hears services as one group of choices, each with its price', async () => {
    await writeParcel(page, text)
    await seePrice(page, text)
    const lines = await listen(page)
    expectOrientation(lines)
    expectOrder(lines, [`group "${text('newParcel.service')}"`, /^radio ".*RM\s?\d.*\[checked\]/])
    await openPrice(page, text)
    const withPrice = await listen(page)
    expectOrientation(withPrice)
    expectOrder(withPrice, [text('newParcel.price'), /RM\s?\d/, `button "${text('newParcel.action.pay')}"`])
  })

  await test.step('arrives at the heading of the checkout, and hears how to pay, how much and what', async () => {
    await button(page, text('newParcel.action.pay')).filter({ visible: true }).click()
    await expect(heading(page, text('checkout.title'))).toBeFocused()
    await expect(page.getByRole('radio', { checked: true })).toBeVisible()
    const lines = await listen(page)
    expectOrientation(lines)
    const digits = [1, 6].map((position) => text('format.digitOf', { label: text('checkout.pin'), position, count: 6 }))
    const [pay = ''] = text('checkout.pay', { amount: '|' }).split('|')
    expectOrder(lines, [
      `heading "${text('checkout.title')}" [level=1]`,
      `heading "${text('checkout.how')}" [level=2]`,
      `group "${text('checkout.how')}"`,
      /^radio ".*\[checked\]/,
      ...digits.map((digit) => `textbox "${digit}"`),
      new RegExp(`^button "${pay}`),
      `heading "${text('checkout.howMuch')}" [level=2]`,
      `heading "${text('checkout.what')}" [level=2]`,
    ])
  })

  await test.step('arrives at the heading that says it is paid', async () => {
    await payWithPin(page, text)
    await expect(heading(page, text('checkout.doneTitle'))).toBeFocused()
    expectOrientation(await listen(page))
  })
})
