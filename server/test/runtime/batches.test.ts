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
