import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { exportOrders, getOrder, getOrderForStaff, listOrders } from '@waybill/contract/orders/orders'
import {
  cancelParcels,
  failRefund,
  getCreditNote,
  listCreditNotes,
  listRefunds,
  printCreditNote,
  settleRefund,
} from '@waybill/contract/orders/refunds'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { getAccountLatest } from '@waybill/contract/payments/account-overview'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { payAtGateway, placeOrder } from '../../testing/factories/orders.ts'
import { expectSoundBooks } from '../../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'

describe('refunds to the card', () => {
  let bank: BankPeer
  let test: TestApp
  let finance: TestStaff
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
    finance = await createStaff(test, { role: 'account_manager' })
  })

  /** A gateway order with this many parcels, cancelled with a refund to the card. */
  const requestRefund = async (count = 2, language: 'en' | 'cn_zh' = 'en') => {
    const customer = await createCustomer(test, { language })
    const order = await placeOrder(test, customer, { count })
    await bank.pay(test, (await payAtGateway(test, customer, order)).fields)
    const ids = order.parcels.map(({ id }) => id)
    const { status } = await test.call(cancelParcels, { token: customer.token, body: { ids, refundTo: 'card' } })
    expect(status).toBe(200)
    const tasks = (await test.call(listRefunds, { token: finance.token, query: { search: order.number } })).body
    return { customer, order, ids, task: tasks.items[0] as (typeof tasks.items)[0] }
  }
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const book = async (kind: string) => {
    const { rows } = await sql<{ sum: number }>`
      select coalesce(sum(p.amount_minor), 0)::bigint as sum from journal_postings p join ledger_accounts a
        on a.id = p.ledger_account_id
      where a.kind = ${kind}`.execute(test.deps.db)
    return rows[0]?.sum ?? 0
  }

  it("are paid by staff, recorded with the bank's reference, and emailed to the customer", async () => {
    const { customer, order, ids, task } = await requestRefund()
    expect(task).toMatchObject({ status: 'requested', amountMinor: order.totalMinor, paymentMethod: 'ipay88' })
    expect(task.paymentReference).toMatch(/^P/)
    const view = await test.call(getOrder, { token: customer.token, params: { id: order.id } })
    expect(view.body).toMatchObject({ paidMinor: order.totalMinor, refundedMinor: order.totalMinor })
    expect(await book('refunds')).toBe(order.totalMinor)
    const clearing = await book('gateway_clearing')
    const settlement = await test.call(settleRefund, {
      token: finance.token,
      params: { id: task.id },
      body: { version: task.version, bankReference: 'MBB-7781' },
    })
    expect(settlement.body).toMatchObject({ status: 'done', bankReference: 'MBB-7781', version: task.version + 1 })
    expect(await book('refunds')).toBe(0)
    expect(await book('gateway_clearing')).toBe(clearing + order.totalMinor)
    expect(await balance(customer)).toBe(0)
    const { token } = customer
    expect((await test.call(getParcel, { token, params: { id: ids[0] as string } })).body.status).toBe('refunded')
    expect((await test.call(getOrder, { token, params: { id: order.id } })).body.status).toBe('refunded')
    await test.settle()
    expect((await latestMail(test, customer.email)).text).toContain('MBB-7781')
    const logged = await listActivities(test, { action: 'refund.paid', subject: task.id })
    expect(logged).toMatchObject([{ user_id: finance.userId, account_id: customer.accountId }])
    await expectSoundBooks(test)
  })

  it('are pending on the order until staff paid them, in the list, for staff and in the spreadsheet', async () => {
    const customer = await createCustomer(test)
    const { token, accountId } = customer
    const order = await placeOrder(test, customer, { count: 3 })
    await bank.pay(test, (await payAtGateway(test, customer, order)).fields)
    const cancelOne = async (index: number, refundTo: 'card' | 'wallet') => {
      const body = { ids: [order.parcels[index]?.id ?? ''], refundTo }
      const { status } = await test.call(cancelParcels, { token, body })
      expect(status).toBe(200)
    }
    await cancelOne(0, 'card')
    await cancelOne(1, 'wallet')
    const task = (await test.call(listRefunds, { token: finance.token, query: { search: order.number } })).body.items[0]
    const pendingMinor = task?.amountMinor ?? 0
    const readEverywhere = async () => {
      const detail = (await test.call(getOrder, { token, params: { id: order.id } })).body
      const [listed] = (await test.call(listOrders, { token })).body.items
      const ofStaff = await test.call(getOrderForStaff, { token: finance.token, params: { id: order.id } })
      const latest = await test.call(getAccountLatest, { token: finance.token, params: { id: accountId } })
      const figures = [detail, listed, ofStaff.body, latest.body.orders[0]].map((each) => [
        each?.refundedMinor,
        each?.refundPendingMinor,
      ])
      const csv = (await test.call(exportOrders, { token, query: { format: 'csv' } })).raw.toString()
      const cells = csv.split('\n')[1]?.split(',').slice(8, 10).map(Number)
      return { figures, cells }
    }
    const before = await readEverywhere()
    const refundedMinor = before.figures[0]?.[0] ?? 0
    expect(refundedMinor).toBeGreaterThan(pendingMinor)
    expect(pendingMinor).toBeGreaterThan(0)
    expect(before.figures).toEqual(Array(4).fill([refundedMinor, pendingMinor]))
    expect(before.cells).toEqual([(refundedMinor - pendingMinor) / 100, pendingMinor / 100])
    await test.call(settleRefund, {
      token: finance.token,
      params: { id: task?.id ?? '' },
      body: { version: task?.version ?? 0, bankReference: 'MBB-1' },
    })
    const after = await readEverywhere()
    expect(after.figures).toEqual(Array(4).fill([refundedMinor, 0]))
    expect(after.cells).toEqual([refundedMinor / 100, 0])
  })

  it('go to the wallet if the bank refuses them', async () => {
    const { customer, order, task } = await requestRefund(1, 'cn_zh')
    const failed = await test.call(failRefund, {
      token: finance.token,
      params: { id: task.id },
      body: { version: task.version, note: 'card closed' },
    })
    expect(failed.body).toMatchObject({ status: 'failed', note: 'card closed' })
    expect(await balance(customer)).toBe(order.totalMinor)
    const [note] = (await test.call(listCreditNotes, { token: customer.token, params: { id: order.id } })).body.items
    expect(note).toMatchObject({ destination: 'card', status: 'failed' })
    const ofParcel = (parcelId: string) =>
      test.call(listCreditNotes, { token: customer.token, params: { id: order.id }, query: { parcelId } })
    expect((await ofParcel(order.parcels[0]?.id ?? '')).body.items).toEqual([note])
    expect((await ofParcel(order.id)).body.items).toEqual([])
    await test.settle()
    expect((await latestMail(test, customer.email)).subject).toContain('已退至您的钱包')
    await expectSoundBooks(test)
  })

  it('are settled once, and not from an outdated page', async () => {
    const { customer, order, task } = await requestRefund(1)
    const settle = (version: number) =>
      test.call(settleRefund, { token: finance.token, params: { id: task.id }, body: { version, bankReference: 'A1' } })
    const fail = (version: number) =>
      test.call(failRefund, { token: finance.token, params: { id: task.id }, body: { version, note: 'no' } })
    expect((await settle(task.version + 1)).error.code).toBe('version_conflict')
    const answers = await Promise.all([settle(task.version), fail(task.version), settle(task.version)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await fail(task.version + 1)).error.code).toBe('conflict')
    expect([0, order.totalMinor]).toContain(await balance(customer))
    await expectSoundBooks(test)
  })

  it('require a reference, finance staff and an existing refund', async () => {
    const { customer, task } = await requestRefund(1)
    const body = { version: task.version, bankReference: '  ' }
    const call = (token: string | undefined, id: string, words = body) =>
      test.call(settleRefund, { ...(token ? { token } : {}), params: { id }, body: words })
    expect((await call(finance.token, task.id)).error).toMatchObject({ errors: [{ field: 'bankReference' }] })
    const fine = { ...body, bankReference: 'X' }
    expect((await call(customer.token, task.id, fine)).status).toBe(403)
    expect((await call((await createStaff(test)).token, task.id, fine)).status).toBe(403)
    expect((await call(undefined, task.id, fine)).status).toBe(401)
    expect((await call(finance.token, newId(), fine)).status).toBe(404)
  })

  it('are listed with those to be paid first, by status and by number', async () => {
    const { task } = await requestRefund(1)
    const settled = (await requestRefund(1)).task
    const { task: latest } = await requestRefund(1)
    const body = { version: settled.version, bankReference: 'A1' }
    await test.call(settleRefund, { token: finance.token, params: { id: settled.id }, body })
    const list = async (query: QueryIn<typeof listRefunds>) =>
      (await test.call(listRefunds, { token: finance.token, query })).body
    const open = await list({ status: 'requested' })
    expect(open.items.every(({ status }) => status === 'requested')).toBe(true)
    expect(open.total).toBe(open.items.length)
    expect((await list({ search: task.creditNoteNumber })).items.map(({ id }) => id)).toEqual([task.id])
    expect((await list({ search: 'nothing' })).total).toBe(0)
    const ids = (await list({})).items.map(({ id }) => id)
    const inList = (id: string) => ids.includes(id)
    expect([task.id, latest.id, settled.id].every(inList)).toBe(true)
    expect(ids.filter((id) => [task.id, latest.id, settled.id].includes(id))).toEqual([task.id, latest.id, settled.id])
    const times = (await list({ sort: '+createdAt' })).items.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort())
  })

  it('have a credit note with the tax data of both parties that only their customer sees', async () => {
    const { customer, order } = await requestRefund(2)
    const of = ({ token }: TestCustomer) => test.call(listCreditNotes, { token, params: { id: order.id } })
    const [item] = (await of(customer)).body.items
    const params = { id: order.id, creditNoteId: item?.id as string }
    const note = (await test.call(getCreditNote, { token: customer.token, params })).body
    expect(note).toMatchObject({ orderNumber: order.number, totalMinor: order.totalMinor, status: 'requested' })
    expect(note.invoiceNumber).toMatch(/^INV-/)
    expect(note.netMinor + note.taxMinor).toBe(note.totalMinor)
    expect(note.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(note.netMinor)
    expect(note.seller.name).not.toBe('')
    expect(note.buyer.email).toBe(customer.email)
    const pdf = await test.call(printCreditNote, { token: customer.token, params, language: 'zh' })
    expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.headers['content-disposition']).toContain(note.number)
    const stranger = await createCustomer(test)
    expect((await of(stranger)).status).toBe(404)
    expect((await test.call(getCreditNote, { token: stranger.token, params })).status).toBe(404)
    expect((await test.call(printCreditNote, { token: stranger.token, params })).status).toBe(404)
    const other = await requestRefund(1)
    const mixed = { id: other.order.id, creditNoteId: params.creditNoteId }
    expect((await test.call(getCreditNote, { token: other.customer.token, params: mixed })).status).toBe(404)
  })
})
