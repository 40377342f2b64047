import { intlLocale } from '@waybill/contract/ground/constants'
import type { BodyIn, EndpointShape, ParamsIn, QueryIn, ResponseOf, Schema } from '@waybill/contract/ground/endpoint'
import type { ErrorBody, FieldError } from '@waybill/contract/ground/errors'
import { deviceId } from './browser/device-id.ts'
import { isLoadError } from './browser/load-errors.ts'
import { currentLanguage, t } from './i18n.ts'
import { runtimeSettings } from './settings/runtime-settings.ts'
import { noteServerTime } from './time/server-clock.ts'

/** An error response: the status, code and message of the server. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly errors: readonly FieldError[]
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds to wait before a retry (Retry-After), or null. */
  readonly retryAfter: number | null
  /** The request had an idempotency key, so sending it again executes it at most once. */
  repeatable = false

  constructor(body: ErrorBody, retryAfter: number | null = null) {
    super(body.message)
    this.name = 'ApiError'
    this.statusCode = body.statusCode
    this.code = body.code
    this.errors = body.errors ?? []
    this.details = body.details ?? {}
    this.retryAfter = retryAfter
  }
}

/** No response: offline, connection refused, or timed out. `error` is what the browser reported. */
export class NetworkError extends Error {
  readonly code: 'offline' | 'timeout'
  readonly error: unknown
  /** As in `ApiError`. */
  repeatable = false

  constructor(code: 'offline' | 'timeout', error: unknown) {
    super(t(code === 'timeout' ? 'errors.timeout' : 'errors.offline'))
    this.name = 'NetworkError'
    this.code = code
    this.error = error
  }
}

/** Whether the same request may succeed a moment later. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.statusCode >= 500 || error.statusCode === 429

type Always = { idempotencyKey?: string; signal?: AbortSignal }
type Part<K extends string, S, V> = S extends Schema
  ? object extends V
    ? { [P in K]?: V }
    : { [P in K]: V }
  : { [P in K]?: never }
export type CallOptions<E extends EndpointShape> = Always &
  Part<'params', E['params'], ParamsIn<E>> &
  Part<'query', E['query'], QueryIn<E>> &
  Part<'body', E['body'], BodyIn<E>>
export type CallArguments<E extends EndpointShape> =
  object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]

type AnyCallOptions = Always & {
  params?: unknown
  query?: unknown
  body?: unknown
  /** Replaces the JSON body. A form has no time-out, because an upload may take long. */
  form?: FormData
  onProgress?: (fraction: number) => void
  accept?: string
  untimed?: boolean
}

/**
 * Calls the API: `await call(getParcel, { params: { id } })` returns the response with its type from the contract.
 * Throws `ApiError` for an error response, `NetworkError` without a response, and the signal's reason when aborted.
 */
export async function call<E extends EndpointShape>(
  endpoint: E,
  ...[options]: CallArguments<E>
): Promise<ResponseOf<E>> {
  const response = await send(endpoint, (options ?? {}) as AnyCallOptions)
  return (await response.json()) as ResponseOf<E>
}

/** `call` for a form with a file. `onProgress` receives the fraction sent, 0 to 1. */
export async function callWithForm<E extends EndpointShape & { upload: Schema }>(
  endpoint: E,
  options: Always &
    Part<'params', E['params'], ParamsIn<E>> & { form: FormData; onProgress?: (fraction: number) => void },
): Promise<ResponseOf<E>> {
  const response = await send(endpoint, { ...(options as AnyCallOptions), untimed: true })
  return (await response.json()) as ResponseOf<E>
}

/** Provides the bearer token and renews it (`credentials.ts`). Without credentials, calls are sent without a token. */
export type Credentials = {
  token: () => string | null
  /** Returns a valid token to replace an expired one. Throws if the session has ended. */
  renew: (expiredToken: string) => Promise<string>
}
let credentials: Credentials | null = null

export function setCredentials(source: Credentials): void {
  credentials = source
}

/** The raw successful response, for documents and streams. An expired session is renewed once. */
export async function send(endpoint: EndpointShape, options: AnyCallOptions): Promise<Response> {
  const token = credentials?.token() ?? null
  let response = await attempt(endpoint, options, token)
  // A public call has no session to lose: its 401 means wrong credentials.
  if (response.status === 401 && credentials && token && endpoint.access !== 'public') {
    response = await attempt(endpoint, options, await credentials.renew(token))
  }
  noteServerTime(response)
  if (!response.ok) throw await readError(response)
  return response
}

/** One request and its response, whatever the status. Throws `NetworkError` without a response. */
export async function attempt(
  endpoint: EndpointShape,
  options: AnyCallOptions,
  token: string | null,
): Promise<Response> {
  const { apiHost, timeoutMs } = await runtimeSettings()
  const headers: Record<string, string> = {
    accept: options.accept ?? endpoint.media ?? 'application/json',
    'accept-language': intlLocale(currentLanguage()),
  }
  if (token) headers.authorization = `Bearer ${token}`
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  // Only calls that start or renew a session send the device id.
  if (endpoint.path.includes('/auth/')) headers['x-device-id'] = deviceId()
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  const timeout = options.untimed ? null : AbortSignal.timeout(timeoutMs)
  const signals = [timeout, options.signal].filter((signal) => !!signal)
  const path = buildPath(endpoint.path, options.params, options.query)
  const url = apiHost + path
  const { form, onProgress } = options
  // Before the request: if it cannot be loaded, nothing was sent.
  const sendForm = form && (await import('./send-form.ts')).sendForm
  try {
    if (sendForm) {
      return await sendForm(url, {
        method: endpoint.method,
        headers,
        form,
        onProgress,
        signal: AbortSignal.any(signals),
      })
    }
    return await fetch(url, {
      method: endpoint.method,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: AbortSignal.any(signals),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new NetworkError(timeout?.aborted ? 'timeout' : 'offline', error)
  }
}

/** Builds a path such as `/parcels/:id` with its parameters and query. Omits undefined, null and empty values. */
export function buildPath(path: string, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>
  const filledPath = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${filledPath}?${text}` : filledPath
}

/** The error of a response. A proxy's HTML page, which is not JSON, gets our own message. */
export async function readError(response: Response): Promise<ApiError> {
  const wait = Number(response.headers.get('retry-after'))
  const retryAfter = wait > 0 ? wait : null
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  if (typeof body?.message === 'string' && typeof body.code === 'string') {
    return new ApiError({ ...body, statusCode: body.statusCode ?? response.status } as ErrorBody, retryAfter)
  }
  // Complete keys: a key composed at run time would make every page load all error texts first (page-texts.ts).
  const [code, message] =
    response.status >= 500 ? ['unavailable', t('errors.unavailable')] : ['malformed', t('errors.malformed')]
  return new ApiError({ statusCode: response.status, code, message }, retryAfter)
}

/**
 * The text to show for a thrown value where no field is marked: the server's message unchanged, the messages of the
 * fields, or our own text for a bug in the page. Forms mark their fields themselves.
 */
export function errorMessage(error: unknown): string {
  // "Check the marked fields" means nothing here: the messages of the fields replace it, one per line.
  if (error instanceof ApiError && error.code === 'validation' && error.errors.length > 0)
    return [...new Set(error.errors.map(({ message }) => message))].join('\n')
  if (error instanceof ApiError || error instanceof NetworkError)
    return error.repeatable
      ? t('phrase.sentences', { first: error.message, second: t('app.repeatable') })
      : error.message
  console.error(error)
  return t(isLoadError(error) ? 'app.notLoaded' : 'errors.internal')
}
