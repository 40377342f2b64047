import type { Page, Request } from '@playwright/test'

/** A page that is being listened to: what went wrong on it, and whether it still waits for something. */
export type Watched = { problems: string[]; waiting: () => number }

/** Streams stay open as long as the page is looked at. */
const isStream = (request: Request) => request.headers().accept === 'text/event-stream'

/** Collects errors of the console and of scripts, refused and failed requests. Call it before the page is opened. */
export function watch(page: Page): Watched {
  const problems: string[] = []
  const open = new Set<Request>()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (!isStream(request)) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => {
    open.delete(request)
    // Leaving a page ends what it still asks for.
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.method()} ${request.url()}: ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  // What a document asked for ends with it.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) open.clear()
  })
  return { problems, waiting: () => open.size }
}
