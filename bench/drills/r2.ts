/**
 * R2: kill -9 of the server, and every fourth time also of its database, during checkouts, 100 times. Afterwards each
 * order is complete or absent, and the same Idempotency-Key gives one payment of one order and one charge.
 *
 * node bench/drills/r2.ts [kills]
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { benchPin, newShopper, orderTotalMinor, parcelsPerOrder, type Shopper } from '../checkouts.ts'
import { type BenchDatabase, joinDatabase } from '../database.ts'
import { newDataFolder, type RunningServer, startServer } from '../server.ts'
import { provenBooks } from './books.ts'

const shoppers = 8
const ordersARound = 40

type Attempt = { token: string; orderId: string; key: string; answered: boolean }

async function pay(address: string, { token, orderId, key }: Attempt): Promise<number> {
  const answer = await fetch(`${address}/api/customer/payments/express_credit/${orderId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ pin: benchPin, expectedTotalMinor: orderTotalMinor }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** All shoppers pay order after order until the server is killed. */
async function payUntilKilled(server: RunningServer, people: Shopper[], round: number): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const all = people.map(async ({ token, orderIds }) => {
    for (const orderId of orderIds.slice(round * ordersARound, (round + 1) * ordersARound)) {
      const attempt: Attempt = { token, orderId, key: randomUUID(), answered: false }
      attempts.push(attempt)
      const status = await pay(server.address, attempt).catch(() => null)
      if (status === null) return
      if (status === 200) attempt.answered = true
    }
  })
  await Promise.all(all)
  return attempts
}

function killDatabase(folder: string): void {
  const file = execFileSync('find', [folder, '-name', 'postmaster.pid']).toString().trim().split('\n')[0]
  if (!file) throw new Error('the drill finds no postmaster')
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL')
}

type StoredPayment = {
  id: string
  status: string
  paid: number
  charges: number
  invoices: number
  payments: number
  moved: number
}

/** The stored payments of these orders that are neither complete nor absent. */
async function broken(database: BenchDatabase, attempts: readonly Attempt[], paidOnly: boolean): Promise<string[]> {
  const rows = await database.query<StoredPayment>(
    `select o.id, o.status, o.paid_minor as paid,
       (select count(*)::int from journal_entries e where e.order_id = o.id) as charges,
       (select count(*)::int from invoices i where i.order_id = o.id) as invoices,
       (select count(*)::int from payments p where p.order_id = o.id and p.status = 'succeeded') as payments,
       (select count(*)::int from parcels p where p.order_id = o.id and p.status = 'pending_dropoff'
         and p.tracking_number is not null) as moved
     from orders o where o.id = any($1::uuid[])`,
    [attempts.map(({ orderId }) => orderId)],
  )
  return rows.flatMap((row) => {
    const facts = [row.charges, row.invoices, row.payments]
    const whole = facts.every((n) => n === 1) && row.moved === parcelsPerOrder && row.paid === orderTotalMinor
    const none = facts.every((n) => n === 0) && row.moved === 0 && row.paid === 0
    return whole || (none && !paidOnly) ? [] : [JSON.stringify(row)]
  })
}

async function drill(kills: number): Promise<void> {
  const folder = newDataFolder()
  let server = await startServer(folder.path)
  let database = await joinDatabase(folder.path)
  const problems: string[] = []
  let [cut, lost, again] = [0, 0, 0]
  try {
    const people = await Promise.all(Array.from({ length: shoppers }, () => newShopper(database, kills * ordersARound)))
    for (let round = 0; round < kills; round += 1) {
      const paying = payUntilKilled(server, people, round)
      // A random moment, so that every kill interrupts a different step.
      await delay(300 + ((round * 137) % 500))
      const withDatabase = round % 4 === 3
      process.kill(server.pid, 'SIGKILL')
      if (withDatabase) {
        killDatabase(folder.path)
        // The connections are dead, so closing the pool could wait forever.
        await Promise.race([database.close().catch(() => undefined), delay(1_000)])
      }
      const attempts = await paying
      server = await startServer(folder.path)
      if (withDatabase) database = await joinDatabase(folder.path)
      problems.push(...(await broken(database, attempts, false)))
      const answered = attempts.filter((attempt) => attempt.answered)
      const missing = await broken(database, answered, true)
      lost += missing.length
      problems.push(...missing.map((row) => `answered, but not there: ${row}`))
      cut += attempts.length - answered.length
      for (const attempt of attempts) {
        const status = await pay(server.address, attempt)
        again += 1
        if (status !== 200) problems.push(`the same key answers ${status} for ${attempt.orderId}`)
      }
      problems.push(...(await broken(database, attempts, true)))
      if (round % 10 === 9) console.log(`R2: ${round + 1} kills, ${again} payments, ${problems.length} problems`)
    }
    problems.push(...(await provenBooks(database.url)))
    console.log(
      `R2: ${kills} kills (every fourth of the database too), ${again} payments tried, ` +
        `${cut} cut off in the middle, ${lost} lost; each tried again with its key`,
    )
    for (const problem of problems.slice(0, 50)) console.log(`R2 BROKEN: ${problem}`)
    console.log(problems.length === 0 ? 'R2 holds.' : 'R2 DOES NOT HOLD.')
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await database.close().catch(() => undefined)
    await server.stop()
    folder.remove()
  }
}

await drill(Number(process.argv[2] ?? 100))
