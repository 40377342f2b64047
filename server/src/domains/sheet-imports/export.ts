/** The courier's own records as a file, streamed. */
import type { Readable } from 'node:stream'
import { fractionDigits } from '@waybill/contract/ground/format'
import { type SheetFormat, writeSheet } from '../../lib/sheet/write.ts'
import type { RecordKind } from './kind.ts'
import { buildHeader, type Reader } from './present.ts'

/** Every record of a kind, or with `template` its examples, with headers in the reader's language. */
export function exportSheet<C extends object>(
  kind: RecordKind<C>,
  reader: Reader,
  { format, template }: { format: SheetFormat; template: boolean },
): Readable {
  const { context, locale, t } = reader
  async function* rows() {
    for await (const record of template ? kind.examples : kind.records(context)) yield kind.write(record, locale)
  }
  return writeSheet(format, rows(), {
    name: t(kind.title),
    moneyDecimals: fractionDigits(context.currency),
    t,
    columns: kind.columns.map((column) => ({
      header: buildHeader(column, reader),
      kind: column.kind,
      width: column.width ?? 16,
      // A spreadsheet would treat a typed postcode as a number and drop its leading zero.
      ...(column.kind === 'text' ? { format: '@' } : {}),
    })),
  })
}
