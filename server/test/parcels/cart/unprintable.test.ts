import { createAddress } from '@waybill/contract/addresses/addresses'
import { answerAddressRequest, createAddressRequest } from '@waybill/contract/addresses/requests'
import { quoteDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { createParcel } from '@waybill/contract/parcels/parcels'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { createSender, readRows } from '../../testing/factories/bulk.ts'
import { findCounter, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { parcelBody, testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'
import { jsonRow } from '../bulk/bulk-sheets.ts'

describe('letters that the fonts of the consignment note do not have', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test, 'Shop')
    await fundWallet(test, owner, 100_000)
    await setWalletPin(test, owner)
  })

  const create = (body: ReturnType<typeof parcelBody>, language = 'en') =>
    test.call(createParcel, { token: owner.token, body, language })
  const listFields = ({ error }: { error: { errors?: { field: string }[] } }) => error.errors?.map(({ field }) => field)

  it.each([
    ['en', 'we cannot print “علي”. Write it in Latin letters or Chinese.'],
    ['zh', '无法打印“علي”，请改用拉丁字母或中文。'],
  ])('are refused at their field (%s)', async (language, message) => {
    const answer = await create(parcelBody({ receiver: testReceiver({ contactName: 'Ali علي' }) }), language)
    expect([answer.status, answer.error.code, listFields(answer)]).toEqual([
      422,
      'validation',
      ['receiver.contactName'],
    ])
    expect(answer.error.errors?.[0]?.message).toContain(message)
  })

  it('are refused in every printed field of both addresses', async () => {
    const words = { company: 'บริษัท', line1: 'முருகன்', line2: 'हिन्दी', remarks: '문 앞에 두세요' }
    const answer = await create(parcelBody({ sender: testParty(words), receiver: testReceiver(words) }))
    const fields = ['sender', 'receiver'].flatMap((party) => Object.keys(words).map((field) => `${party}.${field}`))
    expect(listFields(answer)?.sort()).toEqual(fields.sort())
  })

  it('do not include accents, Chinese and emoji', async () => {
    const receiver = testReceiver({ contactName: 'Nguyễn Thị Ánh 陈亚九', remarks: 'Leave it at the door 🙏🏽' })
    expect((await create(parcelBody({ receiver, addToCart: true }))).status).toBe(200)
  })

  it('are refused in the cell of a spreadsheet', async () => {
    const { items } = await readRows(test, owner, [
      jsonRow(1, { receiverName: 'สมชาย' }),
      jsonRow(2, { remarks: 'شكرا' }),
    ])
    expect(items.map(({ problems }) => problems.map(({ column, code }) => [column, code]))).toEqual([
      [['receiverName', 'rule.unprintable']],
      [['remarks', 'rule.unprintable']],
    ])
  })

  it('are refused in a corrected address', async () => {
    const { id } = await undelivered(test, owner, (await findCounter(test)).counter)
    const body = { kind: 'correct' as const, receiver: testReceiver({ line1: '٧ شارع' }) }
    const answer = await test.call(quoteDeliveryChoice, { token: owner.token, params: { id }, body })
    expect([answer.status, listFields(answer)]).toEqual([422, ['receiver.line1']])
  })

  it('are refused in the address book and at an address link', async () => {
    const address = testReceiver({ contactName: 'สมชาย' })
    const saved = await test.call(createAddress, { token: owner.token, body: address })
    expect([saved.status, listFields(saved)]).toEqual([422, ['contactName']])
    const { url } = (await test.call(createAddressRequest, { token: owner.token, body: {} })).body
    const token = url.split('/').at(-1) as string
    const { residential: _r, remarks: _m, ...body } = address
    const answer = await test.call(answerAddressRequest, { params: { token }, body })
    expect([answer.status, listFields(answer)]).toEqual([422, ['contactName']])
  })
})
