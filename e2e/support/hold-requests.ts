import type { Page } from '@playwright/test'

/**
 * Holds the requests to a URL until the returned function is called. What the user does meanwhile comes before their
 * answers, however slow the machine is; after a delay it might not. `method`: only requests of this method are held.
 */
export async function holdRequests(page: Page, url: string | RegExp, method?: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    await released.promise
    await route.continue()
  })
  return released.resolve
}
