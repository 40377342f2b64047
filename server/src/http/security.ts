/** Security headers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'

const unusedFeatures = [
  'accelerometer',
  'display-capture',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
const permissions = ['camera=(self)', 'geolocation=(self)', ...unusedFeatures.map((feature) => `${feature}=()`)].join(
  ', ',
)

/**
 * The security headers of this deployment. Scripts load only from the portal's own origin. Inline styles are allowed,
 * because Mantine writes style attributes. Forms may be posted to the payment gateway. Pictures may also come from the
 * host of the map's tiles.
 */
export function securityHeaders(config: Config, tileUrl: string | null = null): ReadonlyMap<string, string> {
  const gateway = new URL(config.ipay88.entryUrl).origin
  const tileHosts = tileUrl === null ? [] : [new URL(tileUrl).origin]
  const hosts = [config.http.apiHost, config.http.fileHostUrl].filter((host) => host !== undefined)
  const https = config.http.publicUrl.startsWith('https:')
  const headers = computeHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // WebAssembly is allowed for the barcode reader of the camera; `eval` and foreign scripts are not.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileHosts, ...hosts],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...hosts],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'", gateway],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // Old browsers alone read these.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  // The camera reads barcodes; the location finds nearby stations. All other permissions are denied, so injected code
  // has none either.
  headers.set('permissions-policy', permissions)
  return headers
}

/**
 * The headers with the current host of the map tiles. The host is a setting; the headers are recomputed only when it
 * changes.
 */
export function followTileHost({ config, settings }: Deps): () => ReadonlyMap<string, string> {
  const tileUrl = () => settings.get('map.tileUrl')
  let current = { tileUrl: tileUrl(), headers: securityHeaders(config, tileUrl()) }
  return () => {
    const url = tileUrl()
    if (url !== current.tileUrl) current = { tileUrl: url, headers: securityHeaders(config, url) }
    return current.headers
  }
}

/** Headers that browsers read for pages only. */
const pageHeaders = ['cross-origin-opener-policy', 'origin-agent-cluster', 'permissions-policy', 'x-frame-options']

/** Leaves out what a script, style or font does not need: 0.3 kB for each of the 20 files of a first visit. */
export function removePageHeaders(response: ServerResponse): void {
  for (const name of pageHeaders) response.removeHeader(name)
}

/**
 * Leaves out the Content-Security-Policy (0.4 kB), which browsers read for pages and for the scripts of workers. The
 * build's only worker is `push-worker.js`, which keeps it.
 */
export function removePolicy(response: ServerResponse): void {
  response.removeHeader('content-security-policy')
}

/** Adds the security headers to every response. */
export function registerSecurity(app: FastifyInstance, headers: () => ReadonlyMap<string, string>): void {
  // Hooks with a callback: a promise each would take a tenth of a short request's time.
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers()) reply.raw.setHeader(name, value)
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Search engines must not index anything (specification, section 2).
    reply.header('x-robots-tag', 'noindex, nofollow')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
}

/**
 * The headers that helmet would set. They are the same for every response, so they are computed once: computing them
 * each time took a fifth of a short request's time.
 */
function computeHeaders(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>()
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  }
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error
  })
  return headers
}
