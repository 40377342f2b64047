import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/**
 * Security headers on every answer. Scripts come from ourselves only; styles may be inline, since Mantine writes element styles. Forms may also be
 * posted to the payment gateway.
 */
export async function registerSecurity(app: FastifyInstance, config: Config): Promise<void> {
  const gateway = new URL(config.ipay88.entryUrl).origin
  const hosts = [config.http.apiHost, config.http.fileHostUrl].filter((host) => host !== undefined)
  const https = config.http.publicUrl.startsWith('https:')
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // No script from elsewhere and none from text; compiled code of ours may run, for the camera that reads barcodes.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https://tile.openstreetmap.org', ...hosts],
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
  })
  app.addHook('onSend', async (_request, reply) => {
    // Search engines are told not to index anything (specification, section 2).
    reply.header('x-robots-tag', 'noindex, nofollow')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
