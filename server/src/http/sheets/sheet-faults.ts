/** Faults of uploaded spreadsheets as errors of the API. */
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { Translate } from '@waybill/contract/ground/validation'
import { SheetError, type SheetFault, sheetFaultCodes } from '../../lib/sheet/error.ts'
import { AppError } from '../errors.ts'

type Vars = Record<string, string | number>

/** The reader's own limit of rows is higher than that of the upload, so it is not shown. */
const faultVars = (fault: string, vars: Vars, rows: number): Vars => (fault === 'too_many_rows' ? { max: rows } : vars)

/** The key of a fault's text, under `errors.` in the locale files. The kind of a binary file may be unknown. */
const faultText = (code: ErrorCode, vars: Vars) =>
  code === 'file_not_a_sheet' && vars.kind === undefined ? 'file_not_a_sheet_unknown' : code

/** The error file_… for a fault of a file with at most `rows` rows; any other error unchanged. */
export function toAppError(error: unknown, rows: number): unknown {
  if (!(error instanceof SheetError)) return error
  const { fault, vars } = error
  const code = sheetFaultCodes[fault]
  return new AppError(code, { text: faultText(code, vars), vars: faultVars(fault, vars, rows) })
}

/** A stored fault in the reader's language; null if there is none. */
export function presentFault(
  { fault, fault_vars }: { fault: string | null; fault_vars: Vars },
  rows: number,
  t: Translate,
): { code: ErrorCode; message: string } | null {
  if (fault === null) return null
  const code = sheetFaultCodes[fault as SheetFault]
  return { code, message: t(`errors.${faultText(code, fault_vars)}`, faultVars(fault, fault_vars, rows)) }
}
