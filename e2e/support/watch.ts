import { expect, type Page, type Request } from '@playwright/test'

/** The errors of a page, and its requests. */
export type Watched = {
  problems: string[]
  /** Resolves when no request is pending and the page has shown the last answer without sending another request. */
  waitForQuiet: () => Promise<void>
}

/** Streams stay open while the page is visible. */
const isStream = (request: Request) => request.headers().accept === 'text/event-stream'

/** Resolves when the page has shown what its scripts have changed so far. */
export async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Collects console and script errors, and refused and failed requests. Call it before the page is opened. */
export function watch(page: Page): Watched {
  const problems: string[] = []
  const open = new Set<Request>()
  let requestCount = 0
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (isStream(request)) return
    open.add(request)
    requestCount += 1
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => {
    open.delete(request)
    // Leaving a page aborts its pending requests.
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.method()} ${request.url()}: ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  // A document's pending requests end with it.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) open.clear()
  })
  const waitForQuiet = () =>
    expect(async () => {
      expect([...open].map((request) => request.url())).toEqual([])
      const before = requestCount
      await waitForPaint(page)
      expect(requestCount).toBe(before)
    }).toPass({ intervals: [20], timeout: 15_000 })
  return { problems, waitForQuiet }
}
