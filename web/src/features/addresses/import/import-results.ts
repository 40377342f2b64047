import { type AddressImport, importableStates } from '@waybill/contract/addresses/import'

/** What the list says about an import that was read: rows that wait for the user, have problems, or are imported. */
export function listResults(counts: AddressImport['counts']) {
  // After a confirmation, the rows that were left out are no longer waiting.
  const waiting = counts.imported > 0 ? 0 : importableStates.reduce((sum, state) => sum + counts[state], 0)
  const results = [
    { state: 'toConfirm', rows: waiting, tone: 'waiting' },
    { state: 'bad', rows: counts.bad, tone: 'danger' },
    { state: 'imported', rows: counts.imported, tone: 'neutral' },
  ] as const
  return results.filter(({ rows }) => rows > 0)
}
