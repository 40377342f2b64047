/** Idempotency keys: a payment or an order that is sent again after a lost response is executed once. */
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { useState } from 'react'
import { ApiError, type CallArguments, type CallOptions, call, NetworkError } from './api.ts'
import { isLoadError } from './browser/load-errors.ts'

/** A request with its idempotency key. */
export type WithKey<C> = C & { idempotencyKey: string }
export type Once = <const C extends object, T>(content: C, send: (request: WithKey<C>) => Promise<T>) => Promise<T>

/** Whether it is certain what was done. After a 5xx or a lost response it is not. */
export const isDecided = (error: unknown) => (error instanceof ApiError && error.statusCode < 500) || isLoadError(error)

/**
 * Sends a request that must not be executed twice. Until a response is final, the same content uses the same key, and
 * the server repeats its first response (docs/rules/conventions.md). Other content, or the same content after a final
 * response, is a new request. Throws the errors of `send`; an error without a decision is marked as `repeatable`.
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
      else if (error instanceof ApiError || error instanceof NetworkError) error.repeatable = true
      throw error
    }
  }
}

/** `sendOnce` for the lifetime of a component, for requests that `useCallOnce` cannot send: uploads. */
export function useOnce(): Once {
  const [once] = useState(() => sendOnce())
  return once
}

export type CallOnce = <E extends EndpointShape>(endpoint: E, options: CallOptions<E>) => Promise<ResponseOf<E>>

/**
 * `call` with an idempotency key, for every endpoint marked `idempotent`: `await callOnce(payOutstanding, { body })`.
 */
export function useCallOnce(): CallOnce {
  const once = useOnce()
  return (endpoint, options) =>
    once({ endpoint: endpoint.id, options }, ({ idempotencyKey }) => {
      const request = [{ ...options, idempotencyKey }] as unknown as CallArguments<typeof endpoint>
      return call(endpoint, ...request)
    })
}
