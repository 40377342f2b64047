// A list as a spreadsheet, for lists that have no query of their own for it.
import type { Readable } from 'node:stream'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import { dayIn } from '../lib/clock.ts'
import {
  attachment,
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetMedia,
  writeSheet,
} from '../lib/sheet/write.ts'

/** Rows of one query. */
const batch = 200

type Window = { offset: number; limit: number }

export type ListSheet<R> = {
  /** The beginning of the file's name. */
  file: string
  /** The sheet's name. */
  title: string
  format: SheetFormat
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
export function sendListSheet<R>(reply: FastifyReply, { settings, clock }: Deps, list: ListSheet<R>): Readable {
  const { file, title, format, columns, read } = list
  const timeZone = settings.get('timezone')
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const row of readAll(read)) yield columns.map(({ value }) => value(row))
  }
  reply
    .type(sheetMedia[format])
    .header('content-disposition', attachment(`${file}-${dayIn(clock.now(), timeZone)}.${format}`))
  return writeSheet(format, rows(), {
    name: title,
    columns,
    timeZone,
    moneyDecimals: fractionDigits(settings.get('currency')),
  })
}
