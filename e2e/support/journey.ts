import { readFileSync } from 'node:fs'
import { test as base, expect, type Page } from '@playwright/test'
import { findViolations } from './accessibility.ts'

type Language = 'en' | 'cn_zh'
type Texts = { [key: string]: string | Texts }
/** A text of the locale files in the project's language, so that one journey speaks both. */
export type Text = (key: string, vars?: Record<string, string | number>) => string

const locales = new URL('../../web/public/locales/', import.meta.url)

function getTexts(language: Language): Text {
  const texts = JSON.parse(readFileSync(new URL(`${language}/global.json`, locales), 'utf8')) as Texts
  const plural = new Intl.PluralRules(language === 'cn_zh' ? 'zh-CN' : 'en')
  const at = (key: string) =>
    key
      .split('.')
      .reduce<string | Texts | undefined>((here, part) => (typeof here === 'object' ? here[part] : here), texts)
  return (key, vars = {}) => {
    const value = at(key) ?? at(`${key}_${plural.select(Number(vars.count))}`)
    if (typeof value !== 'string') throw new Error(`no text ${key} in ${language}`)
    return value.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(vars[name] ?? ''))
  }
}

type Mail = { to: string[]; subject: string }

type Journey = {
  language: Language
  text: Text
  /** Somebody else at a device of their own: another browser without anything of the first one's. */
  someoneElse: () => Promise<Page>
  /**
   * The six digits in the latest mail of a kind (a key of `mail.*`) to an address, waiting for it; `besides` skips a
   * code that is known already.
   */
  codeTo: (address: string, kind: string, besides?: string) => Promise<string>
  /** No violation of WCAG 2.2 AA on the page as it is, in light and dark. */
  checkAccess: (page: Page, name: string) => Promise<void>
}

export const test = base.extend<Journey>({
  baseURL: async ({ browserName: _ }, use) => use(process.env.WAYBILL_URL),
  language: async ({ locale }, use) => use(locale?.startsWith('zh') ? 'cn_zh' : 'en'),
  text: async ({ language }, use) => use(getTexts(language)),
  page: async ({ page, language }, use) => {
    await speak(page, language)
    await use(page)
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
    await use(async (address, kind, besides) => {
      const subject = new RegExp(text(`mail.${kind}.subject`, { code: '(\\d{6})', appName: '.*' }))
      let code: string | undefined
      await expect
        .poll(async () => {
          const { items } = (await (await request.get(`${baseURL}/demo/mailbox.json`)).json()) as { items: Mail[] }
          const codes = items.filter((mail) => mail.to.includes(address)).map((mail) => subject.exec(mail.subject)?.[1])
          code = codes.find((candidate) => candidate !== undefined && candidate !== besides)
          return code
        }, shortWaits)
        .toMatch(/^\d{6}$/)
      return code ?? ''
    })
  },
  checkAccess: async ({ browserName: _ }, use) => {
    await use(async (page, name) => {
      expect(await findViolations(page), name).toEqual([])
    })
  },
})

/** The language that this visitor chose before: the portal remembers it in local storage. */
async function speak(page: Page, language: Language): Promise<void> {
  await page.addInitScript((choice) => {
    if (location.protocol.startsWith('http')) localStorage.setItem('lang', choice)
  }, language)
}

export { expect } from '@playwright/test'

/** A mail comes within a tenth of a second; Playwright would look again after a half. */
const shortWaits = { intervals: [50] }

let serial = 0

/** An address that no other journey has. */
export function freshAddress(): string {
  serial += 1
  return `person-${process.pid}-${Date.now()}-${serial}@example.test`
}
