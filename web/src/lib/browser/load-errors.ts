/** Parts of the page that could not be loaded. The browser remembers a failure: only a reload loads the part. */
const failures = new WeakSet<object>()

// Not in a test without a browser.
globalThis.addEventListener?.('vite:preloadError', ({ payload }) => failures.add(payload))

/** Whether a part of the page could not be loaded, so that nothing was sent. */
export const isLoadError = (error: unknown): boolean => failures.has(error as object)
