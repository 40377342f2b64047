// The units of the columns, and those that a file names in its headers.
import type { BulkField } from '@waybill/contract/parcels/bulk'
import type { Units } from '../../../lib/sheet/cell-values.ts'
import { findHeaderUnits, type SheetHeader } from '../../../lib/sheet/headers.ts'
import type { RowContext } from './context.ts'

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

/** The units of a column; null if its cells are not in one. */
export function findUnits({ weightUnits, lengthUnits, moneyUnits }: RowContext, field: BulkField): Units | null {
  if (field === 'weight' || /^item\dWeight$/.test(field)) return weightUnits
  if (field === 'length' || field === 'width' || field === 'height') return lengthUnits
  return /Value$|^codAmount$/.test(field) ? moneyUnits : null
}

/** The units of the file's headers that differ from the columns' own. */
export function readHeaderUnits(
  context: RowContext,
  header: Pick<SheetHeader<BulkField>, 'headers' | 'mapping'>,
): ReadonlyMap<BulkField, string> {
  const units = findHeaderUnits(header, (field) => findUnits(context, field))
  // An amount is in a currency, whatever else its header says.
  return new Map(
    [...units].filter(([field, unit]) => findUnits(context, field) !== context.moneyUnits || currencies.has(unit)),
  )
}
