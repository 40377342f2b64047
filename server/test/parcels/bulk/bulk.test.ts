import {
  type BulkBatch,
  type BulkField,
  type BulkRow,
  bulkFields,
  bulkProblemFile,
  bulkTemplate,
  cartBulk,
  clearBulk,
  createBulk,
  editBulk,
  getBulk,
  listBulk,
  mapBulk,
} from '@waybill/contract/parcels/bulk'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { readXlsx } from 'hucre'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { addAddress } from '../../testing/factories/addresses.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'
import { csv, form, goodRow, headers, jsonRow, rawXlsx, xlsx, zip } from './bulk-sheets.ts'

describe('parcels from a spreadsheet', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await sender()
  })

  async function sender(): Promise<TestCustomer> {
    const customer = await createCustomer(test)
    await addAddress(test, customer, { isDefault: true, kind: 'sender' })
    return customer
  }

  const upload = async (bytes: Buffer, name = 'parcels.xlsx', more: Record<string, string> = {}, who = owner) => {
    const { payload, headers: type } = form(bytes, name)
    const answer = await test.app.inject({
      method: 'POST',
      url: createBulk.path,
      payload,
      headers: { ...type, authorization: `Bearer ${who.token}`, ...more },
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const look = async (
    id: string,
    query: { only?: 'bad' | 'good' | 'carted'; limit?: number } = {},
    who = owner,
    language = 'en',
  ) => (await test.call(getBulk, { params: { id }, query: { limit: 200, ...query }, token: who.token, language })).body
  /** Uploads, lets the job read, answers the batch with its rows. */
  const read = async (bytes: Buffer, name?: string, who = owner) => {
    const { status, body } = await upload(bytes, name, {}, who)
    expect(status, JSON.stringify(body)).toBe(200)
    await test.settle()
    return look((body as BulkBatch).id, {}, who)
  }
  const fromRows = async (rows: Partial<Record<BulkField, string>>[], who = owner) => {
    const { status, body, error } = await test.call(createBulk, { body: { rows }, token: who.token })
    expect(status, JSON.stringify(error)).toBe(200)
    await test.settle()
    return look(body.id, {}, who)
  }
  const codes = (row: BulkRow | undefined) =>
    row?.problems.map(({ column, code, suggestion }) => [column, code, suggestion])

  it('reads an .xlsx, prices its rows, and puts the good ones in the cart while the bad ones stay', async () => {
    const who = await sender()
    const bad = goodRow(3)
    bad[3] = '99999'
    const { batch, items } = await read(await xlsx([headers, goodRow(1), goodRow(2), bad]), 'orders.xlsx', who)
    expect(batch).toMatchObject({
      status: 'ready',
      name: 'orders.xlsx',
      counts: { read: 3, total: 3, good: 2, bad: 1, carted: 0 },
    })
    expect(items[0]).toMatchObject({ row: 2, state: 'good', problems: [] })
    expect(items[0]?.priceMinor).toBeGreaterThan(0)
    expect(codes(items[2])).toEqual([['postcode', 'postcode_unknown', null]])
    expect(batch.totalMinor).toBe((items[0]?.priceMinor ?? 0) + (items[1]?.priceMinor ?? 0))

    const carted = await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    expect(carted.body).toMatchObject({ added: 2, batch: { counts: { good: 0, bad: 1, carted: 2 } } })
    const cart = await test.call(getCart, { query: {}, token: who.token })
    expect(cart.body.items.map(({ reference }) => reference).sort()).toEqual(['SO-1', 'SO-2'])
    expect(cart.body.items[0]).toMatchObject({ status: 'incart', weightGrams: 1200 })
    // A row shows the parcel's own price; who shares its pickup is known in the cart.
    expect(withoutPickup(cart.body.items[0] as Parcel)).toBe(items[0]?.priceMinor)
    const detail = await test.call(getParcel, { params: { id: cart.body.items[0]?.id ?? '' }, token: who.token })
    expect(detail.body.events.map(({ event }) => event).sort()).toEqual(['added_to_cart', 'created'])
    expect((await test.call(cartBulk, { body: { id: batch.id }, token: who.token })).error.code).toBe(
      'bulk_nothing_good',
    )
    expect((await test.call(cartCount, { token: who.token })).body.count).toBe(2)
  })

  it('sends rows from the sender that was chosen last, also while they were on their way to the cart', async () => {
    const who = await sender()
    const { batch } = await fromRows([jsonRow(1)], who)
    const change = sql`update bulk_batches set version = version + 1,
      sender = jsonb_set(sender, '{contactName}', '"Chosen Later"') where id = ${batch.id}::uuid`
    await queueBehind(test, change, () => test.call(cartBulk, { body: { id: batch.id }, token: who.token }))
    const [parcel] = (await test.call(getCart, { query: {}, token: who.token })).body.items
    expect(parcel?.sender?.contactName).toBe('Chosen Later')
  })

  it('says what is wrong by cell, in the language of the caller, with what is probably meant', async () => {
    const who = await sender()
    const rows = [
      jsonRow(1, { phone: '12-345 6789' }),
      jsonRow(2, { weight: '1,2 kg' }),
      jsonRow(3, { state: 'Johor' }),
      jsonRow(4, { serviceType: 'Semi-expres' }),
      jsonRow(5, { weight: '2026-02-01' }),
      jsonRow(6, { postcode: '5000', city: '' }),
      jsonRow(7, { city: 'Ipoh' }),
      jsonRow(8, { email: 'not an address', length: '' }),
    ]
    const { batch, items } = await fromRows(rows, who)
    expect(items.map(codes)).toEqual([
      [['phone', 'phone_lost_zero', '+60123456789']],
      [['weight', 'number_format', '1.2']],
      [['state', 'state_mismatch', 'Pulau Pinang']],
      [['serviceType', 'service_unknown', 'Semi-express']],
      [['weight', 'date_not_number', '1.2']],
      [['postcode', 'postcode_lost_zero', '05000']],
      [['city', 'city_mismatch', expect.any(String)]],
      [
        ['email', 'email_invalid', null],
        ['length', 'required', null],
      ],
    ])
    const chinese = await look(batch.id, {}, who, 'zh-CN')
    expect(chinese.items[2]?.problems[0]?.message).toBe('10050 属于Pulau Pinang。')
    expect(chinese.items[3]?.problems[0]?.suggestion).toBe('准快递')
    expect((await look(batch.id, { only: 'good' }, who)).total).toBe(0)
  })

  it('takes a suggestion in every row at once, and says what stood there', async () => {
    const who = await sender()
    const { batch } = await fromRows(
      [1, 2, 3].map((n) => jsonRow(n, { phone: `12345678${n}` })),
      who,
    )
    expect(batch.common).toEqual([
      expect.objectContaining({ code: 'phone_lost_zero', column: 'phone', count: 3, suggested: 3 }),
    ])
    const fixed = await test.call(editBulk, {
      body: { id: batch.id, fix: { code: 'phone_lost_zero', column: 'phone' } },
      token: who.token,
    })
    expect(fixed.body.batch.counts).toMatchObject({ good: 3, bad: 0 })
    expect(fixed.body.before.map(({ cells }) => cells.phone)).toEqual(['123456781', '123456782', '123456783'])
  })

  it('checks edited rows anew, and refuses a stale version without changing anything', async () => {
    const who = await sender()
    const { batch, items } = await fromRows([jsonRow(1, { postcode: '99999' }), jsonRow(2)], who)
    const edit = (row: number, version: number, postcode: string) => ({ row, version, cells: { postcode } })
    const stale = await test.call(editBulk, {
      body: { id: batch.id, edits: [edit(2, 1, '10050'), edit(3, 7, '10050')] },
      token: who.token,
    })
    expect(stale.error).toMatchObject({
      statusCode: 409,
      code: 'version_conflict',
      details: { rows: [{ row: 3, version: 1 }] },
    })
    expect((await look(batch.id, {}, who)).items).toEqual(items)
    const done = await test.call(editBulk, { body: { id: batch.id, edits: [edit(2, 1, '10050')] }, token: who.token })
    expect(done.body.items[0]).toMatchObject({ row: 2, version: 2, state: 'good', problems: [] })
    expect(done.body.before).toEqual([{ row: 2, cells: { postcode: '99999' } }])
    const gone = await test.call(editBulk, {
      body: { id: batch.id, edits: [{ row: 3, version: 1, remove: true }] },
      token: who.token,
    })
    expect(gone.body.batch.counts.total).toBe(1)
  })

  it('recognises the same file and the same row, in a batch, in another, and once it is in the cart; anyway lets it through', async () => {
    const who = await sender()
    const file = await xlsx([headers, goodRow(1), goodRow(2), goodRow(1)])
    const first = await read(file, 'a.xlsx', who)
    expect(first.batch.sameFile).toBeNull()
    expect(codes(first.items[2])).toEqual([[null, 'duplicate_row', null]])
    const second = await read(file, 'b.xlsx', who)
    expect(second.batch.sameFile).toMatchObject({ id: first.batch.id })
    expect(second.items.map((row) => row.problems[0]?.code)).toEqual([
      'duplicate_batch',
      'duplicate_batch',
      expect.stringMatching(/^duplicate_/),
    ])
    await test.call(cartBulk, { body: { id: first.batch.id }, token: who.token })
    const third = await fromRows([jsonRow(1, { phone: '012-345 6789', contentDescription: 'Shirts' })], who)
    expect(codes(third.items[0])).toEqual([[null, 'duplicate_cart', null]])
    const anyway = await test.call(editBulk, { body: { id: third.batch.id, anyway: true }, token: who.token })
    expect(anyway.body.batch.counts).toMatchObject({ good: 1, bad: 0 })
  })

  it('asks which column is what when headers are unknown, naming those that miss', async () => {
    const who = await sender()
    const own = ['Who', 'Call', 'Where', 'Code', 'Heavy', 'L', 'W', 'H']
    const { batch } = await read(
      await xlsx([own, ['Ali', '0123456789', '1 Jalan Burma', '10050', 1, 10, 10, 10]]),
      'own.xlsx',
      who,
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
    expect((await look(batch.id, {}, who)).items).toEqual([
      expect.objectContaining({ row: 2, state: 'good', cells: expect.arrayContaining(['Ali', '10050']) }),
    ])
  })

  it('finds the headers below a title, in Chinese and by other names', async () => {
    const rows = [
      ['十一月订单'],
      [],
      ['收货人', '手机', '地址', '邮编', '城市', '重量(kg)', '长', '宽', '高'],
      ['陈伟玲', '0167781234', '8 Jalan Burma', '10050', 'George Town', 1, 20, 20, 20],
    ]
    const { batch, items } = await read(await xlsx(rows), '订单.xlsx')
    expect(batch).toMatchObject({ status: 'ready', name: '订单.xlsx' })
    expect(items).toEqual([expect.objectContaining({ row: 4, state: 'good' })])
  })

  it('fills merged cells downwards and points them out', async () => {
    const who = await sender()
    const rows = [headers, goodRow(1), goodRow(2), goodRow(3)]
    for (const n of [2, 3]) (rows[n] as (string | number | null)[])[2] = null
    const merged = await xlsx(rows, { merges: [{ startRow: 1, startCol: 2, endRow: 3, endCol: 2 }] })
    const { items } = await read(merged, 'merged.xlsx', who)
    expect(items.map(({ cells, state }) => [cells[bulkFields.indexOf('line1')], state])).toEqual([
      ['1 Jalan Burma', 'good'],
      ['1 Jalan Burma', 'good'],
      ['1 Jalan Burma', 'good'],
    ])
    expect(items[1]?.problems).toEqual([expect.objectContaining({ column: 'line1', code: 'merged', blocking: false })])
  })

  it('takes the value of a formula, and refuses one without a value or with an error', async () => {
    const cell = (ref: string, inner: string, type = '') => `<c r="${ref}"${type}>${inner}</c>`
    const text = (ref: string, value: string) => cell(ref, `<is><t>${value}</t></is>`, ' t="inlineStr"')
    const row = (n: number, weight: string, phone = text(`B${n}`, '0123456789')) =>
      `<row r="${n}">${text(`A${n}`, `Ali ${n}`)}${phone}${text(`C${n}`, '1 Jalan Burma')}${text(`D${n}`, '10050')}${text(`E${n}`, 'George Town')}${weight}${['G', 'H', 'I'].map((letter) => cell(`${letter}${n}`, '<v>10</v>')).join('')}</row>`
    const heads = ['Name', 'Phone', 'Address', 'Postcode', 'City', 'Weight', 'Length', 'Width', 'Height']
    const head = `<row r="1">${heads.map((name, n) => text(`${'ABCDEFGHI'[n]}1`, name)).join('')}</row>`
    const sheet = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${head}${row(2, cell('F2', '<f>1+1</f><v>2</v>'))}${row(3, cell('F3', '<f>G3/0</f>'))}${row(4, cell('F4', '<f>1/0</f><v>#DIV/0!</v>', ' t="e"'))}</sheetData></worksheet>`
    const { items } = await read(rawXlsx(sheet), 'formulas.xlsx')
    expect(items[0]).toMatchObject({ state: 'good', problems: [] })
    expect(items[0]?.cells[bulkFields.indexOf('weight')]).toBe('2')
    expect(codes(items[1])).toEqual([['weight', 'formula_empty', null]])
    expect(codes(items[2])).toEqual([['weight', 'formula_error', null]])
  })

  it('points out dates where numbers belong and phones as numbers', async () => {
    const row = goodRow(71)
    row[1] = 123456789 as never
    row[6] = new Date(Date.UTC(2026, 1, 1)) as never
    const { items } = await read(await xlsx([headers, row]))
    expect(codes(items[0])).toEqual([
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
    const { items } = await read(encode(csv([headers, row], separator)), 'parcels.csv', await sender())
    expect(items).toEqual([expect.objectContaining({ state: 'good' })])
    expect(items[0]?.cells[bulkFields.indexOf('receiverName')]).toBe('陈伟玲')
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
    const { items } = await read(Buffer.concat([head, row]), 'gb.csv', await sender())
    expect(items[0]).toMatchObject({ state: 'good' })
    expect(items[0]?.cells[bulkFields.indexOf('receiverName')]).toBe('陈伟玲')
  })

  describe('files that are none', () => {
    const refused = async (bytes: Buffer, name = 'parcels.xlsx') => {
      const before = await test.call(listBulk, { query: {}, token: owner.token })
      const { status, body } = await upload(bytes, name)
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
      ['bytes', Buffer.from([1, 0, 0, 2, 0, 0, 0, 3, 3, 3, 0, 0, 1]), 415, 'file_not_a_sheet'],
      ['nothing', Buffer.alloc(0), 422, 'file_empty'],
      ['half a ZIP', zip([['xl/workbook.xml', '<x/>']]).subarray(0, 60), 422, 'file_broken'],
    ])('refuses %s under the name of an .xlsx', async (_, bytes, status, code) => {
      expect(await refused(bytes)).toEqual([status, code])
    })

    it('refuses 200,000 rows at once, saying how many are taken', async () => {
      const rows = Array.from(
        { length: 200_000 },
        (_, n) => `<row r="${n + 1}"><c r="A${n + 1}"><v>${n}</v></c></row>`,
      ).join('')
      expect(await refused(rawXlsx(`<worksheet><sheetData>${rows}</sheetData></worksheet>`))).toEqual([
        413,
        'file_too_many_rows',
      ])
      expect(await refused(Buffer.from('1,2\n'.repeat(200_000)), 'long.csv')).toEqual([413, 'file_too_many_rows'])
      const { body } = await upload(Buffer.from('1,2\n'.repeat(200_000)), 'long.csv')
      expect(body.message).toContain('10000')
    })

    it('stops a zip bomb while it inflates, whatever its headers say', async () => {
      const bomb = rawXlsx(Buffer.alloc(60_000_000, ' '))
      expect(bomb.length).toBeLessThan(100_000)
      expect(await refused(bomb)).toEqual([413, 'file_too_large'])
      const strings = zip(
        [
          ['xl/workbook.xml', '<x/>'],
          ['xl/sharedStrings.xml', Buffer.alloc(60_000_000, 'a')],
        ],
        100,
      )
      expect(await refused(strings)).toEqual([413, 'file_too_large'])
    })

    it('refuses more bytes than are taken, and a form without a file', async () => {
      expect(await refused(Buffer.alloc(10_485_761, '1,2\n'), 'big.csv')).toEqual([413, 'too_large'])
      expect((await test.call(createBulk, { body: {}, token: owner.token })).error).toMatchObject({ statusCode: 422 })
    })
  })

  it('says so when there is nothing below the headers', async () => {
    const { batch } = await read(await xlsx([headers]))
    expect(batch).toMatchObject({ status: 'failed', fault: { code: 'file_no_rows' } })
  })

  it('gives bad rows back as a file that says what is wrong, and a template that reads again', async () => {
    const who = await sender()
    const { batch } = await fromRows([jsonRow(1), jsonRow(2, { receiverName: '=1+1', phone: '12' })], who)
    const file = await test.call(bulkProblemFile, { params: { id: batch.id }, token: who.token })
    const [sheet] = (await readXlsx(file.raw)).sheets
    expect(sheet?.rows).toHaveLength(2)
    expect(sheet?.rows[1]?.slice(0, 3)).toEqual([
      'This phone number cannot be right. Check the digits.',
      'SO-2',
      '=1+1',
    ])
    expect(file.raw.includes('<f>')).toBe(false)
    for (const language of ['en', 'zh']) {
      const template = await test.call(bulkTemplate, { token: who.token, language })
      const again = await read(template.raw, `template-${language}.xlsx`, who)
      expect(again.items.map(({ problems }) => problems.filter(({ code }) => !code.startsWith('duplicate')))).toEqual([
        [],
        [],
        [],
      ])
      // The third goes abroad, with what customs want to know.
      const cells = again.items[2]?.cells ?? []
      const cellOf = (field: BulkField) => cells[bulkFields.indexOf(field)]
      expect([cellOf('country'), cellOf('customsReason'), cellOf('item1Origin'), cellOf('item1HsCode')]).toEqual(
        language === 'en'
          ? ['Singapore', 'Sale of goods', 'Malaysia', '6403.99']
          : ['新加坡', '商品销售', '马来西亚', '6403.99'],
      )
      expect(again.items[2]?.priceMinor).toBeGreaterThan(0)
    }
  })

  it('keeps a batch to its account and to the member who made it', async () => {
    const { batch } = await fromRows([jsonRow(90)])
    const stranger = await sender()
    const token = stranger.token
    const answers = await Promise.all([
      test.call(getBulk, { params: { id: batch.id }, query: {}, token }),
      test.call(bulkProblemFile, { params: { id: batch.id }, token }),
      test.call(editBulk, { body: { id: batch.id, anyway: true }, token }),
      test.call(cartBulk, { body: { id: batch.id }, token }),
      test.call(clearBulk, { body: { id: batch.id }, token }),
      test.call(mapBulk, { body: { id: batch.id, version: 1, mapping: [null] }, token }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await look(batch.id)).batch.counts.good).toBe(1)
    expect((await test.call(clearBulk, { body: { id: batch.id }, token: owner.token })).status).toBe(200)
    expect((await test.call(getBulk, { params: { id: batch.id }, query: {}, token: owner.token })).status).toBe(404)
  })

  it('honours an Idempotency-Key', async () => {
    const headersOf = { 'idempotency-key': 'bulk-key-1' }
    const body = { rows: [jsonRow(91)] }
    const first = await test.call(createBulk, { body, token: owner.token, headers: headersOf })
    const second = await test.call(createBulk, { body, token: owner.token, headers: headersOf })
    expect(second.body.id).toBe(first.body.id)
  })

  it('honours an Idempotency-Key of a file: the same file is the same batch, another one is refused', async () => {
    const key = { 'idempotency-key': 'the-same-file-0001' }
    const file = await xlsx([headers, goodRow(95)])
    const first = await upload(file, 'a.xlsx', key)
    expect((await upload(file, 'a.xlsx', key)).body.id).toBe(first.body.id)
    const other = await upload(await xlsx([headers, goodRow(96)]), 'a.xlsx', key)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  it('needs somebody who sends', async () => {
    const nobody = await createCustomer(test)
    const { batch } = await fromRows([jsonRow(1)], nobody)
    expect(batch.sender).toBeNull()
    expect((await test.call(cartBulk, { body: { id: batch.id }, token: nobody.token })).error.code).toBe(
      'bulk_no_sender',
    )
    const address = await addAddress(test, nobody, { isDefault: true, kind: 'sender' })
    const chosen = await test.call(editBulk, {
      body: { id: batch.id, senderAddressId: address.id },
      token: nobody.token,
    })
    expect(chosen.body.batch).toMatchObject({ sender: { contactName: address.contactName }, counts: { good: 1 } })
    expect(chosen.body.batch.totalMinor).toBeGreaterThan(0)
  })
})
