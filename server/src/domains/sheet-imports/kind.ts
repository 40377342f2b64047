/**
 * Defines a kind of courier's records that can be exported and imported. A kind knows its columns, its rules and its
 * tables; reading files, comparing, the preview and the all-or-nothing write are shared by all kinds.
 */
import type { Locale } from '@waybill/contract/ground/constants'
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import type { Units } from '../../lib/sheet/cell-values.ts'
import type { SheetKind as ColumnKind, SheetValue } from '../../lib/sheet/write.ts'
import type { CellReader, RowProblem } from './cell-reader.ts'

/**
 * A column. A file must contain all of them: without the hours of a day, an import would close stations on that day.
 */
export type SheetImportColumn = {
  /** Its header is the label of this field in the locale files. */
  key: string
  kind: Extract<ColumnKind, 'text' | 'number' | 'money'>
  /** In characters. */
  width?: number
  /** The unit in brackets after the header; `currency` is the caller's. */
  unit?: 'g' | 'currency'
  /** Other units that a header may name. */
  units?: Units
  /** Other headers that are accepted. */
  aliases?: readonly string[]
}

/** The deployment and the caller of an import, and the record that it belongs to, such as a rate card. */
export type ImportContext = {
  deps: Deps
  caller: StaffCaller
  subjectId: string | null
  /** The country of a row that names none. */
  home: string
  /** The currency of amounts. */
  currency: string
}

/** A row whose own cells have no problems, with its number in the file. */
export type ReadRecord<C> = { number: number; record: C }

/** Compares the records of a file with those of the database. */
export type Comparison<C> = {
  /** The records of the database by key; others are new. */
  current: ReadonlyMap<string, C>
  /** Records that are missing in the file although it contains their owner. */
  removed: readonly C[]
  /** Problems that involve other rows or the database, by the row's number. */
  problems: readonly (RowProblem & { row: number })[]
}

/** Applied rows: a record and its previous version, null if it is new. */
export type RecordChange<C> = { record: C; before: C | null }

export type RecordKind<C extends object> = {
  /** The name in the table of imports, the activity log (`<name>.import`) and file names. */
  name: string
  /** The key of its title in the locale files. */
  title: string
  columns: readonly SheetImportColumn[]
  /** The maximum number of rows in a file. */
  rows: number
  /** Records of the template. */
  examples: readonly C[]
  /** Details of the import's subject that replace those of the deployment. Throws not_found. */
  getSubject?(db: DbOrTx, context: ImportContext): Promise<Pick<ImportContext, 'currency'>>
  /** Throws if the subject does not allow an import. */
  prepare?(db: DbOrTx, context: ImportContext): Promise<void>
  /** The record of a row; null after `cells.addProblem`. */
  read(cells: CellReader, context: ImportContext): C | null
  /** One value for each column, as `writeSheet` takes them. */
  write(record: C, locale: Locale): SheetValue[]
  /** Two records with the same key are the same. */
  key(record: C): string
  /** The column at which a repeated key is reported. */
  keyColumn: string
  compare(db: DbOrTx, context: ImportContext, rows: readonly ReadRecord<C>[]): Promise<Comparison<C>>
  /** Locks the data that `compare` reads, until the transaction ends. */
  lock(trx: Tx, context: ImportContext): Promise<void>
  /**
   * Writes changes and removals, with few statements for any number of them. `all` has every record of the file.
   * Returns the id of a record that was created for all of them, and details for the activity log.
   */
  save(
    trx: Tx,
    context: ImportContext,
    changes: { changed: readonly RecordChange<C>[]; removed: readonly C[]; all: readonly C[] },
  ): Promise<{ resultId: string | null; detail: Record<string, unknown> }>
  /** Every record, in batches. */
  records(context: ImportContext): AsyncIterable<C>
}

/** Labels that differ from those of forms, where a `code` is one received by mail. */
const recordLabels: Readonly<Record<string, string>> = { code: 'recordCode' }
/** The key of a column's label. */
export const labelKey = (column: string): string => recordLabels[column] ?? column
