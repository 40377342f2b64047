import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../src/lib/api.ts'
import { sendOnce } from '../src/lib/once.ts'

function keyRecorder() {
  let count = 0
  const keys: string[] = []
  const once = sendOnce(() => `key-${++count}`)
  const send = (content: object, outcome: unknown = 'done') =>
    once(content, async ({ idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (outcome instanceof Error) throw outcome
      return outcome
    })
  return { keys, send }
}
const refusal = (statusCode: number) => new ApiError({ statusCode, code: 'conflict', message: '' })
const cash = { body: { code: 'ORD-1', givenMinor: 5000 } }

test('sends the same content with the same key until a response arrives', async () => {
  const { keys, send } = keyRecorder()
  await expect(send(cash, new NetworkError('timeout', null))).rejects.toThrow()
  await expect(send(cash, refusal(503))).rejects.toThrow()
  // The response was cut off while it was read.
  await expect(send(cash, new SyntaxError())).rejects.toThrow()
  expect(await send(cash)).toBe('done')
  await send(cash)
  expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-1', 'key-2'])
})

test('uses a new key after a refusal, because a refusal is a response', async () => {
  const { keys, send } = keyRecorder()
  await expect(send(cash, refusal(409))).rejects.toThrow()
  await expect(send(cash, refusal(422))).rejects.toThrow()
  await send(cash)
  expect(keys).toEqual(['key-1', 'key-2', 'key-3'])
})

test('uses another key for other content, even before the first response', async () => {
  const { keys, send } = keyRecorder()
  const more = { body: { ...cash.body, givenMinor: 6000 } }
  await expect(send(cash, new NetworkError('offline', null))).rejects.toThrow()
  await send(more)
  await send(cash)
  expect(keys).toEqual(['key-1', 'key-2', 'key-3'])
})

test('keeps the key of later content when the response to earlier content arrives', async () => {
  let count = 0
  const once = sendOnce(() => `key-${++count}`)
  const first = Promise.withResolvers<string>()
  const lateResponse = once({ n: 1 }, () => first.promise)
  await expect(once({ n: 2 }, () => Promise.reject(new NetworkError('timeout', null)))).rejects.toThrow()
  first.resolve('late')
  await lateResponse
  expect(await once({ n: 2 }, async ({ idempotencyKey }) => idempotencyKey)).toBe('key-2')
})

test('sends the content together with its key', async () => {
  const once = sendOnce(() => 'k')
  expect(await once({ params: { id: 'a' }, body: { n: 1 } }, async (request) => request)).toEqual({
    params: { id: 'a' },
    body: { n: 1 },
    idempotencyKey: 'k',
  })
})

test('marks an error without a decision as repeatable, but not a refusal', async () => {
  const { send } = keyRecorder()
  const timeout = new NetworkError('timeout', null)
  const unavailable = refusal(503)
  const conflict = refusal(409)
  for (const error of [timeout, unavailable, conflict]) await expect(send(cash, error)).rejects.toBe(error)
  expect([timeout.repeatable, unavailable.repeatable, conflict.repeatable]).toEqual([true, true, false])
})
