import type { Page, Request } from '@playwright/test'

/** A page that is being listened to: what went wrong on it, and for how long it has waited for nothing. */
export type Watched = {
  problems: string[]
  /** Milliseconds since the last request ended; 0 while one is under way. */
  quietMs: () => number
}

/** Streams stay open as long as the page is looked at. */
const isStream = (request: Request) => request.headers().accept === 'text/event-stream'

/** Collects errors of the console and of scripts, refused and failed requests. Call it before the page is opened. */
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
    // Leaving a page ends what it still asks for.
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.method()} ${request.url()}: ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  // What a document asked for ends with it.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    open.clear()
    changed = Date.now()
  })
  return { problems, quietMs: () => (open.size > 0 ? 0 : Date.now() - changed) }
}
