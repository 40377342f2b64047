import type { ParsedAddress } from '@waybill/contract/addresses/addresses'
import type { BulkField } from '@waybill/contract/parcels/bulk'

const columns = [
  ['receiverName', 'contactName'],
  ['company', 'company'],
  ['phone', 'phone'],
  ['email', 'email'],
  ['line1', 'line1'],
  ['line2', 'line2'],
  ['postcode', 'postcode'],
  ['city', 'city'],
  ['state', 'state'],
  ['country', 'country'],
  ['remarks', 'remarks'],
] as const

/** A pasted address as the cells of a bulk row. The sender adds weight and size in the grid. */
export function toBulkRow(fields: ParsedAddress): Partial<Record<BulkField, string>> {
  return Object.fromEntries(columns.flatMap(([column, name]) => (fields[name] ? [[column, fields[name].value]] : [])))
}
