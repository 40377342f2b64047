import type { Page, Route } from '@playwright/test'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { logins } from '../support/screens.ts'
import { heading, startSession } from '../support/steps.ts'
import { waitForPaint, watch } from '../support/watch.ts'

/** The limit of a good page (web.dev/cls): the sum of what moved without the user's doing. */
const goodShift = 0.1

/** Answers come one by one, and the page shows each before the next one comes, the last request's first. */
async function answerOneByOne(page: Page): Promise<void> {
  const waiting: Route[] = []
  let isAnswering = false
  const answerAll = async () => {
    for (let route = waiting.pop(); route; route = waiting.pop()) {
      await route.fulfill({ response: await route.fetch() })
      await waitForPaint(page)
    }
    isAnswering = false
  }
  await page.route('**/api/**', async (route) => {
    if (route.request().headers().accept === 'text/event-stream') return route.abort()
    waiting.push(route)
    // The page may have sent several requests at once.
    if (isAnswering) return
    isAnswering = true
    await waitForPaint(page)
    await answerAll()
  })
}

type Shift = { value: number; what: string[] }

/** Records what moves on every page that is opened from now on. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const name = ({ node, previousRect, currentRect }: Entry['sources'][number]) => {
      const element = node instanceof Element ? node : node?.parentElement
      const text = element?.textContent?.slice(0, 30)
      const [from, to] = [previousRect, currentRect].map(({ x, y }) => `${x},${y}`)
      return `${element?.tagName} "${text}" from ${from} to ${to}`
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[])
        if (!entry.hadRecentInput) shifts.push({ value: entry.value, what: entry.sources.map(name) })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const pages = [
  { path: '/reports', email: logins.company.email },
  { path: '/users', email: logins.company.email },
  { path: '/cod', email: logins.company.email },
  { path: '/wallet', email: logins.company.email },
  { path: '/preferences', email: logins.company.email },
  { path: '/statements', email: logins.company.email },
  { path: '/address-book', email: logins.company.email },
  { path: '/wallet', email: logins.individual.email },
  { path: '/address-book', email: logins.individual.email },
  { path: '/public/stations', email: null },
]

for (const { path, email } of pages) {
  test(`${path} of ${email ?? 'a visitor'} does not move while its answers come`, async ({ page }) => {
    if (email) await startSession(page, email)
    await answerOneByOne(page)
    await recordShifts(page)
    const watched = watch(page)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await watched.waitForQuiet()
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThan(goodShift)
  })
}

test('the navigation shows a screen that the user had last time, before the answer that decides it', async ({
  page,
  text,
}) => {
  await startSession(page, logins.company.email)
  // A phone has it behind a button of the bar.
  const link = page.locator('nav a[href="/cod"]')
  await page.goto('/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  await expect(link).toHaveCount(1)
  const release = await holdRequests(page, '**/api/customer/cod?*')
  await page.reload()
  await expect(link).toHaveCount(1)
  release()
})
