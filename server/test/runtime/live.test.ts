/** Messages between processes over a connection that fails in every way. */
import { once } from 'node:events'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Live, startLive } from '../../src/http/live.ts'
import { accessTokenSeconds } from '../../src/http/tokens.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startWire, type Wire } from '../testing/peers/wire.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})

const listen = async (): Promise<{ wire: Wire; live: Live; errors: string[] }> => {
  const wire = await startWire(database.url)
  const errors: string[] = []
  const live = await startLive(wire.url, (error) => errors.push(error.message), { heartbeatMs: 100, answerMs: 500 })
  onTestFinished(async () => {
    await live.stop()
    await wire.stop()
  })
  return { wire, live, errors }
}

/** Sends until the message arrives, because a message without a listener is lost. */
const sendUntilReceived = async (live: Live) => {
  let count = 0
  const stop = live.subscribe('settings', () => {
    count += 1
  })
  await expect
    .poll(async () => {
      await live.publish(database.db, 'settings', {})
      return count
    })
    .toBeGreaterThan(0)
  stop()
}

it('detects a dead connection by its heartbeat and reads missed messages', async () => {
  const { wire, live, errors } = await listen()
  await sendUntilReceived(live)
  let reloads = 0
  live.onReconnect(() => {
    reloads += 1
  })
  wire.freeze()
  await expect.poll(() => reloads).toBe(1)
  expect(errors).toEqual(['PostgreSQL did not answer within 500 ms'])
  await sendUntilReceived(live)
})

it('reads what was missed when a message cannot be handled', async () => {
  const { live, errors } = await listen()
  await sendUntilReceived(live)
  let [messages, reloads] = [0, 0]
  live.subscribe('settings', async () => {
    messages += 1
    if (messages === 1) throw new Error('the settings can not be read yet')
  })
  live.onReconnect(() => {
    reloads += 1
  })
  await live.publish(database.db, 'settings', {})
  await expect.poll(() => reloads, { timeout: 10_000 }).toBe(1)
  expect(errors).toEqual(['the settings can not be read yet'])
  await sendUntilReceived(live)
})

it('reconnects after a connection is cut, and again if it cannot read what it missed', async () => {
  const { wire, live } = await listen()
  let tries = 0
  live.onReconnect(async () => {
    tries += 1
    if (tries === 1) throw new Error('the settings can not be read yet')
  })
  await wire.cut()
  await wire.mend()
  await expect.poll(() => tries, { timeout: 10_000 }).toBe(2)
  await sendUntilReceived(live)
})

it('ends the streams of browsers after a reconnect, because they have missed events', async () => {
  const { wire, live } = await listen()
  const { stream } = live.openStream({ id: 'user', most: 1 })
  const ended = once(stream.resume(), 'close')
  await sendUntilReceived(live)
  expect(stream.writable).toBe(true)
  wire.freeze()
  await ended
  expect(live.openStream({ id: 'user', most: 1 }).stream.writable).toBe(true)
})

it('ends a stream with the rights of its reader, even if nobody reads it', async () => {
  const { live } = await listen()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { stream } = live.openStream({ id: 'user', most: 1 })
    const closed = once(stream, 'close')
    expect(() => live.openStream({ id: 'user', most: 1 })).toThrow()
    vi.advanceTimersByTime(accessTokenSeconds * 1000)
    await closed
    expect(live.openStream({ id: 'user', most: 1 }).stream.writable).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
