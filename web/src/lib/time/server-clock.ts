/** The server's time when `performance.now()` was 0; 0 before the first response. */
let serverOrigin = 0

/**
 * Reads the server's time from a response. The latest origin is the right one: a cached response has an earlier time,
 * and `performance.now()` stands still while some devices sleep.
 */
export function noteServerTime({ headers }: Response): void {
  const origin = Date.parse(headers.get('date') ?? '') - performance.now()
  if (origin > serverOrigin) serverOrigin = origin
}

/**
 * The server's time in milliseconds since 1970, because the clock of a device may be minutes wrong. It is the device's
 * time before the first response, and if a proxy hides the header.
 */
export const serverNow = () => (serverOrigin ? serverOrigin + performance.now() : Date.now())
