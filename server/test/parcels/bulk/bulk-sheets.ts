/** Spreadsheets as senders have them. Some are built by hand, because our own writer would not produce them. */
import { crc32, deflateRawSync } from 'node:zlib'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { writeXlsx as writeWorkbook } from 'hucre'

export const headers = [
  'Receiver name',
  'Phone',
  'Address line 1',
  'Postcode',
  'City',
  'State',
  'Weight (kg)',
  'Length',
  'Width',
  'Height',
  'Contents',
  'Reference',
]
export const goodRow = (n: number) => [
  `Receiver ${n}`,
  '012-345 6789',
  `${n} Jalan Burma`,
  '10050',
  'George Town',
  'Pulau Pinang',
  1.2,
  30,
  20,
  10,
  'Shirts',
  `SO-${n}`,
]

type Cell = string | number | Date | null
type Sheet = Parameters<typeof writeWorkbook>[0]['sheets'][number]

/** An .xlsx file with these rows. */
export async function xlsx(rows: Cell[][], more: Partial<Sheet> = {}): Promise<Buffer> {
  return Buffer.from(await writeWorkbook({ sheets: [{ name: 'Sheet1', rows, ...more }] }))
}

export const csv = (rows: Cell[][], separator = ',') =>
  rows.map((row) => row.map((cell) => String(cell ?? '')).join(separator)).join('\r\n')

/** An .xlsx file with this XML as its sheet, so that a test can write 200,000 rows or malformed ones. */
export function rawXlsx(sheet: Buffer | string, name = 'xl/worksheets/sheet1.xml'): Buffer {
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const types = `<?xml version="1.0"?>
    <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>
      <Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/>
    </Types>`
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const rels = (type: string, target: string) =>
    `<?xml version="1.0"?>
    <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
      <Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/>
    </Relationships>`
  const book = `<?xml version="1.0"?>
    <workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}">
      <sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>
    </workbook>`
  return zip([
    ['[Content_Types].xml', types],
    ['_rels/.rels', rels('officeDocument', 'xl/workbook.xml')],
    ['xl/workbook.xml', book],
    ['xl/_rels/workbook.xml.rels', rels('worksheet', 'worksheets/sheet1.xml')],
    [name, sheet],
  ])
}

/** `claimed`: the size in the headers, for files whose headers are wrong. */
export function zip(files: [name: string, body: Buffer | string][], claimed?: number): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, text] of files) {
    const body = Buffer.from(text)
    const packed = deflateRawSync(body)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(body), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimed ?? body.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), fields, Buffer.from(name), packed])
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    fields.copy(entry, 6, 0, 24)
    entry.writeUInt32LE(at, 42)
    central.push(Buffer.concat([entry, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

/** A multipart form with one file, as a browser sends it. */
export function form(bytes: Buffer, name: string): { payload: Buffer; headers: Record<string, string> } {
  const line = '----waybill-test'
  const disposition = `content-disposition: form-data; name="file"; filename="${name}"`
  const head = `--${line}\r\n${disposition}\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${line}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
  }
}

/** A valid row as JSON. */
export const jsonRow = (
  n: number,
  overrides: Partial<Record<BulkField, string>> = {},
): Partial<Record<BulkField, string>> => ({
  receiverName: `Receiver ${n}`,
  phone: '0123456789',
  line1: `${n} Jalan Burma`,
  postcode: '10050',
  city: 'George Town',
  weight: '1.2',
  length: '30',
  width: '20',
  height: '10',
  reference: `SO-${n}`,
  ...overrides,
})
