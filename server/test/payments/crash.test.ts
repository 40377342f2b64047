/** R2 on a small scale (in full: bench/drills/r2.ts): the server is killed during checkouts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { buildTestApp, fillPath } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createPayer, testPin } from '../testing/factories/wallet.ts'

it('after a kill during checkouts, each order is complete or absent, and its key charges once', async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const customer = await createPayer(test, { creditsMinor: 1_000_000 })
  const orders: OrderDetail[] = []
  for (let n = 0; n < 12; n += 1) orders.push(await placeOrder(test, customer, { count: 2 }))

  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-crash-'))
  const { secretKey } = test.deps.config
  const victim = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: test.databaseUrl,
      SECRET_KEY: secretKey,
      PORT: '0',
      DEMO: 'off',
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  victim.stdout.on('data', (chunk) => (output += String(chunk)))
  try {
    const address = await expect
      .poll(() => /ready: (\S+)/.exec(output)?.[1], { timeout: 25_000 })
      .toBeTruthy()
      .then(() => /ready: (\S+)/.exec(output)?.[1] as string)
    const send = async (order: OrderDetail) => {
      const answer = await fetch(address + fillPath(payWithCredits, { id: order.id }), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${customer.token}`,
          'content-type': 'application/json',
          'idempotency-key': `crash-${order.id}`,
        },
        body: JSON.stringify({ pin: testPin, expectedTotalMinor: order.totalMinor }),
      })
      return answer.status
    }
    // All requests are sent at once. The first response shows that the others are in progress.
    const requests = orders.map((order) => send(order).catch(() => 0))
    await Promise.race(requests)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    const successes = (await Promise.all(requests)).filter((status) => status === 200).length
    expect(successes).toBeGreaterThan(0)

    const facts = async () => {
      const { rows } = await sql<{ paid: boolean; charges: number; invoices: number; moved: number }>`
        select o.paid_minor = o.total_minor as paid,
          (select count(*) from journal_entries e where e.order_id = o.id) as charges,
          (select count(*) from invoices i where i.order_id = o.id) as invoices,
          (select count(*) from parcels p where p.order_id = o.id and p.status = 'pending_dropoff') as moved
        from orders o`.execute(test.deps.db)
      return rows
    }
    const whole = { paid: true, charges: 1, invoices: 1, moved: 2 }
    const none = { paid: false, charges: 0, invoices: 0, moved: 0 }
    // Open transactions are rolled back once PostgreSQL notices that the killed server's connections are closed.
    for (const row of await facts()) expect([whole, none]).toContainEqual(row)
    for (const order of orders) {
      const again = await payCredits(test, customer, order, { headers: { 'idempotency-key': `crash-${order.id}` } })
      expect(again.status).toBe(200)
    }
    expect(await facts()).toEqual(orders.map(() => whole))
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  } finally {
    victim.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
})
