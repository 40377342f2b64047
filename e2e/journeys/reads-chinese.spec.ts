import type { Page } from '@playwright/test'
import { expect, type Text, test } from '../support/journey.ts'
import { button } from '../support/steps.ts'

/** Opens a page and waits until it has drawn two characters to find out whether the device has a Chinese font. */
async function openAndCheckFont(page: Page, text: Text, everyCharacterIsABox: boolean): Promise<void> {
  await page.addInitScript((isBox) => {
    const draw = HTMLCanvasElement.prototype.toDataURL
    HTMLCanvasElement.prototype.toDataURL = function toDataURL() {
      document.documentElement.dataset.drawn = String(Number(document.documentElement.dataset.drawn ?? 0) + 1)
      return isBox ? 'an empty box' : draw.call(this)
    }
  }, everyCharacterIsABox)
  await page.goto('/login')
  await expect(button(page, text('auth.signIn'))).toBeVisible()
  await expect(page.locator('html[data-drawn="2"]')).toBeVisible()
}

const stylesheet = (page: Page) => page.locator('head link[rel=stylesheet][href*="wght"]')

test('uses the Chinese font of the device', async ({ page, text }) => {
  await openAndCheckFont(page, text, false)
  // The link would be added right after the second character.
  await expect(stylesheet(page)).toHaveCount(0)
})

test('loads a Chinese font on a device without one', async ({ page, text }) => {
  await openAndCheckFont(page, text, true)
  await expect(stylesheet(page)).toHaveCount(1)
  const hasLoaded = () =>
    [...document.fonts].some(({ family, status }) => family.includes('Noto Sans SC') && status === 'loaded')
  await expect.poll(() => page.evaluate(hasLoaded)).toBe(true)
})
