import { listNotifications } from '@waybill/contract/notifications/notifications'
import { getParcel } from '@waybill/contract/parcels/parcels'
import type { GatewayForm } from '@waybill/contract/payments/payments'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../../../src/jobs/tasks.ts'
import { hours } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { breakRow } from '../../testing/broken-row.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { orderNow, payAtGateway, payCredits } from '../../testing/factories/orders.ts'
import { expectSoundBooks, fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { endPaymentTime, readPayment, startPayment } from './gateway-payments.ts'

describe('late and repeated payments from iPay88', () => {
  let bank: BankPeer
  let test: TestApp
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })

  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const listMoneyNotices = async ({ token }: TestCustomer) => {
    const { items } = (await test.call(listNotifications, { token, query: { topic: 'money' } })).body
    return items.map(({ kind, path }) => ({ kind, path }))
  }
  const checkKey = ({ paymentId }: GatewayForm) => `payments:check ${paymentId}`
  /** Waits until the last query to the gateway, a day after a payment ended unpaid. */
  const waitForLastQuery = async (form: GatewayForm) => {
    const { rows } = await sql<{ run_at: Date }>`
      select run_at from graphile_worker.jobs where key = ${checkKey(form)}`.execute(test.deps.db)
    const pause = (rows[0]?.run_at.getTime() ?? 0) - test.clock.now().getTime()
    expect(Math.round(pause / hours(1))).toBe(24)
    await sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${checkKey(form)}`.execute(test.deps.db)
    await test.settle()
  }

  it('pay the order even if the money arrives after a failure', async () => {
    const { customer, order, form } = await startPayment(test)
    bank.says(form.fields.RefNo, 'Payment fail')
    await bank.post(test, 'response', bank.answer(form.fields, '0'))
    expect((await readPayment(test, customer, form)).status).toBe('failed')
    expect((await bank.pay(test, form.fields)).body).toBe('RECEIVEOK')
    expect(await readPayment(test, customer, form)).toMatchObject({ status: 'succeeded', failure: null })
    expect((await orderNow(test, customer, order)).parcels[0]?.status).toBe('pending_dropoff')
    await expectSoundBooks(test)
  })

  it('expire after half an hour unless the gateway has the money', async () => {
    const { customer, order, form } = await startPayment(test)
    await endPaymentTime(test, form)
    await tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
    expect(await readPayment(test, customer, form)).toMatchObject({ status: 'expired' })
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'cancel', parcels: [] })
    const parcel = await test.call(getParcel, {
      token: customer.token,
      params: { id: order.parcels[0]?.id ?? '' },
    })
    expect(parcel.body).toMatchObject({ status: 'incart', orderId: null })

    const first = await startPayment(test)
    bank.says(first.form.fields.RefNo, '00')
    await endPaymentTime(test, first.form)
    await tasks['payments:expire']?.(test.deps, { paymentId: first.form.paymentId })
    expect((await readPayment(test, first.customer, first.form)).status).toBe('succeeded')
    expect((await orderNow(test, first.customer, first.order)).status).toBe('pending')
  })

  it('do not expire while the gateway cannot be reached, nor before their time', async () => {
    const { customer, form } = await startPayment(test)
    await tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
    expect((await readPayment(test, customer, form)).status).toBe('pending')
    bank.says(form.fields.RefNo, 'silence')
    await endPaymentTime(test, form)
    await expect(tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })).rejects.toThrow('asked')
    expect((await readPayment(test, customer, form)).status).toBe('pending')
    // A sweep every minute cancels expired orders, but skips one whose parcels wait for a gateway payment.
    await tasks['orders:expire']?.(test.deps, {})
    expect((await readPayment(test, customer, form)).status).toBe('pending')
  })

  it('credit money that arrives after the expiry to the wallet and notify the customer', async () => {
    const { customer, order, form } = await startPayment(test)
    await endPaymentTime(test, form)
    await tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
    expect((await bank.pay(test, form.fields)).body).toBe('RECEIVEOK')
    const settled = await readPayment(test, customer, form)
    expect(settled.status).toBe('succeeded')
    expect(settled.failure).toContain('could no longer be paid')
    expect(await balance(customer)).toBe(order.totalMinor)
    const [movement] = (await test.call(walletHistory, { token: customer.token })).body.items
    expect(movement).toMatchObject({ kind: 'late_payment', reference: order.number, orderId: order.id })
    expect(await listMoneyNotices(customer)).toEqual([{ kind: 'payment_late', path: `/orders/${order.id}` }])
    await test.settle()
    const { subject, text } = await latestMail(test, customer.email)
    expect([subject, text]).toEqual([expect.stringContaining(order.number), expect.stringContaining('could no longer')])
    expect((await orderNow(test, customer, order)).status).toBe('cancel')
    await expectSoundBooks(test)
  })

  it('find money without a post by another query a day later', async () => {
    const { customer, order, form } = await startPayment(test)
    await endPaymentTime(test, form)
    await tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
    bank.says(form.fields.RefNo, '00')
    await waitForLastQuery(form)
    expect(await balance(customer)).toBe(order.totalMinor)
  })

  it('find money that the customer paid after a failure, when both posts are lost', async () => {
    const { customer, order, form } = await startPayment(test)
    // The first card is declined. The return page polls while the customer is still at the gateway.
    bank.says(form.fields.RefNo, 'Payment fail')
    expect((await readPayment(test, customer, form)).status).toBe('failed')
    bank.says(form.fields.RefNo, '00')
    await endPaymentTime(test, form)
    await tasks['orders:expire']?.(test.deps, {})
    await tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
    expect([(await readPayment(test, customer, form)).status, await balance(customer)]).toEqual(['failed', 0])
    await waitForLastQuery(form)
    expect((await readPayment(test, customer, form)).status).toBe('succeeded')
    expect(await balance(customer)).toBe(order.totalMinor)
    await expectSoundBooks(test)
  })

  it('stay open after a crash that would lose the query of the next day', async () => {
    const { customer, order, form } = await startPayment(test)
    await endPaymentTime(test, form)
    const mend = await breakRow(test.deps.db, 'graphile_worker._private_jobs', 'key', checkKey(form))
    const expire = async () => tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
    await expect(expire()).rejects.toThrow('this row is broken')
    await mend()
    // The job's next attempt.
    await expire()
    expect((await readPayment(test, customer, form)).status).toBe('expired')
    bank.says(form.fields.RefNo, '00')
    await waitForLastQuery(form)
    expect(await balance(customer)).toBe(order.totalMinor)
  })

  it('allow a payment with credits while a bank page is open, and credit what the bank still charges', async () => {
    const { customer, order, form } = await startPayment(test)
    await setWalletPin(test, customer)
    await fundWallet(test, customer, order.totalMinor)
    expect((await payCredits(test, customer, order)).status).toBe(200)
    expect((await orderNow(test, customer, order)).parcels[0]?.status).toBe('pending_dropoff')
    expect(await balance(customer)).toBe(0)
    await bank.pay(test, form.fields)
    const failure = expect.stringContaining('already paid or booked')
    expect(await readPayment(test, customer, form)).toMatchObject({ status: 'succeeded', failure })
    expect(await listMoneyNotices(customer)).toEqual([{ kind: 'payment_twice', path: `/orders/${order.id}` }])
    expect(await balance(customer)).toBe(order.totalMinor)
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'pending', paymentMethod: 'express_credit' })
    await expectSoundBooks(test)
  })

  it('pay an order once if two bank pages are paid', async () => {
    const { customer, order, form } = await startPayment(test)
    const second = await payAtGateway(test, customer, order)
    await Promise.all([bank.pay(test, form.fields), bank.pay(test, second.fields)])
    const payments = [await readPayment(test, customer, form), await readPayment(test, customer, second)]
    expect(payments.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(payments.map(({ failure }) => failure).sort()).toEqual([
      expect.stringContaining('already paid or booked'),
      null,
    ])
    expect(await listMoneyNotices(customer)).toEqual([{ kind: 'payment_twice', path: `/orders/${order.id}` }])
    expect(await balance(customer)).toBe(order.totalMinor)
    const invoices = await test.deps.db.selectFrom('invoices').select('id').where('order_id', '=', order.id).execute()
    expect(invoices).toHaveLength(1)
    await expectSoundBooks(test)
  })

  it('keep the parcels waiting while another bank page is open', async () => {
    const { customer, order, form } = await startPayment(test)
    const second = await payAtGateway(test, customer, order)
    bank.says(form.fields.RefNo, 'Payment fail')
    await bank.post(test, 'response', bank.answer(form.fields, '0'))
    expect((await orderNow(test, customer, order)).parcels[0]?.status).toBe('pending_payment')
    bank.says(second.fields.RefNo, 'Payment fail')
    await bank.post(test, 'response', bank.answer(second.fields, '0'))
    expect((await orderNow(test, customer, order)).parcels[0]?.status).toBe('incart')
  })
})
