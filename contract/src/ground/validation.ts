/** Converts Zod issues to messages in the caller's language. */
import type * as z from 'zod/mini'
import type { FieldError } from './errors.ts'
import { phonePattern } from './fields.ts'

/** Translates a key into the language of the caller: `t('validation.required')`. */
export type Translate = (key: string, vars?: Record<string, unknown>) => string

export type Issue = z.core.$ZodIssue

/** The translation key, under `validation.` in the locale files, and its variables for an issue. */
export function validationRule(issue: Issue): { key: string; vars: Record<string, unknown> } {
  const isEmpty = issue.input === undefined || issue.input === null || issue.input === ''
  switch (issue.code) {
    case 'invalid_type':
      // Text in a number field that is not a number. JSON has no NaN, so only a form reports it.
      if (Number.isNaN(issue.input)) return { key: 'numberField', vars: {} }
      // Half a minor unit, a tenth of a gram or half a day.
      if (issue.expected === 'int') return { key: 'fraction', vars: {} }
      return { key: isEmpty ? 'required' : 'type', vars: {} }
    case 'too_small': {
      if (issue.origin === 'string') {
        return isEmpty || issue.minimum === 1
          ? { key: 'required', vars: {} }
          : { key: 'minLength', vars: { min: issue.minimum } }
      }
      if (issue.origin === 'array' || issue.origin === 'set') return { key: 'minItems', vars: { min: issue.minimum } }
      return { key: 'min', vars: { min: issue.minimum } }
    }
    case 'too_big': {
      if (issue.origin === 'string') return { key: 'maxLength', vars: { max: issue.maximum } }
      if (issue.origin === 'array' || issue.origin === 'set') return { key: 'maxItems', vars: { max: issue.maximum } }
      return { key: 'max', vars: { max: issue.maximum } }
    }
    case 'invalid_format':
      if (isEmpty) return { key: 'required', vars: {} }
      if (issue.pattern === String(phonePattern)) return { key: 'phonePattern', vars: {} }
      return { key: issue.format === 'email' || issue.format === 'url' ? issue.format : 'pattern', vars: {} }
    case 'invalid_value':
      // A box that must be ticked: its label is a sentence, and "required" cannot follow it.
      if (issue.values.length === 1 && issue.values[0] === true) return { key: 'accept', vars: {} }
      return { key: isEmpty ? 'required' : 'enum', vars: {} }
    case 'unrecognized_keys':
      return { key: 'unknownField', vars: {} }
    case 'custom':
      return { key: typeof issue.params?.rule === 'string' ? issue.params.rule : 'pattern', vars: issue.params ?? {} }
    default:
      return { key: 'type', vars: {} }
  }
}

/**
 * `sender.postcode` -> the label under `fields.postcode`; a number in the path is a row, and a cell of a row has the
 * label of its column.
 */
export function fieldLabel(path: string, t: Translate): string {
  const name = path.split('.').findLast((part) => part !== '' && !/^\d+$/.test(part))
  if (!name) return t('fields.request')
  // The name of the column only if it is needed: pages that have all labels would wait for these texts.
  return t(`fields.${name}`, { defaultValue: '' }) || t(`bulk.column.${name}`, { defaultValue: name })
}

/**
 * A field's message in the pattern of the specification's `'%field% is required.'`. `rule` is a key under
 * `validation.`.
 */
export function fieldMessage(rule: string, path: string, t: Translate, vars: Record<string, unknown> = {}): string {
  // The number of entries or characters decides between singular and plural.
  return t(`validation.${rule}`, { count: vars.min ?? vars.max, ...vars, field: fieldLabel(path, t) })
}

/** Converts Zod issues to one entry per field, in the caller's language. Only the first issue of a field is used. */
export function toFieldErrors(issues: readonly Issue[], t: Translate): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const issue of issues) {
    const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined
    const innermostIssue = inner ?? issue
    const path = [...issue.path, ...(inner ? inner.path : [])].map(String).join('.')
    const field =
      innermostIssue.code === 'unrecognized_keys' ? [path, innermostIssue.keys[0]].filter(Boolean).join('.') : path
    if (byField.has(field)) continue
    const { key, vars } = validationRule(innermostIssue)
    byField.set(field, { field, message: fieldMessage(key, field, t, vars) })
  }
  return [...byField.values()]
}
