// A list as a spreadsheet, for lists that have no query of their own for it.
import type { Readable } from 'node:stream'
import { fractionDigits } from '@waybill/contract/ground/format'
import { dayIn } from '../clock.ts'
import { type SheetColumn, type SheetFormat, type SheetValue, writeSheet } from './write.ts'

/** Rows of one query. */
const batch = 200

type Window = { offset: number; limit: number }

export type ListSheet<R> = {
  /** The beginning of the file's name. */
  file: string
  /** The sheet's name. */
  title: string
  format: SheetFormat
  timeZone: string
  currency: string
  now: Date
  columns: readonly (SheetColumn & { value: (row: R) => SheetValue })[]
  /** A page of the list, as its own route reads it. */
  read: (window: Window) => Promise<{ items: readonly R[] }>
}

async function* readAll<R>(read: ListSheet<R>['read']): AsyncGenerator<R> {
  for (let offset = 0; ; offset += batch) {
    const { items } = await read({ offset, limit: batch })
    yield* items
    if (items.length < batch) return
  }
}

/** Streams all rows of a list page by page, so that memory holds one page. */
export function buildListSheet<R>(list: ListSheet<R>): { name: string; sheet: Readable } {
  const { file, title, format, timeZone, currency, now, columns, read } = list
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const row of readAll(read)) yield columns.map(({ value }) => value(row))
  }
  return {
    name: `${file}-${dayIn(now, timeZone)}.${format}`,
    sheet: writeSheet(format, rows(), {
      name: title,
      columns: [...columns],
      timeZone,
      moneyDecimals: fractionDigits(currency),
    }),
  }
}
