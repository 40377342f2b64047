import type * as z from 'zod/mini'
import type { AccessRule } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Schema = z.ZodMiniType

/** What a call answers when it is not JSON: the document's media types, first one is the default. */
export type Media =
  | 'application/pdf'
  | 'text/html'
  | 'text/event-stream'
  | 'text/plain'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export type EndpointShape = {
  /** Stable name, `domain.verb`: the operationId of the OpenAPI document. */
  id: string
  method: Method
  /** Fastify notation: `/api/customer/parcels/:id`. */
  path: string
  /** A row of the access table (`access.ts`). */
  access: AccessRule
  /** One line for the OpenAPI page. */
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** Instead of a body: the text fields of a form (multipart/form-data) that may have a file in its field `file`. */
  upload?: Schema
  /** Shape of the JSON answer; absent where `media` says what comes back. */
  response?: Schema
  media?: Media
  /** Honour `Idempotency-Key`: the first answer is kept and given again (docs/rules/conventions.md). */
  idempotent?: true
  /**
   * A POST that only asks, since its question is too long for an address: it writes nothing that others have to be
   * told.
   */
  question?: true
  /** The largest body that is taken, where it is more than the server's usual limit. */
  bodyBytes?: number
  /** Requests a minute for one caller (user, else address); absent: the general limit. */
  perMinute?: number
}

/**
 * One call of the API as one value: the server validates by it, the client is typed by it, the OpenAPI document is made
 * from it. Keep it a plain literal: bundlers drop the endpoints that a page doesn't use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape
}

type Out<S> = S extends Schema ? z.output<S> : undefined
type In<S> = S extends Schema ? z.input<S> : undefined

/** What the server's handler receives: parsed and defaulted. */
export type ParamsOf<E extends EndpointShape> = Out<E['params']>
export type QueryOf<E extends EndpointShape> = Out<E['query']>
export type BodyOf<E extends EndpointShape> = Out<E['body']>
/** What the handler answers and the client gets. */
export type ResponseOf<E extends EndpointShape> = Out<E['response']>
/** What the client sends: before defaults. */
export type ParamsIn<E extends EndpointShape> = In<E['params']>
export type QueryIn<E extends EndpointShape> = In<E['query']>
export type BodyIn<E extends EndpointShape> = In<E['body']>
