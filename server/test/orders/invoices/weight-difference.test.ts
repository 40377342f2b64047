import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { getInvoice, getOrder, printInvoice } from '@waybill/contract/orders/orders'
import { getCreditNote, listCreditNotes } from '@waybill/contract/orders/refunds'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { contestWeighing, decideDispute, reweighParcel } from '@waybill/contract/parcels/weighing'
import { takeCash } from '@waybill/contract/payments/cash-desk'
import { cashReceiptPaper, printCashReceipt } from '@waybill/contract/payments/cash-receipts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { handedOver, openCashDesk } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createPayer, expectSoundBooks, testPin } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

const spaces = (text = '') => text.replaceAll(/\s+/g, ' ')

describe('the documents of a weight difference', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let clerk: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const desk = await openCashDesk(test)
    counter = desk.counter
    clerk = desk.clerk
    owner = await createPayer(test)
  })
  const weigh = (id: string, weightGrams: number) =>
    test.call(reweighParcel, { token: counter.token, params: { id }, body: { weightGrams, confirmed: true } })
  const createHeavyParcel = async () => {
    const parcel = await handedOver(test, owner, counter)
    return { ...parcel, due: (await weigh(parcel.id, 6000)).body.dueMinor }
  }

  it('name each parcel with its difference: on the order, the invoice and a later credit note', async () => {
    const parcels = [await createHeavyParcel(), await createHeavyParcel()]
    const totalSeenMinor = parcels.reduce((sum, { due }) => sum + due, 0)
    const { token } = owner
    const body = { parcelIds: parcels.map(({ id }) => id), totalSeenMinor, pin: testPin }
    const id = (await test.call(payOutstanding, { token, body })).body.orderId ?? ''
    const order = (await test.call(getOrder, { token, params: { id } })).body
    const differences = order.lines.filter(({ kind }) => kind === 'weight_difference')
    const namedParcels = differences.map(({ basis }) => [basis.parcelId, basis.trackingNumber])
    expect(namedParcels.sort()).toEqual(parcels.map((parcel) => [parcel.id, parcel.number]).sort())
    expect(order.lines.map(({ kind }) => kind)).toEqual(['weight_difference', 'weight_difference', 'tax'])
    expect(order.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(order.totalMinor)

    for (const [language, label] of [
      ['en', 'Weight difference'],
      ['zh-CN', '重量差额'],
    ] as const) {
      const invoice = (await test.call(getInvoice, { token, params: { id }, language })).body
      expect(invoice.lines).toHaveLength(2)
      const paper = await openPaper((await test.call(printInvoice, { token, params: { id }, language })).raw)
      for (const { number } of parcels) {
        const line = invoice.lines.find(({ description }) => description.includes(groupTrackingNumber(number)))
        expect(line?.description).toContain(label)
        expect(spaces(paper.pages[0]?.text)).toContain(spaces(line?.description))
      }
    }

    const [parcel] = parcels
    const reason = { reason: 'It was wet' }
    const contested = await test.call(contestWeighing, { token, params: { id: parcel?.id ?? '' }, body: reason })
    const { id: weighingId, version } = contested.body
    const decision = { version, decision: 'waive' as const, note: 'Dried' }
    const judge = await createStaff(test, { role: 'account_manager' })
    const decided = await test.call(decideDispute, { token: judge.token, params: { id: weighingId }, body: decision })
    expect(decided.status).toBe(200)
    const [item] = (await test.call(listCreditNotes, { token, params: { id } })).body.items
    const note = await test.call(getCreditNote, { token, params: { id, creditNoteId: item?.id ?? '' } })
    expect(note.body.lines.map(({ description }) => description)).toEqual([
      expect.stringContaining(groupTrackingNumber(parcel?.number ?? '')),
    ])
  })

  it('name it on the receipt of the counter', async () => {
    const { number, due } = await createHeavyParcel()
    const body = { drawerNumber: 1, code: number, totalSeenMinor: due, givenMinor: 10_000, currency: 'MYR' }
    const { movementId } = (await test.call(takeCash, { token: clerk.token, body })).body
    const params = { id: movementId }
    const receipt = (await test.call(printCashReceipt, { token: clerk.token, params })).body
    const [line] = receipt.lines
    expect(line?.description).toContain(groupTrackingNumber(number))
    const paper = await openPaper((await test.call(cashReceiptPaper, { token: clerk.token, params })).raw)
    expect(spaces(paper.pages[0]?.text)).toContain(spaces(groupTrackingNumber(number)))
    await expectSoundBooks(test)
  })
})
