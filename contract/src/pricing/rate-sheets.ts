/** The lines of a rate card as a spreadsheet. A published version never changes: its import becomes a new draft. */
import { id } from '../ground/fields.ts'
import { sheetApply, sheetExport, sheetPreview, sheetProblems, sheetUpload } from '../sheet-imports/sheet-imports.ts'

const rateLines = {
  id: 'rateSheet',
  path: 'rate-lines',
  access: 'staff.rates',
  name: 'All lines of one version of a rate card',
  fields: { cardId: id },
} as const
export const exportRateLines = sheetExport(rateLines)
export const uploadRateLines = sheetUpload(rateLines)
export const getRateImport = sheetPreview(rateLines)
export const rateProblemFile = sheetProblems(rateLines)
export const applyRateImport = sheetApply(rateLines)
