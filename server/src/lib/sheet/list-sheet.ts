// A list as a spreadsheet, for lists that have no query of their own for it.
import type { Readable } from 'node:stream'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import { dayIn } from '../clock.ts'
import { type SheetColumn, type SheetFormat, type SheetValue, writeSheet } from './write.ts'

/** Rows per query. */
const batch = 200

/** Where a query begins: lists by offset use `offset`, lists by key use `after`. */
type Window = { offset: number; limit: number; after: string | undefined }

export type ListSheet<R> = {
  /** The beginning of the file's name. */
  file: string
  /** The sheet's name. */
  title: string
  format: SheetFormat
  timeZone: string
  currency: string
  now: Date
  t: Translate
  columns: readonly (SheetColumn & { value: (row: R) => SheetValue })[]
  /** A page of the list, as its own route reads it. */
  read: (window: Window) => Promise<Batch<R>>
}

/** `next`: the key of the next batch; null at the end, undefined for a list by offset. */
type Batch<R> = { items: readonly R[]; next?: string | null }

async function* readAll<R>(first: Batch<R>, read: ListSheet<R>['read']): AsyncGenerator<R> {
  let { items, next } = first
  for (let offset = batch; ; offset += batch) {
    yield* items
    // A list by key reports its end; one by offset ends with a batch that is not full.
    if (next === null || (next === undefined && items.length < batch)) return
    ;({ items, next } = await read({ offset, limit: batch, after: next }))
  }
}

/**
 * Streams all rows of a list page by page, so that memory holds one page. The first page is read before the stream
 * begins: what the list refuses gets its error instead of a file that breaks off. Throws what `read` throws.
 */
export async function buildListSheet<R>(list: ListSheet<R>): Promise<{ name: string; sheet: Readable }> {
  const { file, title, format, timeZone, currency, now, columns, read, t } = list
  const first = await read({ offset: 0, limit: batch, after: undefined })
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const row of readAll(first, read)) yield columns.map(({ value }) => value(row))
  }
  return {
    name: `${file}-${dayIn(now, timeZone)}.${format}`,
    sheet: writeSheet(format, rows(), {
      name: title,
      columns: [...columns],
      timeZone,
      moneyDecimals: fractionDigits(currency),
      t,
    }),
  }
}
