import { exampleOfWeekday } from '@waybill/contract/ground/days'
import { contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import {
  type DateFormat,
  type DateTimeFormat,
  dateFormats,
  dateTimeFormats,
  formatDate,
} from '@waybill/contract/ground/format'
import { fieldLabel } from '@waybill/contract/ground/validation'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { sectionFields } from '../form-values.ts'
import { settingSections } from '../sections.ts'

const byKey = new Map(settingSections.flatMap(sectionFields).map((field) => [field.key as string, field]))
const services = settingSections.flatMap(({ groups }) => groups.filter(({ isService }) => isService))

/** A day above 12, so that it cannot be confused with the month. */
const exampleInstant = '2026-12-31T18:30:00Z'

const patterns: readonly string[] = [...dateFormats, ...dateTimeFormats]

/** Patterns of dates are shown by an example. */
const isPattern = (value: string): value is DateFormat | DateTimeFormat => patterns.includes(value)

/** Values with a label under `settingChoice.`. Other values (time zones, units) are shown unchanged. */
const translatedChoices = new Set([
  'local',
  'keycloak',
  'ms365',
  'customer',
  'staff',
  'generic',
  'mailgun',
  'us',
  'eu',
  'fixed',
  'percentage',
  'off',
  'required',
])

/** Labels of settings and their values, for the forms and the history. */
export function useSettingWords() {
  const t = useT()
  const language = useLanguage()
  const format = useFormat()

  const getName = (key: string) => {
    const label = byKey.get(key)?.label
    return label ? t(label) : fieldLabel(key, t)
  }
  /** The name where settings are listed without their group. */
  const getFullName = (key: string) => {
    const service = services.find(({ fields }) => fields.some((field) => field.key === key))
    if (!service) return getName(key)
    return t('phrase.labelled', { label: t(`settingGroup.${service.title}`), value: getName(key) })
  }
  const getChoiceName = (key: string, value: string) => {
    if (key === 'cod.payoutWeekday') return format.weekday(exampleOfWeekday(Number(value)))
    if (isPattern(value)) return formatDate(exampleInstant, 'UTC', value, language)
    return translatedChoices.has(value) ? t(`settingChoice.${value}`) : value
  }
  const amounts = (rows: unknown) =>
    format.list(
      (rows as (number | Record<string, number>)[]).map((row) =>
        typeof row === 'number'
          ? format.money(row)
          : Object.values(row)
              .map((minor) => format.money(minor))
              .join(' → '),
      ),
    )

  /** A value as text. A long value is shortened to its size. */
  function formatValue(key: string, value: unknown): string {
    const kind = byKey.get(key)?.kind
    if (value === null || value === undefined || value === '') return t('settingsPage.nothing')
    switch (kind) {
      case 'money':
        return format.money(Number(value))
      case 'weight':
        return format.weight(Number(value))
      case 'percent':
        return `${format.number(Number(value) / 100)} %`
      case 'number':
        return format.number(Number(value))
      case 'switch':
        return t(value === true ? 'settingsPage.on' : 'settingsPage.off')
      case 'optionalNumber':
      case 'choice':
        return getChoiceName(key, String(value))
      case 'charge': {
        const { type, value: amount } = value as { type: string; value: number }
        return type === 'percentage' ? `${format.number(amount / 100)} %` : format.money(amount)
      }
      case 'amounts':
      case 'tiers':
      case 'packages':
        return amounts(value) || t('settingsPage.nothing')
      case 'checks': {
        const word = (one: string) =>
          key === 'contentTypes'
            ? enumLabel(contentTypeLabels, one as keyof typeof contentTypeLabels, language)
            : getChoiceName(key, one)
        return format.list((value as string[]).map(word))
      }
      case 'logo':
        return t('settingsPage.picture')
      case 'lines':
      case 'prohibited':
        return t('settingsPage.entries', { count: (value as unknown[]).length })
      default:
        return String(value)
    }
  }
  /** Chinese has no space between two sentences. */
  const joinSentences = (sentences: readonly (string | false | null | undefined)[]) =>
    sentences.filter(Boolean).join(language === 'cn_zh' ? '' : ' ')
  return { getName, getFullName, getChoiceName, formatValue, joinSentences }
}
