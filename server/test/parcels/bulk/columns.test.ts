import { type BulkField, cartBulk, editBulk, getBulk, mapBulk } from '@waybill/contract/parcels/bulk'
import { getCart } from '@waybill/contract/parcels/cart'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { createSender, getBatch, listProblems, readSheet } from '../../testing/factories/bulk.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { xlsx } from './bulk-sheets.ts'

describe('columns and problem groups of a spreadsheet', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test)
  })

  type Rows = Parameters<typeof xlsx>[0]
  const readFile = async (rows: Rows, name?: string, who = owner) => readSheet(test, who, await xlsx(rows), name)
  const edit = async (id: string, change: object, who = owner) =>
    (await test.call(editBulk, { body: { id, ...change }, token: who.token })).body

  it('reads Malay and additional Chinese headers', async () => {
    const malay = await readFile([
      ['Nama Penerima', 'No. Telefon', 'Alamat', 'Poskod', 'Bandar', 'Negeri', 'Berat (kg)', 'Kandungan', 'Nilai (RM)'],
      ['Ali', '0123456789', '1 Jalan Burma', '10050', 'George Town', 'Pulau Pinang', 1, 'Baju', 50],
    ])
    expect(malay.batch.mapping).toEqual([
      ...['receiverName', 'phone', 'line1', 'postcode', 'city', 'state', 'weight', 'contentDescription'],
      'declaredValue',
    ])
    const chinese = await readFile([
      ['收件人', '联系方式', '送货地址', '邮编', '市镇', '州属', '重量', '商品名称', '货值', '代收'],
      ['陈伟玲', '0167781234', '8 Jalan Burma', '10050', 'George Town', 'Pulau Pinang', 1, '茶叶', 80, 80],
    ])
    expect(chinese.batch.mapping).toEqual([
      ...['receiverName', 'phone', 'line1', 'postcode', 'city', 'state', 'weight', 'contentDescription'],
      ...['declaredValue', 'codAmount'],
    ])
  })

  const sized = (weight: string, size: string) => [
    ...['Name', 'Phone', 'Address', 'Postcode', 'City', 'State'],
    ...[weight, `Length ${size}`, `Width ${size}`, `Height ${size}`],
  ]
  const toAli = ['Ali', '0123456789', '1 Jalan Burma', '10050', 'George Town', 'Pulau Pinang']
  const readMeasures = async (header: string[], ...measures: (string | number)[]) => {
    const who = await createSender(test)
    const { batch, items } = await readFile([header, [...toAli, ...measures]], undefined, who)
    const [row] = items
    if (row?.state !== 'good') return { cells: row?.cells.slice(16, 20), problems: listProblems(row) }
    await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    const [parcel] = (await test.call(getCart, { query: {}, token: who.token })).body.items
    return { grams: parcel?.weightGrams, size: parcel?.dimensions }
  }

  it.each([
    ['Weight (lb)', '(in)', 10, 4536, 254],
    ['Weight [g]', '(mm)', 800, 800, 10],
    ['重量（克）', '（毫米）', 800, 800, 10],
    ['Weight (in g)', '(in mm)', 800, 800, 10],
    ['Berat (kg)', '(cm)', 2, 2000, 100],
    ['Weight (gross) *', '(required)', 2, 2000, 100],
    ['Weight', '(L)', 2, 2000, 100],
  ])('reads plain numbers in the unit of the header: %s, Length %s', async (weight, size, heavy, grams, mm) => {
    expect(await readMeasures(sized(weight, size), heavy, 10, 10, 10)).toEqual({
      grams,
      size: { lengthMm: mm, widthMm: mm, heightMm: mm },
    })
  })

  it('reads the unit of a header that the sender has mapped', async () => {
    const { batch } = await readFile([
      ['Wer', 'Ruf', 'Wo', 'Ort', 'Gewicht/g'],
      ['Ali', ...toAli.slice(1, 4), 800],
    ])
    const mapping: BulkField[] = ['receiverName', 'phone', 'line1', 'postcode', 'weight']
    await test.call(mapBulk, { body: { id: batch.id, version: batch.version, mapping }, token: owner.token })
    await test.settle()
    expect((await getBatch(test, owner, batch.id)).items[0]?.cells[16]).toBe('800 g')
  })

  it('reads a cell in its own unit, whatever the unit of the header', async () => {
    expect(await readMeasures(sized('Weight (lb)', '(in)'), '800 g', '20cm', 10, 10)).toEqual({
      grams: 800,
      size: { lengthMm: 200, widthMm: 254, heightMm: 254 },
    })
  })

  it('asks about an unknown unit of a header, and suggests numbers in the unit of the column', async () => {
    expect(await readMeasures(sized('重量（斤）', '(kg)'), 2, '10', 10, 10)).toEqual({
      cells: ['2 斤', '10 kg', '10 kg', '10 kg'],
      problems: ['weight', 'length', 'width', 'height'].map((column) => [column, 'unit_unknown', null]),
    })
    expect(await readMeasures(sized('Weight (g)', '(mm)'), '1200,5', 10, 10, 'about 20')).toMatchObject({
      problems: [
        ['weight', 'number_format', '1.2005'],
        ['height', 'number_format', '2'],
      ],
    })
  })

  it('asks if the header of an amount names another currency', async () => {
    const header = [...sized('Weight', ''), 'Declared value (USD)', 'COD (RM)']
    const { items } = await readFile([header, [...toAli, 1, 10, 10, 10, 50, 50]])
    expect(listProblems(items[0])).toEqual([['declaredValue', 'unit_unknown', null]])
    const { message } = items[0]?.problems[0] ?? {}
    expect(message).toContain('myr')
  })

  it('recognises a total line below a header with units', async () => {
    const total = [null, null, null, null, null, null, 2, null, null, null]
    const { items } = await readFile([sized('Weight (lb)', '(in)'), [...toAli, 2, 10, 10, 10], total])
    expect(listProblems(items[1])).toEqual([[null, 'total_row', null]])
  })

  it('shows three sample cells of each column, and remembers the mapping of a header', async () => {
    const who = await createSender(test)
    const headers = ['Wer', 'Ruf', 'Wo', 'Ort', 'Schwer', 'Unfug']
    const row = (n: number) => [`Ali ${n}`, `012345678${n}`, `${n} Jalan Burma`, '10050', n, '']
    const { batch } = await readFile([headers, row(1), row(2), row(3), row(4)], 'a.xlsx', who)
    expect(batch.status).toBe('columns')
    expect(batch.samples).toEqual([
      ['Ali 1', 'Ali 2', 'Ali 3'],
      ['0123456781', '0123456782', '0123456783'],
      ['1 Jalan Burma', '2 Jalan Burma', '3 Jalan Burma'],
      ['10050', '10050', '10050'],
      ['1', '2', '3'],
      [],
    ])
    const mapping: (BulkField | null)[] = ['receiverName', 'phone', 'line1', 'postcode', 'weight', null]
    await test.call(mapBulk, { body: { id: batch.id, version: batch.version, mapping }, token: who.token })
    await test.settle()
    expect((await getBatch(test, who, batch.id)).batch).toMatchObject({ status: 'ready', samples: [] })

    // The same headers in another order need no new mapping.
    const again = await readFile([[...headers].reverse(), [...row(5)].reverse()], 'b.xlsx', who)
    expect(again.batch).toMatchObject({ status: 'ready', mapping: [...mapping].reverse() })
    expect(again.items[0]?.cells).toEqual(expect.arrayContaining(['Ali 5', '5 Jalan Burma']))

    // Another account has to map the columns.
    expect((await readFile([headers, row(1)], 'c.xlsx')).batch.status).toBe('columns')
  })

  it('suggests the postcode from the address, even without a postcode column', async () => {
    const { batch, items } = await readFile([
      ['Name', 'Phone', 'Address', 'Weight', 'Length', 'Width', 'Height'],
      ['Ali', '0123456789', 'No. 12345, 1 Jalan Burma, 10050 George Town', 1, 10, 10, 10],
      ['Siti', '0123456780', '2 Jalan Burma', 1, 10, 10, 10],
    ])
    expect(batch.status).toBe('ready')
    expect(listProblems(items[0])).toContainEqual(['postcode', 'postcode_in_address', '10050'])
    expect(listProblems(items[1])).toContainEqual(['postcode', 'required', null])
    await edit(batch.id, { fix: { code: 'postcode_in_address', column: 'postcode' } })
    const after = await getBatch(test, owner, batch.id)
    expect(after.items[0]).toMatchObject({ state: 'good', cells: expect.arrayContaining(['10050']) })
  })

  const table = ['Name', 'Phone', 'Address', 'Postcode', 'City', 'State', 'Weight', 'Length', 'Width', 'Height']
  const to = (n: number, size: (number | null)[] = [null, null, null]) => [
    `Ali ${n}`,
    '0123456789',
    `${n} Jalan Burma`,
    '10050',
    'George Town',
    'Pulau Pinang',
    1,
    ...size,
  ]

  it('fills in one size for all rows without a size, and keeps existing sizes', async () => {
    const { batch } = await readFile([table, to(1), to(2), to(3, [50, null, null]), to(4, [20, 20, 20])])
    expect(batch.common).toContainEqual(expect.objectContaining({ code: 'required', column: 'width', count: 3 }))
    const { before } = await edit(batch.id, { fill: { length: '30', width: '25', height: '15' } })
    expect(before).toContainEqual({ row: 4, cells: { width: '', height: '' } })
    const { items } = await getBatch(test, owner, batch.id)
    expect(items.map(({ state }) => state)).toEqual(['good', 'good', 'good', 'good'])
    expect(items.map(({ cells }) => cells.slice(17, 20))).toEqual([
      ['30', '25', '15'],
      ['30', '25', '15'],
      ['50', '25', '15'],
      ['20', '20', '20'],
    ])
  })

  it('suggests leaving out total lines, and removes none automatically', async () => {
    const size = [20, 20, 20]
    const { batch, items } = await readFile([
      table,
      to(1, size),
      to(2, size),
      ['Jumlah', null, null, null, null, null, 2, null, null, null],
      [null, null, null, null, null, null, 2, null, null, null],
      ['Total Solutions', '0123456789', '9 Jalan Burma', '10050', 'George Town', 'Pulau Pinang', 1, ...size],
    ])
    expect(items.map((row) => [row.row, row.state, listProblems(row)])).toEqual([
      [2, 'good', []],
      [3, 'good', []],
      [4, 'bad', [[null, 'total_row', null]]],
      [5, 'bad', [[null, 'total_row', null]]],
      [6, 'good', []],
    ])
    expect(batch.common).toEqual([expect.objectContaining({ code: 'total_row', column: null, count: 2 })])
    const { batch: after } = await edit(batch.id, { leaveOutTotals: true })
    expect(after.counts).toMatchObject({ total: 3, good: 3, bad: 0 })
    const rows = await test.call(getBulk, { params: { id: batch.id }, query: {}, token: owner.token })
    expect(rows.body.items.map(({ row }) => row)).toEqual([2, 3, 6])
  })

  it('reads the first row of a file without headers as a parcel', async () => {
    const who = await createSender(test)
    const rows = [1, 2].map((n) => [`Ali ${n}`, '0123456789', `${n} Jalan Burma`, '10050', '1200 g', 10, 10, 10])
    const { batch } = await readSheet(test, who, await xlsx(rows), 'plain.xlsx')
    const mapping: BulkField[] = ['receiverName', 'phone', 'line1', 'postcode', 'weight', 'length', 'width', 'height']
    const body = { id: batch.id, version: batch.version, mapping, noHeader: true }
    expect((await test.call(mapBulk, { body, token: who.token })).status).toBe(200)
    await test.settle()
    expect((await getBatch(test, who, batch.id)).items.map(({ row, state, cells }) => [row, state, cells[1]])).toEqual([
      [1, 'good', 'Ali 1'],
      [2, 'good', 'Ali 2'],
    ])
    // The cells of the first row are not remembered as names of columns.
    const again = await readSheet(test, who, await xlsx(rows), 'again.xlsx')
    expect(again.batch).toMatchObject({ status: 'columns', mapping: mapping.map(() => null) })
  })

  it('names the choices of a cell, and reads a letter O in a postcode as a zero', async () => {
    const who = await createSender(test)
    const rows = [
      ['Receiver', 'Phone', 'Address', 'Postcode', 'Weight', 'L', 'W', 'H', 'Service', 'Delivery mode'],
      ['Ali', '0123456789', '91 Jalan SS 2', '473OO', 1, 10, 10, 10, 'fast', 'by van'],
    ]
    const { items } = await readSheet(test, who, await xlsx(rows), 'choices.xlsx')
    expect(items[0]?.problems.map(({ column, message, suggestion }) => [column, message, suggestion])).toEqual([
      ['serviceType', expect.stringMatching(/Choose one of: “E-parcel”, “Semi-express”, “Document”\.$/), null],
      ['deliveryMode', expect.stringContaining('Walk In - Delivery'), null],
      ['postcode', 'This postcode does not exist. Check the digits, e.g. 50450.', '47300'],
    ])
  })

  it('knows headers in traditional characters, and the Chinese names of states', async () => {
    const rows = [
      ['訂單編號', '收件人', '電話', '地址', '郵編', '城市', '州', '重量', '長', '寬', '高'],
      ['T-1', '陳大文', '0123456789', '81 Jalan SS 2', '47300', '八打灵再也', '雪兰莪', 1, 10, 10, 10],
      ['T-2', '陳大文', '0123456789', '82 Jalan SS 2', '47300', '', '柔佛州', 1, 10, 10, 10],
      ['T-3', '陳大文', '0123456789', '83 Jalan SS 2', '47300', '', 'Sel angor', 1, 10, 10, 10],
    ]
    const { items } = await readSheet(test, owner, await xlsx(rows), 'traditional.xlsx')
    expect(items.map(({ problems }) => problems.map(({ column, code }) => [column, code]))).toEqual([
      [],
      [['state', 'state_mismatch']],
      [['state', 'state_mismatch']],
    ])
  })
})
