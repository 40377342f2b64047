/**
 * Why a file can't be read as a spreadsheet. `vars` go into its text, e.g. how many rows are too many, or what the file
 * really is.
 */
export type SheetFault =
  | 'empty'
  | 'broken'
  | 'encrypted'
  | 'old_excel'
  | 'not_a_sheet'
  | 'too_many_rows'
  | 'too_large'
  /** Reading it takes more memory or time than any real spreadsheet of this size. */
  | 'too_heavy'
  /** Reading it failed for reasons of ours, twice. */
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
