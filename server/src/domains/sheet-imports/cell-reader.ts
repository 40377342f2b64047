/** Reads typed values from the cells of one row, and collects the problems of the cells. */

import type { Label } from '@waybill/contract/ground/enums/labels'
import { fractionDigits } from '@waybill/contract/ground/format'
import { validationRule } from '@waybill/contract/ground/validation'
import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import { isShortenedNumber, parsePhone, suggestPhone } from '../../lib/phone.ts'
import { type Choices, parseCellNumber, readChoice, type Units } from '../../lib/sheet/cell-values.ts'
import type { TableRow } from '../../lib/sheet/table.ts'

/** A problem of a row. `rule` is a key under `validation.` in the locale files; `column` null means the whole row. */
export type RowProblem<C extends string = string> = {
  column: C | null
  rule: string
  /** Variables of the text. `choices` are labels in each language. */
  vars?: Record<string, unknown> & { choices?: Label[] }
  /** The probably intended text of the cell; for a choice its label. */
  suggestion?: string | Label
}

export type CellReader<C extends string = string> = {
  /** In the order of the columns; a problem of the whole row is the last. */
  problems: readonly RowProblem<C>[]
  /** The text of a cell. */
  at(column: C): string
  /** Adds the first problem of a column. */
  addProblem(column: C | null, rule: string, more?: Pick<RowProblem, 'vars' | 'suggestion'>): void
  /** A number in the column's unit; null with a problem if there is none. */
  number(column: C, units?: Units): number | null
  /** A required phone number of the country (alpha-2) as E.164; null with a problem if there is none. */
  phone(column: C, country: string): string | null
  /** An amount in minor units; `empty` for an empty cell. */
  money(column: C, currency: string, empty?: number): number | null
  /** The value of a label or code; `empty` for an empty cell. */
  choice<V extends string>(column: C, choices: Choices, empty?: V): V | null
  /** `HH:mm`; null with a problem if there is none. */
  time(column: C, empty?: string): string | null
  /**
   * The record if the schema accepts it and no cell has a problem. A column is the first part of an issue's path.
   */
  parse<S extends z.ZodMiniType>(schema: S, values: Record<string, unknown>): z.output<S> | null
}

const noUnits: Units = {}

/** A clock time as people and spreadsheets write it: `9:00`, `09.00`, a time cell, or a fraction of a day. */
export function readTime(text: string): string | null {
  const match = /^(?:\d{4}-\d\d-\d\d )?(\d{1,2})[:.：](\d\d)(?::\d\d)?$/.exec(text)
  if (match && Number(match[1]) < 24 && Number(match[2]) < 60) return `${match[1]?.padStart(2, '0')}:${match[2]}`
  const fraction = /^0(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1440) : Number.NaN
  if (Number.isNaN(fraction) || fraction >= 1440) return null
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(fraction / 60))}:${two(fraction % 60)}`
}

/** A reader of one row. Cells with a broken formula already have a problem. */
export function cellReader<C extends string>(
  columns: readonly C[],
  { cells, marks }: Pick<TableRow<C>, 'cells' | 'marks'>,
): CellReader<C> {
  const problems: RowProblem<C>[] = [...(marks ?? [])]
    .filter(([, mark]) => mark !== 'merged')
    .map(([column]) => ({ column, rule: 'formulaBroken' }))
  const at = (column: C) => cells[columns.indexOf(column)] ?? ''
  const rank = ({ column }: RowProblem<C>) => (column === null ? columns.length : columns.indexOf(column))
  const addProblem: CellReader<C>['addProblem'] = (column, rule, more = {}) => {
    if (problems.some((problem) => problem.column === column)) return
    problems.push({ column, rule, ...more })
    problems.sort((one, other) => rank(one) - rank(other))
  }
  const number = (column: C, units = noUnits): number | null => {
    const text = at(column)
    if (text === '') {
      addProblem(column, 'required')
      return null
    }
    const reading = parseCellNumber(text, units)
    if (reading.kind === 'value') return reading.value
    addProblem(column, 'number', reading.suggestion === null ? {} : { suggestion: reading.suggestion })
    return null
  }
  return {
    problems,
    at,
    addProblem,
    number,
    phone(column, country) {
      const text = at(column)
      const phone = parsePhone(text, country)
      if (phone !== null) return phone
      const suggestion = suggestPhone(text, country)
      const rule = isShortenedNumber(text) ? 'numberShortened' : 'phone'
      addProblem(column, text === '' ? 'required' : rule, suggestion === null ? {} : { suggestion })
      return null
    },
    money(column, currency, empty) {
      if (empty !== undefined && at(column) === '') return empty
      const unit = 10 ** fractionDigits(currency)
      const amount = number(column)
      if (amount === null) return null
      const minor = Math.round(amount * unit)
      if (Math.abs(minor - amount * unit) < 1e-6) return minor
      addProblem(column, 'decimals', { vars: { digits: fractionDigits(currency) } })
      return null
    },
    choice<V extends string>(column: C, choices: Choices, empty?: V) {
      const text = at(column)
      if (text === '' && empty !== undefined) return empty
      const { value, suggestion } = readChoice(text, choices)
      if (value !== null) return value as V
      if (text === '') addProblem(column, 'required')
      else {
        const label = suggestion === null ? undefined : choices.labels[suggestion]
        const vars = { choices: Object.values(choices.labels) }
        addProblem(column, 'oneOf', label ? { vars, suggestion: label } : { vars })
      }
      return null
    },
    time(column, empty) {
      const text = at(column)
      if (text === '' && empty !== undefined) return empty
      const time = readTime(text)
      if (time === null) addProblem(column, text === '' ? 'required' : 'time')
      return time
    },
    parse(schema, values) {
      const parsed = safeParse(schema, values, { reportInput: true })
      if (parsed.success) return problems.length === 0 ? parsed.data : null
      for (const issue of parsed.error.issues) {
        const { key, vars } = validationRule(issue)
        const column = columns.find((name) => name === issue.path[0]) ?? null
        // A value that could not be read is null here and already has its problem.
        addProblem(column, key, { vars })
      }
      return null
    },
  }
}
