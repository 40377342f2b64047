import { getParcel } from '@waybill/contract/parcels/parcels'
import {
  type GatewayForm,
  getPayment,
  ipay88Backend,
  payWithCard,
  payWithIpay88,
} from '@waybill/contract/payments/payments'
import { getWallet, topUp } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountTopic } from '../../../src/http/live.ts'
import { tasks } from '../../../src/jobs/tasks.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, payAtGateway, placeOrder } from '../../testing/factories/orders.ts'
import { expectSoundBooks } from '../../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { endPaymentTime, readPayment, startPayment } from './gateway-payments.ts'

describe('paying through iPay88', () => {
  let bank: BankPeer
  let test: TestApp
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })

  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const messages = async ({ paymentId }: GatewayForm) =>
    test.deps.db
      .selectFrom('gateway_messages')
      .select(['source', 'accepted', 'reason'])
      .where('payment_id', '=', paymentId)
      .orderBy('at')
      .execute()

  it('returns the signed form while the parcels wait', async () => {
    const { customer, order, form } = await startPayment(test, 2)
    expect(form).toMatchObject({ method: 'POST', action: bank.environment.IPAY88_ENTRY_URL })
    expect(form.fields).toMatchObject({
      MerchantCode: 'M00003',
      PaymentId: '2',
      Currency: 'MYR',
      SignatureType: 'HMACSHA512',
      UserEmail: customer.email,
      ProdDesc: `Order ${order.number}`,
      ResponseURL: 'http://portal.test/api/public/payments/ipay88/response',
      BackendURL: 'http://portal.test/api/public/payments/ipay88/backend',
    })
    expect(form.fields.RefNo?.length).toBeLessThanOrEqual(30)
    expect(form.fields.Amount?.replace(/[.,]/g, '')).toBe(String(order.totalMinor).padStart(3, '0'))
    const now = await orderNow(test, customer, order)
    expect(now.parcels.map(({ status }) => status)).toEqual(['pending_payment', 'pending_payment'])
    expect(await readPayment(test, customer, form)).toMatchObject({
      status: 'pending',
      method: 'ipay88',
      failure: null,
    })
  })

  it('has the same effects for a paid order as a payment with credits', async () => {
    const { customer, order, form } = await startPayment(test, 2)
    const callback = await bank.pay(test, form.fields)
    expect(callback).toMatchObject({ status: 200, body: 'RECEIVEOK' })
    expect(await readPayment(test, customer, form)).toMatchObject({ status: 'succeeded', failure: null })
    const now = await orderNow(test, customer, order)
    expect(now).toMatchObject({ status: 'pending', paidMinor: order.totalMinor, paymentMethod: 'ipay88' })
    expect(now.invoiceNumber).toMatch(/^INV-/)
    for (const { id } of now.parcels) {
      const parcel = (await test.call(getParcel, { token: customer.token, params: { id } })).body
      expect(parcel.status).toBe('pending_dropoff')
      expect(parcel.trackingNumber).not.toBeNull()
    }
    expect(await balance(customer)).toBe(0)
    await expectSoundBooks(test)
  })

  it('notifies the open screens of the account', async () => {
    const customer = await createCustomer(test)
    const form = (await test.call(topUp, { token: customer.token, body: { amountMinor: 5000 } })).body
    const events: unknown[] = []
    const stop = test.deps.live.subscribe(accountTopic(customer.accountId), (message) => events.push(message))
    await bank.pay(test, form.fields)
    await test.settle()
    await expect.poll(() => events).toContainEqual({ type: 'wallet', balanceMinor: 5000 })
    await expect.poll(() => events).toContainEqual({ type: 'payment', id: form.paymentId, status: 'succeeded' })
    stop()
  })

  it('settles once, however often and in whatever order the posts arrive', async () => {
    const { customer, order, form } = await startPayment(test)
    bank.says(form.fields.RefNo, '00')
    const callback = bank.answer(form.fields, '1')
    const answers = await Promise.all(
      (['response', 'backend', 'backend', 'response', 'backend'] as const).map((to) => bank.post(test, to, callback)),
    )
    for (const { status, body, location } of answers) {
      if (status === 303) expect(location).toBe(`http://portal.test/payments/${form.paymentId}`)
      else expect(body).toBe('RECEIVEOK')
    }
    expect((await bank.post(test, 'backend', callback)).body).toBe('RECEIVEOK')
    expect(await readPayment(test, customer, form)).toMatchObject({ status: 'succeeded' })
    const entries = await test.deps.db
      .selectFrom('journal_entries')
      .select('kind')
      .where('payment_id', '=', form.paymentId)
      .execute()
    expect(entries).toEqual([{ kind: 'order' }])
    expect((await orderNow(test, customer, order)).paidMinor).toBe(order.totalMinor)
    await expectSoundBooks(test)
  })

  it('refuses and stores posts that do not match their payment, and leaves the payment unchanged', async () => {
    const { customer, form } = await startPayment(test)
    bank.says(form.fields.RefNo, '00')
    const { fields } = form
    const requeries = bank.requeries.length
    const mismatches: [string, Record<string, string>][] = [
      ['signature', bank.answer(fields, '1', {}, { Signature: '0'.repeat(128) })],
      ['signature', bank.answer(fields, '1', {}, { Signature: '' })],
      ['signature', bank.answer(fields, '1', {}, { TransId: 'other', Amount: '0.01' })],
      ['signature', bank.answer(fields, '0', {}, { Status: '1' })],
      ['amount', bank.answer(fields, '1', { Amount: '0.01' })],
      ['currency', bank.answer(fields, '1', { Currency: 'IDR' })],
      ['merchant', bank.answer(fields, '1', { MerchantCode: 'M00004' })],
      ['merchant', bank.answer(fields, '1', {}, { MerchantCode: '' })],
      ['status', bank.answer(fields, '7' as '1')],
    ]
    for (const [, reply] of mismatches) {
      const answer = await bank.post(test, 'backend', reply)
      expect(answer.status).toBe(422)
      expect(answer.body).not.toContain('RECEIVEOK')
    }
    const unknown = await bank.post(test, 'backend', bank.answer(fields, '1', { RefNo: 'P0000' }))
    expect(unknown.status).toBe(422)
    const through = await bank.post(test, 'response', bank.answer(fields, '1', { Amount: '0.01' }))
    expect(through).toMatchObject({ status: 303, location: `http://portal.test/payments/${form.paymentId}` })
    expect((await messages(form)).map(({ accepted, reason }) => (accepted ? null : reason))).toEqual([
      ...mismatches.map(([reason]) => reason),
      'amount',
    ])
    expect(bank.requeries.length).toBe(requeries)
    const row = await test.deps.db
      .selectFrom('payments')
      .select('status')
      .where('id', '=', form.paymentId)
      .executeTakeFirst()
    expect(row?.status).toBe('pending')
    // The status page queries the gateway, which confirms the payment.
    expect((await readPayment(test, customer, form)).status).toBe('succeeded')
  })

  it('trusts no post without a query to the gateway', async () => {
    const { customer, order, form } = await startPayment(test)
    const callback = bank.answer(form.fields, '1')
    for (const enquiry of ['Record not found', 'Payment fail', 'Incorrect amount', 'silence', 'redirect']) {
      bank.says(form.fields.RefNo, enquiry)
      const answer = await bank.post(test, 'backend', callback)
      expect(answer.status, enquiry).toBe(503)
      expect((await orderNow(test, customer, order)).status).toBe('pending_payment')
    }
    bank.says(form.fields.RefNo, '00')
    expect((await bank.post(test, 'backend', callback)).body).toBe('RECEIVEOK')
    expect((await readPayment(test, customer, form)).status).toBe('succeeded')
  })

  it('returns the parcels to the cart if it fails, reports why, and allows another attempt', async () => {
    const { customer, order, form } = await startPayment(test)
    bank.says(form.fields.RefNo, 'Payment fail')
    const callback = bank.answer(form.fields, '0', { ErrDesc: 'Customer Cancel Transaction' })
    expect((await bank.post(test, 'response', callback)).status).toBe(303)
    const failed = await readPayment(test, customer, form)
    expect(failed).toMatchObject({ status: 'failed', failure: 'You cancelled the payment. Nothing was charged.' })
    const chinese = await test.call(getPayment, {
      token: customer.token,
      params: { id: form.paymentId },
      language: 'zh',
    })
    expect(chinese.body.failure).toBe('您已取消付款，未扣取任何款项。')
    expect(await orderNow(test, customer, order)).toMatchObject({
      status: 'pending_payment',
      parcels: [{ status: 'incart', orderId: order.id }],
    })
    const again = await payAtGateway(test, customer, order)
    await bank.pay(test, again.fields)
    expect((await orderNow(test, customer, order)).status).toBe('pending')
  })

  it('treats a refusal without a signature as unpaid, but only after a query', async () => {
    const { customer, form } = await startPayment(test)
    const unsigned = bank.answer(form.fields, '0', { ErrDesc: 'Invalid parameters' }, { Signature: '' })
    bank.says(form.fields.RefNo, '00')
    await bank.post(test, 'response', unsigned)
    expect((await readPayment(test, customer, form)).status).toBe('succeeded')

    const second = await startPayment(test)
    const refused = bank.answer(second.form.fields, '0', { ErrDesc: 'Signature not match' }, { Signature: '' })
    await bank.post(test, 'response', refused)
    expect(await readPayment(test, second.customer, second.form)).toMatchObject({ status: 'failed' })
  })

  it('queries the gateway at most every few seconds, however often a page polls', async () => {
    const { customer, form } = await startPayment(test)
    const before = bank.requeries.length
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => readPayment(test, customer, form)))
    expect(bank.requeries.length).toBe(before + 1)
    test.clock.advance(5001)
    await readPayment(test, customer, form)
    expect(bank.requeries.length).toBe(before + 2)
  })

  it('still returns a response if the gateway does not', async () => {
    const { customer, form } = await startPayment(test)
    bank.says(form.fields.RefNo, 'silence')
    expect((await readPayment(test, customer, form)).status).toBe('pending')
  })

  it('opens the chosen bank, or the card page', async () => {
    const customer = await createCustomer(test)
    const order = await placeOrder(test, customer)
    const body = { expectedTotalMinor: order.totalMinor }
    const params = { id: order.id }
    const { token } = customer
    const maybank = await test.call(payWithIpay88, { token, params, body: { ...body, gatewayPaymentId: 6 } })
    expect(maybank.body.fields.PaymentId).toBe('6')
    const card = await test.call(payWithCard, { token, params, body })
    expect(card.body.fields.PaymentId).toBe('2')
    expect((await readPayment(test, customer, card.body)).method).toBe('credit_card')
    const nobody = await test.call(payWithIpay88, { token, params, body: { ...body, gatewayPaymentId: 9999 } })
    expect(nobody.error.errors?.[0]?.field).toBe('gatewayPaymentId')
    const cheaper = await test.call(payWithIpay88, { token, params, body: { expectedTotalMinor: 1 } })
    expect(cheaper.error.code).toBe('price_changed')
    const other = await createCustomer(test)
    expect((await test.call(payWithIpay88, { token: other.token, params, body })).status).toBe(404)
    expect((await test.call(getPayment, { token: other.token, params: { id: card.body.paymentId } })).status).toBe(404)
  })

  it('returns the same form for the same key', async () => {
    const customer = await createCustomer(test)
    const order = await placeOrder(test, customer)
    const begin = () =>
      test.call(payWithIpay88, {
        token: customer.token,
        params: { id: order.id },
        body: { expectedTotalMinor: order.totalMinor },
        headers: { 'idempotency-key': 'gateway-form-0001' },
      })
    const [one, two] = await Promise.all([begin(), begin()])
    expect(two.body).toEqual(one.body)
  })

  it('rejects an invalid post', async () => {
    const empty = await bank.post(test, 'backend', {})
    expect(empty.status).toBe(422)
    const json = await test.app.inject({ method: 'POST', url: ipay88Backend.path, payload: { RefNo: ['a'] } })
    expect(json.statusCode).toBe(422)
    expect((await bank.post(test, 'response', {})).location).toBe('http://portal.test/')
  })

  describe('a top-up', () => {
    const begin = async (customer: TestCustomer, amountMinor: number) =>
      test.call(topUp, { token: customer.token, body: { amountMinor } })

    it('is credited to the wallet once', async () => {
      const customer = await createCustomer(test)
      const form = (await begin(customer, 127_899)).body
      expect(form.fields).toMatchObject({ Amount: '1,278.99', ProdDesc: 'Wallet top-up' })
      await Promise.all([bank.pay(test, form.fields), bank.pay(test, form.fields)])
      expect(await balance(customer)).toBe(127_899)
      expect(await readPayment(test, customer, form)).toMatchObject({
        purpose: 'topup',
        status: 'succeeded',
        orderId: null,
      })
      await expectSoundBooks(test)
    })

    it('is credited even if it arrives late', async () => {
      const customer = await createCustomer(test)
      const form = (await begin(customer, 5000)).body
      await endPaymentTime(test, form)
      await tasks['payments:expire']?.(test.deps, { paymentId: form.paymentId })
      expect((await readPayment(test, customer, form)).status).toBe('expired')
      await bank.pay(test, form.fields)
      expect(await readPayment(test, customer, form)).toMatchObject({ status: 'succeeded', failure: null })
      expect(await balance(customer)).toBe(5000)
    })

    it('enforces its limits', async () => {
      const customer = await createCustomer(test)
      for (const amountMinor of [999, 500_001]) {
        expect((await begin(customer, amountMinor)).error).toMatchObject({
          code: 'amount_out_of_range',
          errors: [{ field: 'amountMinor' }],
          details: { minMinor: 1000, maxMinor: 500_000 },
        })
      }
      for (const amountMinor of [1000.5, 0, '1000' as unknown as number]) {
        expect((await begin(customer, amountMinor)).error.errors?.[0]?.field).toBe('amountMinor')
      }
    })
  })
})
