import { expect, type Locator, type Page } from '@playwright/test'

/* The keyboard as the only input. */

/** Presses Tab until the element has the focus. Fails if the keyboard is trapped on the way. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
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
export async function expectVisibleFocus(page: Page): Promise<void> {
  const visible = await page.evaluate(() => {
    const element = document.activeElement
    if (!element) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  })
  expect(visible, `${await focused(page)} shows its focus`).toBe(true)
}

/** Reaches a control by Tab and presses Enter, with a visible focus. */
export async function pressByKey(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await expectVisibleFocus(page)
  await page.keyboard.press('Enter')
}
