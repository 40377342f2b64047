import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ProblemGroups } from '../src/features/parcels/bulk/problem-groups.tsx'
import type { BulkRows } from '../src/features/parcels/bulk-grid/bulk-rows.ts'

// Components cannot subscribe to the language or the settings without a browser.
vi.mock('../src/lib/i18n.ts', () => ({
  useT: () => (key: string, values?: { kinds?: string; message?: string }) =>
    [key, values?.kinds, values?.message].filter(Boolean).join(' '),
}))
vi.mock('../src/lib/format.ts', () => ({ useFormat: () => ({ number: String }) }))
vi.mock('../src/components/feedback/use-send.ts', () => ({ useSend: () => ({ pending: false }) }))

/** The messages of the list and whether it has a button for the rest, for a batch with this many kinds of problems. */
function render(kinds: number, suggested: Record<string, number> = {}) {
  const common = Array.from({ length: kinds }, (_, n) => ({
    code: `code_${n + 1}`,
    column: null,
    count: 3000 - n,
    suggested: suggested[`code_${n + 1}`] ?? 0,
    message: `message ${n + 1}.`,
  }))
  const rows = { batch: { common } } as unknown as BulkRows
  const html = renderToString(createElement(MantineProvider, null, createElement(ProblemGroups, { rows })))
  return { messages: html.match(/message \d+/g) ?? [], button: html.match(/bulk\.allKinds \d+/)?.[0] }
}

test('shows the most frequent kinds of problems, and a button for all', () => {
  expect(render(12)).toEqual({
    messages: ['message 1', 'message 2', 'message 3', 'message 4'],
    button: 'bulk.allKinds 12',
  })
})

test('shows a problem that one press solves before more frequent ones', () => {
  expect(render(12, { code_12: 1 }).messages).toEqual(['message 12', 'message 1', 'message 2', 'message 3'])
})

test('does not hide a single kind behind a button', () => {
  expect(render(5).messages).toHaveLength(5)
  expect(render(5).button).toBeUndefined()
  expect(render(0).messages).toEqual([])
})
