/** Faults of uploaded spreadsheets as errors of the API. */
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { Translate } from '@waybill/contract/ground/validation'
import { SheetError, type SheetFault, sheetFaultCodes } from '../../lib/sheet/error.ts'
import { AppError } from '../errors.ts'

type Vars = Record<string, string | number>

/** The reader's own limit of rows is higher than that of the upload, so it is not shown. */
const faultVars = (fault: string, vars: Vars, rows: number): Vars => (fault === 'too_many_rows' ? { max: rows } : vars)

/** The error file_… for a fault of a file with at most `rows` rows; any other error unchanged. */
export function toAppError(error: unknown, rows: number): unknown {
  if (!(error instanceof SheetError)) return error
  const { fault, vars } = error
  return new AppError(sheetFaultCodes[fault], { vars: faultVars(fault, vars, rows) })
}

/** A stored fault in the reader's language; null if there is none. */
export function presentFault(
  { fault, fault_vars }: { fault: string | null; fault_vars: Vars },
  rows: number,
  t: Translate,
): { code: ErrorCode; message: string } | null {
  if (fault === null) return null
  const code = sheetFaultCodes[fault as SheetFault]
  return { code, message: t(`errors.${code}`, faultVars(fault, fault_vars, rows)) }
}
