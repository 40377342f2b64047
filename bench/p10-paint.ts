import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { login, type Session } from '@waybill/contract/accounts/sign-in'
import { findChromium } from '../e2e/support/chromium.ts'
import { demoPassword } from '../server/src/demo/story/logins.ts'
import { alone, type Figure, median } from './results.ts'

const rounds = 3

/** A slow phone on a slow network: 1.6 Mbit/s downstream, 150 ms latency, a quarter of this processor's speed. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
}
const processorSlowdown = 4

const pages: readonly ScreenToPaint[] = [
  {
    id: 'tracking',
    what: 'public tracking page',
    path: (number: string) => `/public/track-parcels?no=${number}`,
    shown: 'article',
    coldSeconds: 1.5,
  },
  { id: 'sign-in', what: 'sign-in page', path: () => '/login', shown: 'input[type=password]', coldSeconds: 1.5 },
  {
    id: 'new parcel',
    what: 'new-parcel screen',
    path: () => '/parcels/new',
    shown: '#step-to input',
    signedIn: true,
    coldSeconds: 2.2,
    warmSeconds: 1,
  },
]

type ScreenToPaint = {
  id: string
  what: string
  path: (trackingNumber: string) => string
  /** The element that must be visible. */
  shown: string
  signedIn?: true
  /** Goals for the largest contentful paint, in seconds. */
  coldSeconds: number
  warmSeconds?: number
}

async function signIn(address: string): Promise<Session> {
  const answer = await fetch(`${address}${login.path}`, {
    method: login.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'aisyah@example.com', password: demoPassword }),
  })
  return (await answer.json()) as Session
}

/** The session in the format that the web app stores, with its short keys. */
async function keepSession(page: Page, session: Session): Promise<void> {
  await page.addInitScript(({ user, token, refreshToken }) => {
    localStorage.setItem('u', JSON.stringify(user))
    localStorage.setItem('t', token)
    localStorage.setItem('rt', refreshToken)
  }, session)
}

/**
 * P10, paint: the largest contentful paint and the layout shift of pages on a throttled phone. Cold is a first visit
 * with an empty cache; warm is the next visit of the same browser.
 */
export async function p10Paint(address: string, trackingNumber: string): Promise<Figure[]> {
  const browser = await chromium.launch(await findChromium())
  try {
    const figures: Figure[] = []
    for (const { id, what, path, shown: selector, signedIn, coldSeconds, warmSeconds } of pages) {
      const shifts: number[] = []
      const paints: { cold: number[]; warm: number[] } = { cold: [], warm: [] }
      for (let round = 0; round < rounds; round += 1) {
        const context = await browser.newContext({
          viewport: { width: 390, height: 844 },
          isMobile: true,
          hasTouch: true,
        })
        const session = signedIn && (await signIn(address))
        const url = address + path(trackingNumber)
        const cold = await visit(context, url, selector, session)
        paints.cold.push(cold.largestPaintMs)
        shifts.push(cold.layoutShift)
        if (warmSeconds) paints.warm.push((await visit(context, url, selector, session)).largestPaintMs)
        await context.close()
      }
      figures.push(
        alone({
          id: `P10 ${id} paint`,
          what: `largest paint of the ${what} on a throttled phone`,
          ours: median(paints.cold) / 1000,
          unit: 's',
          goal: { compare: 'at most', value: coldSeconds },
        }),
        alone({
          id: `P10 ${id} shift`,
          what: `layout shift of the ${what}`,
          ours: median(shifts),
          unit: '',
          goal: { compare: 'at most', value: 0.05 },
        }),
      )
      if (warmSeconds) {
        figures.push(
          alone({
            id: `P10 ${id} warm paint`,
            what: `largest paint of the ${what} on a throttled phone, second visit`,
            ours: median(paints.warm) / 1000,
            unit: 's',
            goal: { compare: 'at most', value: warmSeconds },
          }),
        )
      }
    }
    return figures
  } finally {
    await browser.close()
  }
}

type Visit = { largestPaintMs: number; layoutShift: number }

/** Opens a page in a new tab, waits until its main content is visible, and closes the tab. */
async function visit(
  context: BrowserContext,
  url: string,
  selector: string,
  session: Session | undefined,
): Promise<Visit> {
  const page = await context.newPage()
  if (session) await keepSession(page, session)
  await page.addInitScript(() => {
    const figures = { largestPaintMs: 0, layoutShift: 0 }
    Object.assign(window, { figures })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) figures.largestPaintMs = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) figures.layoutShift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', network)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown })
  await page.goto(url)
  await page.locator(selector).first().waitFor()
  // Fonts may still move something. The network never becomes idle, because the page keeps an event stream open.
  await page.evaluate(() => document.fonts.ready)
  const figures = await page.evaluate(() => (window as unknown as { figures: Visit }).figures)
  await page.close()
  return figures
}
