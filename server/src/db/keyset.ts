/** Keyset pagination for a growing list: a deep page costs as much as the first (`keysetQuery` of the contract). */
import { type RawBuilder, sql } from 'kysely'
import { validationError } from '../http/errors.ts'

/**
 * The position of a row: its time to the microsecond, as PostgreSQL prints it, and its id. A list with another order
 * uses its own text instead of the time, and a pattern for it.
 */
export type RowKey = { at: string; id: string }

/** Where to read: rows after the key (`backward`: before it, nearest first); without a key, from the beginning. */
export type ReadFrom = { key: RowKey | null; backward: boolean; limit: number }

export type Keyed = { id: string; at_exactly: string }

/**
 * SQL of one page: `beyond`, which continues a where clause after the key, and the order. `at` and `id` are columns,
 * with the alias of their table. Newest first, or oldest first with `ascending`.
 */
export function keysetClauses(
  { key, backward }: Pick<ReadFrom, 'key' | 'backward'>,
  { at, id, ascending = false }: { at: string; id: string; ascending?: boolean },
): { beyond: RawBuilder<unknown>; order: RawBuilder<unknown> } {
  const [compare, direction] = ascending === backward ? ['<', 'desc'] : ['>', 'asc']
  return {
    beyond: key
      ? sql`and (${sql.raw(at)}, ${sql.raw(id)}) ${sql.raw(compare)} (${key.at}::timestamptz, ${key.id}::uuid)`
      : sql``,
    order: sql.raw(`${at} ${direction}, ${id} ${direction}`),
  }
}

const encodeCursor = ({ at_exactly, id }: Keyed) => Buffer.from(`${at_exactly}|${id}`).toString('base64url')

const timePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?$/
const shape = /^([^|]{1,60})\|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function decodeCursor(cursor: string, field: 'after' | 'before', pattern: RegExp): RowKey {
  const [, at, id] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined || !pattern.test(at)) throw validationError({ field, rule: 'pattern' })
  return { at, id }
}

type Page = { after?: string | undefined; before?: string | undefined; offset: number; limit: number }

/**
 * Reads one page with the cursors of its neighbours (null: none). `read` returns rows in the order of `ReadFrom`;
 * `pattern` validates the part of a cursor that replaces the time. Throws a validation error for an invalid cursor.
 */
export async function readKeysetPage<R extends Keyed>(
  { after, before, offset, limit }: Page,
  read: (from: ReadFrom) => Promise<R[]>,
  pattern = timePattern,
): Promise<{ rows: R[]; next: string | null; previous: string | null }> {
  const cursor = (row: R | undefined) => (row ? encodeCursor(row) : null)
  if (before !== undefined && after === undefined) {
    const pageRows = await read({ key: decodeCursor(before, 'before', pattern), backward: true, limit: limit + 1 })
    // Less than a page lies before the cursor, so this is the first page, and it must be a full one.
    if (pageRows.length > limit) {
      const rows = pageRows.slice(0, limit).reverse()
      return { rows, next: cursor(rows.at(-1)), previous: cursor(rows[0]) }
    }
  }
  const key = after === undefined ? null : decodeCursor(after, 'after', pattern)
  // Next to a cursor an offset has no meaning; a page before the first full one starts at the beginning.
  const skipped = after === undefined && before === undefined ? offset : 0
  const pageRows = (await read({ key, backward: false, limit: skipped + limit + 1 })).slice(skipped)
  const rows = pageRows.slice(0, limit)
  return {
    rows,
    next: pageRows.length > limit ? cursor(rows.at(-1)) : null,
    previous: key || skipped > 0 ? cursor(rows[0]) : null,
  }
}
