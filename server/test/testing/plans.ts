import { sql } from 'kysely'
import pg from 'pg'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'

type Statement = { text: string; values: unknown[] }

/** The parameterised statements that the server sends during `work`. */
async function captureStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls.flatMap(([config]) => {
      const { text, values } = config as unknown as Partial<Statement>
      return text && values ? [{ text, values }] : []
    })
  } finally {
    query.mockRestore()
  }
}

/** How many reads of a table the server sends during `work`. A list must not send more for each row. */
export async function countReads(table: string, work: () => Promise<unknown>): Promise<number> {
  const read = new RegExp(`\\bfrom "?${table}\\b`)
  return (await captureStatements(work)).filter(({ text }) => read.test(text)).length
}

/**
 * The plans of the statements that the server sends during `work` and whose text contains `part`. They are the generic
 * plans of prepared statements, as in production. `asLarge` plans for small tables as for large ones.
 */
export async function explainSent(
  { deps }: TestApp,
  part: string,
  work: () => Promise<unknown>,
  { asLarge = false }: { asLarge?: boolean } = {},
): Promise<string[]> {
  const statements = (await captureStatements(work)).filter(({ text }) => text.includes(part))
  if (statements.length === 0) throw new Error(`no statement contains "${part}"`)
  return deps.db.transaction().execute(async (trx) => {
    if (asLarge) await sql`set local enable_seqscan = off`.execute(trx)
    const plans: string[] = []
    for (const { text, values } of statements) {
      const nulls = sql.raw(values.map(() => 'null').join())
      await sql`prepare explained as ${sql.raw(text)}`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain execute explained(${nulls})`.execute(trx)
      await sql`deallocate explained`.execute(trx)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return plans
  })
}
