import { addWidget } from '@waybill/contract/dashboard/dashboard'
import { askApproval } from '@waybill/contract/orders/approvals'
import { listOrders } from '@waybill/contract/orders/orders'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import type { Deps } from '../../src/deps.ts'
import { addUpFigures } from '../../src/domains/dashboard/jobs.ts'
import { readDashboard } from '../../src/domains/dashboard/service.ts'
import type { CustomerCaller } from '../../src/http/caller.ts'
import { dayIn, days, later } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../testing/factories/accounts.ts'
import { allowBilling } from '../testing/factories/billing.ts'
import { findCounter, undelivered } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { orderNow, payAtGateway, payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createParcel, testReceiver } from '../testing/factories/parcels.ts'
import { createPayer } from '../testing/factories/wallet.ts'
import { readData, readHome } from './widgets.ts'

const zone = 'Asia/Kuala_Lumpur'

describe('the figures of widgets', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })
  const dayAgo = (count: number) => dayIn(later(test.clock.now(), -days(count)), zone)
  const payOrder = async (customer: TestCustomer, count = 1) => {
    const order = await placeOrder(test, customer, { count })
    expect((await payCredits(test, customer, order)).status).toBe(200)
    return orderNow(test, customer, order)
  }

  it('compare deliveries with the first promised date, and ignore returns', async () => {
    const account = await createCustomer(test)
    const createDelivered = (overrides: Parameters<typeof createParcel>[2]) =>
      createParcel(test, account, {
        status: 'completed',
        last_event_at: later(test.clock.now(), -days(1)),
        ...overrides,
      })
    await createDelivered({ promised_date: dayAgo(1) })
    await createDelivered({ promised_date: dayAgo(0) })
    await createDelivered({ promised_date: dayAgo(2), expected_date: dayAgo(0) })
    await createDelivered({ promised_date: dayAgo(2), leg: 'return' })
    await createDelivered({ promised_date: null })
    const { onTime, late, weeks } = readData(await readHome(test, account.token), 'on_time')
    expect({ onTime, late }).toEqual({ onTime: 2, late: 1 })
    expect(weeks).toHaveLength(8)
    expect(weeks.at(-1)).toEqual({ from: dayAgo(6), onTime: 2, late: 1 })
  })

  it('rank the destinations of parcels: states at home, countries abroad, without drafts', async () => {
    const account = await createCustomer(test)
    const createParcelTo = (state: string, status: 'inbound' | 'incart' | 'cancel' = 'inbound') =>
      createParcel(test, account, { status, receiver: testReceiver({ state }) })
    for (const state of ['Johor', 'Johor', 'Perak']) await createParcelTo(state)
    await createParcelTo('Sabah', 'incart')
    await createParcelTo('Sabah', 'cancel')
    await createParcel(test, account, {
      status: 'inbound',
      scope: 'international',
      receiver: testReceiver({ country: 'sg', state: 'Central' }),
    })
    const data = readData(await readHome(test, account.token), 'top_destinations')
    expect(data.total).toBe(4)
    expect(data.destinations).toEqual([
      { country: 'my', state: 'Johor', parcels: 2 },
      { country: 'my', state: 'Perak', parcels: 1 },
      { country: 'sg', state: null, parcels: 1 },
    ])
  })

  it('sum up payments by month and by user, less refunds; a member sees only their own', async () => {
    const owner = await createPayer(test, { userType: 'corporate', name: 'Owner' })
    const member = await createMember(test, owner, ['parcels.create', 'pay', 'reports'], { name: 'Member' })
    const paidOrder = await payOrder(owner)
    const refundedOrder = await payOrder(owner)
    const own = await payOrder(member, 2)
    const body = { reason: 'changed my mind', refundTo: 'wallet' as const }
    const cancellation = await test.call(cancelOrder, { token: owner.token, params: { id: refundedOrder.id }, body })
    expect(cancellation.status).toBe(200)
    const home = await readHome(test, owner.token)
    const { months } = readData(home, 'spend_by_month')
    expect(months).toHaveLength(12)
    expect(months.at(-1)).toEqual({
      month: dayAgo(0).slice(0, 7),
      orders: 3,
      amountMinor: paidOrder.totalMinor + own.totalMinor,
    })
    const { users, others } = readData(home, 'spend_by_user')
    const byName = Object.fromEntries(users.map(({ name, thisMonthMinor }) => [name, thisMonthMinor]))
    expect(byName).toEqual({ Owner: paidOrder.totalMinor, Member: own.totalMinor })
    expect(others.users).toBe(0)
    const memberHome = await readHome(test, member.token)
    expect(readData(memberHome, 'spend_by_month').months.at(-1)?.amountMinor).toBe(own.totalMinor)
    expect(readData(memberHome, 'spend_by_user').users.map(({ name }) => name)).toEqual(['Member'])
  })

  it('list failed deliveries with the time limit of the delivery choice, and the amounts due', async () => {
    const account = await createPayer(test)
    const { counter } = await findCounter(test)
    const failedParcel = await undelivered(test, account, counter)
    const due = { status: 'outstanding', delivery_mode: 'P2D', amount_due_minor: 1_250 } as const
    await createParcel(test, account, due)
    await createParcel(test, account, due)
    const body = { kind: 'failed_deliveries' as const }
    expect((await test.call(addWidget, { token: account.token, body })).status).toBe(200)
    const home = await readHome(test, account.token)
    const { total, parcels } = readData(home, 'failed_deliveries')
    expect(total).toBe(1)
    expect(parcels).toEqual([
      expect.objectContaining({
        parcelId: failedParcel.id,
        trackingNumber: failedParcel.number,
        receiverName: 'Ahmad bin Ismail',
      }),
    ])
    expect(Date.parse(parcels[0]?.decideBy ?? '')).toBeGreaterThan(test.clock.now().getTime())
    expect(readData(home, 'outstanding')).toEqual({ parcels: 2, dueMinor: 2_500, currency: 'MYR' })
  })

  it('add approvals of colleagues and the end of a checkout to the list of tasks', async () => {
    const owner = await createPayer(test, { userType: 'corporate' })
    const member = await createMember(test, owner, ['parcels.create', 'pay'])
    await test.deps.db
      .updateTable('accounts')
      .set({ approval_above_minor: 1 })
      .where('id', '=', owner.accountId)
      .execute()
    await allowBilling(test, owner)
    const order = await placeOrder(test, member)
    const request = await test.call(askApproval, { token: member.token, body: { orderId: order.id } })
    expect(request.status).toBe(200)
    // Nobody can pay that order now.
    const { todo } = await readHome(test, owner.token)
    expect([todo.unpaid, todo.approvals, todo.unpaidUntil]).toEqual([0, 1, null])
    const { body } = await test.call(listOrders, { token: owner.token, query: { payable: 'true' } })
    expect(body.total).toBe(0)

    await payAtGateway(test, owner, await placeOrder(test, owner))
    const { todo: withOwn } = await readHome(test, owner.token)
    expect([withOwn.unpaid, withOwn.approvals]).toEqual([1, 1])
    expect(Date.parse(withOwn.unpaidUntil ?? '')).toBeGreaterThan(test.clock.now().getTime())
    expect((await readHome(test, member.token)).todo.approvals).toBe(0)
  })

  it('stop counting parcels without a scan at a limit', async () => {
    const account = await createCustomer(test)
    const parcel = await createParcel(test, account, {
      status: 'outbound',
      last_event_at: later(test.clock.now(), -days(3)),
    })
    await test.deps.pool.query(
      `insert into parcels (account_id, id, created_by, scope, currency, status, handed_over, last_event_at)
       select account_id, gen_random_uuid(), created_by, scope, currency, status, true, last_event_at
       from parcels, generate_series(1, 1200) where id = $1`,
      [parcel.id],
    )
    const home = await readHome(test, account.token)
    expect(home.todo.stuck).toBe(100)
    expect(readData(home, 'parcels_by_status').byTrackingStatus).toMatchObject({ in_transit: 1_201 })
  })

  it('read as many rows with four thousand parcels as with four hundred, since they are counted on write', async () => {
    const { db } = test.deps
    const rowsRead = async (parcelCount: number) => {
      const { accountId, userId, token } = await createCustomer(test)
      await sql`
        insert into parcels (account_id, id, created_by, scope, currency, status, handed_over, tracking_number,
          receiver, created_at, last_event_at)
        select ${accountId}::uuid, gen_random_uuid(), ${userId}::uuid, 'domestic', 'MYR',
          (array['completed', 'completed', 'inbound', 'fail-to-deliver', 'incart'])[1 + n % 5], n % 5 <> 4, null,
          ${JSON.stringify(testReceiver())}::jsonb, now() - n % 40 * interval '1 day', now() - n % 40 * interval '1 day'
        from generate_series(1, ${parcelCount}::int) as n`.execute(db)
      await addUpFigures(test.deps)
      await sql`analyze parcels, account_figures, account_figure_changes`.execute(db)
      const caller = (await test.deps.tokens.verify(token)) as CustomerCaller
      return tx(db, async (trx) => {
        // As in a deployment of a usual size, where no table fits into a page.
        await sql`set local enable_seqscan = off`.execute(trx)
        // Plans of earlier statements on this connection read whole tables, because those were small.
        await sql`discard plans`.execute(trx)
        // Includes what earlier transactions of this connection have read, until PostgreSQL adds it to its statistics.
        const countRead = async () => {
          const { rows } = await sql<{ count: number }>`
            select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
            from pg_stat_xact_user_tables`.execute(trx)
          return rows[0]?.count ?? 0
        }
        const before = await countRead()
        await readDashboard({ ...test.deps, db: trx as unknown as Deps['db'] }, caller, 'en')
        return (await countRead()) - before
      })
    }
    const few = await rowsRead(400)
    expect(few).toBeGreaterThan(20)
    expect(await rowsRead(4_000)).toBeLessThan(few * 1.5)
  })
})
