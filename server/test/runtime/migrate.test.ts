import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolClient } from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
let dir: string

beforeAll(async () => {
  database = await createTestDatabase()
})

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'waybill-migrations-'))
  await database.pool.query('DROP SCHEMA public CASCADE')
  await database.pool.query('CREATE SCHEMA public')
})

afterEach(() => rmSync(dir, { recursive: true }))

const write = (name: string, sql: string) => writeFileSync(join(dir, name), sql)
const run = () => migrate(database.url, { dir })
const tables = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY 1`,
  )
  return rows.map((row) => row.name)
}

test('applies new files in order, once', async () => {
  write('0001_first.sql', 'CREATE TABLE a (id int);')
  expect(await run()).toEqual(['0001_first.sql'])
  write('0002_second.sql', 'ALTER TABLE a ADD b int; CREATE TABLE c (id int);')
  expect(await run()).toEqual(['0002_second.sql'])
  expect(await run()).toEqual([])
  expect(await tables()).toEqual(['a', 'c'])
})

test('applies each file once if several processes start together', async () => {
  write('0001_first.sql', 'CREATE TABLE a (id int); SELECT pg_sleep(0.2);')
  const applied = await Promise.all([run(), run(), run()])
  expect(applied.flat()).toEqual(['0001_first.sql'])
})

test('rolls back a failed file, names the file and the line, and can apply a corrected one', async () => {
  write('0001_first.sql', 'CREATE TABLE a (id int);')
  write('0002_second.sql', 'CREATE TABLE b (id int);\nSELECT\n  missing FROM a;')
  await expect(run()).rejects.toThrow(/0002_second\.sql \(line 3\): column "missing" does not exist/)
  expect(await tables()).toEqual(['a'])
  write('0002_second.sql', 'CREATE TABLE b (id int);')
  expect(await run()).toEqual(['0002_second.sql'])
})

test('builds an index concurrently in a file without a transaction, even while others wait to migrate', async () => {
  write('0001_first.sql', 'CREATE TABLE a (id int);')
  write(
    '0002_index.sql',
    '-- no transaction\n-- why\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_id ON a (id);\nSELECT 1;\n',
  )
  const applied = await Promise.all([run(), run()])
  expect(applied.flat()).toEqual(['0001_first.sql', '0002_index.sql'])
})

test('commits every batch of a block in a file without a transaction', async () => {
  write('0001_first.sql', 'CREATE TABLE a (id int); INSERT INTO a SELECT generate_series(1, 3);')
  write(
    '0002_batches.sql',
    `-- no transaction
-- Two batches; the third fails.
DO $$
BEGIN
  FOR n IN 1 .. 3 LOOP
    UPDATE a SET id = 10 * id / (3 - n) WHERE id = n;
    COMMIT;
  END LOOP;
END $$;
CREATE TABLE b (id int);
`,
  )
  await expect(run()).rejects.toThrow(/0002_batches\.sql.*division by zero/)
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM a ORDER BY id')
  expect(rows.map(({ id }) => id)).toEqual([3, 5, 20])
  expect(await tables()).toEqual(['a'])
})

test('accepts a database that applied an earlier text, if the new one names its hash', async () => {
  const [earlier, later] = ['CREATE TABLE a (id int);', 'CREATE TABLE IF NOT EXISTS a (id int);']
  write('0001_first.sql', earlier)
  await run()
  const { rows } = await database.pool.query<{ sha256: string }>('SELECT sha256 FROM schema_migrations')
  write('0001_first.sql', later)
  await expect(run()).rejects.toThrow('0001_first.sql was changed')
  write('0001_first.sql', `-- replaces ${rows[0]?.sha256}\n${later}`)
  write('0002_second.sql', 'CREATE TABLE b (id int);')
  expect(await run()).toEqual(['0002_second.sql'])
})

describe('while another transaction has a lock', () => {
  let holder: PoolClient
  beforeEach(async () => {
    write('0001_first.sql', 'CREATE TABLE a (id int);')
    await run()
    holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('insert into a select 1')
  })
  afterEach(async () => {
    await holder.query('commit')
    holder.release()
  })

  test('lets other statements pass, says what it waits for, and goes on after its end', async () => {
    write('0002_second.sql', 'CREATE TABLE b (id int); ALTER TABLE a ADD b int;')
    write('0003_third.sql', '-- no transaction\nALTER TABLE a ADD c int;\n')
    const lines: string[] = []
    const running = migrate(database.url, { dir, log: (line) => lines.push(line) })
    await expect
      .poll(() => lines, { timeout: 10_000 })
      .toEqual([expect.stringMatching(/0002_second\.sql waits for a lock; .*process \d+ \(waybill/)])
    await database.pool.query('select id from a')
    await holder.query('commit')
    expect(await running).toEqual(['0002_second.sql', '0003_third.sql'])
  })

  test.each(['ALTER TABLE a ADD b int;', '-- no transaction\nALTER TABLE a ADD b int;\n'])(
    'gives up after the limit: %s',
    async (sql) => {
      write('0002_second.sql', sql)
      await expect(migrate(database.url, { dir, patienceMs: 0 })).rejects.toThrow(
        /^Migration 0002_second\.sql: no lock for 0 minutes; end process \d+ \(/,
      )
    },
  )

  test('waits with an index that is built concurrently: a second attempt would find an invalid one', async () => {
    write('0002_index.sql', '-- no transaction\n-- why\nCREATE INDEX CONCURRENTLY a_id ON a (id);\n')
    const running = migrate(database.url, { dir })
    const waiting = `select 1 from pg_stat_activity where query like '%INDEX CONCURRENTLY a_id%'
      and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '1.5 seconds'`
    await expect.poll(async () => (await database.pool.query(waiting)).rows.length, { timeout: 10_000 }).toBe(1)
    await holder.query('commit')
    expect(await running).toEqual(['0002_index.sql'])
  })
})

describe('refuses', () => {
  beforeEach(async () => {
    write('0001_first.sql', 'CREATE TABLE a (id int);')
    write('0002_second.sql', 'CREATE TABLE b (id int);')
    await run()
  })

  test('a file that was changed after it was applied', async () => {
    write('0001_first.sql', 'CREATE TABLE a (id bigint);')
    await expect(run()).rejects.toThrow('0001_first.sql was changed')
  })

  test('a database with more migrations than this release', async () => {
    rmSync(join(dir, '0002_second.sql'))
    await expect(run()).rejects.toThrow('0002_second.sql was applied to this database but is not part of this release')
  })

  test('a file that was inserted before applied ones', async () => {
    renameSync(join(dir, '0002_second.sql'), join(dir, '0003_second.sql'))
    write('0002_between.sql', 'SELECT 1;')
    await expect(run()).rejects.toThrow('0002_between.sql was never applied')
  })

  test('a gap, a duplicate number and an invalid file name', () => {
    write('0004_gap.sql', 'SELECT 1;')
    expect(() => readMigrations(dir)).toThrow('0004_gap.sql: number 0003 was expected')
    renameSync(join(dir, '0004_gap.sql'), join(dir, '0002_twice.sql'))
    expect(() => readMigrations(dir)).toThrow('0002_twice.sql: number 0003 was expected')
    renameSync(join(dir, '0002_twice.sql'), join(dir, '3-next.sql'))
    expect(() => readMigrations(dir)).toThrow('3-next.sql: the name must look like 0003_what_it_does.sql')
  })
})

test('creates the tables of the job queue', async () => {
  const { rows } = await database.pool.query("SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS there")
  expect(rows).toEqual([{ there: true }])
})
