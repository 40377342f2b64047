import { randomBytes } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import type { Locale } from '@waybill/contract/ground/constants'
import { findViolations } from './accessibility.ts'
import { fundWallet, openAccount } from './newcomer.ts'
import { getTexts, type Text } from './texts.ts'

type Mail = { to: string[]; subject: string }

type Journey = {
  language: Locale
  text: Text
  /** Another user on another device: a separate browser context. */
  someoneElse: () => Promise<Page>
  /**
   * The six digits in the latest mail of a kind (a key of `mail.*`) to an address, once it arrives. `knownCode` is an
   * earlier code to skip.
   */
  codeTo: (address: string, kind: string, knownCode?: string) => Promise<string>
  /** Opens an account and signs the page in, which must then be opened. Returns the email address. */
  startNewcomer: (page: Page, name?: string) => Promise<string>
  /** `startNewcomer`, with a PIN and 150 ringgit in the wallet. */
  startFundedNewcomer: (page: Page) => Promise<void>
  /** Expects no violation of WCAG 2.2 AA on the current page, in light and dark. */
  checkAccess: (page: Page, name: string) => Promise<void>
}

export const test = base.extend<Journey>({
  baseURL: async ({ browserName: _ }, use) => use(process.env.WAYBILL_URL),
  // Limits of sign-ins and registrations are for each IP address.
  extraHTTPHeaders: async ({ browserName: _ }, use) => use({ 'x-forwarded-for': freshIp() }),
  language: async ({ locale }, use) => use(locale?.startsWith('zh') ? 'cn_zh' : 'en'),
  text: async ({ language }, use) => use(getTexts(language)),
  page: async ({ page, language }, use) => {
    await speak(page, language)
    await use(page)
    // A response that a route still fetches would fail the test after its end.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  someoneElse: async ({ browser, language }, use) => {
    const pages: Page[] = []
    await use(async () => {
      const page = await (await browser.newContext()).newPage()
      await speak(page, language)
      pages.push(page)
      return page
    })
    for (const page of pages) await page.context().close()
  },
  codeTo: async ({ request, baseURL, text }, use) => {
    await use(async (address, kind, knownCode) => {
      const subject = new RegExp(text(`mail.${kind}.subject`, { code: '(\\d{6})', appName: '.*' }))
      let code: string | undefined
      await expect
        .poll(async () => {
          const { items } = (await (await request.get(`${baseURL}/demo/mailbox.json`)).json()) as { items: Mail[] }
          const codes = items.filter((mail) => mail.to.includes(address)).map((mail) => subject.exec(mail.subject)?.[1])
          code = codes.find((candidate) => candidate !== undefined && candidate !== knownCode)
          return code
        }, shortWaits)
        .toMatch(/^\d{6}$/)
      return code ?? ''
    })
  },
  startNewcomer: async ({ codeTo, language }, use) => {
    await use((page, name) => openAccount(page, codeTo, language, name))
  },
  startFundedNewcomer: async ({ codeTo, startNewcomer }, use) => {
    await use(async (page) => fundWallet(page, codeTo, await startNewcomer(page)))
  },
  checkAccess: async ({ browserName: _ }, use) => {
    await use(async (page, name) => {
      expect(await findViolations(page), name).toEqual([])
    })
  },
})

/** The previously selected language of this visitor: the portal stores it in local storage. */
async function speak(page: Page, language: Locale): Promise<void> {
  await page.addInitScript((choice) => {
    if (location.protocol.startsWith('http')) localStorage.setItem('lang', choice)
  }, language)
}

export { expect } from '@playwright/test'

/** A mail arrives within a tenth of a second; Playwright's default would poll after half a second. */
const shortWaits = { intervals: [50] }

/** An IP address that no other journey uses. */
const freshIp = () => `10.${[...randomBytes(3)].join('.')}`
