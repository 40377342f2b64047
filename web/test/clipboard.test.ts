import type { BulkField } from '@waybill/contract/parcels/bulk'
import { bulkFields } from '@waybill/contract/parcels/bulk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pastedCells, rangeText } from '../src/features/parcels/bulk-grid/clipboard.ts'

const columns = ['line1', 'postcode'] as const satisfies readonly BulkField[]
const start = { top: 0, bottom: 0, left: 0, right: 0 }
const paste = (text: string) => pastedCells(text, columns, start).map(({ cells }) => [cells.line1, cells.postcode])

test('a line break inside a copied cell stays in its row', () => {
  expect(paste('"12 Jalan A\nTaman Indah"\t10050\r\n"34 Jalan ""B"""\t10051\n56 Jalan C\t10052\n')).toEqual([
    ['12 Jalan A Taman Indah', '10050'],
    ['34 Jalan "B"', '10051'],
    ['56 Jalan C', '10052'],
  ])
})

test('a quotation mark that does not enclose the cell is text', () => {
  expect(paste('"12" screen\t10050\n"open\t10051')).toEqual([
    ['"12" screen', '10050'],
    ['"open', '10051'],
  ])
})

test('copied cells can be pasted again unchanged (property)', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', ' ', '1'), maxLength: 6 }).map((text) => text.trim())
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }), (lines) => {
      const rows = lines.map((texts) => ({
        cells: bulkFields.map((field) => texts[columns.indexOf(field as (typeof columns)[number])] ?? ''),
      }))
      const list = { at: (place: number) => rows[place] } as unknown as Parameters<typeof rangeText>[0]
      const text = rangeText(list, columns, { ...start, bottom: lines.length - 1, right: 1 })
      expect(paste(`${text}\n`)).toEqual(lines)
    }),
  )
})
