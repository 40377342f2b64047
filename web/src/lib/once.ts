/** Idempotency keys: a payment or an order that is sent again after a lost answer happens once. */
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { useState } from 'react'
import { ApiError, type CallArguments, type CallOptions, call } from './api.ts'

/** A request with its idempotency key. */
export type Keyed<C> = C & { idempotencyKey: string }
export type Once = <const C extends object, T>(content: C, send: (request: Keyed<C>) => Promise<T>) => Promise<T>

/** Whether the answer says what became of the request. After a 5xx or a lost answer nobody knows. */
export const isDecided = (error: unknown) => error instanceof ApiError && error.statusCode < 500

/**
 * Sends what must not happen twice. Until an answer says what became of it, the same content goes out under the same
 * key, and the server repeats its first answer (docs/rules/conventions.md). Other content, or the same after an answer,
 * is a new request. Throws what `send` throws.
 */
export function sendOnce(newKey: () => string = () => crypto.randomUUID()): Once {
  let open: { content: string; key: string } | null = null
  return async (content, send) => {
    const text = JSON.stringify(content)
    const { key } = open?.content === text ? open : { key: newKey() }
    open = { content: text, key }
    const settle = () => {
      if (open?.key === key) open = null
    }
    try {
      const answer = await send({ ...content, idempotencyKey: key })
      settle()
      return answer
    } catch (error) {
      if (isDecided(error)) settle()
      throw error
    }
  }
}

/** `sendOnce` for the life of a component, for what `useCallOnce` can't send: an upload. */
export function useOnce(): Once {
  const [once] = useState(() => sendOnce())
  return once
}

export type CallOnce = <E extends EndpointShape>(endpoint: E, options: CallOptions<E>) => Promise<ResponseOf<E>>

/** `call` with an idempotency key: `await callOnce(payOutstanding, { body })`. For every endpoint with `idempotent`. */
export function useCallOnce(): CallOnce {
  const once = useOnce()
  return (endpoint, options) =>
    once({ endpoint: endpoint.id, options }, ({ idempotencyKey }) => {
      const request = [{ ...options, idempotencyKey }] as unknown as CallArguments<typeof endpoint>
      return call(endpoint, ...request)
    })
}
