/** A row of an uploaded spreadsheet, and the limits of reading one. */
export type CellMark = 'formula_empty' | 'formula_error' | 'merged'
export type ReadCell = string | number | boolean | Date | null
export type ReadRow = {
  /** From 1, as the spreadsheet shows it. */
  number: number
  cells: ReadCell[]
  /** By column, from 0; null for a row without marks. */
  marks: Map<number, CellMark> | null
  /** The spreadsheet does not show the row, for example because of a filter. */
  hidden?: true
}
/** The normalised headers of the table to read, and how many of them make a row its header. */
export type HeaderNames = { names: readonly string[]; least: number }
export type ReadLimits = {
  /** Rows that are not empty, headers included. The error message names it. */
  rows: number
  /** Bytes of all parts together, inflated. */
  bytes: number
  /** The highest compression ratio. A spreadsheet has at most 50, a ZIP bomb 1000. */
  ratio: number
}

/** Columns beyond this cannot be mapped to a field, so they are dropped. */
export const maxColumns = 200
