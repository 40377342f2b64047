import { type BulkField, bulkFields } from '@waybill/contract/parcels/bulk'

/** Columns to show: what the file had, what is needed, in the template's order. */
export function visibleColumns(mapping: readonly (BulkField | null)[], everything: boolean): readonly BulkField[] {
  const always: readonly BulkField[] = [
    'receiverName',
    'phone',
    'line1',
    'postcode',
    'city',
    'state',
    'weight',
    'length',
    'width',
    'height',
  ]
  const needs = new Set([...always, ...mapping])
  return bulkFields.filter((field) => (everything ? field !== 'scope' || needs.has(field) : needs.has(field)))
}
