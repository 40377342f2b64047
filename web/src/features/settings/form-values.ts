import type { Schema } from '@waybill/contract/ground/endpoint'
import { isSecretKey, type SettingKey, settingRules } from '@waybill/contract/settings/setting-rules'
import * as z from 'zod/mini'
import type { Kind, SettingField, SettingSection } from './sections.ts'

/** The form values of a section, nested by the parts of the keys: `{ price: { taxBasisPoints: 600 } }`. */
export type SectionValues = Record<string, unknown>

type Rule = { name: { en: string; cn_zh: string }; scope: string; words: readonly string[] }

export const sectionFields = ({ groups }: SettingSection): readonly SettingField[] =>
  groups.flatMap(({ fields }) => fields)

/** Converts a setting to its field value. */
export function toField(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'secret':
      return ''
    case 'optionalText':
      return value ?? ''
    case 'optionalNumber':
      return value === null ? null : String(value)
    case 'lines':
      return ((value as string[] | null) ?? []).join('\n')
    case 'prohibited':
      return (value as Rule[]).map((rule) => ({ ...rule, words: rule.words.join('\n') }))
    default:
      return value
  }
}

const lines = (text: unknown) =>
  String(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Converts a field value to the setting. An empty secret stays unchanged. */
export function fromField(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'secret':
      return value === '' ? undefined : value
    case 'optionalText':
      return String(value ?? '').trim() === '' ? null : value
    case 'optionalNumber':
      return value === null || value === '' ? null : Number(value)
    case 'lines':
      return lines(value).length === 0 ? null : lines(value)
    case 'prohibited':
      return (value as Record<string, unknown>[]).map((rule) => ({ ...rule, words: lines(rule.words) }))
    default:
      return value
  }
}

export function readValue(values: SectionValues, key: string): unknown {
  const [part = '', rest] = key.split('.', 2)
  return rest === undefined ? values[part] : (values[part] as Record<string, unknown> | undefined)?.[rest]
}

function setValueAt(values: SectionValues, key: string, value: unknown): void {
  const [part = '', rest] = key.split('.', 2)
  if (rest === undefined) values[part] = value
  else values[part] = { ...(values[part] as object | undefined), [rest]: value }
}

/** Converts the settings of a section to form values. */
export function toFormValues(section: SettingSection, values: Readonly<Record<string, unknown>>): SectionValues {
  const result: SectionValues = {}
  for (const { key, kind } of sectionFields(section)) setValueAt(result, key, toField(kind, values[key]))
  return result
}

/** Converts form values to schema input. */
export function fromFormValues(section: SettingSection, values: SectionValues): SectionValues {
  const result: SectionValues = {}
  for (const { key, kind } of sectionFields(section)) setValueAt(result, key, fromField(kind, readValue(values, key)))
  return result
}

/** The schema of a section, nested like its values. */
export function sectionSchema(section: SettingSection): Schema {
  const shape: Record<string, Schema | Record<string, Schema>> = {}
  for (const { key } of sectionFields(section)) {
    const [part = '', rest] = key.split('.', 2)
    const rule: Schema = isSecretKey(key) ? z.optional(settingRules[key]) : settingRules[key]
    if (rest === undefined) shape[part] = rule
    else shape[part] = { ...(shape[part] as Record<string, Schema> | undefined), [rest]: rule }
  }
  const isRule = (one: Schema | Record<string, Schema>): one is Schema => '_zod' in one
  return z.object(
    Object.fromEntries(Object.entries(shape).map(([part, one]) => [part, isRule(one) ? one : z.object(one)])),
  ) as Schema
}

/** The form values after others have written settings: the latest ones, except for those that the user has changed. */
export function keepChanges(
  section: SettingSection,
  values: SectionValues,
  before: Readonly<Record<string, unknown>>,
  latest: Readonly<Record<string, unknown>>,
): SectionValues {
  const result = toFormValues(section, latest)
  const own = changesIn(section, fromFormValues(section, values), before)
  for (const key of Object.keys(own)) setValueAt(result, key, readValue(values, key))
  return result
}

/** The changed settings of a section, by key. */
export function changesIn(
  section: SettingSection,
  submission: SectionValues,
  before: Readonly<Record<string, unknown>>,
): Partial<Record<SettingKey, unknown>> {
  const changes = sectionFields(section).flatMap(({ key }) => {
    const value = readValue(submission, key)
    const same = isSecretKey(key) ? value === undefined : JSON.stringify(value) === JSON.stringify(before[key])
    return same ? [] : [[key, value] as const]
  })
  return Object.fromEntries(changes)
}
