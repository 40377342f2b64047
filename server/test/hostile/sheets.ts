/**
 * Spreadsheets that try to crash, slow down or mislead their reader. Each family has several files that differ in size
 * or in detail.
 */
import { crc32, deflateRawSync } from 'node:zlib'
import { rawXlsx, zip } from '../parcels/bulk/bulk-sheets.ts'

type Family = (variant: number) => Buffer | string

const officeRels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNs = 'http://schemas.openxmlformats.org/package/2006'
const mainNs = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sheetWith = (rows: string, after = '') =>
  `<?xml version="1.0"?><worksheet xmlns="${mainNs}"><sheetData>${rows}</sheetData>${after}</worksheet>`
const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const headNames = ['Name', 'Phone', 'Address', 'Postcode', 'City', 'Weight', 'Length', 'Width', 'Height']
const head = `<row r="1">${headNames.map((name, n) => text(`${'ABCDEFGHI'[n]}1`, name)).join('')}</row>`
const times = (count: number, piece: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => piece(n)).join('')

type Parts = {
  sheet?: string | Buffer
  strings?: string | Buffer
  styles?: string | Buffer
  book?: string
  links?: string
}

/** A complete workbook with replaceable parts; `stringsAt` is the path of its shared strings. */
function workbook({ sheet, strings, styles, book, links }: Parts, stringsAt = 'sharedStrings.xml'): Buffer {
  const link = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${officeRels}/${type}" Target="${target}"/>`
  const list = (inner: string) =>
    `<?xml version="1.0"?><Relationships xmlns="${packageNs}/relationships">${inner}</Relationships>`
  const own = [link(1, 'worksheet', 'worksheets/sheet1.xml')]
  if (strings) own.push(link(2, 'sharedStrings', stringsAt))
  if (styles) own.push(link(3, 'styles', 'styles.xml'))
  return zip([
    [
      '[Content_Types].xml',
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ],
    ['_rels/.rels', list(link(1, 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      book ?? `<workbook xmlns:r="${officeRels}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', links ?? list(own.join(''))],
    ['xl/worksheets/sheet1.xml', sheet ?? sheetWith(head)],
    ...(strings ? [[`xl/${stringsAt}`, strings] as [string, string | Buffer]] : []),
    ...(styles ? [['xl/styles.xml', styles] as [string, string | Buffer]] : []),
  ])
}

/** Changes some bytes in place. */
function patchBytes(bytes: Buffer, change: (bytes: Buffer, end: number, directory: number) => void): Buffer {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  change(bytes, end, bytes.readUInt32LE(end + 16))
  return bytes
}

/**
 * A ZIP64 file whose plain end record leads to a harmless directory, while the ZIP64 record leads to another one with
 * `hidden` as the workbook. `count`, `size` or `offset` is the field that makes the reader follow the ZIP64 record.
 */
function twoDirectories(hidden: Buffer, field: 10 | 12 | 16): Buffer {
  const end = hidden.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(hidden.readUInt16LE(end + 10)), 24)
  record.writeBigUInt64LE(BigInt(hidden.readUInt16LE(end + 10)), 32)
  record.writeBigUInt64LE(BigInt(hidden.readUInt32LE(end + 12)), 40)
  record.writeBigUInt64LE(BigInt(hidden.readUInt32LE(end + 16)), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(end), 8)
  locator.writeUInt32LE(1, 16)
  const plain = Buffer.from(hidden.subarray(end))
  if (field === 10) plain.writeUInt16LE(0xffff, field)
  else plain.writeUInt32LE(0xffffffff, field)
  return Buffer.concat([hidden.subarray(0, end), record, locator, plain])
}

/** Many entries of the directory that share the same content. */
function overlapEntries(entries: number, size: number): Buffer {
  const body = Buffer.alloc(size, ' ')
  const content = deflateRawSync(body)
  const whole = zip([['xl/workbook.xml', body]])
  const local = whole.subarray(0, 30 + 'xl/workbook.xml'.length + content.length)
  const central: Buffer[] = []
  for (let n = 0; n < entries; n++) {
    const name = n === 0 ? 'xl/workbook.xml' : `xl/copy${String(n).padStart(7, '0')}`
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(body), 16)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(name.length, 28)
    central.push(entry, Buffer.from(name))
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, directory, end])
}

/** Random digits, so that their compression ratio does not look like a zip bomb. */
const noise = (k: number) => Math.imul(k + 1, 2_654_435_761) >>> 0
const texts = (count: number) => times(count, (k) => `<si><t>${noise(k).toString(36)}</t></si>`)
const style = (k: number) => `<xf numFmtId="${noise(k) % 999}"/>`
const noSheet = (k: number) => `<sheet name="${k}" sheetId="${k}" r:id="rId9"/>`
const oneCell = (value: string) => sheetWith(`<row r="1">${text('A1', value)}</row>`)
const oddNumbers = ['999999999', '-5', '1e99', 'NaN', '0', '0x10', '1048577', '']
const elsewhere = ['../../../../etc/passwd', 'http://127.0.0.1:9/x', 'file:///etc/passwd', '/dev/zero']
/** An entity that is ten times as long as the previous one. */
const entity = (k: number) => `<!ENTITY b${k + 1} "${`&b${k};`.repeat(10)}">`
/** The nine cells of a row. */
const cells = (row: number, cell: (ref: string) => string) => 'ABCDEFGHI'.replace(/./g, (l) => cell(`${l}${row}`))
const stringTable = (strings: string) => `<?xml version="1.0"?><sst xmlns="${mainNs}">${strings}</sst>`
const good = () => rawXlsx(sheetWith(`${head}<row r="2">${text('A2', 'Ali')}</row>`))
const bomb = () => workbook({ strings: stringTable(texts(300_000)) })

/** The problem with these files is found at the upload, or when they are read. */
export const hostileSheets: Record<string, Family> = {
  'a sheet that inflates to a thousand times its size': (n) => rawXlsx(Buffer.alloc(40_000_000 + n * 5_000_000, ' ')),
  'shared texts that inflate to a thousand times their size': (n) =>
    workbook({ strings: Buffer.alloc(40_000_000 + n * 5_000_000, 'a') }),
  'a bomb whose header says that it is small': (n) =>
    zip(
      [
        ['xl/workbook.xml', '<x/>'],
        [`xl/media/${n}.bin`, Buffer.alloc(40_000_000, 0)],
      ],
      100,
    ),
  'a million shared texts': (n) => workbook({ strings: stringTable(texts(300_000 + n * 100_000)) }),
  'millions of empty shared texts': (n) =>
    workbook({ strings: stringTable(times(400_000, (k) => `<si/>${' '.repeat(noise(k) % 13)}`) + n) }),
  'shared texts under the name of a sheet': (n) =>
    workbook({ strings: stringTable(texts(900_000 + n)) }, 'worksheets/other.xml'),
  'half a million styles': (n) =>
    workbook({
      styles: `<styleSheet><cellXfs>${times(900_000 + n, style)}</cellXfs></styleSheet>`,
    }),
  'a ZIP64 record that leads to another directory': (n) => twoDirectories(bomb(), ([10, 12, 16] as const)[n % 3] ?? 10),
  'an entry whose size stands in a ZIP64 field': (n) =>
    patchBytes(good(), (bytes, _end, directory) =>
      bytes.writeUInt32LE(0xffffffff, directory + ([20, 24, 42][n % 3] ?? 20)),
    ),
  'sizes that follow the content': (n) =>
    patchBytes(bomb(), (bytes, end, directory) => {
      for (let at = directory; at < end; at += 46 + bytes.readUInt16LE(at + 28)) {
        bytes.writeUInt16LE(8, at + 8)
        bytes.writeUInt32LE(0, at + 20)
        if (n % 2) bytes.writeUInt32LE(0, at + 24)
      }
    }),
  'the same name twice': (n) =>
    zip([
      ['xl/workbook.xml', '<x/>'],
      ['xl/sharedStrings.xml', '<sst/>'],
      ['xl/sharedStrings.xml', ' '.repeat(n * 1000)],
    ]),
  'entries that overlap': (n) => overlapEntries(100 + n * 100, 1_000_000),
  'thousands of entries': (n) => overlapEntries(3_000 + n * 5_000, 10),
  'the file cut off': (n) => {
    const whole = good()
    return whole.subarray(0, Math.floor((whole.length * (n + 1)) / 10))
  },
  'damaged content': (n) => {
    const whole = good()
    for (let at = 60 + n; at < whole.length - 400; at += 37 + n) whole[at] = (whole[at] ?? 0) ^ 0x5a
    return whole
  },
  'an unknown way of compressing': (n) =>
    patchBytes(good(), (bytes, end, directory) => {
      for (let at = directory; at < end; at += 46 + bytes.readUInt16LE(at + 28)) bytes.writeUInt16LE(9 + n, at + 10)
    }),
  'content locked by a password': (n) =>
    patchBytes(good(), (bytes, _end, directory) => bytes.writeUInt16LE(1 + n * 2, directory + 8)),
  'thousands of merged columns': (n) => {
    const letters = (k: number): string =>
      (k < 26 ? '' : letters(Math.floor(k / 26) - 1)) + String.fromCharCode(65 + (k % 26))
    const merges = times(4_000, (k) => `<mergeCell ref="${letters(k)}2:${letters(k)}${9_000 + n}"/>`)
    return rawXlsx(
      sheetWith(
        head + times(9_000, (k) => `<row r="${k + 2}"><c r="A${k + 2}"><v>1</v></c></row>`),
        `<mergeCells>${merges}</mergeCells>`,
      ),
    )
  },
  'a cell in the last column of every row': (n) =>
    rawXlsx(sheetWith(times(3_000 + n, (k) => `<row r="${k + 1}"><c r="XFD${k + 1}"><v>1</v></c></row>`))),
  'rows with impossible numbers': (n) =>
    rawXlsx(sheetWith(`${head}<row r="${oddNumbers[n % 8]}">${text('ZZZZ9', 'x')}</row>`)),
  'too many rows': (n) =>
    rawXlsx(sheetWith(times(12_000 + n * 5_000, (k) => `<row r="${k + 1}"><c r="A${k + 1}"><v>1</v></c></row>`))),
  'a long text in every cell': (n) =>
    workbook({
      strings: stringTable(`<si><t>${'x'.repeat(32_000 - n)}</t></si>`),
      sheet: sheetWith(
        head +
          times(
            9_000,
            (k) =>
              `<row r="${k + 2}">${'ABCDEFGHI'.replace(/./g, (l) => `<c r="${l}${k + 2}" t="s"><v>0</v></c>`)}</row>`,
          ),
      ),
    }),
  'tags nested a hundred thousand deep': (n) => workbook({ book: `<workbook>${'<a>'.repeat(100_000 + n)}` }),
  'tags nested deep in the sheet': (n) => rawXlsx(`<worksheet><sheetData>${'<row>'.repeat(200_000 + n)}`),
  'entities of entities': (n) =>
    rawXlsx(`<!DOCTYPE x [<!ENTITY b0 "ha">${times(20 + n, entity)}]>${oneCell(`&b${20 + n};`)}`),
  'entities that read files': (n) =>
    rawXlsx(`<!DOCTYPE x [<!ENTITY f SYSTEM "${elsewhere[n % 4]}?${n}">]>${oneCell('&f;')}`),
  'an attribute of megabytes': (n) =>
    rawXlsx(sheetWith(`<row r="1"><c r="${'A'.repeat(3_000_000 + n)}1"><v>1</v></c></row>`)),
  'tags that never end': (n) => rawXlsx(`<worksheet><sheetData><row r="1"><c r="A1" t="${'<c '.repeat(500_000 + n)}`),
  'links that lead outside': (n) =>
    workbook({
      links:
        `<Relationships><Relationship Id="rId1" Type="${officeRels}/worksheet" ` +
        `Target="${elsewhere[n % 4]}?${n}"/></Relationships>`,
    }),
  'a workbook of a hundred thousand sheets': (n) =>
    workbook({
      book: `<workbook><sheets>${times(100_000 + n, noSheet)}</sheets></workbook>`,
    }),
  'formulas without values': (n) => {
    const formulas = [
      'cmd|" /C calc"!A0',
      'HYPERLINK("http://x.test","y")',
      'WEBSERVICE("http://x.test")',
      'REPT("x",1E9)',
    ]
    return rawXlsx(
      sheetWith(
        head +
          times(
            50 + n,
            (k) => `<row r="${k + 2}">${cells(k + 2, (ref) => `<c r="${ref}"><f>${formulas[n % 4]}</f></c>`)}</row>`,
          ),
      ),
    )
  },
  'texts that are formulas elsewhere': (n) =>
    `${headNames.join(',')}\r\n${`${['=1+1', '@SUM(1)', '+cmd|x', '-2+3'][n % 4]},`.repeat(9)}\r\n`.repeat(2 + n),
  'a .csv with a quote that never ends': (n) => `${headNames.join(',')}\n"${'x,\n'.repeat(100_000 + n)}`,
  'a .csv of one endless line': (n) => `${'x,'.repeat(2_000_000 + n)}`,
  'a .csv of too many lines': (n) => '1,2\n'.repeat(150_000 + n * 50_000),
  'a .csv of quotes': (n) => '"'.repeat(3_000_001 + 2 * n),
  'another format under the name of a spreadsheet': (n) =>
    [
      Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'latin1'),
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      Buffer.concat([Buffer.from('GIF89a'), good()]),
      Buffer.from('<html><script>alert(1)</script></html>'),
      Buffer.from('d0cf11e0a1b11ae1'.repeat(100), 'hex'),
      Buffer.from('1f8b0800000000000003', 'hex'),
      zip([['word/document.xml', '<x/>']]),
      Buffer.from(Array.from({ length: 5_000 }, (_, k) => (k * 7919) % 256)),
    ][n % 8] as Buffer,
}
