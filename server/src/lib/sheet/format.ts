/** Detects the type of an uploaded file from its content, because its name may be wrong. */
import { detectEncoding } from '../text/encoding.ts'
import { SheetError } from './error.ts'
import { type ZipEntry, zipEntries } from './zip.ts'

/** Other file types by their first bytes. The error message names the type. */
const otherKinds: readonly [name: string, test: (bytes: Buffer) => boolean][] = [
  ['PDF', (bytes) => bytes.subarray(0, 5).toString('latin1') === '%PDF-'],
  ['PNG', (bytes) => bytes.readUInt32BE(0) === 0x89504e47],
  ['JPEG', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ['GIF', (bytes) => bytes.subarray(0, 4).toString('latin1') === 'GIF8'],
  ['GZIP', (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b],
  ['RAR', (bytes) => bytes.subarray(0, 4).toString('latin1') === 'Rar!'],
  ['7z', (bytes) => bytes.readUInt16BE(0) === 0x377a],
  ['RTF', (bytes) => bytes.subarray(0, 5).toString('latin1') === '{\\rtf'],
  ['HTML', (bytes) => /^\s*<(!doctype|html|table|head|body|meta)/i.test(bytes.subarray(0, 200).toString('latin1'))],
  ['XML', (bytes) => /^\s*<\?xml/i.test(bytes.subarray(0, 200).toString('latin1'))],
]

/** The error for a ZIP that is no .xlsx. */
function otherZip(entries: readonly ZipEntry[]): SheetError {
  const has = (start: string) => entries.some(({ name }) => name.startsWith(start))
  if (has('xl/workbook.bin')) return new SheetError('other_sheet', { kind: 'Excel .xlsb' })
  if (has('Index/') || has('Index.zip')) return new SheetError('other_sheet', { kind: 'Apple Numbers' })
  if (has('content.xml')) return new SheetError('other_sheet', { kind: 'OpenDocument' })
  const kind = has('word/') ? 'Word' : has('ppt/') ? 'PowerPoint' : 'ZIP'
  return new SheetError('not_a_sheet', { kind })
}

/** The format of a file by its content. Throws SheetError if it is not a spreadsheet, with the real type if known. */
export function detectSheetFormat(bytes: Buffer): 'xlsx' | 'csv' {
  if (bytes.length === 0) throw new SheetError('empty')
  if (bytes.length >= 8) {
    if (bytes.readUInt32BE(0) === 0x504b0304) {
      const entries = zipEntries(bytes)
      if (entries.some(({ name }) => name === 'xl/workbook.xml')) return 'xlsx'
      throw otherZip(entries)
    }
    // An OLE container: an .xls, or an .xlsx with a password.
    if (bytes.readUInt32BE(0) === 0xd0cf11e0) throw new SheetError('old_excel')
    const other = otherKinds.find(([, test]) => test(bytes))
    if (other) throw new SheetError('not_a_sheet', { kind: other[0] })
  }
  if (detectEncoding(bytes) === null) throw new SheetError('not_a_sheet')
  return 'csv'
}
