/** A signed post says "paid", but a query to the gateway does not confirm it; and the intervals between the queries. */

import type { OrderDetail } from '@waybill/contract/orders/orders'
import { type GatewayTrouble, listGatewayTroubles } from '@waybill/contract/payments/gateway'
import { type GatewayForm, getPayment } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { expireUnpaid } from '../../../src/domains/orders/service.ts'
import { tasks } from '../../../src/jobs/tasks.ts'
import { hours, later, minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, placeOrder } from '../../testing/factories/orders.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { startPayment } from './gateway-payments.ts'

const limit = 'Limited by per day maximum number of requery'

describe('a payment that the gateway reports as paid but does not confirm', () => {
  let bank: BankPeer
  let test: TestApp
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })

  const passExpiry = async ({ paymentId }: GatewayForm) => {
    const before = later(test.clock.now(), -1)
    await sql`update payments set expires_at = ${before} where id = ${paymentId}::uuid`.execute(test.deps.db)
    await sql`update orders set expires_at = ${before} where payment_id = ${paymentId}::uuid`.execute(test.deps.db)
  }
  const run = (task: 'payments:expire' | 'payments:check', { paymentId }: GatewayForm) =>
    tasks[task]?.(test.deps, { paymentId })
  const getStatus = async ({ paymentId }: GatewayForm) => {
    const row = await test.deps.db.selectFrom('payments').select('status').where('id', '=', paymentId).execute()
    return row[0]?.status
  }
  const troubles = async ({ paymentId }: GatewayForm): Promise<GatewayTrouble[]> => {
    const { token } = await createStaff(test, { role: 'account_manager' })
    const { body } = await test.call(listGatewayTroubles, { token, query: { limit: 200 } })
    return body.items.filter(({ expected }) => expected?.paymentId === paymentId)
  }
  /** The hours from now to the next query to the gateway. */
  const nextCheck = async ({ paymentId }: GatewayForm) => {
    const { rows } = await sql<{ run_at: Date }>`
      select run_at from graphile_worker.jobs where key = ${`payments:check ${paymentId}`}`.execute(test.deps.db)
    return Math.round(((rows[0]?.run_at.getTime() ?? 0) - test.clock.now().getTime()) / hours(1))
  }

  it.each(['M88Admin', limit])('stays open, is shown to staff, and is queried every day (%s)', async (words) => {
    const { customer, order, form } = await startPayment(test)
    bank.says(form.fields.RefNo, words)
    // The post is stored, so the gateway does not have to repeat it.
    expect((await bank.post(test, 'backend', bank.answer(form.fields, '1'))).body).toBe('RECEIVEOK')
    expect(await troubles(form)).toMatchObject([
      { trouble: 'unconfirmed', came: { text: words }, expected: { status: 'pending', orderNumber: order.number } },
    ])
    expect(await listActivities(test, { subject: form.paymentId })).toMatchObject([
      { action: 'payments.gateway_trouble', level: 'WARNING' },
    ])
    await passExpiry(form)
    await run('payments:expire', form)
    await expireUnpaid(test.deps)
    expect([await getStatus(form), (await orderNow(test, customer, order)).status]).toEqual([
      'pending',
      'pending_payment',
    ])
    expect(await nextCheck(form)).toBe(24)
    await run('payments:check', form)
    expect([await getStatus(form), await nextCheck(form)]).toEqual(['pending', 24])
    expect(await troubles(form)).toHaveLength(1)
    bank.says(form.fields.RefNo, '00')
    await run('payments:check', form)
    expect(await getStatus(form)).toBe('succeeded')
    expect((await orderNow(test, customer, order)).status).toBe('pending')
  })

  it('ends once the gateway reports that nothing was paid', async () => {
    const { customer, order, form } = await startPayment(test)
    bank.says(form.fields.RefNo, 'M88Admin')
    await bank.post(test, 'backend', bank.answer(form.fields, '1'))
    await passExpiry(form)
    await run('payments:expire', form)
    bank.says(form.fields.RefNo, 'Record not found')
    await run('payments:check', form)
    expect(await getStatus(form)).toBe('expired')
    expect((await orderNow(test, customer, order)).status).toBe('cancel')
  })

  it('expires as usual unless it was reported as paid', async () => {
    const { form } = await startPayment(test)
    bank.says(form.fields.RefNo, limit)
    await passExpiry(form)
    await run('payments:expire', form)
    expect(await getStatus(form)).toBe('expired')
    expect(await troubles(form)).toEqual([])
  })

  it('is queried with growing pauses by an open page, and not by it after its expiry', async () => {
    test.clock.freeze()
    const { customer, form } = await startPayment(test)
    const page = async (token = customer.token) => {
      const before = bank.requeries.length
      await test.call(getPayment, { token, params: { id: form.paymentId } })
      return bank.requeries.length - before
    }
    const querySeconds: number[] = []
    for (let second = 0; second <= 180; second += 1) {
      if ((await page()) > 0) querySeconds.push(second)
      test.clock.advance(1000)
    }
    expect(querySeconds).toEqual([0, 5, 15, 45, 105, 165])
    await passExpiry(form)
    test.clock.advance(minutes(2))
    expect(await page()).toBe(0)
  })

  it('does not delay the expiry of newer orders, however many wait or are locked', async () => {
    const { customer, order } = await startPayment(test)
    // Two hundred and fifty orders that wait for the gateway, all overdue before the order below.
    const ids = Array.from({ length: 250 }, () => newId())
    const before = later(test.clock.now(), -hours(2))
    await sql`
      with waiting as (
        insert into orders (account_id, id, number, status, currency, total_minor, lines, parcel_count, created_by,
          expires_at, created_at, updated_at)
        select account_id, w.id::uuid, 'W' || w.n, 'pending_payment', currency, total_minor, lines, 1, created_by,
          ${before}, created_at, updated_at
        from orders, unnest(${ids}::text[]) with ordinality as w(id, n) where orders.id = ${order.id}::uuid
        returning id
      )
      select count(*) from waiting`.execute(test.deps.db)
    const { waiting, free } = await parcelsFor(customer, ids)
    const openOrder = await placeOrder(test, customer)
    await sql`update orders set expires_at = ${later(before, 1000)}
      where id in (${free}::uuid, ${openOrder.id}::uuid)`.execute(test.deps.db)
    await test.deps.db.transaction().execute(async (trx) => {
      await sql`select 1 from orders where id = ${openOrder.id}::uuid for update`.execute(trx)
      await expireUnpaid(test.deps)
    })
    const status = async (id: string) => {
      const row = await test.deps.db.selectFrom('orders').select('status').where('id', '=', id).execute()
      return row[0]?.status
    }
    expect([await status(free), await status(openOrder.id)]).toEqual(['cancel', 'pending_payment'])
    expect(new Set(await Promise.all(waiting.map(status)))).toEqual(new Set(['pending_payment']))
    await expireUnpaid(test.deps)
    expect(await status(openOrder.id)).toBe('cancel')
  })

  /** Parcels that wait for the gateway, one for each of these orders; and a new order without such a parcel. */
  const parcelsFor = async (customer: TestCustomer, ids: string[]) => {
    const { id: free } = await placeOrder(test, customer)
    const [sample] = (await orderNow(test, customer, { id: free } as OrderDetail)).parcels
    const { rows } = await sql<{ columns: string }>`
      select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_name = 'parcels' and table_schema = 'public' and is_generated = 'NEVER'
        and column_name not in ('id', 'order_id', 'status')`.execute(test.deps.db)
    const columns = sql.raw(rows[0]?.columns ?? '')
    await sql`
      insert into parcels (id, order_id, status, ${columns})
      select gen_random_uuid(), w.id::uuid, 'pending_payment', ${columns}
      from parcels, unnest(${ids}::text[]) as w(id) where parcels.id = ${sample?.id}::uuid`.execute(test.deps.db)
    return { waiting: ids.slice(0, 5), free }
  }
})
