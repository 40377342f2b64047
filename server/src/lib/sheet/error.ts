/**
 * Why a file cannot be read as a spreadsheet. `vars` are variables of its text, such as the limit of rows or the real
 * kind of the file.
 */
export type SheetFault =
  | 'empty'
  | 'broken'
  | 'encrypted'
  | 'old_excel'
  | 'not_a_sheet'
  | 'too_many_rows'
  | 'too_large'
  /** It takes more memory or time than any real spreadsheet of its size. */
  | 'too_heavy'
  /** Our own failure, twice. */
  | 'unreadable'
  | 'no_rows'

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
