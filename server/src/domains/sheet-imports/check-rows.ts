/** Compares the rows of a file with each other and with the database. */
import { createHash } from 'node:crypto'
import type { SheetRowState } from '@waybill/contract/sheet-imports/sheet-imports'
import type { DbOrTx } from '../../db/pool.ts'
import type { SheetValue } from '../../lib/sheet/write.ts'
import type { RowProblem } from './cell-reader.ts'
import type { ImportContext, RecordKind } from './kind.ts'

/** A row as read. `record` is null if a cell has a problem. */
export type ParsedRow<C> = { number: number; cells: string[]; record: C | null; problems: RowProblem[] }

/** A row of the preview; a removed record has no number and no cells. */
export type PreviewRow<C> = {
  number: number | null
  cells: string[]
  state: SheetRowState
  record: C | null
  before: C | null
  problems: RowProblem[]
}

/** Values as the text that decides whether two records are equal. Coordinates are compared to seven decimals. */
const toComparable = (values: readonly SheetValue[]) =>
  JSON.stringify(values.map((value) => (typeof value === 'number' ? Number(value.toFixed(7)) : (value ?? ''))))

/** A problem for each row whose record occurs in an earlier row. */
function repeatedRows<C extends object>(kind: RecordKind<C>, rows: readonly ParsedRow<C>[]) {
  const first = new Map<string, number>()
  return rows.flatMap(({ number, record }) => {
    if (!record) return []
    const key = kind.key(record)
    const row = first.get(key)
    if (row === undefined) first.set(key, number)
    return row === undefined ? [] : [{ row: number, column: kind.keyColumn, rule: 'rowTwice', vars: { row } }]
  })
}

/** The state of every row, then the removed records. */
export async function buildPreview<C extends object>(
  db: DbOrTx,
  kind: RecordKind<C>,
  context: ImportContext,
  rows: readonly ParsedRow<C>[],
): Promise<PreviewRow<C>[]> {
  const complete = rows.flatMap(({ number, record }) => (record ? [{ number, record }] : []))
  const { current, removed, problems } = await kind.compare(db, context, complete)
  const problemsByRow = Map.groupBy([...repeatedRows(kind, rows), ...problems], ({ row }) => row)
  const checked = rows.map(({ number, cells, record, problems: cellProblems }): PreviewRow<C> => {
    const others = (problemsByRow.get(number) ?? []).map(({ row: _, ...problem }) => problem)
    const rowProblems = [...cellProblems, ...others]
    const before = (record && current.get(kind.key(record))) ?? null
    const same = record && before && toComparable(kind.write(record, 'en')) === toComparable(kind.write(before, 'en'))
    const state = rowProblems.length > 0 ? 'faulty' : !before ? 'new' : same ? 'unchanged' : 'changed'
    return { number, cells, state, record, before, problems: rowProblems }
  })
  const removals = removed.map(
    (before): PreviewRow<C> => ({ number: null, cells: [], state: 'removed', record: null, before, problems: [] }),
  )
  return [...checked, ...removals]
}

/** A problem as text. The keys are sorted, because the database returns them in its own order. */
const toText = ({ column, rule, vars = {} }: RowProblem) => `${column} ${rule} ${Object.entries(vars).sort()}`

/**
 * Identifies the outcome of a check. It covers the records that the import would overwrite: a different outcome means
 * that somebody else has changed them since.
 */
export function fingerprint<C extends object>(kind: RecordKind<C>, rows: readonly PreviewRow<C>[]): string {
  const hash = createHash('sha256')
  for (const { number, state, before, problems } of rows) {
    const values = before && state !== 'unchanged' ? toComparable(kind.write(before, 'en')) : ''
    hash.update(`${number} ${state} ${values} ${problems.map(toText)}\n`)
  }
  return hash.digest('hex')
}
