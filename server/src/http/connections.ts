/** Responses before or instead of a route, in the same shape as every other error. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { FastifyInstance } from 'fastify'
import type { Translations } from '../lib/i18n.ts'
import { AppError, toErrorBody } from './errors.ts'

const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
])

/**
 * For Fastify's `clientErrorHandler`. The bytes are not a valid request, so its language is unknown, and no hook runs:
 * `headers` are the security headers that every other response has.
 */
export function answerBrokenRequest(translations: Translations, headers: ReadonlyMap<string, string>) {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return (error: Error & { code: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const body = toErrorBody(new AppError(codes.get(error.code) ?? 'malformed'), translations('en'), 'en')
    const text = JSON.stringify(body)
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${body.statusCode} ${STATUS_CODES[body.statusCode]}\r\nconnection: close\r\n` +
          `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\n` +
          `cache-control: no-store\r\n${lines}\r\n${text}`,
      )
    }
    socket.destroy(error)
  }
}

/** Seconds until another process takes over. */
const takeOverSeconds = 1

/** Answers 503 to new requests on open connections once the server is stopping. */
export function rejectWhileStopping(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(stopping ? new AppError('unavailable', { retryAfter: takeOverSeconds }) : undefined)
  })
}
