import {
  cancelReceipt,
  getBilling,
  listReceipts,
  listStatements,
  payCorporate,
  printStatement,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeStatements } from '../../../src/domains/orders/monthly-billing/statements.ts'
import { days } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { readHome } from '../../dashboard/widgets.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextMonth } from '../../testing/calendar.ts'
import { createCustomer, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { allowBilling } from '../../testing/factories/billing.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { expectSoundBooks } from '../../testing/factories/wallet.ts'

const reason = 'Typed with a zero too many'

describe('a receipt that was recorded by mistake', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeEach(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test, { userType: 'corporate' })
    await allowBilling(test, owner)
  })

  const createFinance = async () => (await createStaff(test, { role: 'account_manager' })).token
  const again = () => createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })
  const billOrder = async (customer: TestCustomer) => {
    const order = await placeOrder(test, customer)
    const body = { expectedTotalMinor: order.totalMinor }
    expect((await test.call(payCorporate, { token: customer.token, params: { id: order.id }, body })).status).toBe(200)
    return order
  }
  const record = async (amountMinor: number) => {
    const receivedOn = test.clock.now().toISOString().slice(0, 10)
    const body = { amountMinor, reference: `TT ${newId()}`, receivedOn }
    return (await test.call(recordReceipt, { token: await createFinance(), params: { id: owner.accountId }, body }))
      .body
  }
  const cancel = (receiptId: string, token: string, key?: string) =>
    test.call(cancelReceipt, {
      token,
      params: { id: owner.accountId, receiptId },
      body: { reason },
      headers: key ? { 'idempotency-key': key } : {},
    })
  const used = async ({ token }: TestCustomer) => (await test.call(getBilling, { token })).body.usedMinor

  it('is cancelled once: the company owes its amount again, and the owner learns why', async () => {
    const order = await billOrder(owner)
    const receipt = await record(50_000)
    expect(await used(owner)).toBe(order.totalMinor - 50_000)
    const token = await createFinance()
    const answers = await Promise.all([cancel(receipt.id, token), cancel(receipt.id, token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await used(owner)).toBe(order.totalMinor)
    const list = await test.call(listReceipts, { token, params: { id: owner.accountId } })
    expect(list.body.items).toMatchObject([{ id: receipt.id, cancelReason: reason, cancelledAt: expect.any(String) }])
    const right = await record(5000)
    expect(right).toMatchObject({ cancelledAt: null, cancelReason: null })
    expect(await used(owner)).toBe(order.totalMinor - 5000)

    await test.settle()
    const mail = await latestMail(test, owner.email)
    expect(mail.text.replace(/\s+/g, ' ')).toContain(reason)
    const [log] = await listActivities(test, { action: 'billing.receiptCancelled' })
    expect(log).toMatchObject({ subject: receipt.id, detail: { amountMinor: 50_000, reason } })
    const once = [await cancel(right.id, token, 'receipt-cancel-1'), await cancel(right.id, token, 'receipt-cancel-1')]
    expect(once.map(({ status }) => status)).toEqual([200, 200])
    expect(await used(owner)).toBe(order.totalMinor)
    await expectSoundBooks(test)
  })

  it('no longer pays the statements that it had paid', async () => {
    const order = await billOrder(owner)
    const receipt = await record(order.totalMinor)
    moveToNextMonth(test)
    await makeStatements(test.deps)
    let late = await again()
    const list = async () => (await test.call(listStatements, { token: late.token })).body.items
    expect(await list()).toMatchObject([{ closingMinor: 0, state: 'paid' }])
    const next = await billOrder(late)
    expect((await cancel(receipt.id, await createFinance())).status).toBe(200)
    expect(await list()).toMatchObject([{ unpaidMinor: order.totalMinor, state: 'open' }])

    test.clock.advance(days(32))
    await makeStatements(test.deps)
    late = await again()
    const [newest, oldest] = await list()
    expect(oldest).toMatchObject({ unpaidMinor: order.totalMinor, state: 'overdue' })
    expect(newest).toMatchObject({
      openingMinor: 0,
      chargesMinor: next.totalMinor,
      receiptsMinor: -order.totalMinor,
      closingMinor: next.totalMinor + order.totalMinor,
      unpaidMinor: next.totalMinor,
    })
    expect((await readHome(test, late.token)).todo.overdueStatements).toBe(1)
    for (const [language, words] of [
      ['en', 'Payment record cancelled'],
      ['zh', '撤销收款记录'],
    ] as const) {
      const params = { id: newest?.id ?? '' }
      const csv = await test.call(printStatement, { token: late.token, language, params, query: { format: 'csv' } })
      expect(csv.raw.toString()).toContain(words)
    }
    await expectSoundBooks(test)
  })

  it('is recorded again if the cancellation was the mistake', async () => {
    const token = await createFinance()
    const params = { id: owner.accountId }
    const receivedOn = test.clock.now().toISOString().slice(0, 10)
    const body = { amountMinor: 5000, reference: 'TT 4711', receivedOn }
    const send = () => test.call(recordReceipt, { token, params, body })
    const first = (await send()).body
    expect((await send()).status).toBe(409)
    await cancel(first.id, token)
    expect(await used(owner)).toBe(0)
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const list = (await test.call(listReceipts, { token, params })).body
    // The cancelled one stays in the list.
    expect(list.items).toMatchObject([
      { reference: 'TT 4711', cancelledAt: null, cancelReason: null },
      { id: first.id, reference: 'TT 4711', cancelReason: reason },
    ])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual(list.items[0])
    expect(await used(owner)).toBe(-5000)
    expect((await cancel(list.items[0]?.id ?? '', token)).status).toBe(200)
    expect(await used(owner)).toBe(0)
    await expectSoundBooks(test)
  })

  it('is recorded again in a later month, and what was overdue before is still overdue', async () => {
    const order = await billOrder(owner)
    const token = await createFinance()
    const params = { id: owner.accountId }
    const receivedOn = test.clock.now().toISOString().slice(0, 10)
    // Less is left to pay than was received.
    const amountMinor = Math.ceil(order.totalMinor * 0.6)
    const send = async () =>
      (await test.call(recordReceipt, { token, params, body: { amountMinor, reference: 'TT 4711', receivedOn } })).body
    const receipt = await send()
    moveToNextMonth(test)
    await makeStatements(test.deps)
    const finance = await createFinance()
    expect((await cancel(receipt.id, finance)).status).toBe(200)
    const body = { amountMinor, reference: 'TT 4711', receivedOn }
    expect((await test.call(recordReceipt, { token: finance, params, body })).status).toBe(200)
    test.clock.advance(days(32))
    const late = await again()
    const [statement] = (await test.call(listStatements, { token: late.token })).body.items
    expect(statement).toMatchObject({ unpaidMinor: order.totalMinor - amountMinor, state: 'overdue' })
    expect((await readHome(test, late.token)).todo.overdueStatements).toBe(1)
    await expectSoundBooks(test)
  })

  it('is cancelled by finance staff only', async () => {
    const { id } = await record(5000)
    const { token } = await createStaff(test, { role: 'normal_staff' })
    expect((await cancel(id, token)).status).toBe(403)
    expect((await cancel(id, owner.token)).status).toBe(403)
    expect((await cancel(newId(), await createFinance())).status).toBe(404)
    expect(await used(owner)).toBe(-5000)
  })
})
