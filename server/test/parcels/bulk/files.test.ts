import {
  type BulkField,
  bulkFields,
  bulkProblemFile,
  bulkTemplate,
  createBulk,
  editBulk,
  listBulk,
  mapBulk,
} from '@waybill/contract/parcels/bulk'
import { readXlsx, writeXlsx } from 'hucre'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { createSender, getBatch, listProblems, readRows, readSheet, uploadSheet } from '../../testing/factories/bulk.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { csv, goodRow, headers, jsonRow, rawXlsx, xlsx, zip } from './bulk-sheets.ts'

describe('the files of a spreadsheet import', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test)
  })

  it('asks for the mapping of unknown headers, and names the missing columns', async () => {
    const who = await createSender(test)
    const own = ['Who', 'Call', 'Where', 'Code', 'Heavy', 'L', 'W', 'H']
    const { batch } = await readSheet(
      test,
      who,
      await xlsx([own, ['Ali', '0123456789', '1 Jalan Burma', '10050', 1, 10, 10, 10]]),
      'own.xlsx',
    )
    expect(batch).toMatchObject({
      status: 'columns',
      headers: own,
      missing: ['receiverName', 'phone', 'line1', 'postcode', 'weight'],
    })
    const map = (mapping: (BulkField | null)[]) =>
      test.call(mapBulk, { body: { id: batch.id, version: batch.version, mapping }, token: who.token })
    const short = await map(['receiverName', 'phone', 'line1', 'postcode', null, 'length', 'width', 'height'])
    expect(short.error.errors?.[0]?.message).toContain('Weight')
    expect(
      (await map(['receiverName', 'phone', 'line1', 'postcode', 'weight', 'length', 'width', 'height'])).body.status,
    ).toBe('reading')
    await test.settle()
    expect((await getBatch(test, who, batch.id)).items).toEqual([
      expect.objectContaining({ row: 2, state: 'good', cells: expect.arrayContaining(['Ali', '10050']) }),
    ])
  })

  it('finds the headers below a title, in Chinese and under other names', async () => {
    const rows = [
      ['十一月订单'],
      [],
      ['收货人', '手机', '地址', '邮编', '城市', '重量(kg)', '长', '宽', '高'],
      ['陈伟玲', '0167781234', '8 Jalan Burma', '10050', 'George Town', 1, 20, 20, 20],
    ]
    const { batch, items } = await readSheet(test, owner, await xlsx(rows), '订单.xlsx')
    expect(batch).toMatchObject({ status: 'ready', name: '订单.xlsx' })
    expect(items).toEqual([expect.objectContaining({ row: 4, state: 'good' })])
  })

  it('fills merged cells downwards and marks them', async () => {
    const who = await createSender(test)
    const rows = [headers, goodRow(1), goodRow(2), goodRow(3)]
    for (const n of [2, 3]) (rows[n] as (string | number | null)[])[2] = null
    const merged = await xlsx(rows, { merges: [{ startRow: 1, startCol: 2, endRow: 3, endCol: 2 }] })
    const { items } = await readSheet(test, who, merged, 'merged.xlsx')
    expect(items.map(({ cells, state }) => [cells[bulkFields.indexOf('line1')], state])).toEqual([
      ['1 Jalan Burma', 'good'],
      ['1 Jalan Burma', 'good'],
      ['1 Jalan Burma', 'good'],
    ])
    expect(items[1]?.problems).toEqual([expect.objectContaining({ column: 'line1', code: 'merged', blocking: false })])
  })

  type Sheets = Parameters<typeof writeXlsx>[0]['sheets']
  const readSheets = async (sheets: Sheets) =>
    readSheet(test, await createSender(test), Buffer.from(await writeXlsx({ sheets })))
  const data = { name: 'Data', rows: [headers, goodRow(1), goodRow(2)] }
  const notes = { name: 'Read me', rows: [['Fill in the next sheet.'], ['Name', 'who gets it'], ['Phone', 'a mobile']] }

  it.each<[string, Sheets]>([
    ['below a sheet of notes', [notes, data]],
    [
      'that is shown, although a hidden one precedes it',
      [{ name: 'Old', rows: [headers, goodRow(3)], hidden: true }, data],
    ],
    ['below a cover without rows', [{ name: 'Cover', rows: [] }, data]],
    ['before another with the same header', [data, { name: 'October', rows: [headers, goodRow(3)] }]],
    ['beside one with too many rows', [{ name: 'Archive', rows: Array.from({ length: 12_000 }, (_, n) => [n]) }, data]],
    ['if all are hidden', [{ ...data, hidden: true }]],
  ])('reads the first visible sheet with a known header: %s', async (_, sheets) => {
    const { batch, items } = await readSheets(sheets)
    expect(batch).toMatchObject({ status: 'ready', counts: { total: 2, good: 2 } })
    expect(items.map(({ row, cells }) => [row, cells[0]])).toEqual([
      [2, 'SO-1'],
      [3, 'SO-2'],
    ])
  })

  it('reads the first visible sheet if no header is known, and counts the rows of each sheet', async () => {
    const unknown = {
      name: 'Eins',
      rows: [
        ['Wer', 'Ruf'],
        ['Ali', '0123456789'],
      ],
    }
    const { batch } = await readSheets([
      { ...unknown, name: 'Null', hidden: true },
      unknown,
      { name: 'Zwei', rows: [['x']] },
    ])
    expect(batch).toMatchObject({ status: 'columns', headers: ['Wer', 'Ruf'] })
    const long = { name: 'Long', rows: Array.from({ length: 6_000 }, (_, n) => (n === 0 ? headers : ['Ali', n])) }
    const { counts } = (await readSheets([long, { ...long, name: 'Longer' }])).batch
    expect(counts.total).toBe(5_999)
  })

  it('marks hidden rows of the spreadsheet, also after an edit, and removes them on demand', async () => {
    const who = await createSender(test)
    const rowDefs = new Map([2, 3].map((row) => [row, { hidden: true }]))
    const file = await xlsx([headers, goodRow(1), goodRow(2), goodRow(3)], { rowDefs })
    const { batch, items } = await readSheet(test, who, file)
    expect(items.map((row) => [row.row, row.state, listProblems(row)])).toEqual([
      [2, 'good', []],
      [3, 'good', [[null, 'row_hidden', null]]],
      [4, 'good', [[null, 'row_hidden', null]]],
    ])
    expect(batch.common).toEqual([expect.objectContaining({ code: 'row_hidden', column: null, count: 2 })])
    const [, hidden] = items
    const edit = async (body: object) =>
      (await test.call(editBulk, { body: { id: batch.id, ...body }, token: who.token })).body
    const edited = await edit({ edits: [{ row: 3, version: hidden?.version ?? 0, cells: { remarks: 'Fragile' } }] })
    expect(listProblems(edited.items[0])).toEqual([[null, 'row_hidden', null]])
    expect((await edit({ leaveOutHidden: true })).batch).toMatchObject({ counts: { total: 1, good: 1 }, common: [] })
    expect((await getBatch(test, who, batch.id)).items.map(({ row }) => row)).toEqual([2])
  })

  it('reads the value of a formula, and refuses a formula without a value or with an error', async () => {
    const cell = (ref: string, inner: string, type = '') => `<c r="${ref}"${type}>${inner}</c>`
    const text = (ref: string, value: string) => cell(ref, `<is><t>${value}</t></is>`, ' t="inlineStr"')
    const row = (n: number, weight: string, phone = text(`B${n}`, '0123456789')) =>
      [
        `<row r="${n}">${text(`A${n}`, `Ali ${n}`)}${phone}`,
        text(`C${n}`, '1 Jalan Burma') + text(`D${n}`, '10050') + text(`E${n}`, 'George Town') + weight,
        ...['G', 'H', 'I'].map((letter) => cell(`${letter}${n}`, '<v>10</v>')),
        '</row>',
      ].join('')
    const heads = ['Name', 'Phone', 'Address', 'Postcode', 'City', 'Weight', 'Length', 'Width', 'Height']
    const head = `<row r="1">${heads.map((name, n) => text(`${'ABCDEFGHI'[n]}1`, name)).join('')}</row>`
    const sheet = [
      '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>',
      head,
      row(2, cell('F2', '<f>1+1</f><v>2</v>')),
      row(3, cell('F3', '<f>G3/0</f>')),
      row(4, cell('F4', '<f>1/0</f><v>#DIV/0!</v>', ' t="e"')),
      '</sheetData></worksheet>',
    ].join('')
    const { items } = await readSheet(test, owner, rawXlsx(sheet), 'formulas.xlsx')
    expect(items[0]).toMatchObject({ state: 'good', problems: [] })
    expect(items[0]?.cells[bulkFields.indexOf('weight')]).toBe('2')
    expect(listProblems(items[1])).toEqual([['weight', 'formula_empty', null]])
    expect(listProblems(items[2])).toEqual([['weight', 'formula_error', null]])
  })

  it('reports dates in number columns and phone numbers stored as numbers', async () => {
    const row = goodRow(71)
    row[1] = 123456789 as never
    row[6] = new Date(Date.UTC(2026, 1, 1)) as never
    const { items } = await readSheet(test, owner, await xlsx([headers, row]))
    expect(listProblems(items[0])).toEqual([
      ['phone', 'phone_lost_zero', '+60123456789'],
      ['weight', 'date_not_number', '1.2'],
    ])
  })

  it.each([
    ['UTF-8 with commas', (text: string) => Buffer.from(`\ufeff${text}`), ','],
    ['UTF-8 with semicolons', (text: string) => Buffer.from(text), ';'],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), '\t'],
  ])('reads a .csv in %s', async (_, encode, separator) => {
    const row = goodRow(80)
    row[0] = '陈伟玲'
    const { items } = await readSheet(
      test,
      await createSender(test),
      encode(csv([headers, row], separator)),
      'parcels.csv',
    )
    expect(items).toEqual([expect.objectContaining({ state: 'good' })])
    expect(items[0]?.cells[bulkFields.indexOf('receiverName')]).toBe('陈伟玲')
  })

  it.each(['Gérard D\u2019Aman', 'André', 'Siti Größe'])('reads a .csv of a western Excel: %s', async (name) => {
    const row = goodRow(80)
    row[0] = name
    // Latin-1 differs from windows-1252 only in the quote.
    const bytes = Buffer.from(csv([headers, row]).replace('\u2019', '\x92'), 'latin1')
    const { items } = await readSheet(test, await createSender(test), bytes, 'parcels.csv')
    expect(items).toEqual([expect.objectContaining({ state: 'good' })])
    expect(items[0]?.cells[bulkFields.indexOf('receiverName')]).toBe(name)
  })

  it('reads cells with an emoji where a sample or a cell is cut', async () => {
    const row = goodRow(81)
    row[10] = `${'x'.repeat(59)}🔥 hot`
    row[2] = `9 Jalan Burma ${'x'.repeat(1_000)}`
    row[5] = `${'x'.repeat(499)}🔥 hot`
    const { items } = await readSheet(test, await createSender(test), await xlsx([headers, row]))
    expect(items[0]?.cells[bulkFields.indexOf('contentDescription')]).toBe(row[10])
    expect(items[0]?.state).toBe('bad')
  })

  it('reads a .csv in GB18030, as Chinese Excel writes it', async () => {
    // 收件人,电话,地址,邮编,城市,重量,长,宽,高 and 陈伟玲
    const head = Buffer.from(
      'cad5bcfec8cb2cb5e7bbb02cb5d8d6b72cd3cab1e02cb3c7cad02cd6d8c1bf2cb3a42cbfed2cb8df0d0a',
      'hex',
    )
    const row = Buffer.concat([
      Buffer.from('b3c2ceb0c1e1', 'hex'),
      Buffer.from(',0123456789,9 Jalan Burma,10050,George Town,1,10,10,10'),
    ])
    const { items } = await readSheet(test, await createSender(test), Buffer.concat([head, row]), 'gb.csv')
    expect(items[0]).toMatchObject({ state: 'good' })
    expect(items[0]?.cells[bulkFields.indexOf('receiverName')]).toBe('陈伟玲')
  })

  describe('invalid files', () => {
    const uploadRefused = async (bytes: Buffer, name = 'parcels.xlsx') => {
      const before = await test.call(listBulk, { query: {}, token: owner.token })
      const { status, body } = await uploadSheet(test, owner, bytes, { name })
      expect((await test.call(listBulk, { query: {}, token: owner.token })).body.total).toBe(before.body.total)
      return [status, body.code]
    }
    it.each([
      ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'), 415, 'file_not_a_sheet'],
      ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 415, 'file_not_a_sheet'],
      ['HTML', Buffer.from('<html><table><tr><td>Name</td></tr></table></html>'), 415, 'file_not_a_sheet'],
      ['an old .xls', Buffer.from('d0cf11e0a1b11ae10000000000000000', 'hex'), 415, 'file_old_excel'],
      [
        'a Word document',
        zip([
          ['[Content_Types].xml', '<x/>'],
          ['word/document.xml', '<x/>'],
        ]),
        415,
        'file_not_a_sheet',
      ],
      ['an Apple Numbers file', zip([['Index/Document.iwa', 'x']]), 415, 'file_other_sheet'],
      ['an OpenDocument spreadsheet', zip([['content.xml', '<x/>']]), 415, 'file_other_sheet'],
      ['random bytes', Buffer.from([1, 0, 0, 2, 0, 0, 0, 3, 3, 3, 0, 0, 1]), 415, 'file_not_a_sheet'],
      ['an empty file', Buffer.alloc(0), 422, 'file_empty'],
      ['a truncated ZIP', zip([['xl/workbook.xml', '<x/>']]).subarray(0, 60), 422, 'file_broken'],
    ])('refuses %s with the extension .xlsx', async (_, bytes, status, code) => {
      expect(await uploadRefused(bytes)).toEqual([status, code])
    })

    it('names the kind of another file only if it is known', async () => {
      const message = async (bytes: Buffer) => (await uploadSheet(test, owner, bytes, { name: 'a.csv' })).body.message
      expect(await message(Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'))).toContain('(PDF)')
      expect(await message(Buffer.from([1, 0, 0, 2, 0, 0, 0, 3, 3, 3, 0, 0, 1]))).not.toMatch(/binary|[({]/)
    })

    it('refuses 200,000 rows immediately, and names the limit', async () => {
      const rows = Array.from(
        { length: 200_000 },
        (_, n) => `<row r="${n + 1}"><c r="A${n + 1}"><v>${n}</v></c></row>`,
      ).join('')
      expect(await uploadRefused(rawXlsx(`<worksheet><sheetData>${rows}</sheetData></worksheet>`))).toEqual([
        413,
        'file_too_many_rows',
      ])
      expect(await uploadRefused(Buffer.from('1,2\n'.repeat(200_000)), 'long.csv')).toEqual([413, 'file_too_many_rows'])
      const { body } = await uploadSheet(test, owner, Buffer.from('1,2\n'.repeat(200_000)), { name: 'long.csv' })
      expect(body.message).toContain('10000')
    })

    it('stops inflating a zip bomb, regardless of the sizes in its headers', async () => {
      const bomb = rawXlsx(Buffer.alloc(60_000_000, ' '))
      expect(bomb.length).toBeLessThan(100_000)
      expect(await uploadRefused(bomb)).toEqual([413, 'file_too_large'])
      const strings = zip(
        [
          ['xl/workbook.xml', '<x/>'],
          ['xl/sharedStrings.xml', Buffer.alloc(60_000_000, 'a')],
        ],
        100,
      )
      expect(await uploadRefused(strings)).toEqual([413, 'file_too_large'])
    })

    it('refuses a file above the size limit, and a form without a file', async () => {
      expect(await uploadRefused(Buffer.alloc(10_485_761, '1,2\n'), 'big.csv')).toEqual([413, 'too_large'])
      expect((await test.call(createBulk, { body: {}, token: owner.token })).error).toMatchObject({ statusCode: 422 })
    })
  })

  it('reports a sheet without rows below the headers', async () => {
    const { batch } = await readSheet(test, owner, await xlsx([headers]))
    expect(batch).toMatchObject({ status: 'failed', fault: { code: 'file_no_rows' } })
  })

  it('exports faulty rows as a file with their problems, and a template that can be imported', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(test, who, [jsonRow(1), jsonRow(2, { receiverName: '=1+1', phone: '12' })])
    const file = await test.call(bulkProblemFile, { params: { id: batch.id }, token: who.token })
    const [sheet] = (await readXlsx(file.raw)).sheets
    expect(sheet?.rows).toHaveLength(2)
    expect(sheet?.rows[1]?.slice(0, 3)).toEqual([
      'This phone number is not valid. Check the digits, e.g. 012-345 6789. ' +
        'A number of another country begins with + and its country code.',
      'SO-2',
      '=1+1',
    ])
    expect(file.raw.includes('<f>')).toBe(false)
    for (const language of ['en', 'zh']) {
      const template = await test.call(bulkTemplate, { token: who.token, language })
      const again = await readSheet(test, who, template.raw, `template-${language}.xlsx`)
      expect(again.items.map(({ problems }) => problems.filter(({ code }) => !code.startsWith('duplicate')))).toEqual([
        [],
        [],
        [],
      ])
      // The third one is international, with the customs details.
      const cells = again.items[2]?.cells ?? []
      const getCell = (field: BulkField) => cells[bulkFields.indexOf(field)]
      expect([getCell('country'), getCell('customsReason'), getCell('item1Origin'), getCell('item1HsCode')]).toEqual(
        language === 'en'
          ? ['Singapore', 'Sale of goods', 'Malaysia', '6403.99']
          : ['新加坡', '商品销售', '马来西亚', '6403.99'],
      )
      expect(again.items[2]?.priceMinor).toBeGreaterThan(0)
    }
  })
})
