import type { Locale } from '@waybill/contract/ground/constants'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Translations } from '../lib/i18n.ts'
import { mayHaveErased, showErased } from '../lib/text/erased.ts'
import { AppError } from './errors.ts'

/** The maximum number of values in a body: enough for ten thousand pasted rows with every column filled. */
export const maxValues = 500_000
/** Texts such as addresses contain commas, too. */
const maxCommas = 1.5 * maxValues

/** A response whose JSON text already exists: `route()` sends it unchanged. `T` is the type of its content. */
export class JsonText<T> {
  readonly text: string
  declare readonly value: T

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Reads bodies as JSON, and writes responses with the caller's words in place of the marks of erased texts. A body with
 * far too many values is refused before it is parsed: millions of empty lists would block the event loop for a second.
 */
export function registerJson(
  app: FastifyInstance,
  readLocale: (request: FastifyRequest) => Locale,
  translations: Translations,
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (hasTooManyCommas(body)) done(new AppError('too_large'))
    else parse(request, body, done)
  })
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.addHook('onSend', (request, _reply, payload, done) => {
    const hasMarks = typeof payload === 'string' && mayHaveErased(payload)
    done(null, hasMarks ? showErased(payload, translations(readLocale(request))) : payload)
  })
}

function hasTooManyCommas(text: string): boolean {
  let count = 0
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) {
    count += 1
    if (count > maxCommas) return true
  }
  return false
}
