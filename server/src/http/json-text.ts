import type { Locale } from '@waybill/contract/ground/constants'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Translations } from '../lib/i18n.ts'
import { mayHaveErased, showErased } from '../lib/text/erased.ts'

/** A response whose JSON text already exists: `route()` sends it unchanged. `T` is the type of its content. */
export class JsonText<T> {
  readonly text: string
  declare readonly value: T

  constructor(text: string) {
    this.text = text
  }
}

/** Writes responses as JSON, with the caller's words in place of the marks of erased texts. */
export function registerJson(
  app: FastifyInstance,
  readLocale: (request: FastifyRequest) => Locale,
  translations: Translations,
): void {
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.addHook('onSend', (request, _reply, payload, done) => {
    const hasMarks = typeof payload === 'string' && mayHaveErased(payload)
    done(null, hasMarks ? showErased(payload, translations(readLocale(request))) : payload)
  })
}
