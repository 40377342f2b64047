/** The columns of a row that say what goes to customs. */

import type { CustomsReason } from '@waybill/contract/ground/enums'
import { type BulkField, bulkItems } from '@waybill/contract/parcels/bulk'
import type { Customs, CustomsItem } from '@waybill/contract/parcels/customs'
import type { Choices, Units } from './cells.ts'
import type { Setting } from './context.ts'

/** How `checkRow` reads cells. */
export type CellReader = {
  at: (field: BulkField) => string
  number: (field: BulkField, units: Units, least: number, most: number) => number | null
  tell: (column: BulkField, code: string) => void
  choice: <V extends string>(field: BulkField, choices: Choices, otherwise: V, code: string) => V
}

type Of = { needed: boolean; gramsPer: number }

const parts = ['Description', 'HsCode', 'Quantity', 'UnitValue', 'Origin', 'Weight'] as const

/**
 * The declaration of a row, with the numbers of the items that it names; null where the row says nothing of customs.
 * Goods need one, documents don't.
 */
export function readCustoms(
  { at, number, tell, choice }: CellReader,
  { reasons, countries, weightUnits, moneyUnits, pieces }: Setting,
  { needed, gramsPer }: Of,
): { customs: Customs | null; items: number[] } {
  const given = bulkItems.filter((item) => parts.some((part) => at(`item${item}${part}`) !== ''))
  if (given.length === 0) {
    if (needed) tell('item1Description', 'customs_needed')
    return { customs: null, items: [] }
  }
  const required = (field: BulkField) => {
    if (at(field) === '') tell(field, 'required')
    return at(field)
  }
  required('customsReason')
  const reason = choice<CustomsReason>('customsReason', reasons, 'sale', 'reason_unknown')
  const items = given.map((item): CustomsItem => {
    const name = (part: (typeof parts)[number]) => `item${item}${part}` as const
    for (const part of ['Quantity', 'UnitValue', 'Origin'] as const) required(name(part))
    const grams = number(name('Weight'), weightUnits, 0.001, 10_000)
    return {
      description: required(name('Description')),
      hsCode: at(name('HsCode')) || null,
      quantity: number(name('Quantity'), pieces, 1, 9999) ?? 1,
      unitValueMinor: Math.max(1, Math.round((number(name('UnitValue'), moneyUnits, 0.01, 10_000_000) ?? 0) * 100)),
      netWeightGrams: grams === null ? null : Math.max(1, Math.round(grams * gramsPer)),
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
  return { customs, items: given.slice() }
}
