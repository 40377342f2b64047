import type pg from 'pg'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectionsAtOnce, type EndTurn, Turns } from '../../src/db/concurrency/turns.ts'
import { createPool } from '../../src/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

/** Longer than any test. */
const never = 1_000_000

describe('turns', () => {
  test('are given in order, as many at once as there are', async () => {
    const turns = new Turns(2, never)
    const order: number[] = []
    const take = async (n: number): Promise<EndTurn> => {
      const end = await turns.take()
      order.push(n)
      return end
    }
    const [first, second] = [await take(1), await take(2)]
    const waiting = [take(3), take(4)]
    expect(order).toEqual([1, 2])
    second()
    await waiting[0]
    expect(order).toEqual([1, 2, 3])
    // Ending a turn twice does not give two others their turn.
    second()
    await Promise.resolve()
    expect(order).toEqual([1, 2, 3])
    first()
    await waiting[1]
    expect(order).toEqual([1, 2, 3, 4])
  })

  test('no longer count if they take long', async () => {
    const turns = new Turns(1, 5)
    const endSlow = await turns.take()
    const end = await turns.take()
    // The slow one ends later, and does not free the turn of another one.
    endSlow()
    end()
    expect(turns.take()).toBeTypeOf('function')
  })
})

describe('the pool', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const requests = connectionsAtOnce * 4

  const withPool = async (max: number, work: (pool: pg.Pool) => Promise<void>) => {
    const pool = createPool(database.url, { max })
    try {
      await work(pool)
    } finally {
      await pool.end()
    }
  }

  test('uses few connections for short statements, however many wait', () =>
    withPool(requests, async (pool) => {
      // On a busy machine a short statement can outlast its turn, and the pool then opens another connection.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const open = await Promise.all(Array.from({ length: connectionsAtOnce }, () => pool.connect()))
      for (const client of open) client.release()
      const results = await Promise.all(Array.from({ length: requests }, (_, n) => pool.query('SELECT $1::int n', [n])))
      expect(results.map(({ rows }) => rows[0].n)).toEqual(Array.from({ length: requests }, (_, n) => n))
      expect(pool.totalCount).toBe(connectionsAtOnce)
    }))

  test('opens more while statements wait for a lock', () =>
    withPool(requests, async (pool) => {
      const blocker = await database.pool.connect()
      try {
        await blocker.query('SELECT pg_advisory_lock(89)')
        const blocked = Array.from({ length: requests - 1 }, () =>
          pool.query('SELECT pg_advisory_lock_shared(89), pg_advisory_unlock_shared(89)'),
        )
        expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
        await blocker.query('SELECT pg_advisory_unlock(89)')
        await Promise.all(blocked)
      } finally {
        blocker.release()
      }
    }))

  test('passes on the turn of a connection that could not be opened', () =>
    withPool(1, async (pool) => {
      const failing = createPool(`${database.url.replace(/\/[^/?]*(\?|$)/, '/no_such_database$1')}`, { max: requests })
      try {
        const attempts = await Promise.allSettled(Array.from({ length: requests }, () => failing.query('SELECT 1')))
        expect(attempts.every(({ status }) => status === 'rejected')).toBe(true)
      } finally {
        await failing.end()
      }
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    }))
})
