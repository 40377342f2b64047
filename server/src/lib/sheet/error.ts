import type { ErrorCode } from '@waybill/contract/ground/errors'

/**
 * Why a file cannot be read as a spreadsheet. `vars` are variables of its text, such as the limit of rows, or the real
 * kind of the file if it is known.
 */
export type SheetFault =
  | 'empty'
  | 'broken'
  | 'encrypted'
  | 'old_excel'
  | 'not_a_sheet'
  /** A spreadsheet in a format that we do not read, such as Apple Numbers. */
  | 'other_sheet'
  | 'too_many_rows'
  | 'too_large'
  /** It takes more memory or time than any real spreadsheet of its size. */
  | 'too_heavy'
  /** Our own failure, twice. */
  | 'unreadable'
  | 'no_rows'

/** The error code of each fault. */
export const sheetFaultCodes: Record<SheetFault, ErrorCode> = {
  not_a_sheet: 'file_not_a_sheet',
  other_sheet: 'file_other_sheet',
  old_excel: 'file_old_excel',
  encrypted: 'file_encrypted',
  broken: 'file_broken',
  empty: 'file_empty',
  no_rows: 'file_no_rows',
  too_many_rows: 'file_too_many_rows',
  too_large: 'file_too_large',
  too_heavy: 'file_too_heavy',
  unreadable: 'file_unreadable',
}

export class SheetError extends Error {
  readonly fault: SheetFault
  readonly vars: Record<string, string | number>

  constructor(fault: SheetFault, vars: Record<string, string | number> = {}) {
    super(fault)
    this.name = 'SheetError'
    this.fault = fault
    this.vars = vars
  }
}
