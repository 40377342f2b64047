/** The server's time when `performance.now()` was 0; 0 before the first response. */
let serverOrigin = 0
/** The device's time when `performance.now()` was 0, by its clock at the latest response. */
let deviceOrigin = 0

/** Responses of a cache are older than this; delays of the network are shorter. */
const oldestResponseMs = 10_000

const getDeviceOrigin = () => Date.now() - performance.now()

/** Milliseconds of sleep since the latest response. On some devices `performance.now()` does not count them. */
const getSleep = () => Math.max(0, getDeviceOrigin() - deviceOrigin)

/** Reads the server's time from a response. The latest origin is the right one: a cached response has an older time. */
export function noteServerTime({ headers }: Response): void {
  const origin = Date.parse(headers.get('date') ?? '') - performance.now()
  if (!(origin > serverOrigin - oldestResponseMs)) return
  serverOrigin = Math.max(origin, serverOrigin)
  deviceOrigin = getDeviceOrigin()
}

/**
 * The server's time in milliseconds since 1970, because the clock of a device may be minutes wrong. It is the device's
 * time before the first response, and if a proxy hides the header.
 */
export const serverNow = () => (serverOrigin ? serverOrigin + performance.now() + getSleep() : Date.now())
