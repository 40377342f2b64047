/** The shape of an endpoint, and the types that follow from it. */
import type * as z from 'zod/mini'
import type { AccessRule } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Schema = z.ZodMiniType

/** The media types of responses that are not JSON. */
export type Media =
  | 'application/pdf'
  | 'text/html'
  | 'text/event-stream'
  | 'text/plain'
  | 'image/png'
  | 'application/octet-stream'
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
  /** The JSON response; absent if `media` names another type. */
  response?: Schema
  media?: Media
  /** Honours `Idempotency-Key`: a repeated request gets the first response again (docs/rules/conventions.md). */
  idempotent?: true
  /** The response contains a secret that is shown nowhere else. Stored for a repeated request, it is encrypted. */
  showsSecret?: true
  /**
   * A POST that only reads, because its query is too long for a URL. It changes nothing that others would need to see.
   */
  question?: true
  /** The size limit of the body, if it is higher than the server's default. */
  bodyBytes?: number
  /** Requests per minute of one caller (the user, or the IP address); absent: the general limit. */
  perMinute?: number
}

/**
 * One call of the API as one value: the server validates requests with it, the client takes its types from it, and
 * the OpenAPI document is built from it. Keep it a plain literal, so that bundlers can drop unused endpoints.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape
}

type Out<S> = S extends Schema ? z.output<S> : undefined
type In<S> = S extends Schema ? z.input<S> : undefined

/** What the server's handler receives: parsed, with defaults filled in. */
export type ParamsOf<E extends EndpointShape> = Out<E['params']>
export type QueryOf<E extends EndpointShape> = Out<E['query']>
export type BodyOf<E extends EndpointShape> = Out<E['body']>
/** What the handler returns and the client receives. */
export type ResponseOf<E extends EndpointShape> = Out<E['response']>
/** What the client sends: before defaults are filled in. */
export type ParamsIn<E extends EndpointShape> = In<E['params']>
export type QueryIn<E extends EndpointShape> = In<E['query']>
export type BodyIn<E extends EndpointShape> = In<E['body']>
