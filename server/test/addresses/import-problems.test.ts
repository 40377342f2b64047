import { type AddressColumn, addressProblemFile, mapAddressImport } from '@waybill/contract/addresses/import'
import { readXlsx } from 'hucre'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { getAddresses, headers, readAddresses, row, uploadAddresses } from './import-sheets.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})

describe('the import of a spreadsheet of addresses with problems', () => {
  it('names the choices of a cell, and digits that the spreadsheet shortened, in both languages', async () => {
    const owner = await createCustomer(test)
    const kind = (value: string, phone: string) => [...row('Ali', phone), value]
    const page = await readAddresses(test, owner, [
      [...headers, 'Type'],
      kind('friend', '0123847265'),
      kind('receiver', '1.23E+08'),
    ])
    const messages = (items: typeof page.items) => items.flatMap(({ problems }) => problems.map((one) => one.message))
    expect(messages(page.items)).toEqual([
      'Kind must be one of these: “Sender”, “Receiver”, “Both”.',
      'Phone was shortened by the spreadsheet. Format the column as text and type all the digits.',
    ])
    expect(messages((await getAddresses(test, owner, page.import.id, 'zh-CN')).items)).toEqual([
      '类别必须是以下之一：“寄件人”、“收件人”、“两者”。',
      '电话被表格软件缩短了。请把该列设为文本格式，再输入全部数字。',
    ])
  })

  it('suggests what a cell probably means', async () => {
    const owner = await createCustomer(test)
    const page = await readAddresses(test, owner, [
      [...headers, 'Type'],
      [...row('Ali', '012-384 7265 / 013-222 3333'), 'reciever'],
    ])
    expect(page.items[0]?.problems.map(({ cell, suggestion }) => [cell, suggestion])).toEqual([
      ['B2', '+60123847265'],
      ['G2', 'Receiver'],
    ])
  })

  it('returns the rows with problems as a file that can be corrected and uploaded again', async () => {
    const owner = await createCustomer(test)
    const page = await readAddresses(test, owner, [
      headers,
      row('Ali bin Abu', '12'),
      row('Good'),
      row('=Bad()', '0123847265 / 0132223333'),
    ])
    const params = { id: page.import.id }
    const file = await test.call(addressProblemFile, { token: owner.token, params })
    expect(file.headers['content-disposition']).toContain('addresses-to-correct.xlsx')
    const [sheet] = (await readXlsx(file.raw)).sheets
    expect(sheet?.rows.map((cells) => cells.slice(0, 4))).toEqual([
      ['What is wrong', 'Contact name', 'Company', 'Phone'],
      [expect.stringContaining('Phone is not a valid phone number'), 'Ali bin Abu', '', '12'],
      [expect.stringMatching(/^Phone .* → \+60123847265$/), '=Bad()', '', '0123847265 / 0132223333'],
    ])
    const again = await uploadAddresses(test, owner, file.raw)
    await test.settle()
    expect((await getAddresses(test, owner, again.body.id)).import).toMatchObject({
      status: 'ready',
      counts: { bad: 2 },
    })
    const stranger = await createCustomer(test)
    expect((await test.call(addressProblemFile, { token: stranger.token, params })).status).toBe(404)
  })

  it('reads the first row of a file without headers as an address', async () => {
    const owner = await createCustomer(test)
    const { import: one } = await readAddresses(test, owner, [row('Ali').slice(0, 4), row('Abu').slice(0, 4)])
    const mapping: AddressColumn[] = ['contactName', 'phone', 'line1', 'postcode']
    const body = { version: one.version, mapping, noHeader: true }
    await test.call(mapAddressImport, { token: owner.token, params: { id: one.id }, body })
    await test.settle()
    expect((await getAddresses(test, owner, one.id)).items.map(({ row, cells }) => [row, cells[0]])).toEqual([
      [1, 'Ali'],
      [2, 'Abu'],
    ])
  })
})
