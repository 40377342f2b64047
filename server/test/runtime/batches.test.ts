import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { deleteOldRows } from '../../src/db/batches.ts'
import { createTestDatabase } from '../testing/database.ts'

it('old rows are deleted in steps of a thousand, except those that are locked', async () => {
  const { db, pool } = await createTestDatabase()
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  await sql`create table notes (id integer primary key, at timestamptz not null, kept boolean not null)`.execute(db)
  await sql`
    insert into notes
    select n, case when n > 3500 then ${day(20)}::timestamptz else ${day(1)} end, n <= 5
    from generate_series(1, 4000) as n`.execute(db)
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select 1 from notes where id between 6 and 8 for update')
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await deleteOldRows(db, 'notes', 'at', day(10), sql`not kept`)
  const statementCount = query.mock.calls.length
  query.mockRestore()
  await holder.query('rollback')
  holder.release()
  expect(statementCount).toBe(4)
  const { rows } = await sql<{ ids: number[] }>`select array_agg(id order by id) as ids from notes`.execute(db)
  const newer = Array.from({ length: 500 }, (_, n) => 3501 + n)
  expect(rows[0]?.ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, ...newer])
})

it('every cleanup by age finds its rows by an index on the time', async () => {
  const { db } = await createTestDatabase()
  const folder = join(import.meta.dirname, '../../src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const calls = files.flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/deleteOldRows\(\s*db,\s*'(\w+)',\s*'(\w+)'/g),
  ])
  expect(calls.length).toBeGreaterThan(15)
  const { rows } = await sql<{ tablename: string; indexdef: string }>`
    select tablename, indexdef from pg_indexes where schemaname = 'public'`.execute(db)
  for (const [, table, column] of calls) {
    const hasIndex = rows.some(({ tablename, indexdef }) => {
      const [columns = '', condition] = indexdef.replace(/.* USING btree /, '').split(' WHERE ')
      const isWhole = condition === undefined || condition === `(${column} IS NOT NULL)`
      return tablename === table && columns.match(/\w+/)?.[0] === column && isWhole
    })
    expect(hasIndex, `${table}.${column}`).toBe(true)
  }
})
