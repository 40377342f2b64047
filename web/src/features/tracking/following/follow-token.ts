/*
 * The token that ends following, kept by a browser that follows a parcel. The tracking page clears local storage
 * whenever it loads, so the token is in the cache storage. If the browser forbids that, following can be ended through
 * the message itself.
 */
const cacheName = 'following'
const toUrl = (number: string) => `/following/${number}`

/** Null: this browser does not follow the parcel. Never throws. */
export async function findFollowToken(number: string): Promise<string | null> {
  try {
    const response = await (await caches.open(cacheName)).match(toUrl(number))
    return response ? await response.text() : null
  } catch {
    return null
  }
}

/** Stores the token, or removes it with null. Never throws. */
export async function storeFollowToken(number: string, token: string | null): Promise<void> {
  try {
    const cache = await caches.open(cacheName)
    if (token === null) await cache.delete(toUrl(number))
    else await cache.put(toUrl(number), new Response(token))
  } catch {
    // Forbidden or full, as above.
  }
}
