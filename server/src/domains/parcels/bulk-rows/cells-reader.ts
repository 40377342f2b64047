// Reads typed values from the cells of one row, and collects the problems of the cells. Unlike in sheet-imports, a cell
// can have several problems and warnings, and an unreadable cell has a fallback, so that the row can still be priced.
import { type BulkField, bulkFields } from '@waybill/contract/parcels/bulk'
import { type Choices, parseCellNumber, readChoice, type Units } from '../../../lib/sheet/cell-values.ts'
import type { CellMark } from '../../../lib/sheet/row.ts'
import type { KeptProblem } from '../bulk/queries-rows.ts'
import { type AddProblem, cellProblem } from './cells-place.ts'

const fieldIndexes = Object.fromEntries(bulkFields.map((field, n) => [field, n])) as Record<BulkField, number>

const markProblems: Record<CellMark, Pick<KeptProblem, 'code'>> = {
  formula_empty: { code: 'formula_empty' },
  formula_error: { code: 'formula_error' },
  merged: { code: 'merged' },
}

/** One name of each unit. */
const listUnits = (units: Units) =>
  Object.entries(units)
    .flatMap(([name, factor], n, all) => (all.findIndex(([, other]) => other === factor) === n ? [name] : []))
    .join(', ')

export type CellReader = {
  /** Grows while cells are read. */
  problems: KeptProblem[]
  /** Whether the file marks the cell, for example because of a broken formula. */
  marked(field: BulkField): boolean
  at(field: BulkField): string
  /** Adds a problem. */
  addProblem: AddProblem
  /** The text of a required cell. */
  required(field: BulkField): string
  /** A number in the column's unit; null if the cell is empty or has no number within the bounds. */
  number(field: BulkField, units: Units, least: number, most: number): number | null
  /** The value of a choice; `fallback` if the cell is empty or unknown, the latter with the problem `code`. */
  choice<V extends string>(field: BulkField, choices: Choices, fallback: V, code: string): V
}

/** Creates a reader of one row. `marks` are by field; marked cells already have a problem. */
export function cellReader(cells: readonly string[], marks?: ReadonlyMap<BulkField, CellMark>): CellReader {
  const problems: KeptProblem[] = [...(marks ?? [])].map(([column, mark]) => ({ column, ...markProblems[mark] }))
  const at = (field: BulkField) => cells[fieldIndexes[field]] ?? ''
  const marked = (field: BulkField) => marks?.has(field) ?? false
  const addProblem: AddProblem = (column, code, suggestion, vars) => {
    problems.push(cellProblem(column, code, suggestion, vars))
  }
  return {
    problems,
    marked,
    at,
    addProblem,
    required(field) {
      const text = at(field)
      if (text === '' && !marked(field)) addProblem(field, 'required')
      return text
    },
    number(field, units, least, most) {
      const text = at(field)
      if (text === '') return null
      const reading = parseCellNumber(text, units)
      if (reading.kind === 'unclear') {
        const vars = reading.code === 'unit_unknown' ? { units: listUnits(units) } : undefined
        addProblem(field, reading.code, reading.suggestion, vars)
        return null
      }
      if (reading.value < least || reading.value > most) {
        addProblem(field, 'out_of_range', null, { min: least, max: most })
        return null
      }
      return reading.value
    },
    choice<V extends string>(field: BulkField, choices: Choices, fallback: V, code: string): V {
      const text = at(field)
      if (text === '') return fallback
      const { value, suggestion } = readChoice(text, choices)
      if (value !== null) return value as V
      addProblem(field, code, suggestion)
      return fallback
    },
  }
}
