/**
 * R1: 10,000 concurrent debits, credits, refunds and top-ups on 20 wallets from two processes. Afterwards each entry
 * sums to zero, and no balance was ever below zero. Each balance is the sum of its postings and matches the processes'
 * own records, and the total is unchanged.
 *
 * node bench/drills/r1.ts [operations]
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createDb, createPool, tx } from '../../server/src/db/pool.ts'
import type { Deps } from '../../server/src/deps.ts'
import { type LedgerEntry, postEntry, walletLedgerId } from '../../server/src/domains/wallet/ledger/service.ts'
import { asAccountId } from '../../server/src/http/caller.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { joinDatabase } from '../database.ts'
import { newDataFolder, startServer } from '../server.ts'
import { provenBooks } from './books.ts'

const wallets = 20
const atOnce = 32
const currency = 'MYR'

type Order = { url: string; owners: string[]; operations: number; seed: number }
type Moved = { byWallet: Record<string, number>; refused: number; done: number }

/** Seeded random numbers, so that a run can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One of the two processes: its share of the movements, `atOnce` of them concurrently. */
async function work({ url, owners, operations, seed }: Order): Promise<Moved> {
  const pool = createPool(url, { max: atOnce, name: 'waybill r1' })
  const db = createDb(pool)
  const deps = { clock: systemClock } as Deps
  const next = random(seed)
  const totals: Moved = { byWallet: {}, refused: 0, done: 0 }
  const pick = () => asAccountId(owners[Math.floor(next() * owners.length)] ?? '')

  const entry = (): { entry: LedgerEntry; changes: [string, number][] } => {
    const [payer, payee, amount] = [pick(), pick(), 1 + Math.floor(next() * 5_000)]
    const wallet = (accountId: typeof payer, amountMinor: number) => ({
      book: 'customer_wallet' as const,
      accountId,
      amountMinor,
    })
    const base = { accountId: payer, actorId: null, log: null, currency }
    const kinds: { entry: LedgerEntry; changes: [string, number][] }[] = [
      {
        entry: { ...base, kind: 'order', postings: [wallet(payer, -amount), { book: 'revenue', amountMinor: amount }] },
        changes: [[payer, -amount]],
      },
      {
        entry: {
          ...base,
          kind: 'refund',
          postings: [{ book: 'refunds', amountMinor: -amount }, wallet(payer, amount)],
        },
        changes: [[payer, amount]],
      },
      {
        entry: {
          ...base,
          kind: 'topup',
          postings: [{ book: 'gateway_clearing', amountMinor: -amount }, wallet(payer, amount)],
        },
        changes: [[payer, amount]],
      },
      {
        entry: { ...base, kind: 'adjustment', postings: [wallet(payer, -amount), wallet(payee, amount)] },
        changes: [
          [payer, -amount],
          [payee, amount],
        ],
      },
    ]
    // Half of all movements are debits, so that the wallets stay near zero, where errors would show.
    const kind = kinds[[0, 0, 3, 1, 2][Math.floor(next() * 5)] ?? 0] ?? kinds[0]
    return kind && payer !== payee ? kind : (kinds[0] as (typeof kinds)[0])
  }

  let remaining = operations
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (remaining > 0) {
        remaining -= 1
        const { entry: input, changes } = entry()
        try {
          await tx(db, (trx) => postEntry(deps, trx, input))
          totals.done += 1
          for (const [id, by] of changes) totals.byWallet[id] = (totals.byWallet[id] ?? 0) + by
        } catch (error) {
          if ((error as { constraint?: string }).constraint !== 'ledger_accounts_no_overdraft') throw error
          totals.refused += 1
        }
      }
    }),
  )
  await pool.end()
  return totals
}

function process2(order: Order): Promise<Moved> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['--worker'])
    child.once('message', (moves) => resolve(moves as Moved))
    child.once('exit', (code) => code !== 0 && reject(new Error(`a process of the drill ended with ${code}`)))
    child.send(order)
  })
}

async function drill(operations: number): Promise<void> {
  const folder = newDataFolder()
  const server = await startServer(folder.path)
  const database = await joinDatabase(folder.path)
  try {
    const owners = Array.from({ length: wallets }, () => randomUUID())
    for (const id of owners)
      await database.query("insert into accounts (id, user_type, name) values ($1, 'customer', 'R1')", [id])
    const begin = performance.now()
    const share = Math.ceil(operations / 2)
    const both = await Promise.all(
      [1, 2].map((seed) => process2({ url: database.url, owners, operations: share, seed })),
    )
    const took = (performance.now() - begin) / 1000
    const problems = await provenBooks(database.url)
    for (const id of owners) {
      const expected = both.reduce((sum, { byWallet }) => sum + (byWallet[id] ?? 0), 0)
      const [row] = await database.query<{ balance_minor: number }>(
        'select balance_minor from ledger_accounts where id = $1',
        [walletLedgerId(asAccountId(id), currency)],
      )
      const balance = row?.balance_minor ?? 0
      if (balance !== expected) problems.push(`wallet ${id}: holds ${balance}, but ${expected} was moved`)
    }
    const [sum] = await database.query<{ total: number }>(
      'select sum(amount_minor)::bigint as total from journal_postings',
    )
    if (sum?.total !== 0) problems.push(`all postings together are ${sum?.total}, not 0`)
    const count = (of: 'done' | 'refused') => both.reduce((total, one) => total + one[of], 0)
    console.log(
      `R1: ${count('done')} movements, ${count('refused')} refused for want of credits, ` +
        `on ${wallets} wallets from 2 processes in ${took.toFixed(1)} s`,
    )
    for (const problem of problems) console.log(`R1 BROKEN: ${problem}`)
    console.log(problems.length === 0 ? 'R1 holds.' : 'R1 DOES NOT HOLD.')
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await database.close()
    await server.stop()
    folder.remove()
  }
}

if (process.argv[2] === '--worker') {
  process.once('message', (order) => {
    void work(order as Order).then((moves) => process.send?.(moves, () => process.disconnect()))
  })
} else {
  await drill(Number(process.argv[2] ?? 10_000))
}
