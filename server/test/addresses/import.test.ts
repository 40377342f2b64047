import { listAddresses } from '@waybill/contract/addresses/addresses'
import {
  type AddressImport,
  addressTemplate,
  exportAddresses,
  getAddressImport,
  type importableStates,
  listAddressImports,
  mapAddressImport,
  removeAddressImport,
  saveAddressImport,
} from '@waybill/contract/addresses/import'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepAddresses } from '../../src/domains/addresses/jobs.ts'
import { days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { readSheet } from '../../src/lib/sheet/read.ts'
import { rawXlsx, xlsx } from '../parcels/bulk/bulk-sheets.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'
import { getAddresses, headers, readAddresses, row, uploadAddresses } from './import-sheets.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})

const upload = (owner: TestCustomer, bytes: Buffer, name?: string, language?: string) =>
  uploadAddresses(test, owner, bytes, name, language)
const look = (owner: TestCustomer, id: string, language?: string) => getAddresses(test, owner, id, language)
const read = (owner: TestCustomer, rows: (string | number | null)[][], language?: string) =>
  readAddresses(test, owner, rows, language)

type Save = { states?: (typeof importableStates)[number][]; rows?: number[] }

async function save(owner: TestCustomer, { id, version }: AddressImport, body: Save = {}) {
  const params = { id }
  const answer = await test.call(saveAddressImport, { token: owner.token, params, body: { version, ...body } })
  await test.settle()
  return answer
}

const listBook = async ({ token }: TestCustomer) =>
  (await test.call(listAddresses, { token, query: { limit: 200, sort: '+contactName' } })).body

describe('the import of an address spreadsheet', () => {
  it('leaves out the rows that the spreadsheet hides, unless the user takes them', async () => {
    const owner = await createCustomer(test)
    const rows = [headers, row('Ali Hidden'), row('Abu', '012-300 0002'), row('Ali Visible')]
    const { body } = await upload(owner, await xlsx(rows, { rowDefs: new Map([[1, { hidden: true }]]) }))
    await test.settle()
    const page = await look(owner, body.id)
    // The hidden row does not make the last one a duplicate.
    expect(page.items.map((one) => [one.row, one.state])).toEqual([
      [2, 'hidden'],
      [3, 'good'],
      [4, 'good'],
    ])
    expect(page.import.counts).toMatchObject({ read: 3, good: 2, hidden: 1 })
    await save(owner, page.import)
    const names = async () => (await listBook(owner)).items.map(({ contactName }) => contactName)
    expect(await names()).toEqual(['Abu', 'Ali Visible'])
    await save(owner, (await look(owner, body.id)).import, { states: ['hidden'] })
    expect(await names()).toEqual(['Abu', 'Ali Hidden', 'Ali Visible'])
  })

  it('reads and shows the rows, and stores them only when the user saves', async () => {
    const owner = await createCustomer(test)
    const page = await read(owner, [['My customers'], headers, row('Ali bin Abu'), row('陈伟明', '0167788990')])
    expect(page.import).toMatchObject({ status: 'ready', counts: { read: 2, good: 2, bad: 0, imported: 0 } })
    expect((await listBook(owner)).total).toBe(0)
    expect((await save(owner, page.import)).status).toBe(200)
    const { items } = await listBook(owner)
    expect(items).toMatchObject([
      { contactName: 'Ali bin Abu', phone: '+60123847265', city: 'Kuala Lumpur', kind: 'receiver', country: 'my' },
      { contactName: '陈伟明', phone: '+60167788990' },
    ])
    const after = await look(owner, page.import.id)
    expect(after.import).toMatchObject({ status: 'ready', counts: { imported: 2, good: 0, waiting: 0 } })
    expect(after.items[0]?.addressId).toBe(items[0]?.id)
  })

  it('reads a number with + by its country code, and any other as one of the country of the address', async () => {
    const owner = await createCustomer(test)
    const numbers = ['+65 9123 4567', '0065 9123 4568', '012-384 7265', '3123 4567']
    const page = await read(owner, [headers, ...numbers.map((number, n) => row(`Receiver ${n}`, number))])
    expect(page.items.map(({ state }) => state)).toEqual(['good', 'good', 'good', 'bad'])
    await save(owner, page.import)
    const phones = (await listBook(owner)).items.map(({ phone }) => phone)
    expect(phones.toSorted()).toEqual(['+60123847265', '+6591234567', '+6591234568'])
  })

  it.each([
    ['Malay', ['Nama Penerima', 'No. Telefon', 'Alamat', 'Poskod', 'Bandar', 'Negeri']],
    ['Chinese', ['收件人', '联系电话', '详细地址', '邮政编码', '城市', '州属']],
    ['English', ['Contact person', 'Mobile No.', 'Street address', 'Postal code', 'Town', 'Province']],
  ])('recognises columns by %s headers', async (_, names) => {
    const owner = await createCustomer(test)
    const page = await read(owner, [names, row('Ali bin Abu')])
    expect(page.import.mapping).toEqual(['contactName', 'phone', 'line1', 'postcode', 'city', 'state'])
    expect(page.import.counts.good).toBe(1)
  })

  it("names problems by cell, in the user's language", async () => {
    const owner = await createCustomer(test)
    const rows = [headers, row('Ali bin Abu', '12'), row(''), row('Good'), ['', '12', 'Y', '99999', '', '']]
    const page = await read(owner, rows)
    expect(page.items.map(({ row: number, state }) => [number, state])).toEqual([
      [2, 'bad'],
      [3, 'bad'],
      [4, 'good'],
      [5, 'bad'],
    ])
    const problems = page.items.flatMap((one) => one.problems.map(({ cell, message }) => [cell, message]))
    expect(problems).toContainEqual([
      'B2',
      'Phone is not a valid phone number, e.g. 012-345 6789. ' +
        'A number of another country begins with + and its country code, e.g. +65 9123 4567.',
    ])
    expect(problems).toContainEqual(['A3', 'Contact name is required.'])
    expect(problems).toContainEqual(['D5', 'Postcode does not exist. Check the digits, e.g. 50450.'])
    const cellsOfLast = page.items.at(-1)?.problems.map(({ cell }) => cell)
    expect(cellsOfLast?.slice(0, 3)).toEqual(['A5', 'B5', 'D5'])
    const chinese = await look(owner, page.import.id, 'zh-CN')
    expect(chinese.items[2 - 1]?.problems[0]?.message).toMatch(/[\u4e00-\u9fff]/)
    // Invalid rows are never stored.
    await save(owner, page.import)
    expect((await listBook(owner)).items.map(({ contactName }) => contactName)).toEqual(['Good'])
  })

  it('fills in city and state from the postcode, and restores the zero that spreadsheets drop', async () => {
    const owner = await createCustomer(test)
    const page = await read(owner, [headers, ['Ali', 123847265, '1 Jalan Pegawai', 5000, '', '']])
    expect(page.import.counts.good).toBe(1)
    await save(owner, page.import)
    expect((await listBook(owner)).items).toMatchObject([
      { phone: '+60123847265', postcode: '05000', city: 'Alor Setar', state: 'Kedah' },
    ])
  })

  it('imports a contradiction only when the user confirms it, and records who did', async () => {
    const owner = await createCustomer(test)
    const page = await read(owner, [headers, [...row('Ali').slice(0, 4), 'Kuala Lumpur', 'Johor']])
    expect(page.items[0]).toMatchObject({
      state: 'contradiction',
      problems: [{ cell: 'F2', message: '50480 is in Kuala Lumpur.' }],
    })
    expect((await save(owner, page.import)).error.code).toBe('address_import_empty')
    expect((await save(owner, page.import, { states: ['good', 'contradiction'] })).status).toBe(200)
    expect((await listBook(owner)).items).toMatchObject([{ state: 'Johor', overridden: ['state'] }])
  })

  it('marks rows that are already in the address book or in the file', async () => {
    const owner = await createCustomer(test)
    await addAddress(test, owner)
    const rows = [headers, row('Same as in the book', '+60 12-384 7265', '12 JLN KIARA 3'), row('A', '0167788990')]
    const page = await read(owner, [...rows, row('B', '016-778 8990', 'No. 12, Jalan Kiara 3')])
    expect(page.items.map(({ state, problems }) => [state, problems[0]?.code])).toEqual([
      ['duplicate', 'duplicateInBook'],
      ['good', undefined],
      ['duplicate', 'duplicateOfRow'],
    ])
    await save(owner, page.import)
    expect((await listBook(owner)).total).toBe(2)
  })

  it('imports only the chosen rows', async () => {
    const owner = await createCustomer(test)
    const rows = ['A', 'B', 'C'].map((name, n) => row(name, `01238472${60 + n}`))
    const page = await read(owner, [headers, ...rows])
    await save(owner, page.import, { rows: [2, 4] })
    expect((await listBook(owner)).items.map(({ contactName }) => contactName)).toEqual(['A', 'C'])
    const { import: after } = await look(owner, page.import.id)
    await save(owner, after)
    expect((await listBook(owner)).total).toBe(3)
  })

  it.each([';', '\t'])(
    'reads a .csv with the separator %j whose addresses have more commas than columns',
    async (separator) => {
      const owner = await createCustomer(test)
      const line1 = 'No. 12, Lorong 3, Taman Desa, Off Jalan Klang Lama, Batu 5, 58100, KL, Malaysia'
      const lines = [headers, ...['Aini', 'Budi', 'Chong', 'Devi'].map((name) => row(name, '012-384 7265', line1))]
      const { body } = await upload(owner, Buffer.from(lines.map((cells) => cells.join(separator)).join('\n')), 'a.csv')
      await test.settle()
      const page = await look(owner, (body as AddressImport).id)
      expect(page.import).toMatchObject({ status: 'ready', counts: { read: 4 } })
    },
  )

  it('asks for the mapping of columns if the headers are not recognised', async () => {
    const owner = await createCustomer(test)
    const page = await read(owner, [['A', 'B', 'C', 'D'], row('Ali').slice(0, 4)])
    expect(page.import).toMatchObject({ status: 'columns', headers: ['A', 'B', 'C', 'D'] })
    const { id, version } = page.import
    const map = (mapping: (string | null)[]) =>
      test.call(mapAddressImport, { token: owner.token, params: { id }, body: { version, mapping: mapping as [] } })
    expect((await map(['contactName', 'phone', 'line1', null])).error.errors?.[0]?.field).toBe('mapping')
    expect((await map(['contactName', 'phone', 'line1', 'postcode'])).status).toBe(200)
    await test.settle()
    expect((await look(owner, id)).import).toMatchObject({ status: 'ready', counts: { good: 1 } })
  })

  it('is deleted thirty days after its last change; its addresses are kept', async () => {
    const owner = await createCustomer(test)
    const { import: one } = await read(owner, [headers, row('Ali')])
    await save(owner, one)
    const touch = (at: Date) =>
      test.deps.db.updateTable('address_imports').set({ updated_at: at }).where('id', '=', one.id).execute()
    await touch(later(test.clock.now(), -days(29)))
    await sweepAddresses(test.deps)
    expect((await look(owner, one.id)).import.status).toBe('ready')
    await touch(later(test.clock.now(), -days(31)))
    await sweepAddresses(test.deps)
    const params = { id: one.id }
    expect((await test.call(getAddressImport, { token: owner.token, params })).status).toBe(404)
    expect((await listBook(owner)).total).toBe(1)
  })

  it('cannot be saved or removed while a job saves it', async () => {
    const owner = await createCustomer(test)
    const { import: one } = await read(owner, [headers, row('Ali')])
    const params = { id: one.id }
    await test.deps.db.updateTable('address_imports').set({ status: 'saving' }).where('id', '=', one.id).execute()
    const body = { version: one.version }
    const answers = [
      await test.call(saveAddressImport, { token: owner.token, params, body }),
      await test.call(removeAddressImport, { token: owner.token, params }),
    ]
    expect(answers.map(({ error }) => error.code)).toEqual(['address_import_busy', 'address_import_busy'])
  })

  it('can be deleted if its file could not be read', async () => {
    const owner = await createCustomer(test)
    const { import: one } = await read(owner, [headers, row('Ali')])
    const params = { id: one.id }
    const failure = { status: 'failed', fault: 'broken' }
    await test.deps.db.updateTable('address_imports').set(failure).where('id', '=', one.id).execute()
    expect((await test.call(getAddressImport, { token: owner.token, params })).body.import.status).toBe('failed')
    expect((await test.call(removeAddressImport, { token: owner.token, params })).status).toBe(200)
    expect((await test.call(listAddressImports, { token: owner.token })).body.items).toEqual([])
  })

  it('is refused if the file is not a spreadsheet, too large or a zip bomb', async () => {
    const owner = await createCustomer(test)
    expect((await upload(owner, Buffer.from('%PDF-1.7 and more'))).body.code).toBe('file_not_a_sheet')
    const bomb = rawXlsx(Buffer.alloc(40_000_000, ' '))
    expect((await upload(owner, bomb)).body.code).toMatch(/^file_(too_|broken)/)
    const many = Buffer.from(`${headers.join(',')}\n${`${row('A').join(',')}\n`.repeat(10_050)}`)
    expect((await upload(owner, many, 'many.csv')).body.code).toBe('file_too_many_rows')
  })

  it('stores ten thousand rows in batches, each row once', async () => {
    const owner = await createCustomer(test)
    const lines = Array.from({ length: 10_000 }, (_, n) =>
      [`Receiver ${n}`, `0123${String(n).padStart(6, '0')}`, `${n} Jalan Kiara`, '50480', 'Kuala Lumpur', ''].join(','),
    )
    const { body } = await upload(owner, Buffer.from([headers.join(','), ...lines].join('\n')), 'many.csv')
    await test.settle()
    const page = await look(owner, body.id)
    expect(page.import.counts).toMatchObject({ read: 10_000, good: 10_000 })
    await save(owner, page.import)
    expect((await listBook(owner)).total).toBe(10_000)
    expect((await look(owner, body.id)).import).toMatchObject({ status: 'ready', counts: { imported: 10_000 } })
  }, 120_000)

  it('is visible only to its own account', async () => {
    const owner = await createCustomer(test)
    const stranger = await createCustomer(test)
    const { import: mine } = await read(owner, [headers, row('Ali')])
    const { token } = stranger
    for (const id of [mine.id, newId()]) {
      const params = { id }
      const answers = [
        await test.call(getAddressImport, { token, params }),
        await test.call(saveAddressImport, { token, params, body: { version: mine.version } }),
        await test.call(mapAddressImport, { token, params, body: { version: 1, mapping: ['phone'] } }),
        await test.call(removeAddressImport, { token, params }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect((await test.call(removeAddressImport, { token: owner.token, params: { id: mine.id } })).status).toBe(200)
    const after = await test.call(getAddressImport, { token: owner.token, params: { id: mine.id } })
    expect(after.status).toBe(404)
  })
})

describe('the spreadsheet of the address book', () => {
  const readRows = async (bytes: Buffer) => {
    const rows: (string | null)[][] = []
    for await (const { cells } of readSheet(bytes, { rows: 1000, bytes: 9_000_000, ratio: 200 })) {
      rows.push(cells as (string | null)[])
    }
    return rows
  }

  it('has the rows of the list with formulas disarmed, and can be imported again', async () => {
    const owner = await createCustomer(test)
    await addAddress(test, owner, { contactName: '=HYPERLINK("x")', kind: 'receiver', label: 'Office' })
    await addAddress(test, owner, {
      contactName: 'Zainal',
      kind: 'sender',
      line1: 'Lot 7, Wisma Utara',
      city: 'Johor Bahru',
      override: ['city'],
    })
    const { raw, headers: type } = await test.call(exportAddresses, { token: owner.token })
    expect(String(type['content-disposition'])).toContain('addresses.xlsx')
    const [head, first, second] = await readRows(raw)
    expect(head?.slice(0, 3)).toEqual(['Contact name', 'Company', 'Phone'])
    expect(first?.[0]).toBe('=HYPERLINK("x")')
    expect(second?.[7]).toBe('Johor Bahru')
    const senders = await test.call(exportAddresses, { token: owner.token, query: { kind: 'sender' } })
    expect(await readRows(senders.raw)).toHaveLength(2)
    const other = await createCustomer(test)
    const { body } = await upload(other, raw)
    await test.settle()
    expect((await look(other, body.id)).import.counts).toMatchObject({ good: 1, contradiction: 1, bad: 0 })
  })

  it('has a template in both languages whose examples can be imported', async () => {
    for (const language of ['en', 'zh-CN']) {
      const owner = await createCustomer(test)
      const { raw } = await test.call(addressTemplate, { token: owner.token, language })
      const { body } = await upload(owner, raw)
      await test.settle()
      expect((await look(owner, body.id)).import.counts).toMatchObject({ good: 2, bad: 0, contradiction: 0 })
    }
  })
})
