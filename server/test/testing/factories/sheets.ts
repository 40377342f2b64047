/** Spreadsheets of the courier's records: tests download one, change its rows, and upload it again. */
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import type { SheetApply, SheetImport, SheetPreview } from '@waybill/contract/sheet-imports/sheet-imports'
import { writeXlsx } from 'hucre'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import type { Answered, TestApp } from '../app.ts'
import { upload } from '../forms.ts'

type Cell = string | number | boolean | Date | null
export type Table = Cell[][]

/** An .xlsx file with these rows. */
export async function toXlsx(rows: Table): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await writeXlsx({ sheets: [{ name: 'Sheet1', rows }] }))
}

/** The cells of a file, including the header. */
export async function toTable(bytes: Buffer): Promise<Table> {
  const rows: Table = []
  for await (const row of readSheet(bytes, { rows: 100_000, bytes: 200_000_000, ratio: 200 })) rows.push(row.cells)
  return rows
}

type Calls = {
  export: EndpointShape & { method: 'GET'; query: Schema }
  upload: EndpointShape & { upload: Schema }
  preview: SheetPreview
  apply: SheetApply
}

/** The four calls for one kind of record, made by one member of staff. */
export function openSheet(test: TestApp, calls: Calls, token: string, fields: Record<string, string> = {}) {
  const download = async (format: 'xlsx' | 'csv' = 'xlsx', query: Record<string, string> = {}, language = 'en') => {
    const answer = await test.app.inject({
      method: 'GET',
      url: calls.export.path,
      query: { ...fields, format, ...query },
      headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    })
    return { status: answer.statusCode, raw: answer.rawPayload, headers: answer.headers }
  }
  const sendBytes = async (bytes: Uint8Array<ArrayBuffer>, name = 'records.xlsx') =>
    (await upload(test, calls.upload, { token, fields, file: { name, bytes } })) as Answered<SheetImport>
  const send = async (rows: Table) => sendBytes(await toXlsx(rows))
  const look = async (id: string, query: Record<string, unknown> = {}, language = 'en') =>
    test.call(calls.preview, { token, params: { id }, query: { limit: 200, ...query }, language })
  return {
    download,
    table: async (language = 'en') => toTable((await download('xlsx', {}, language)).raw),
    sendBytes,
    send,
    look,
    apply: ({ id, version }: Pick<SheetImport, 'id' | 'version'>) =>
      test.call(calls.apply, { token, params: { id }, body: { version } }),
    /** Uploads rows and returns the problems of the preview. */
    problems: async (rows: Table, language = 'en') => {
      const { body } = await send(rows)
      const { items } = (await look(body.id, { only: 'faulty' }, language)).body
      return items.flatMap((row) => row.problems)
    },
  }
}
