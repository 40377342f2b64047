import { type BulkField, bulkFields } from '@waybill/contract/parcels/bulk'

/** The visible columns: those of the file and the required ones, in the order of the template. */
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
