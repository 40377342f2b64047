/** Turns an endpoint of the contract into a route. */
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, EndpointShape, ParamsOf, QueryOf, ResponseOf, Schema } from '@waybill/contract/ground/endpoint'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { Translate } from '@waybill/contract/ground/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeParse } from 'zod/mini'
import { requestOrigin } from '../activity.ts'
import type { Deps } from '../deps.ts'
import { chooseLocale } from '../lib/i18n.ts'
import { type AnyCaller, authorize, findApiKeyGrant } from './caller.ts'
import { AppError, ContractError, validationError } from './errors.ts'
import { type Idempotency, openIdempotency, withoutKey } from './idempotency.ts'
import { JsonText, maxValues } from './json-text.ts'
import { recordRefusal } from './limits/refused-access.ts'
import { eventStreamType } from './live.ts'
import { countUploadRequest } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: AnyCaller
  }
  interface FastifyContextConfig {
    endpoint?: EndpointShape
    /** The route serves files of the web app, which the request limit does not count. */
    webFiles?: true
  }
}

/** The parameters of a handler: the parsed parts of the request and the caller. */
export type Call<E extends EndpointShape> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  caller: AnyCaller
  locale: Locale
  t: Translate
  /** Only on idempotent endpoints: the service stores its response in its own transaction. */
  idempotency: Idempotency
  request: FastifyRequest
  reply: FastifyReply
}

type Answer<E extends EndpointShape> = E extends { media: string }
  ? Readable | string | Buffer | FastifyReply
  : ResponseOf<E> | JsonText<ResponseOf<E>>

/** The language of the Accept-Language header; there is no setting for it. */
export function requestLocale(request: FastifyRequest): Locale {
  return chooseLocale(request.headers['accept-language'])
}

const hasField = (schema: Schema | undefined, name: string) =>
  schema !== undefined && 'shape' in schema && name in (schema.shape as object)

/** Those of `offset` and `sort` that a list would ignore; none for calls that are no lists. */
function missingParameters({ method, query, response }: EndpointShape): string[] {
  if (method !== 'GET' || !hasField(response, 'items')) return []
  return ['offset', 'sort'].filter((name) => !hasField(query, name))
}

/**
 * The error for a request with one of these parameters: a client that pages would get the first page for ever. The
 * offset 0 is what the list answers anyway.
 */
function refuseParameters(names: readonly string[], query: unknown): AppError | undefined {
  const parameters = query as Record<string, unknown>
  const refused = names.filter(
    (name) => parameters[name] !== undefined && !(name === 'offset' && parameters[name] === '0'),
  )
  if (refused.length === 0) return undefined
  return validationError(...refused.map((field) => ({ field, rule: 'notForList' })))
}

/**
 * Registers an endpoint: validates the request, checks the access table, calls the handler and sends the response.
 * `provenByWrite`: see `openIdempotency`. `invalid`: answers a request that breaks its rules with this code instead of
 * the fields. In tests the response is validated against the contract, too.
 */
export function route<E extends EndpointShape>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E>>,
  options: { provenByWrite?: boolean; invalid?: ErrorCode } = {},
): void {
  const checkAnswers = deps.config.env === 'test'
  const missing = missingParameters(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // For HEAD, Fastify would open an event stream, which would never close.
    exposeHeadRoute: endpoint.media !== eventStreamType,
    ...(options.invalid ? { validatorCompiler: validatorThatHides(options.invalid) } : {}),
    ...(endpoint.bodyBytes === undefined ? {} : { bodyLimit: endpoint.bodyBytes }),
    config: { endpoint },
    schema: {
      operationId: endpoint.id,
      summary: endpoint.summary,
      tags: [endpoint.id.split('.')[0] ?? ''],
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      response: endpoint.response ? { 200: endpoint.response } : {},
      security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    },
    // Before the body is read: an unauthorised caller's body must cost nothing. A callback, because a promise for each
    // hook takes a noticeable part of a short request's time.
    preParsing: (request, _reply, payload, done) => {
      try {
        authorize(endpoint.access, request.caller, endpoint)
      } catch (error) {
        const fail = () => done(error as Error)
        if (!(error instanceof AppError) || error.code !== 'forbidden') fail()
        else recordRefusal(deps, endpoint, request).then(fail, done)
        return
      }
      if (!isLargeBody(endpoint, request)) done(null, payload)
      else countUploadRequest(deps, request, endpoint.bodyBytes ?? 0).then(() => done(null, payload), done)
    },
    ...(missing.length > 0 && {
      preValidation: (request, _reply, done) => done(refuseParameters(missing, request.query)),
    }),
    handler: async (request, reply) => {
      const locale = requestLocale(request)
      const idempotency = endpoint.idempotent ? await openIdempotency(deps, endpoint, request, options) : withoutKey
      if (idempotency.stored) return idempotency.stored.response
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller: request.caller,
        locale,
        t: deps.translations(locale),
        idempotency,
        request,
        reply,
      } as Call<E>
      const work = () => (idempotency === withoutKey ? handler(call) : idempotency.guard(() => handler(call)))
      // Activity log entries take the client's address and the API key from here.
      const origin = { ip: request.ip, apiKey: findApiKeyGrant(request.caller) }
      const response = await (endpoint.method === 'GET' ? work() : requestOrigin.run(origin, work))
      if (reply.sent) return reply
      if (endpoint.media) {
        if (!reply.hasHeader('content-type')) reply.type(endpoint.media)
        return response
      }
      const text = response instanceof JsonText ? response.text : null
      if (checkAnswers && endpoint.response) {
        const checked = safeParse(endpoint.response, text === null ? response : JSON.parse(text))
        if (!checked.success)
          throw new Error(`${endpoint.id} answers what its contract does not say: ${checked.error.message}`)
      }
      if (text === null) return response
      reply.type('application/json; charset=utf-8')
      return text
    },
  })
}

/** A body below this size was typed by a person. */
const smallBody = 262_144

/**
 * Whether a JSON body counts towards the upload quota: it may be large, and storing or checking it costs as much as a
 * file.
 */
function isLargeBody(endpoint: EndpointShape, request: FastifyRequest): boolean {
  // The gateway posts small forms without a session.
  if ((endpoint.bodyBytes ?? 0) <= smallBody || request.isMultipart()) return false
  return endpoint.upload !== undefined || !(Number(request.headers['content-length']) <= smallBody)
}

/** Validates each part of a request with its Zod schema. Fastify calls it once per route. */
export function contractValidator({ schema }: { schema: unknown }) {
  return (data: unknown) => {
    const budget = { values: maxValues }
    const unstorable = unstorablePath(data, [], budget)
    // With millions of values Zod would take seconds to validate them and to describe each problem.
    if (budget.values < 0) return { error: new AppError('too_large') }
    if (unstorable)
      return { error: new ContractError([{ code: 'custom', path: unstorable, message: '', input: data }]) }
    const parsed = safeParse(schema as NonNullable<EndpointShape['body']>, data ?? {}, { reportInput: true })
    return parsed.success ? { value: parsed.data } : { error: new ContractError(parsed.error.issues) }
  }
}

/** The validator for a route whose response must not reveal what is wrong with a request. */
function validatorThatHides(code: ErrorCode): typeof contractValidator {
  return (part) => {
    const validate = contractValidator(part)
    return (data) => {
      const result = validate(data)
      return result.error ? { error: new AppError(code) } : result
    }
  }
}

/** Twice the depth of anything in the contract. */
const maxDepth = 32

type Path = (string | number)[]

/**
 * The path of a text that PostgreSQL cannot store (NUL, or half a surrogate pair), or of a value that is nested too
 * deeply. Each value is subtracted from the budget; once that is negative the search ends.
 */
function unstorablePath(value: unknown, path: Path, budget: { values: number }): Path | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return null
  if (path.length > maxDepth) return path.slice(0, 1)
  const keys = Array.isArray(value) ? null : Object.keys(value)
  const count = keys ? keys.length : (value as unknown[]).length
  budget.values -= count
  for (let n = 0; n < count && budget.values >= 0; n++) {
    const key = keys ? (keys[n] as string) : n
    const item = (value as Record<string | number, unknown>)[key]
    if (typeof item !== 'string' && typeof item !== 'object') continue
    const problemPath = unstorablePath(key, path, budget) ?? unstorablePath(item, [...path, key], budget)
    if (problemPath) return problemPath
  }
  return null
}
