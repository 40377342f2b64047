import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { button } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/** How a device shows Chinese characters: as they are, all as the same box, or as narrow boxes with their codes. */
type Characters = 'whole' | 'same box' | 'narrow boxes'

/** Opens a page and waits until it has drawn two characters to find out whether the device has a Chinese font. */
async function openAndCheckFont(page: Page, text: Text, characters: Characters): Promise<void> {
  await page.addInitScript((deviceCharacters) => {
    const { measureText } = CanvasRenderingContext2D.prototype
    const { toDataURL } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.toDataURL = function draw() {
      document.documentElement.dataset.drawn = String(Number(document.documentElement.dataset.drawn ?? 0) + 1)
      return deviceCharacters === 'same box' ? 'an empty box' : toDataURL.call(this)
    }
    CanvasRenderingContext2D.prototype.measureText = function measure(word) {
      return deviceCharacters === 'narrow boxes' ? ({ width: 12 } as TextMetrics) : measureText.call(this, word)
    }
  }, characters)
  await page.goto('/login')
  await expect(button(page, text('auth.signIn'))).toBeVisible()
  await expect(page.locator('html[data-drawn="2"]')).toBeVisible()
}

const stylesheet = (page: Page) => page.locator('head link[rel=stylesheet][href*="wght"]')

test('uses the Chinese font of the device', async ({ page, text }) => {
  await openAndCheckFont(page, text, 'whole')
  // The link would be added right after the second character.
  await expect(stylesheet(page)).toHaveCount(0)
})

for (const characters of ['same box', 'narrow boxes'] as const) {
  test(`loads a Chinese font on a device without one: ${characters}`, async ({ page, text }) => {
    await openAndCheckFont(page, text, characters)
    await expect(stylesheet(page)).toHaveCount(1)
    const hasLoaded = () =>
      [...document.fonts].some(({ family, status }) => family.includes('Noto Sans SC') && status === 'loaded')
    await expect.poll(() => page.evaluate(hasLoaded)).toBe(true)
  })
}

test('loads data in the language of the header, which stays when the profile is saved', async ({
  page,
  text,
  startNewcomer,
  language,
}) => {
  await startNewcomer(page)
  await page.goto('/profile')
  const other =
    language === 'en'
      ? { name: '中文', lang: 'zh-CN', saved: '个人资料已保存。' }
      : { name: 'English', lang: 'en', saved: 'Your profile has been saved.' }
  await expect(page.getByText(text('profile.languageHelp'))).toBeVisible()
  const person = page.locator('form', { has: page.locator('input[name="phone"]') })
  await person.locator('input[name="name"]').fill('Lim Mei')
  const inOtherLanguage = page.waitForResponse(
    (response) =>
      response.request().method() === 'GET' && response.request().headers()['accept-language'] === other.lang,
  )
  await button(page, other.name).click()
  await expect(page.locator('html')).toHaveAttribute('lang', other.lang)
  // Responses contain texts, so they are loaded again. What the user has typed stays.
  await (await inOtherLanguage).finished()
  await expect(person.locator('input[name="name"]')).toHaveValue('Lim Mei')
  await person.locator('[type="submit"]').click()
  await expect(page.getByText(other.saved)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', other.lang)
})
