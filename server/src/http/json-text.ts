import type { Locale } from '@waybill/contract/ground/constants'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Translations } from '../lib/i18n.ts'
import { mayHaveErased, showErased } from '../lib/text/erased.ts'
import { AppError } from './errors.ts'

/** The maximum number of values in a body: enough for ten thousand pasted rows with every column filled. */
export const maxValues = 500_000

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
 * too many values is refused before it is parsed: millions of empty lists would block the event loop for a second.
 */
export function registerJson(
  app: FastifyInstance,
  readLocale: (request: FastifyRequest) => Locale,
  translations: Translations,
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (hasTooManyValues(body)) done(new AppError('too_large'))
    else parse(request, body, done)
  })
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.addHook('onSend', (request, _reply, payload, done) => {
    const hasMarks = typeof payload === 'string' && mayHaveErased(payload)
    done(null, hasMarks ? showErased(payload, translations(readLocale(request))) : payload)
  })
}

/** Counts the commas between values: there are more values than that. Texts may contain commas, too. */
function hasTooManyValues(text: string): boolean {
  // A value and its comma are two characters.
  if (text.length < 2 * maxValues) return false
  let count = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isInText = !isInText
    else if (isInText && character === '\\') at += 1
    else if (!isInText && character === ',') count += 1
    if (count > maxValues) return true
  }
  return false
}
