// Reads the customs declaration of a row.
import type { CustomsReason } from '@waybill/contract/ground/enums/enums'
import { type BulkField, bulkItems } from '@waybill/contract/parcels/bulk'
import type { Customs, CustomsItem } from '@waybill/contract/parcels/customs'
import { maxValueMinor } from '../cart/input.ts'
import type { CellReader } from './cells-reader.ts'
import type { RowContext } from './context.ts'

const parts = ['Description', 'HsCode', 'Quantity', 'UnitValue', 'Origin', 'Weight'] as const

/**
 * The declaration of a row and the numbers of its items; null if its columns are empty, which is a problem if the
 * declaration is required. `gramsPer` is the weight column's unit in grams.
 */
export function readCustoms(
  { at, number, addProblem, choice }: CellReader,
  { reasons, countries, weightUnits, moneyUnits, minorPerUnit, pieces }: RowContext,
  options: { required: boolean; gramsPer: number },
): { customs: Customs | null; items: number[] } {
  const numbers = bulkItems.filter((item) => parts.some((part) => at(`item${item}${part}`) !== ''))
  if (numbers.length === 0) {
    if (options.required) addProblem('item1Description', 'customs_needed')
    return { customs: null, items: [] }
  }
  const required = (field: BulkField) => {
    if (at(field) === '') addProblem(field, 'required')
    return at(field)
  }
  required('customsReason')
  const reason = choice<CustomsReason>('customsReason', reasons, 'sale', 'reason_unknown')
  const items = numbers.map((item): CustomsItem => {
    const name = (part: (typeof parts)[number]) => `item${item}${part}` as const
    for (const part of ['Quantity', 'UnitValue', 'Origin'] as const) required(name(part))
    const unitValue = number(name('UnitValue'), moneyUnits, 1 / minorPerUnit, maxValueMinor / minorPerUnit)
    const grams = number(name('Weight'), weightUnits, 0.001, 10_000)
    return {
      description: required(name('Description')),
      hsCode: at(name('HsCode')) || null,
      quantity: number(name('Quantity'), pieces, 1, 9999) ?? 1,
      unitValueMinor: Math.max(1, Math.round((unitValue ?? 0) * minorPerUnit)),
      netWeightGrams: grams === null ? null : Math.max(1, Math.round(grams * options.gramsPer)),
      originCountry: choice(name('Origin'), countries, 'my', 'country_unknown'),
    }
  })
  const customs = {
    reason,
    reasonText: null,
    items,
    comments: null,
    invoiceNumber: null,
    licenceNumber: null,
    certificateNumber: null,
  }
  return { customs, items: numbers }
}
