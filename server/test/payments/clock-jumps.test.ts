/** The server's clock is set wrong and corrected while money moves: nothing is lost, counted twice or out of order. */
import { getOrder } from '@waybill/contract/orders/orders'
import { getPayment, payWithCredits } from '@waybill/contract/payments/payments'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { days, hours, minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payAtGateway, payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createPayer, fundWallet, testPin } from '../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../testing/peers/bank.ts'

describe('a clock that jumps', () => {
  let bank: BankPeer
  let test: TestApp
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })

  /** Runs `work` while the clock is off by this many milliseconds. */
  const withClockOff = async <T>(milliseconds: number, work: () => Promise<T>): Promise<T> => {
    test.clock.advance(milliseconds)
    try {
      return await work()
    } finally {
      test.clock.advance(-milliseconds)
    }
  }
  const richCustomer = async () => {
    const customer = await createPayer(test)
    return customer
  }
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const provenBooks = async () => expect((await checkBooks(test.deps.db))?.problems).toEqual([])

  it('keeps the movements of a wallet in their true order, each with the balance after it', async () => {
    const customer = await richCustomer()
    const totals: number[] = []
    for (const off of [0, -days(3), minutes(30), -minutes(40)]) {
      // A token lasts a few minutes. After it expires, only payments without a token arrive.
      const order = await placeOrder(test, customer)
      await withClockOff(off, async () => {
        await fundWallet(test, customer, 500)
        if (off <= 0) expect((await payCredits(test, customer, order)).status).toBe(200)
      })
      if (off <= 0) totals.push(order.totalMinor)
    }
    const { items } = (await test.call(walletHistory, { token: customer.token })).body
    let after = await balance(customer)
    for (const movement of items) {
      expect(movement.balanceAfterMinor).toBe(after)
      after -= movement.amountMinor
    }
    expect(after).toBe(0)
    expect(await balance(customer)).toBe(100_000 + 4 * 500 - totals.reduce((sum, total) => sum + total, 0))
    await provenBooks()
  })

  it('expires no payment that the bank accepted: money that is late by our clock goes to the wallet', async () => {
    const customer = await createCustomer(test)
    const order = await placeOrder(test, customer)
    const form = await payAtGateway(test, customer, order)
    await withClockOff(hours(3), async () => {
      expect(await bank.pay(test, form.fields)).toMatchObject({ status: 200, body: 'RECEIVEOK' })
    })
    const state = (await test.call(getPayment, { token: customer.token, params: { id: form.paymentId } })).body.status
    expect(state).toBe('succeeded')
    const now = (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body
    // Paid as intended or credited to the wallet: never both, never neither.
    const paidMinor = now.paidMinor
    expect([order.totalMinor, 0]).toContain(paidMinor)
    expect(paidMinor + (await balance(customer))).toBe(order.totalMinor)
    // The bank repeats its message, with a clock that is correct again.
    expect(await bank.pay(test, form.fields)).toMatchObject({ status: 200, body: 'RECEIVEOK' })
    expect(paidMinor + (await balance(customer))).toBe(order.totalMinor)
    await provenBooks()
  })

  it('settles a payment that started at a time which is now in the future', async () => {
    const customer = await createCustomer(test)
    const order = await placeOrder(test, customer)
    const form = await withClockOff(minutes(4), () => payAtGateway(test, customer, order))
    expect(await bank.pay(test, form.fields)).toMatchObject({ status: 200, body: 'RECEIVEOK' })
    const now = (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body
    expect(now).toMatchObject({ status: 'pending', paidMinor: order.totalMinor })
    await provenBooks()
  })

  it('charges once per key, whichever way the clock jumps between the attempts', async () => {
    const customer = await richCustomer()
    const order = await placeOrder(test, customer)
    const call = {
      token: customer.token,
      params: { id: order.id },
      body: { pin: testPin, expectedTotalMinor: order.totalMinor },
      headers: { 'idempotency-key': `clock-${order.id}` },
    }
    const first = await test.call(payWithCredits, call)
    expect(first.status).toBe(200)
    for (const off of [-hours(2), minutes(4)]) {
      const again = await withClockOff(off, () => test.call(payWithCredits, call))
      expect(again.body).toEqual(first.body)
    }
    expect(await balance(customer)).toBe(100_000 - order.totalMinor)
    await provenBooks()
  })
})
