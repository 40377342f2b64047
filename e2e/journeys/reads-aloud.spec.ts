import { expect, test } from '../support/journey.ts'
import { expectOrientation, type Line, listen } from '../support/screen-checks.ts'
import { button, heading, openPrice, payWithPin, writePricedParcel } from '../support/steps.ts'

/*
 * New parcel and checkout as a screen reader presents them: by the accessibility tree, not by appearance. axe finds
 * invalid markup; this test finds parts that are in the wrong order, have no name, or are missing.
 */

/** Expects the parts in this order, possibly with other lines between them. */
function expectOrder(lines: readonly Line[], parts: readonly (string | RegExp)[]): void {
  let from = 0
  for (const part of parts) {
    const isPart = (line: Line) => (typeof part === 'string' ? line.includes(part) : part.test(line))
    const at = lines.slice(from).findIndex(isPart)
    expect(at, `${part} is not read after line ${from} of:\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
    from += at + 1
  }
}

test('a screen reader goes through new parcel and checkout', async ({ page, text, startFundedNewcomer }) => {
  await startFundedNewcomer(page)

  await test.step('reads the four steps in order, and the place of the sender', async () => {
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

  await test.step('reads the services as one group of choices, each with its price', async () => {
    await writePricedParcel(page, text)
    const lines = await listen(page)
    expectOrientation(lines)
    expectOrder(lines, [`group "${text('newParcel.service')}"`, /^radio ".*RM\s?\d.*\[checked\]/])
    await openPrice(page, text)
    const withPrice = await listen(page)
    expectOrientation(withPrice)
    expectOrder(withPrice, [text('newParcel.price'), /RM\s?\d/, `button "${text('newParcel.action.pay')}"`])
  })

  await test.step('focuses the heading of the checkout, and reads how to pay, how much and for what', async () => {
    await button(page, text('newParcel.action.pay')).filter({ visible: true }).click()
    await expect(heading(page, text('checkout.title'))).toBeFocused()
    await expect(page.getByRole('radio', { checked: true })).toBeVisible()
    // The preselection takes the focus neither to a field nor to the body.
    await expect(heading(page, text('checkout.title'))).toBeFocused()
    const lines = await listen(page)
    expectOrientation(lines)
    const digits = [1, 6].map((position) => text('format.digitOf', { label: text('checkout.pin'), position, count: 6 }))
    const [pay = ''] = text('checkout.pay', { amount: '|' }).split('|')
    expectOrder(lines, [
      `heading "${text('checkout.title')}" [level=1]`,
      `heading "${text('checkout.how')}" [level=2]`,
      `group "${text('checkout.how')}"`,
      new RegExp(`radio ".*${text('checkout.balance', { amount: '.*', worth: '.*' })}`),
      ...digits.map((digit) => `textbox "${digit}"`),
      new RegExp(`^button "${pay}`),
      `heading "${text('checkout.howMuch')}" [level=2]`,
      `heading "${text('checkout.what')}" [level=2]`,
    ])
  })

  await test.step('focuses the heading that confirms the payment', async () => {
    await payWithPin(page, text)
    await expect(heading(page, text('checkout.doneTitle'))).toBeFocused()
    expectOrientation(await listen(page))
  })
})
