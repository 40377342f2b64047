import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '../src/lib/api.ts'
import type { QueueStore } from '../src/lib/send-queue/queue-store.ts'
import { type Entry, SendQueue } from '../src/lib/send-queue/send-queue.ts'

type Body = { no: string; secret?: string; more?: string }
type StoredEntry = Entry<Body, string>
type Request = {
  no: string
  key: string
  body: Body
  answer: (answer?: string) => void
  fail: (error: unknown) => void
}

/** A store that remains after its queues are closed, like the browser's. */
function memoryStore() {
  const rows = new Map<string, StoredEntry>()
  const store: QueueStore<StoredEntry> = {
    async put(entry) {
      rows.set(entry.id, structuredClone(entry))
    },
    async remove(ids) {
      for (const id of ids) rows.delete(id)
    },
    async list(owner) {
      return structuredClone([...rows.values()].filter((entry) => entry.owner === owner))
    },
  }
  return { rows, store }
}

const refusal = (statusCode: number, code = 'transition_forbidden') =>
  new ApiError({ statusCode, code, message: `because ${statusCode}`, details: { status: 'sorting' } })
const offline = () => new NetworkError('offline', null)

type Exclusively = (work: () => Promise<void>) => Promise<void>

/** Runs one at a time, like the browser's lock across all tabs. */
function oneAtATime(): Exclusively {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work)
    return last
  }
}

function setup({ store } = memoryStore(), exclusively?: Exclusively) {
  const requests: Request[] = []
  const outcomes: string[] = []
  const who = { id: 'ann' as string | null }
  const queue = new SendQueue<Body, string>({
    store,
    ...(exclusively ? { exclusively } : {}),
    owner: () => who.id,
    send: (body, key, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        requests.push({ no: body.no, key, body, answer: (answer = 'ok') => resolve(answer), fail: reject })
      }),
    keep: ({ no }) => ({ no }),
    onSettled: ({ body, state }) => outcomes.push(`${body.no} ${state}`),
  })
  const states = () => queue.snapshot().entries.map(({ body, state }) => `${body.no} ${state}`)
  const quiet = () => vi.advanceTimersByTimeAsync(0)
  const add = (...numbers: string[]) => {
    for (const no of numbers) queue.add(no, { no })
    return quiet()
  }
  return { queue, requests, outcomes, who, states, add, quiet }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('sends entries in the order in which they were added, a few at a time, each with its own key', async () => {
  const { queue, requests, states, add, quiet } = setup()
  await queue.open()
  await add('a', 'b', 'c', 'd', 'e')
  expect(requests.map(({ no }) => no)).toEqual(['a', 'b', 'c'])
  requests[1]?.answer()
  await quiet()
  expect(requests.map(({ no }) => no)).toEqual(['a', 'b', 'c', 'd'])
  for (const each of requests) each.answer()
  await quiet()
  requests[4]?.answer()
  await quiet()
  expect(states()).toEqual(['a done', 'b done', 'c done', 'd done', 'e done'])
  expect(new Set(requests.map(({ key }) => key)).size).toBe(5)
})

test('sends the entries of one lane one after the other, even if the first one has to wait', async () => {
  const { queue, requests, add, quiet } = setup()
  await queue.open()
  await add('a', 'b', 'a')
  expect(requests.map(({ no }) => no)).toEqual(['a', 'b'])
  requests[0]?.fail(offline())
  await quiet()
  requests[1]?.answer()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requests.map(({ no }) => no)).toEqual(['a', 'b', 'a'])
  expect(requests[2]?.key).toBe(requests[0]?.key)
  requests[2]?.answer()
  await quiet()
  expect(requests[3]?.key).not.toBe(requests[0]?.key)
})

test('retries without a connection, with the same key, at growing intervals or immediately on request', async () => {
  const { queue, requests, states, add, quiet } = setup()
  await queue.open()
  await add('a')
  for (const [round, wait] of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000].entries()) {
    requests[round]?.fail(round % 2 ? refusal(503) : offline())
    await quiet()
    expect(queue.snapshot().stalled).toBe(true)
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(requests).toHaveLength(round + 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toHaveLength(round + 2)
  }
  requests[6]?.fail(offline())
  await quiet()
  queue.resume()
  await quiet()
  expect(requests).toHaveLength(8)
  requests[7]?.answer()
  await quiet()
  expect(states()).toEqual(['a done'])
  expect(queue.snapshot().stalled).toBe(false)
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
})

test('retries no earlier than the server allows', async () => {
  const { queue, requests, add, quiet } = setup()
  await queue.open()
  await add('a')
  requests[0]?.fail(new ApiError({ statusCode: 429, code: 'rate_limited', message: '' }, 30))
  await quiet()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requests).toHaveLength(2)
})

test('keeps a refused entry with its reason until a user has resolved it, and sends the other entries', async () => {
  const { queue, requests, outcomes, states, add, quiet } = setup()
  await queue.open()
  await add('a', 'b')
  requests[0]?.fail(refusal(409))
  requests[1]?.answer()
  await quiet()
  expect(states()).toEqual(['a failed', 'b done'])
  const [failure] = queue.snapshot().entries
  expect(failure?.problem).toEqual({
    code: 'transition_forbidden',
    message: 'because 409',
    details: { status: 'sorting' },
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toHaveLength(2)
  queue.retry(failure?.id ?? '')
  await quiet()
  expect(requests[2]?.key).toBe(requests[0]?.key)
  requests[2]?.fail(refusal(409))
  await quiet()
  queue.retry(failure?.id ?? '', { more: 'the rider is ill' })
  await quiet()
  expect(requests[3]?.body).toEqual({ no: 'a', more: 'the rider is ill' })
  expect(requests[3]?.key).not.toBe(requests[0]?.key)
  requests[3]?.fail(refusal(422))
  await quiet()
  queue.remove([failure?.id ?? ''])
  expect(states()).toEqual(['b done'])
  expect(outcomes).toEqual(['a failed', 'b done', 'a failed', 'a failed'])
})

test('sends the other entries if the server fails at one entry every time', async () => {
  const { queue, requests, states, add, quiet } = setup()
  await queue.open()
  await add('bad', 'good')
  for (let tries = 0; tries < 4; tries++) {
    requests.findLast(({ no }) => no === 'bad')?.fail(refusal(500))
    requests.findLast(({ no }) => no === 'good')?.answer()
    await vi.advanceTimersByTimeAsync(15_000)
  }
  await quiet()
  expect(states()).toEqual(['bad failed', 'good done'])
})

test('keeps waiting entries when the page is closed; the next page sends them with the same key', async () => {
  const store = memoryStore()
  const first = setup(store)
  await first.queue.open()
  await first.add('a', 'b')
  first.requests[0]?.answer()
  await first.quiet()

  const second = setup(store)
  await second.queue.open()
  await second.quiet()
  expect(second.states()).toEqual(['a done', 'b waiting'])
  expect(second.requests.map(({ no }) => no)).toEqual(['b'])
  expect(second.requests[0]?.key).toBe(first.requests[1]?.key)
})

test('does not remove a waiting entry, and stores no private data of a sent one', async () => {
  const store = memoryStore()
  const { queue, requests, states, quiet } = setup(store)
  await queue.open()
  queue.add('a', { no: 'a', secret: 'Siti' })
  await quiet()
  queue.remove(queue.snapshot().entries.map(({ id }) => id))
  expect(states()).toEqual(['a waiting'])
  expect(requests[0]?.body.secret).toBe('Siti')
  requests[0]?.answer()
  await quiet()
  expect([...store.rows.values()].map(({ body }) => body)).toEqual([{ no: 'a' }])
})

test('never sends scans of another user', async () => {
  const store = memoryStore()
  const { queue, requests, who, states, add, quiet } = setup(store)
  await queue.open()
  await add('a', 'b', 'c', 'd')
  // The user changes before the queue is notified.
  who.id = 'ben'
  requests[2]?.answer()
  await quiet()
  expect(requests).toHaveLength(3)
  await queue.open()
  await quiet()
  expect(states()).toEqual([])
  // A late response changes nothing either: the request was aborted.
  requests[0]?.answer()
  await quiet()
  queue.resume()
  await add('x')
  expect(requests.map(({ no }) => no)).toEqual(['a', 'b', 'c', 'x'])
  who.id = null
  await queue.open()
  await add('nobody')
  expect(requests).toHaveLength(4)

  who.id = 'ann'
  await queue.open()
  await quiet()
  expect(requests.slice(4).map(({ no }) => no)).toEqual(['a', 'b', 'd'])
  expect(requests[4]?.key).toBe(requests[0]?.key)
})

test('continues in memory if the browser cannot store entries, and reports it', async () => {
  const brokenStore: QueueStore<StoredEntry> = {
    put: () => Promise.reject(new Error('full')),
    remove: () => Promise.reject(new Error('full')),
    list: () => Promise.reject(new Error('forbidden')),
  }
  const { queue, requests, states, add, quiet } = setup({ rows: new Map(), store: brokenStore })
  await queue.open()
  await add('a')
  expect(queue.snapshot().isStored).toBe(false)
  requests[0]?.answer()
  await quiet()
  expect(states()).toEqual(['a done'])
})

test('stores what it could not store as soon as the browser stores again', async () => {
  const { rows, store } = memoryStore()
  const full = { now: true }
  const fullStore: QueueStore<StoredEntry> = {
    ...store,
    put: (entry) => (full.now ? Promise.reject(new Error('full')) : store.put(entry)),
  }
  const { queue, add } = setup({ rows, store: fullStore })
  await queue.open()
  await add('a', 'b')
  expect([queue.snapshot().isStored, rows.size]).toEqual([false, 0])
  full.now = false
  await add('c')
  expect(queue.snapshot().isStored).toBe(true)
  expect([...rows.values()].map(({ body }) => body.no).sort()).toEqual(['a', 'b', 'c'])
})

test('never sends the same entry from two tabs', async () => {
  const store = memoryStore()
  const lock = oneAtATime()
  const first = setup(store, lock)
  const second = setup(store, lock)
  await first.queue.open()
  await second.queue.open()
  await first.add('a')
  await second.queue.reload()
  expect([first.requests.length, second.requests.length]).toEqual([1, 0])
  first.requests[0]?.answer()
  await first.quiet()
  expect(second.requests).toHaveLength(0)
  expect(second.states()).toEqual(['a done'])
})

test('sends remaining entries from a second tab', async () => {
  const store = memoryStore()
  const first = setup(store)
  const second = setup(store)
  await first.queue.open()
  await second.queue.open()
  await first.add('a')
  await second.queue.reload()
  expect(second.states()).toEqual(['a waiting'])
  first.requests[0]?.answer()
  await first.quiet()
  await second.queue.reload()
  expect(second.states()).toEqual(['a done'])
})
