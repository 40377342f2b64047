import type { Page, Request } from '@playwright/test'

/** The errors of a page, and how long it has been idle. */
export type Watched = {
  problems: string[]
  /** Milliseconds since the last request ended; 0 while one is pending. */
  quietMs: () => number
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
  let changed = Date.now()
  const end = (request: Request) => {
    if (open.delete(request)) changed = Date.now()
  }
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (!isStream(request)) open.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', (request) => {
    end(request)
    // Leaving a page aborts its pending requests.
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.method()} ${request.url()}: ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  // A document's pending requests end with it.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    open.clear()
    changed = Date.now()
  })
  return { problems, quietMs: () => (open.size > 0 ? 0 : Date.now() - changed) }
}
