/**
 * `npm run pictures`: retakes the pictures of README.md from a new demo (or the one at WAYBILL_URL), into
 * docs/pictures.
 */
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from './support/chromium.ts'
import startDemo from './support/server.ts'

const folder = join(import.meta.dirname, '../docs/pictures')
const password = 'waybill-demo'

type Picture = {
  file: string
  /** Null for a visitor who is not signed in. */
  who: { login: string; email: string } | null
  path: (numbers: Numbers) => string
  width: number
  height: number
  language: 'en' | 'cn_zh'
  /** Actions before the picture is taken. */
  before?: (page: Page) => Promise<void>
}

/** A parcel of the demo that is out for delivery. */
type Numbers = { id: string; trackingNumber: string }

const aisyah = { login: '/api/customer/auth/login', email: 'aisyah@example.com' }
const counter = { login: '/api/staff/auth/login', email: 'kl@waybill.example' }
const desktop = { width: 1440, height: 900, language: 'en' } as const

const pictures: readonly Picture[] = [
  { ...desktop, file: 'dashboard.png', who: aisyah, path: () => '/dashboard', height: 1010, before: waitForChart },
  { ...desktop, file: 'parcel.png', who: aisyah, path: ({ id }) => `/parcels/${id}` },
  {
    ...desktop,
    file: 'new-parcel.png',
    who: aisyah,
    height: 1260,
    path: ({ id }) => `/parcels/new?repeat=${id}`,
    before: waitForPrice,
  },
  { ...desktop, file: 'scan.png', who: counter, path: () => '/staff/scan' },
  {
    file: 'tracking-phone.png',
    who: null,
    path: ({ trackingNumber }) => `/public/track-parcels?no=${trackingNumber}`,
    ...{ width: 390, height: 844, language: 'cn_zh' },
  },
]

const stopDemo = await startDemo()
const address = process.env.WAYBILL_URL ?? ''
const browser = await chromium.launch(await findChromium())
try {
  const numbers = await parcelOnItsWay()
  for (const picture of pictures) {
    await take(browser, picture, numbers)
    console.log(picture.file)
  }
} finally {
  await browser.close()
  await stopDemo()
}

/** The session in the format in which the web app stores it. */
async function signIn({ login, email }: { login: string; email: string }) {
  const answer = await fetch(address + login, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`${email} can't sign in: ${answer.status}`)
  return (await answer.json()) as { user: object; token: string; refreshToken: string }
}

async function parcelOnItsWay(): Promise<Numbers> {
  const { token } = await signIn(aisyah)
  const answer = await fetch(`${address}/api/customer/parcels?tab=moving&limit=200`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await answer.json()) as { items: (Numbers & { status: string })[] }
  const parcel = items.find(({ status }) => status === 'delivering') ?? items[0]
  if (!parcel) throw new Error('the demo has no parcel on its way')
  return parcel
}

async function take(from: Browser, picture: Picture, numbers: Numbers): Promise<void> {
  const { width, height, language, who } = picture
  const context = await from.newContext({
    viewport: { width, height },
    locale: language === 'en' ? 'en-MY' : 'zh-CN',
    timezoneId: 'Asia/Kuala_Lumpur',
    colorScheme: 'light',
  })
  const page = await context.newPage()
  const session = { lang: language, session: who ? await signIn(who) : null }
  await page.addInitScript(({ lang, session }) => {
    localStorage.setItem('lang', lang)
    if (!session) return
    localStorage.setItem('u', JSON.stringify(session.user))
    localStorage.setItem('t', session.token)
    localStorage.setItem('rt', session.refreshToken)
  }, session)
  await page.goto(address + picture.path(numbers))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await picture.before?.(page)
  await page.mouse.move(0, 0)
  await settled(page)
  await page.screenshot({ path: join(folder, picture.file) })
  await context.close()
}

/**
 * Waits until fonts and pictures are loaded, and three screenshots in a row are equal. (Live event streams never end,
 * so an idle network cannot be the criterion.)
 */
async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.waitForFunction(
    () => document.fonts.status === 'loaded' && [...document.images].every((image) => image.complete),
  )
  for (let same = 1, last = await page.screenshot(); same < 3; ) {
    const now = await page.screenshot()
    same = now.equals(last) ? same + 1 : 1
    last = now
  }
}

/** The price of a parcel that is shipped again appears a moment later. */
async function waitForPrice(page: Page): Promise<void> {
  await page.getByRole('complementary').getByText('Total').waitFor()
}

/** The chart library is loaded after the page. */
async function waitForChart(page: Page): Promise<void> {
  await page.locator('figure canvas').first().waitFor()
}
