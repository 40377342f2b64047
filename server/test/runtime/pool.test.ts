import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDb, createPool, statementsPerConnection, tx, withoutTimeLimit } from '../../src/db/pool.ts'
import { runLastWrites, type Write } from '../../src/db/writes.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL DEFAULT 0)')
  await database.pool.query('INSERT INTO counters (id) VALUES (1), (2)')
})

describe('values from the database', () => {
  test.each([
    ["'9007199254740991'::int8", Number.MAX_SAFE_INTEGER],
    ["'-9007199254740991'::int8", Number.MIN_SAFE_INTEGER],
    ["'{1,NULL,3}'::int8[]", [1, null, 3]],
    ["'12.50'::numeric", '12.50'],
    ["'{12.50,0.1}'::numeric[]", ['12.50', '0.1']],
    ["'2026-02-28'::date", '2026-02-28'],
    ["'{2026-02-28}'::date[]", ['2026-02-28']],
    ["'2026-02-28T01:02:03Z'::timestamptz", new Date('2026-02-28T01:02:03Z')],
    [`'{"a":[1]}'::jsonb`, { a: [1] }],
  ])('%s', async (expression, expected) => {
    const { rows } = await database.pool.query(`SELECT ${expression} AS value`)
    expect(rows[0].value).toEqual(expected)
  })

  test('an int8 that a number cannot hold exactly is an error, never a rounded value', async () => {
    await expect(database.pool.query("SELECT '9007199254740992'::int8 AS value")).rejects.toThrow('9007199254740992')
  })
})

describe('prepared statements', () => {
  test('are parsed once per parameterised query, whichever way it is called', async () => {
    const client = await database.pool.connect()
    try {
      const text = 'SELECT $1::int + 40 AS answer'
      await client.query(text, [1])
      await client.query({ text, values: [2] })
      const last = await client.query({ text }, [2])
      expect(last.rows).toEqual([{ answer: 42 }])
      const { rows } = await client.query('SELECT name FROM pg_prepared_statements WHERE statement = $1', [text])
      expect(rows).toHaveLength(1)
    } finally {
      client.release()
    }
  })

  test('have the same columns each time, with and without rows, after an error and in a transaction', async () => {
    const pool = createPool(database.url, { max: 2 })
    const db = createDb(pool)
    const text = `SELECT g AS n, 12 / g AS share, '2026-02-28'::date AS day, '{"a": 1}'::jsonb AS json
      FROM generate_series(1, $1::int) g`
    const row = (n: number) => ({ n, share: 12 / n, day: '2026-02-28', json: { a: 1 } })
    const client = await pool.connect()
    try {
      for (const count of [2, 0, 3]) {
        const result = await client.query(text, [count])
        expect(result.rows).toEqual([1, 2, 3].slice(0, count).map(row))
        expect(result.fields.map(({ name }) => name)).toEqual(['n', 'share', 'day', 'json'])
        await expect(client.query('SELECT 1 / $1::int AS share', [0])).rejects.toThrow('division by zero')
        expect((await client.query('SELECT 1 / $1::int AS share', [1])).rows).toEqual([{ share: 1 }])
        const update = await client.query('UPDATE counters SET n = n WHERE id = $1', [1])
        expect([update.rowCount, update.rows]).toEqual([1, []])
      }
      for (let turn = 0; turn < 2; turn += 1) {
        const first = await tx(db, (trx) => sql`SELECT ${turn}::int AS turn, 'first' AS place`.execute(trx))
        expect(first.rows).toEqual([{ turn, place: 'first' }])
        const last = await tx(db, (trx) => sql`SELECT ${turn}::int AS other`.execute(trx))
        expect(last.rows).toEqual([{ other: turn }])
      }
    } finally {
      client.release()
      await pool.end()
    }
  })

  test('are limited per connection, even in a failed transaction: the least used are dropped', async () => {
    const pool = createPool(database.url, { max: 1 })
    try {
      await pool.query('SELECT $1::int AS first', [1])
      const client = await pool.connect()
      await client.query('BEGIN')
      await expect(client.query('SELECT 1 / $1::int', [0])).rejects.toThrow('division by zero')
      await expect(client.query('SELECT $1::int', [0])).rejects.toThrow('current transaction is aborted')
      await client.query('ROLLBACK')
      client.release()
      for (let n = 0; n < statementsPerConnection + 20; n += 1) await pool.query(`SELECT $1::int + ${n} AS sum`, [1])
      const statements = await pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')
      expect(statements.rows).toHaveLength(statementsPerConnection)
      expect(statements.rows.map((row) => row.statement)).not.toContain('SELECT $1::int AS first')
      expect((await pool.query('SELECT $1::int AS first', [7])).rows).toEqual([{ first: 7 }])
    } finally {
      await pool.end()
    }
  })

  test('are not used for very long texts or very many parameters', async () => {
    const client = await database.pool.connect()
    try {
      const before = await client.query('SELECT count(*) AS n FROM pg_prepared_statements')
      await client.query(`SELECT $1::int AS x -- ${'x'.repeat(20_000)}`, [1])
      await client.query(
        `SELECT ${Array.from({ length: 201 }, (_, n) => `$${n + 1}::int`).join('+')}`,
        Array(201).fill(1),
      )
      const after = await client.query('SELECT count(*) AS n FROM pg_prepared_statements')
      expect(after.rows).toEqual(before.rows)
    } finally {
      client.release()
    }
  })
})

describe('tx', () => {
  test('completes two transactions that block each other', async () => {
    let runs = 0
    let meet = () => {}
    const bothLocks = new Promise<void>((resolve) => {
      let holding = 0
      meet = () => {
        holding += 1
        if (holding === 2) resolve()
      }
    })
    let releaseVictim = () => {}
    const through = new Promise<void>((resolve) => {
      releaseVictim = resolve
    })
    const bump = async (first: number, second: number) => {
      let tries = 0
      await tx(database.db, async (trx) => {
        runs += 1
        tries += 1
        // The aborted transaction restarts once the other has both rows. Otherwise, the two might block each other
        // again.
        if (tries > 1) await through
        await sql`UPDATE counters SET n = n + 1 WHERE id = ${first}`.execute(trx)
        meet()
        await bothLocks
        await sql`UPDATE counters SET n = n + 1 WHERE id = ${second}`.execute(trx)
        releaseVictim()
      })
    }
    await Promise.all([bump(1, 2), bump(2, 1)])
    const { rows } = await database.pool.query('SELECT id, n FROM counters ORDER BY id')
    expect(rows).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ])
    expect(runs).toBe(3)
  })

  const insert = (id: number): Write => ({
    ctes: sql`inserted as (insert into counters (id) values (${id}::int) returning 1)`,
    cte: 'inserted',
    expected: 1,
    refused: () => new Error('not inserted'),
  })
  const ids = async () => {
    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM counters WHERE id > 100 ORDER BY id')
    return rows.map(({ id }) => id)
  }

  test('commits with the last writes, and refuses what follows', async () => {
    const late = tx(database.db, async (trx) => {
      await sql`INSERT INTO counters (id) VALUES (101)`.execute(trx)
      await runLastWrites(database.db, trx, [insert(102)])
      expect(await ids()).toEqual([101, 102])
      await sql`INSERT INTO counters (id) VALUES (103)`.execute(trx)
    })
    await expect(late).rejects.toThrow('has been committed already')
    expect(await ids()).toEqual([101, 102])
  })

  test('writes nothing if the last writes fail', async () => {
    const before = await ids()
    const failing = tx(database.db, async (trx) => {
      await sql`INSERT INTO counters (id) VALUES (111)`.execute(trx)
      await runLastWrites(database.db, trx, [insert(1)])
    })
    await expect(failing).rejects.toThrow('counters_pkey')
    expect(await ids()).toEqual(before)
  })

  test('does not commit the transaction that it is a part of', async () => {
    const before = await ids()
    const outer = database.db.transaction().execute(async (trx) => {
      await tx(trx, (inner) => runLastWrites(trx, inner, [insert(121)]))
      throw new Error('the outer one fails')
    })
    await expect(outer).rejects.toThrow('the outer one fails')
    expect(await ids()).toEqual(before)
  })

  test('begins with the first statement, whose failure has no effect on later ones', async () => {
    const pool = createPool(database.url, { max: 1 })
    const db = createDb(pool)
    const first = (value: number) => tx(db, (trx) => sql`INSERT INTO late_table VALUES (${value}::int)`.execute(trx))
    try {
      await tx(db, async () => undefined)
      await expect(first(1)).rejects.toThrow('"late_table" does not exist')
      await pool.query('CREATE TABLE late_table (value int CHECK (value < 9))')
      await first(2)
      await expect(first(9)).rejects.toThrow('late_table_value_check')
      await first(3)
      const rolledBack = tx(db, async (trx) => {
        await sql`INSERT INTO late_table VALUES (4)`.execute(trx)
        throw new Error('no')
      })
      await expect(rolledBack).rejects.toThrow('no')
      expect((await pool.query('SELECT value FROM late_table')).rows).toEqual([{ value: 2 }, { value: 3 }])
    } finally {
      await pool.end()
    }
  })

  test('rolls back any other error and does not retry', async () => {
    let runs = 0
    const failing = tx(database.db, async (trx) => {
      runs += 1
      await sql`INSERT INTO counters (id) VALUES (3)`.execute(trx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(runs).toBe(1)
    const { rowCount } = await database.pool.query('SELECT FROM counters WHERE id = 3')
    expect(rowCount).toBe(0)
  })
})

test('a pool survives the loss of its idle connections', async () => {
  const errors: Error[] = []
  const pool = createPool(database.url, { max: 1, name: 'to be cut off', onError: (error) => errors.push(error) })
  try {
    await pool.query('SELECT 1')
    await database.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      'to be cut off',
    ])
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})

describe('time limits', () => {
  const limits = sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout') order by name`

  test('apply to every connection: for locks, statements and idle transactions', async () => {
    expect((await limits.execute(database.db)).rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '60000' },
      { name: 'lock_timeout', setting: '10000' },
      { name: 'statement_timeout', setting: '60000' },
    ])
  })

  test('are lifted for one transaction that may take long', async () => {
    await tx(database.db, async (trx) => {
      await withoutTimeLimit(trx)
      expect((await limits.execute(trx)).rows.map(({ setting }) => setting)).toEqual(['0', '10000', '0'])
    })
    expect((await limits.execute(database.db)).rows.map(({ setting }) => setting)).toEqual(['60000', '10000', '60000'])
  })
})
