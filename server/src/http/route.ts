import type { Readable } from 'node:stream'
import type { BodyOf, EndpointShape, ParamsOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Locale } from '@waybill/contract/ground/enums'
import type { Translate } from '@waybill/contract/ground/validation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeParse } from 'zod/mini'
import { requestAddress } from '../activity.ts'
import type { Deps } from '../deps.ts'
import { chooseLocale } from '../lib/i18n.ts'
import { type AnyCaller, authorize } from './caller.ts'
import { AppError, ContractError } from './errors.ts'
import { type Idempotency, openIdempotency } from './idempotency.ts'
import { recordRefusal } from './limits/refused-access.ts'
import { countUploadRequest } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: AnyCaller
  }
  interface FastifyContextConfig {
    endpoint?: EndpointShape
  }
}

/** What a handler gets: the parsed parts of the request and who asks. */
export type Call<E extends EndpointShape> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  caller: AnyCaller
  locale: Locale
  t: Translate
  /** Only where the endpoint is idempotent: the service keeps its answer in its own transaction. */
  idempotency: Idempotency
  request: FastifyRequest
  reply: FastifyReply
}

type Answer<E extends EndpointShape> = E extends { media: string }
  ? Readable | string | Buffer | FastifyReply
  : ResponseOf<E>

/** A deployment can be told to speak another language than the browser asks for by nobody: the header alone decides. */
export function requestLocale(request: FastifyRequest): Locale {
  return chooseLocale(request.headers['accept-language'])
}

/**
 * Makes an endpoint of the contract a route: validates by it, lets the access table decide, calls the handler, answers.
 * `provenByWrite`: see `openIdempotency`. In tests the answer is checked against the contract too, so that a field more
 * or less fails one.
 */
export function route<E extends EndpointShape>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E>>,
  options: { provenByWrite?: boolean } = {},
): void {
  const checkAnswers = deps.config.env === 'test'
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyBytes === undefined ? {} : { bodyLimit: endpoint.bodyBytes }),
    config: {
      endpoint,
      rateLimit: {
        max: endpoint.perMinute ?? deps.config.http.requestsPerMinute,
        exact: endpoint.perMinute !== undefined,
      },
    },
    schema: {
      operationId: endpoint.id,
      summary: endpoint.summary,
      tags: [endpoint.id.split('.')[0] ?? ''],
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      response: endpoint.response ? { 200: endpoint.response } : {},
      ...(endpoint.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    },
    // Who asks comes before what is asked: a stranger's body is not even read.
    preParsing: async (request) => {
      try {
        authorize(endpoint.access, request.caller)
      } catch (error) {
        if (error instanceof AppError && error.code === 'forbidden') await recordRefusal(deps, endpoint, request)
        throw error
      }
      if (isLargeBody(endpoint, request)) await countUploadRequest(deps, request, endpoint.bodyBytes ?? 0)
    },
    handler: async (request, reply) => {
      const locale = requestLocale(request)
      const idempotency = await openIdempotency(deps, endpoint, request, options)
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
      const work = () => idempotency.guard(() => handler(call))
      // What a call changes is logged with where it came from.
      const answer = await (endpoint.method === 'GET' ? work() : requestAddress.run(request.ip, work))
      if (reply.sent) return reply
      if (endpoint.media) {
        if (!reply.hasHeader('content-type')) reply.type(endpoint.media)
        return answer
      }
      if (checkAnswers && endpoint.response) {
        const checked = safeParse(endpoint.response, answer)
        if (!checked.success)
          throw new Error(`${endpoint.id} answers what its contract does not say: ${checked.error.message}`)
      }
      return answer
    },
  })
}

/** Bodies of less are typed by somebody, cell by cell. */
const smallBody = 262_144

/**
 * Whether a body that is no form counts as an upload: it may be large, and is stored or costs as much as a file to look
 * at.
 */
function isLargeBody(endpoint: EndpointShape, request: FastifyRequest): boolean {
  // A gateway posts small forms without a session.
  if ((endpoint.bodyBytes ?? 0) <= smallBody || request.isMultipart()) return false
  return endpoint.upload !== undefined || !(Number(request.headers['content-length']) <= smallBody)
}

/** Validates each part of a request by its Zod schema; Fastify calls it once a route. */
export function contractValidator({ schema }: { schema: unknown }) {
  return (data: unknown) => {
    const budget = { values: mostValues }
    const unstorable = unstorablePath(data, [], budget)
    // Zod would look at each of millions of values and describe what is wrong with it, for seconds.
    if (budget.values < 0) return { error: new AppError('too_large') }
    if (unstorable)
      return { error: new ContractError([{ code: 'custom', path: unstorable, message: '', input: data }]) }
    const parsed = safeParse(schema as NonNullable<EndpointShape['body']>, data ?? {}, { reportInput: true })
    return parsed.success ? { value: parsed.data } : { error: new ContractError(parsed.error.issues) }
  }
}

/** Nothing in the contract is nested half as deep. */
const deepest = 32

/** Room for ten thousand pasted rows with every column filled. */
const mostValues = 500_000

type Path = (string | number)[]

/**
 * Where text stands that no database stores (a NUL, or half of a surrogate pair), or where it goes too deep. Each value
 * is taken from the budget; when that is below zero the rest has not been looked at.
 */
function unstorablePath(value: unknown, path: Path, budget: { values: number }): Path | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return null
  if (path.length > deepest) return path.slice(0, 1)
  const keys = Array.isArray(value) ? null : Object.keys(value)
  const count = keys ? keys.length : (value as unknown[]).length
  budget.values -= count
  for (let n = 0; n < count && budget.values >= 0; n++) {
    const key = keys ? (keys[n] as string) : n
    const item = (value as Record<string | number, unknown>)[key]
    if (typeof item !== 'string' && typeof item !== 'object') continue
    const found = unstorablePath(key, path, budget) ?? unstorablePath(item, [...path, key], budget)
    if (found) return found
  }
  return null
}
