import { useState } from 'react'
import { ApiError } from './api.ts'

/** What a request holds, with the key under which it counts once. */
export type Keyed<C> = C & { idempotencyKey: string }
export type Once = <const C extends object, T>(content: C, send: (request: Keyed<C>) => Promise<T>) => Promise<T>

/** Whether the server has said what became of it: a fault of its own, a proxy's or none at all leaves that open. */
export const isDecided = (error: unknown) => error instanceof ApiError && error.statusCode < 500

/**
 * Sends what must not happen twice: `await once({ params, body }, (request) => call(takeCash, request))`. As long as no
 * answer says what became of it, the same content goes out under the same key, and the server gives its first answer
 * again (docs/rules/conventions.md). Other content, or the same after an answer, is a request of its own. Throws what
 * `send` throws.
 */
export function sendOnce(newKey: () => string = () => crypto.randomUUID()): Once {
  let open: { content: string; key: string } | null = null
  return async (content, send) => {
    const words = JSON.stringify(content)
    const { key } = open?.content === words ? open : { key: newKey() }
    open = { content: words, key }
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

/** `sendOnce` for the life of a component: the one way in which the web uses an `Idempotency-Key`. */
export function useOnce(): Once {
  const [once] = useState(() => sendOnce())
  return once
}
