import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { streamXlsxRows, writeXlsxStream } from 'hucre'
import { describe, expect, it } from 'vitest'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import type { ReadRow } from '../../../src/lib/sheet/row.ts'
import { rawXlsx, xlsx, zip } from '../bulk/bulk-sheets.ts'

const limits = { rows: 1000, bytes: 120_000_000, ratio: 200 }

async function read(bytes: Buffer): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  for await (const row of readSheet(bytes, limits)) rows.push(row)
  return rows
}

/** The rows as the library reads them, without empty ones. */
async function byLibrary(bytes: Buffer) {
  const rows: unknown[] = []
  for await (const { index, values } of streamXlsxRows(bytes)) {
    if (values.some((value) => value !== null && value !== '')) rows.push({ number: index + 1, cells: values })
  }
  return rows
}
const values = (rows: ReadRow[]) => rows.map(({ number, cells }) => ({ number, cells }))

const sheet = (...rows: string[]) =>
  '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<sheetData>${rows.join('')}</sheetData></worksheet>`
const inline = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`

describe('rows of an .xlsx', () => {
  it('are read by the library exactly as written, with any content in cells', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('a & b', '<b>', '"quoted"', '_x0041_', '  spaces  ', '广州', '=1+1', '', '&amp;', "it's"),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.date({ min: new Date('1950-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
    )
    const table = fc.array(fc.array(cell, { maxLength: 6 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const whole = await xlsx([['Head'], ...(rows as never[][])])
        expect(values(await read(whole))).toEqual(await byLibrary(whole))
        const streamed = await buffer(writeXlsxStream([['Head'], ...rows], { name: 'Sheet1' }) as never)
        expect(values(await read(streamed))).toEqual(await byLibrary(streamed))
      }),
      { numRuns: 60 },
    )
  })

  it('are read in the formats that common programs write', async () => {
    const forms = rawXlsx(
      sheet(
        `<row r="1" spans="1:3">${inline('A1', 'Fish &amp; chips &#20013;')}<c r="B1" s="3"/>` +
          '<c r="C1"><v>1.5</v></c></row>',
        '<row r="2"/>',
        '<row r="4" ht="15" customHeight="1"><c r="B4" s="2" t="str"><f>A1&amp;"x"</f><v>_x0041_bc</v></c><c ' +
          'r="C4" t="b"><v>1</v></c><c r="E4" t="e"><v>#N/A</v></c></row>',
        '<row r="5"><c r="A5"><f t="shared" si="0"/><v>7</v></c><c r="B5" t="inlineStr"><is><t/></is></c></row>',
      ),
    )
    const rows = await read(forms)
    expect(values(rows)).toEqual([
      { number: 1, cells: ['Fish & chips 中', null, 1.5] },
      { number: 4, cells: [null, 'Abc', true, null, '#N/A'] },
      { number: 5, cells: [7, ''] },
    ])
    expect(values(rows)).toEqual(await byLibrary(forms))
    expect([...(rows[1]?.marks ?? [])]).toEqual([[4, 'formula_error']])
  })

  it.each([
    ['a comment', `<!-- here --><row r="3">${inline('A3', 'three')}</row>`],
    [
      'a text with several runs',
      '<row r="3"><c r="A3" t="inlineStr"><is><r><t>thr</t></r><r><t>ee</t></r></is></c></row>',
    ],
    ['attributes in another order', '<row r="3"><c t="inlineStr" r="A3"><is><t>three</t></is></c></row>'],
    ['a cell without a reference', '<row r="3"><c t="inlineStr"><is><t>three</t></is></c></row>'],
    ['line breaks between tags', `\n  <row r="3">\n ${inline('A3', 'three')}\n  </row>`],
    ['CDATA', '<row r="3"><c r="A3" t="inlineStr"><is><t><![CDATA[three]]></t></is></c></row>'],
  ])('are read with %s between them, without a loss or repetition', async (_, third) => {
    const bytes = rawXlsx(
      sheet(
        `<row r="1">${inline('A1', 'one')}</row>`,
        `<row r="2">${inline('A2', 'two')}</row>`,
        third,
        `<row r="4">${inline('A4', 'four')}</row>`,
      ),
    )
    expect((await read(bytes)).map(({ number, cells }) => [number, cells[0]])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, 'four'],
    ])
  })

  it('contain dates in cells with a date style', async () => {
    const bytes = await xlsx([
      ['Reference', 'Sent'],
      ['A', new Date('2026-03-04T00:00:00Z')],
      ['B', 5],
    ])
    expect(values(await read(bytes))).toEqual(await byLibrary(bytes))
    expect((await read(bytes))[1]?.cells[1]).toEqual(new Date('2026-03-04T00:00:00Z'))
  })

  it('come from the first sheet only, with the merged cells of that sheet', async () => {
    const { writeXlsx } = await import('hucre')
    const bytes = Buffer.from(
      await writeXlsx({
        sheets: [
          { name: 'Parcels', rows: [['Name'], ['Ann'], ['Ben']] },
          {
            name: 'Notes',
            rows: [['Read this'], [null], [null]],
            merges: [{ startRow: 0, startCol: 0, endRow: 2, endCol: 0 }],
          },
        ],
      }),
    )
    expect((await read(bytes)).map(({ cells, marks }) => [cells[0], marks])).toEqual([
      ['Name', null],
      ['Ann', null],
      ['Ben', null],
    ])
  })

  it('are read correctly wherever inflating splits the sheet into chunks', async () => {
    const many = Array.from(
      { length: 900 },
      (_, n) =>
        `<row r="${n + 1}">${inline(`A${n + 1}`, '中'.repeat(200 + (n % 97)))}<c r="B${n + 1}"><v>${n}</v></c></row>`,
    )
    const bytes = rawXlsx(sheet(...many))
    expect(values(await read(bytes))).toEqual(await byLibrary(bytes))
  })

  it('are empty for an invalid workbook', async () => {
    await expect(read(zip([['xl/workbook.xml', '<workbook/>']]))).rejects.toMatchObject({ fault: 'broken' })
  })
})
