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

test('after a lost answer the same content goes out under the same key, until there is an answer', async () => {
  const { keys, send } = keyRecorder()
  await expect(send(cash, new NetworkError('timeout', null))).rejects.toThrow()
  await expect(send(cash, refusal(503))).rejects.toThrow()
  // A response that broke off while it was read.
  await expect(send(cash, new SyntaxError())).rejects.toThrow()
  expect(await send(cash)).toBe('done')
  await send(cash)
  expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-1', 'key-2'])
})

test('a refusal is an answer: the next press is a request of its own', async () => {
  const { keys, send } = keyRecorder()
  await expect(send(cash, refusal(409))).rejects.toThrow()
  await expect(send(cash, refusal(422))).rejects.toThrow()
  await send(cash)
  expect(keys).toEqual(['key-1', 'key-2', 'key-3'])
})

test('other content is another request, also while the first has no answer', async () => {
  const { keys, send } = keyRecorder()
  const more = { body: { ...cash.body, givenMinor: 6000 } }
  await expect(send(cash, new NetworkError('offline', null))).rejects.toThrow()
  await send(more)
  await send(cash)
  expect(keys).toEqual(['key-1', 'key-2', 'key-3'])
})

test('the answer of an earlier content does not end the key of a later one', async () => {
  let count = 0
  const once = sendOnce(() => `key-${++count}`)
  const first = Promise.withResolvers<string>()
  const late = once({ n: 1 }, () => first.promise)
  await expect(once({ n: 2 }, () => Promise.reject(new NetworkError('timeout', null)))).rejects.toThrow()
  first.resolve('late')
  await late
  expect(await once({ n: 2 }, async ({ idempotencyKey }) => idempotencyKey)).toBe('key-2')
})

test('the request is the content with its key', async () => {
  const once = sendOnce(() => 'k')
  expect(await once({ params: { id: 'a' }, body: { n: 1 } }, async (request) => request)).toEqual({
    params: { id: 'a' },
    body: { n: 1 },
    idempotencyKey: 'k',
  })
})

test('an error without a decision says that the request may be sent again, a refusal does not', async () => {
  const { send } = keyRecorder()
  const lost = new NetworkError('timeout', null)
  const down = refusal(503)
  const refused = refusal(409)
  for (const error of [lost, down, refused]) await expect(send(cash, error)).rejects.toBe(error)
  expect([lost.repeatable, down.repeatable, refused.repeatable]).toEqual([true, true, false])
})
