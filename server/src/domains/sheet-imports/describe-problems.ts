/** The texts of problems of cells, in the language of their reader. */
import type { Locale } from '@waybill/contract/ground/constants'
import { labelIn, quotedLabel } from '@waybill/contract/ground/enums/labels'
import { fieldMessage, type Translate } from '@waybill/contract/ground/validation'
import type { RowProblem } from './cell-reader.ts'

type Reader = { t: Translate; locale: Locale }

/** The text of a problem in the reader's language. `column` is the key of its label under `fields.`. */
export function problemText({ column, rule, vars }: RowProblem, { t, locale }: Reader): string {
  const choices = vars?.choices && { choices: vars.choices.map((label) => quotedLabel(label, locale)) }
  return fieldMessage(rule, column ?? '', t, { ...vars, ...choices })
}

/** The probably intended text of a cell, in the reader's language; null: none. */
export const suggestionText = (
  { suggestion }: Pick<RowProblem, 'suggestion'>,
  { locale }: Pick<Reader, 'locale'>,
): string | null => (typeof suggestion === 'object' ? labelIn(suggestion, locale) : (suggestion ?? null))

/** The cell of a file of rows with problems that names those of its row, each with its suggestion. */
export const problemCell = (problems: readonly { message: string; suggestion: string | null }[]): string =>
  problems.map(({ message, suggestion }) => (suggestion === null ? message : `${message} → ${suggestion}`)).join('; ')
