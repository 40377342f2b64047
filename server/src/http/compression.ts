/**
 * Compresses JSON, HTML and other text if the client accepts it.
 *
 * BREACH: the length of a compressed response reveals a secret in it to an attacker who can make a browser send
 * requests with the victim's credentials. No page of another site can: credentials are bearer tokens, never cookies.
 * Responses with tokens are also smaller than `leastBytes`, so they are never compressed.
 */
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Smaller responses need as many packets, and compressing costs more time than it saves. */
const leastBytes = 4096

const textTypes = /^(application\/(json|xml|zpl|x-yaml)|text\/(?!event-stream)|image\/svg)/

type Encoding = 'br' | 'gzip'

const packers = {
  // Level 4 is as fast as gzip and smaller. The default, 11, is for files that are compressed once.
  br: (body: Buffer, done: (error: Error | null, packed: Buffer) => void) =>
    brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (body: Buffer, done: (error: Error | null, packed: Buffer) => void) => gzip(body, { level: 6 }, done),
}

/** The best encoding that the client accepts; null: none. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | null {
  const accepted = new Map(
    (acceptEncoding ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)]
    }),
  )
  const takes = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

/** Streams are not compressed: events must arrive at once, and streamed files are compressed already. */
function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  if (payload.length < leastBytes || request.method === 'HEAD' || reply.hasHeader('content-encoding')) return false
  return textTypes.test(String(reply.getHeader('content-type') ?? ''))
}

/**
 * Compresses in Node's thread pool, so that the event loop stays free. Register it before hooks that need the plain
 * body.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) {
      done(null, payload)
      return
    }
    const vary = reply.getHeader('vary')
    reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (!encoding) {
      done(null, payload)
      return
    }
    packers[encoding](Buffer.from(payload), (error, packed) => {
      if (error) {
        done(error)
        return
      }
      reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, packed)
    })
  })
}
