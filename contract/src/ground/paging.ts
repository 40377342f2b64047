/** Queries and responses of lists: by offset, and by key for tables that only grow. */
import * as z from 'zod/mini'
import { constants } from './constants.ts'
import { integerText } from './fields.ts'

/**
 * `offset`, `limit` (default 50, at most 200) and `sort` (`+field,-field`, only fields in `sortable`; a bare name means
 * `+`).
 */
/* @__NO_SIDE_EFFECTS__ */
export function listQuery<const F extends readonly string[]>(sortable: F) {
  const pattern = new RegExp(`^[+\\- ]?(${sortable.join('|')})(,[+\\- ]?(${sortable.join('|')}))*$`)
  return z.object({
    offset: z._default(integerText(0, 100_000_000), 0),
    limit: z._default(integerText(1, constants.maximumPageSize), constants.defaultPageSize),
    sort: z.optional(z.string().check(z.regex(pattern))),
  })
}

/**
 * The formats of a list's spreadsheet. Its filters are those of the list; it contains all rows, in the usual order.
 */
export const sheetFormat = z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const)
export const sheetMedia = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Where most lists stop counting: counting millions of rows is slow. A total at the limit means "at least". */
export const countLimit = 10_000

/** `{ items, total, offset, limit }`. */
/* @__NO_SIDE_EFFECTS__ */
export function page<S extends z.ZodMiniType>(item: S) {
  return z.object({ items: z.array(item), total: z.number(), offset: z.number(), limit: z.number() })
}

/** How far `offset` reaches in a keyset list: the rows that it skips are read. */
const deepestOffset = 1000

/**
 * Keyset pagination, for tables that only grow: a deep page costs no more than the first. `after` and `before` are
 * `next` and `previous` of an earlier response; with neither, `offset` counts from the first row.
 */
/* @__NO_SIDE_EFFECTS__ */
export function keysetQuery() {
  const cursor = z.optional(z.string().check(z.regex(/^[\w-]{1,200}$/)))
  return z.object({
    after: cursor,
    before: cursor,
    offset: z._default(integerText(0, deepestOffset), 0),
    limit: z._default(integerText(1, constants.maximumPageSize), constants.defaultPageSize),
  })
}

/** `{ items, total, limit, next, previous }`; null if there is no further page in that direction. */
/* @__NO_SIDE_EFFECTS__ */
export function keysetPage<S extends z.ZodMiniType>(item: S) {
  return z.object({
    items: z.array(item),
    total: z.number(),
    limit: z.number(),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
  })
}

/**
 * Requires that `to`, if both are given, is not before `from`. Reports check their period on the server, because today
 * may be its end.
 */
/* @__NO_SIDE_EFFECTS__ */
export function withOrderedPeriod<S extends z.ZodMiniObject>(query: S): S {
  const inOrder = ({ from, to }: Record<string, unknown>) => !from || !to || String(from) <= String(to)
  return query.check(z.refine(inOrder, { path: ['to'], params: { rule: 'endBeforeStart' } }))
}

/** The number of rows in each tab of a list with its other filters, at most `countLimit`. */
/* @__NO_SIDE_EFFECTS__ */
export function tabCounts<const T extends string>(tabs: readonly T[]) {
  return z.record(z.enum(tabs), z.number())
}

export type SortTerm = { field: string; descending: boolean }

/** `+a,-b` -> terms. In a query string a `+` becomes a space. */
export function parseSort(sort: string | undefined): SortTerm[] {
  if (!sort) return []
  return sort.split(',').map((term) => {
    const sign = term[0]
    const field = sign === '+' || sign === '-' || sign === ' ' ? term.slice(1) : term
    return { field, descending: sign === '-' }
  })
}
