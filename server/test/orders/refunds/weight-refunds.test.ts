import { getBilling, listBilledAccounts, payCorporate, putConsent } from '@waybill/contract/orders/monthly-billing'
import { listOrders } from '@waybill/contract/orders/orders'
import { cancelParcels, getCreditNote, listCreditNotes } from '@waybill/contract/orders/refunds'
import { makeDeliveryChoice, quoteDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { contestWeighing, decideDispute, reweighParcel } from '@waybill/contract/parcels/weighing'
import { setAccountTerms } from '@waybill/contract/payments/account-overview'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../../../src/domains/wallet/ledger/books.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { testReceiver } from '../../testing/factories/parcels.ts'
import { expectSoundBooks, fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

describe('refunds after a re-weighing', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let accountManager: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    accountManager = await createStaff(test, { role: 'account_manager' })
    counter = (await findCounter(test)).counter
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
  })

  const sabah = testReceiver({ line1: '5 Jalan Gaya', postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' })
  const small = { lengthMm: 100, widthMm: 100, heightMm: 100 }
  const weigh = async (id: string, weightGrams: number, dimensions: typeof small | null = null) => {
    const body = { weightGrams, dimensions }
    const answer = await test.call(reweighParcel, { token: counter.token, params: { id }, body })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return answer.body
  }
  const pay = async (id: string, totalSeenMinor: number) => {
    const body = { parcelIds: [id], totalSeenMinor, pin: testPin }
    const answer = await test.call(payOutstanding, { token: owner.token, body })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return (await test.call(listOrders, { token: owner.token, query: { limit: 1 } })).body.items[0]?.id ?? ''
  }
  /** Corrects the address after a failed delivery. `dearer`: the difference, which was paid on the order `charge`. */
  const redirect = async (id: string) => {
    const number = (await parcelNow(test, owner, id)).trackingNumber ?? ''
    await scanned(test, counter, number, 'out_for_delivery')
    await scanned(test, counter, number, 'attempt_failed', { failureReason: 'bad_address' })
    const choice = { kind: 'correct' as const, receiver: sabah }
    const quote = (await test.call(quoteDeliveryChoice, { token: owner.token, params: { id }, body: choice })).body
    const body = { ...choice, expectedFeeMinor: quote.feeMinor, pin: testPin }
    const answer = await test.call(makeDeliveryChoice, { token: owner.token, params: { id }, body })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    const charge = (await test.call(listOrders, { token: owner.token, query: { limit: 1 } })).body.items[0]?.id ?? ''
    await scanned(test, counter, number, 'arrived', { takeOver: { reason: 'It is here' } })
    return { charge, dearer: quote.feeMinor - 212 }
  }
  const balance = async () => (await test.call(getWallet, { token: owner.token })).body.balanceMinor
  const notes = async (orderId: string, token = owner.token) =>
    (await test.call(listCreditNotes, { token, params: { id: orderId } })).body.items
  const sound = async () => {
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
    await expectSoundBooks(test)
  }

  it('correct the invoices that the difference was paid on, newest first, to the cent', async () => {
    const { id, orderId, number } = await handedOver(test, owner, counter)
    const first = (await parcelNow(test, owner, id)).priceMinor ?? 0
    const heavy = await weigh(id, 5200)
    const charge = await pay(id, heavy.dueMinor)
    const start = await balance()

    const less = await weigh(id, 3200)
    expect(less.differenceMinor).toBeLessThan(0)
    expect(await notes(charge)).toMatchObject([{ totalMinor: -less.differenceMinor, destination: 'wallet' }])
    expect(await notes(orderId)).toEqual([])

    const least = await weigh(id, 400, small)
    const back = -less.differenceMinor - least.differenceMinor
    expect(await balance()).toBe(start + back)
    const now = (await parcelNow(test, owner, id)).priceMinor ?? 0
    expect(now).toBe(first + heavy.differenceMinor - back)
    expect(now).toBeLessThan(first)
    // The difference was refunded in full on its own invoice, the rest on that of the parcel.
    const sum = async (order: string) => (await notes(order)).reduce((all, { totalMinor }) => all + totalMinor, 0)
    expect(await sum(charge)).toBe(heavy.differenceMinor)
    expect(await sum(orderId)).toBe(first - now)
    const [note] = await notes(charge)
    const whole = await test.call(getCreditNote, {
      token: owner.token,
      params: { id: charge, creditNoteId: note?.id ?? '' },
    })
    expect(whole.body.lines.reduce((all, { amountMinor }) => all + amountMinor, whole.body.taxMinor)).toBe(
      note?.totalMinor,
    )
    // The parcel is the same and continues.
    await scanned(test, counter, number, 'out_for_delivery')
    await sound()
  })

  it('correct the invoice of a difference that was paid and then waived', async () => {
    const { id, orderId } = await handedOver(test, owner, counter)
    const heavy = await weigh(id, 5200)
    const charge = await pay(id, heavy.dueMinor)
    const start = await balance()
    const contestAnswer = await test.call(contestWeighing, {
      token: owner.token,
      params: { id },
      body: { reason: 'It was wet' },
    })
    const { id: weighingId, version } = contestAnswer.body
    const decision = { version, decision: 'waive' as const, note: 'Dried' }
    const decisionAnswer = await test.call(decideDispute, {
      token: accountManager.token,
      params: { id: weighingId },
      body: decision,
    })
    expect(decisionAnswer.status).toBe(200)
    expect(await notes(charge)).toMatchObject([{ totalMinor: heavy.differenceMinor, destination: 'wallet' }])
    expect(await balance()).toBe(start + heavy.differenceMinor)
    // A refunded amount cannot be refunded again.
    await weigh(id, 1200)
    expect(await balance()).toBe(start + heavy.differenceMinor)
    expect(await notes(orderId)).toEqual([])
    await sound()
  })

  it('correct the invoice of a corrected address, not that of other parcels', async () => {
    const order = await placeOrder(test, owner, { count: 2 })
    expect((await payCredits(test, owner, order)).status).toBe(200)
    const [id = '', otherId = ''] = order.parcels.map((parcel) => parcel.id)
    const paid = await parcelNow(test, owner, id)
    await scanned(test, counter, paid.trackingNumber ?? '', 'accepted')
    const { charge, dearer } = await redirect(id)

    const lighter = await weigh(id, 300, small)
    const now = await parcelNow(test, owner, id)
    expect(now.price?.destinationZone).not.toBe(paid.price?.destinationZone)
    expect(now.priceMinor).toBe((paid.priceMinor ?? 0) + dearer + lighter.differenceMinor)
    expect(await notes(charge)).toMatchObject([{ totalMinor: -lighter.differenceMinor, destination: 'wallet' }])
    expect(await notes(order.id)).toEqual([])
    const body = { ids: [otherId], refundTo: 'wallet' as const, reason: 'Not needed' }
    const cancelled = await test.call(cancelParcels, { token: owner.token, body })
    expect(cancelled.status, JSON.stringify(cancelled.error)).toBe(200)
    await sound()
  })

  it('refund the weight in the zone of the corrected address if a difference is waived afterwards', async () => {
    const { id, orderId, number } = await handedOver(test, owner, counter)
    const declared = (await parcelNow(test, owner, id)).priceMinor ?? 0
    const heavy = await weigh(id, 5200)
    const charge = await pay(id, heavy.dueMinor)
    const contested = await test.call(contestWeighing, { token: owner.token, params: { id }, body: { reason: 'Wet' } })
    const { charge: correction, dearer } = await redirect(id)
    const start = await balance()
    const decision = { version: contested.body.version, decision: 'waive' as const, note: 'Dried' }
    const params = { id: contested.body.id }
    const answer = await test.call(decideDispute, { token: accountManager.token, params, body: decision })
    expect([answer.status, answer.body.dueMinor]).toEqual([200, 0])
    const now = await parcelNow(test, owner, id)
    expect(now.price).toMatchObject({ destinationZone: 'SBH', weightGrams: 1200 })
    const refund = declared + heavy.differenceMinor + dearer - (now.priceMinor ?? 0)
    expect(refund).toBeGreaterThan(heavy.differenceMinor)
    expect(await balance()).toBe(start + refund)
    expect(await notes(correction)).toMatchObject([{ totalMinor: refund }])
    expect([...(await notes(charge)), ...(await notes(orderId))]).toEqual([])
    await test.settle()
    const mail = test.mailbox.mails().find(({ subject }) => subject.includes(`due for parcel ${number}`))
    expect(mail?.text).toContain((refund / 100).toFixed(2))
    await sound()
  })

  it('reduce the bill of a company with monthly billing', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const accounts = await test.call(listBilledAccounts, { token: accountManager.token, query: { limit: 200 } })
    const version = accounts.body.items.find(({ id }) => id === company.accountId)?.version ?? 0
    await test.call(setAccountTerms, {
      token: accountManager.token,
      params: { id: company.accountId },
      body: { version, credit: { limitMinor: 1_000_000, termsDays: 30 } },
    })
    await test.call(putConsent, { token: company.token, body: { version: '2026-01', accept: true } })
    const order = await placeOrder(test, company)
    const body = { expectedTotalMinor: order.totalMinor }
    expect((await test.call(payCorporate, { token: company.token, params: { id: order.id }, body })).status).toBe(200)
    const id = order.parcels[0]?.id ?? ''
    await scanned(test, counter, (await parcelNow(test, company, id)).trackingNumber ?? '', 'accepted')
    const lighter = await weigh(id, 300, small)
    expect(lighter.differenceMinor).toBeLessThan(0)
    expect(await notes(order.id, company.token)).toMatchObject([
      { totalMinor: -lighter.differenceMinor, destination: 'receivable', status: 'done' },
    ])
    const { usedMinor } = (await test.call(getBilling, { token: company.token })).body
    expect(usedMinor).toBe(order.totalMinor + lighter.differenceMinor)
    await sound()
  })
})
