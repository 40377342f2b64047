/**
 * `npm run sheets -- <folder> [who or part of a route …]`: pictures of every screen of a new demo (or the one at
 * WAYBILL_URL). A sheet shows a screen four times: in both languages, light and dark, at 1440 or 390 pixels. The rest
 * of a long screen goes on further sheets.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from './support/chromium.ts'
import { logins, type Screen, screenAddress, screens, type Who } from './support/screens.ts'
import startDemo from './support/server.ts'

type Session = { user: object; token: string; refreshToken: string } | null
type Look = { width: number; language: 'en' | 'cn_zh'; colorScheme: 'light' | 'dark' }

/** The height of a screen on one sheet, which makes it readable without zooming. */
const heights: Record<number, number> = { 1440: 1200, 390: 1500 }
/** Long lists are cut here, because their rows repeat. */
const maxSheets = 3
const looks = (width: number): Look[] =>
  (['en', 'cn_zh'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, language, colorScheme })),
  )

const [folder, ...filters] = process.argv.slice(2)
if (!folder) throw new Error('usage: npm run sheets -- <folder> [who or part of a route …]')
mkdirSync(folder, { recursive: true })
const stopDemo = await startDemo()
const portal = process.env.WAYBILL_URL ?? ''
const browser = await chromium.launch(await findChromium())
try {
  for (const who of Object.keys(logins) as Who[]) await takeSheetsOf(who)
} finally {
  await browser.close()
  await stopDemo()
}

async function takeSheetsOf(who: Who): Promise<void> {
  const chosen = screens.filter((screen) => screen.who === who && isChosen(screen))
  if (!chosen.length) return
  const session = await signIn(who)
  const sheets = await Promise.all([1440, 390].map((width) => Promise.all(looks(width).map(openPage(session)))))
  // A parcel's page is shown in several states, under one name.
  const names = new Map<string, number>()
  for (const screen of chosen) {
    const address = await screenAddress(screen, listItems(session))
    const name = `${who}${address}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replace(/[^\w-]+/g, '_')
    const number = names.get(name) ?? 1
    names.set(name, number + 1)
    for (const pages of sheets) {
      const columns: Buffer[][] = []
      for (const page of pages) columns.push(await takePictures(page, address))
      const width = pages[0]?.viewportSize()?.width
      for (let n = 0; columns.some((column) => column[n]); n += 1) {
        const pictures = columns.flatMap((column) => column[n] ?? [])
        await writeSheet(
          join(folder as string, `${name}${number > 1 ? `-${number}` : ''}-${width}-${n + 1}.png`),
          pictures,
          width === 390,
        )
      }
    }
    console.log(name)
  }
  for (const page of sheets.flat()) await page.context().close()
}

function isChosen({ who, route, at = route }: Screen): boolean {
  return !filters.length || filters.some((filter) => filter === who || (filter.startsWith('/') && at.includes(filter)))
}

async function signIn(who: Who): Promise<Session> {
  const login = logins[who]
  if (!login) return null
  const audience = login.email.endsWith('@waybill.example') ? 'staff' : 'customer'
  const answer = await fetch(`${portal}/api/${audience}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: login.email, password: 'waybill-demo' }),
  })
  if (!answer.ok) throw new Error(`${login.email} can't sign in: ${answer.status}`)
  return (await answer.json()) as Session
}

function listItems(session: Session) {
  return async (path: string) => {
    const answer = await fetch(portal + path, { headers: { authorization: `Bearer ${session?.token}` } })
    return ((await answer.json()) as { items: Record<string, unknown>[] }).items
  }
}

function openPage(session: Session) {
  return async ({ width, language, colorScheme }: Look): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      locale: language === 'en' ? 'en-MY' : 'zh-CN',
      timezoneId: 'Asia/Kuala_Lumpur',
      colorScheme,
      isMobile: width < 500,
      hasTouch: width < 500,
    })
    const page = await context.newPage()
    // With eight pages at the same time on a busy machine, a screen takes more than the usual 30 seconds.
    page.setDefaultTimeout(120_000)
    await page.addInitScript(
      ({ language, session }) => {
        localStorage.setItem('lang', language)
        if (!session) return
        localStorage.setItem('u', JSON.stringify(session.user))
        localStorage.setItem('t', session.token)
        localStorage.setItem('rt', session.refreshToken)
      },
      { language, session },
    )
    return page
  }
}

/** The screen from top to bottom, one picture per sheet. */
async function takePictures(page: Page, address: string): Promise<Buffer[]> {
  const width = page.viewportSize()?.width ?? 390
  await page.setViewportSize({ width, height: 900 })
  await page.goto(portal + address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy="true"]') &&
      document.fonts.status === 'loaded' &&
      [...document.images].every((image) => image.complete),
  )
  const step = heights[width] ?? 1200
  // A part that loads after the heading makes the screen longer, so the height is read again once nothing moves.
  await waitUntilStill(page)
  let height = 900
  for (let content = await readHeight(page); content > height; content = await readHeight(page)) {
    // The bar at the bottom of a phone covers the last 80 pixels.
    height = content + 80
    await page.setViewportSize({ width, height: Math.min(height, step * maxSheets) })
    await waitUntilStill(page)
    if (height > step * maxSheets) break
  }
  height = Math.min(height, step * maxSheets)
  const pictures: Buffer[] = []
  for (let y = 0; y < height; y += step)
    pictures.push(await page.screenshot({ clip: { x: 0, y, width, height: Math.min(step, height - y) } }))
  return pictures
}

/** The height of the screen's content, at least that of the viewport. */
function readHeight(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(...[document.documentElement, ...document.querySelectorAll('main')].map((part) => part.scrollHeight)),
  )
}

/** Waits until transitions and late pictures are done, so that two screenshots in a row are equal. */
async function waitUntilStill(page: Page): Promise<void> {
  for (let last = ''; ; ) {
    const picture = (await page.screenshot()).toString('base64')
    if (picture === last) return
    last = picture
  }
}

/** Two columns on a desktop, English above Chinese; all four side by side on a phone. */
async function writeSheet(path: string, pictures: Buffer[], onPhone: boolean): Promise<void> {
  const [columns, width] = onPhone ? [4, 390] : [2, 800]
  const page = await browser.newPage({ viewport: { width: columns * (width + 8), height: 900 } })
  const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
  const style = `body{margin:0;background:#f0f;display:grid;gap:8px;grid-template-columns:repeat(${columns},${width}px)}
    img{width:100%}`
  await page.setContent(`<style>${style}</style>${images.join('')}`)
  await page.screenshot({ path, fullPage: true })
  await page.close()
}
