/** Amounts and measures in input fields: their texts, and parsers of typed text. */
import { decimalText, fractionDigits, gramsPerUnit, mmPerUnit } from '@waybill/contract/ground/format'
import type { GeneralSettings } from '@waybill/contract/settings/settings'

const gramsByUnit = {
  g: 1,
  克: 1,
  kg: gramsPerUnit.kg,
  公斤: gramsPerUnit.kg,
  千克: gramsPerUnit.kg,
  lb: gramsPerUnit.lb,
  lbs: gramsPerUnit.lb,
  oz: gramsPerUnit.lb / 16,
}
const mmByUnit = {
  mm: 1,
  毫米: 1,
  cm: mmPerUnit.cm,
  厘米: mmPerUnit.cm,
  m: 1000,
  米: 1000,
  in: mmPerUnit.in,
  inch: mmPerUnit.in,
  '"': mmPerUnit.in,
}

/**
 * Texts and parsers for the deployment's currency and units. A parser returns null for an empty text, and NaN for a
 * text that is not a number or has an unknown unit.
 */
export function createInputFormat(settings: Pick<GeneralSettings, 'currency' | 'weightUnit' | 'dimensionUnit'>) {
  const { currency, weightUnit, dimensionUnit } = settings
  return {
    /** The text in an input: `125050` -> `1250.50`. */
    moneyInput: (amountMinor: number, code: string = currency): string =>
      decimalText(amountMinor, fractionDigits(code)),
    weightInput: (grams: number) => plainNumber(grams / gramsPerUnit[weightUnit], weightUnit === 'kg' ? 3 : 2),
    lengthInput: (mm: number) => plainNumber(mm / mmPerUnit[dimensionUnit], dimensionUnit === 'cm' ? 1 : 2),
    /**
     * Typed money: `RM 1,250.5`, `1250` -> minor units; null for empty text, NaN for an invalid amount, a fraction for
     * too many decimals.
     */
    readMoney(text: string, code: string = currency): number | null {
      if (text.trim() === '') return null
      return scaleNumber(text.replace('\u2212', '-').replace(/[^\d.,-]/g, ''), fractionDigits(code))
    },
    /** `1.2`, `1.2kg`, `500 g`, `2 lb`, `8 oz` -> grams; a bare number is in the deployment's unit. */
    readWeight: (text: string) => readMeasure(text, gramsByUnit, gramsPerUnit[weightUnit]),
    /** `30`, `30cm`, `300 mm`, `0.3m`, `12in`, `12"` -> millimetres; a bare number is in the deployment's unit. */
    readLength: (text: string) => readMeasure(text, mmByUnit, mmPerUnit[dimensionUnit]),
  }
}

function plainNumber(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}

/**
 * `1,250.50`, `1.250,50`, `1 250`, `2,5`: the last separator is the decimal one unless exactly three digits follow the
 * only kind of comma.
 */
function readNumber(text: string): number {
  const tight = text.replace(/\s/g, '')
  if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(tight)) return Number.NaN
  const last = Math.max(tight.lastIndexOf('.'), tight.lastIndexOf(','))
  if (last < 0) return Number(tight)
  const mark = tight[last]
  const grouping = mark === ',' && !tight.includes('.') && /^-?\d{1,3}(,\d{3})+$/.test(tight)
  if (grouping) return Number(tight.replaceAll(',', ''))
  return Number(`${tight.slice(0, last).replace(/[.,]/g, '')}.${tight.slice(last + 1)}`)
}

/**
 * Reads a number that is stored without its decimals: `12.5` with two -> 1250. More decimals leave a fraction, which no
 * schema accepts: rounding would change what the user typed.
 */
export const scaleNumber = (text: string, decimals: number): number =>
  // 1.15 * 100 is 114.99999999999999.
  Number((readNumber(text) * 10 ** decimals).toPrecision(15))

/** A number with a unit, converted to the stored unit; null for empty text, NaN for an invalid measure. */
function readMeasure(text: string, factors: Record<string, number>, bare: number): number | null {
  if (text.trim() === '') return null
  const match = /^([-\d.,\s]+)(\D*)$/.exec(text.trim().toLowerCase())
  const unit = match?.[2]?.trim().replace(/\.$/, '') ?? ''
  const factor = unit === '' ? bare : factors[unit]
  if (!match || factor === undefined) return Number.NaN
  return Math.round(readNumber(match[1] ?? '') * factor)
}
