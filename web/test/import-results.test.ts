import { expect, test } from 'vitest'
import { listResults } from '../src/features/addresses/import/import-results.ts'

const none = { read: 6, good: 0, hidden: 0, duplicate: 0, contradiction: 0, bad: 0, imported: 0, waiting: 0 }
const summarize = (counts: Partial<typeof none>) =>
  listResults({ ...none, ...counts }).map(({ state, rows }) => `${state} ${rows}`)

test('before the confirmation, the list has the number of rows that wait, not that none is imported', () => {
  expect(summarize({ good: 3, duplicate: 1, bad: 2 })).toEqual(['toConfirm 4', 'bad 2'])
})

test('after the confirmation, it has the number of imported rows, and rows that were left out no longer wait', () => {
  expect(summarize({ imported: 3, duplicate: 1, bad: 2 })).toEqual(['bad 2', 'imported 3'])
})
