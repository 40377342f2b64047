/**
 * The work that the floors of `own-floor.ts` repeat: a payment of three parcels, a journey of two parcels, the scans
 * of one.
 */
import { Agent } from 'node:http'
import { walletLedgerId } from '../server/src/domains/wallet/ledger/service.ts'
import { asAccountId } from '../server/src/http/caller.ts'
import type { Shopper } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import type { Work } from './measure.ts'
import { record, replay, replayOverHttp } from './own-floor.ts'
import { startFloor } from './processes.ts'
import { against, type Figure } from './results.ts'

const clients = 16
const repetitions = 36

/** One customer's piece of work: the initial ids by name, and the calls of the server. */
export type Piece = { ids: Record<string, string>; run: (agent: Agent) => Promise<unknown> }

/** The ids that are derived from a customer. */
export function idsOfShopper({ accountId, userId }: Shopper): Record<string, string> {
  return { accountId, userId, wallet: walletLedgerId(asAccountId(accountId), 'MYR') }
}

/** Two floors that repeat the server's statements: sent by pgbench (`own`), and by a bare HTTP handler (`bare`). */
export type OwnFloors = { own: Work; bare: Work; stop: () => void }

/**
 * Prepares the floors of one piece of work. `prepare` creates the given number of pieces for one new customer. Each
 * call of a floor runs 16 clients, which each repeat the work for 36 pieces, six of them for warm-up.
 */
export async function prepareOwnFloors(
  database: BenchDatabase,
  prepare: (count: number) => Promise<Piece[]>,
): Promise<OwnFloors> {
  const agent = new Agent({ keepAlive: true })
  const works = await Promise.all([prepare(2), prepare(2)])
  // The first piece of each customer warms up statements and caches.
  for (const [warmUp] of works) await warmUp?.run(agent)
  const [first, second] = works.map((pieces) => pieces[1]) as [Piece, Piece]
  const recording = await record(database, [() => first.run(agent), () => second.run(agent)])
  agent.destroy()
  const handler = await startFloor('floor-statements.ts', database.url)
  const listCustomers = async () => {
    const pieces = await Promise.all(Array.from({ length: clients }, () => prepare(repetitions)))
    await database.query(
      `update wallet_pins p set pin_mac = f.pin_mac, salt = f.salt from wallet_pins f
       where f.account_id = $1 and p.account_id = any($2::uuid[])`,
      [first.ids.accountId, pieces.flatMap(([piece]) => piece?.ids.accountId ?? [])],
    )
    return pieces.map((each) => each.map(({ ids }) => new Map(mapIds(first.ids, ids))))
  }
  return {
    own: async () => (await replay(database, recording, await listCustomers())) ?? Number.NaN,
    bare: async () => replayOverHttp(handler, recording, await listCustomers()),
    stop: handler.stop,
  }
}

const mapIds = (from: Record<string, string>, to: Record<string, string>) =>
  Object.entries(from).map(([name, id]) => [id, to[name] ?? id] as const)

/** The figures of the individual floors of `works`, such as "such scans"; the goal is the same everywhere. */
export function ownFigures(
  id: string,
  works: string,
  { ours, own, bare }: { ours: number; own: number; bare: number },
): Figure[] {
  const figure = { ours, unit: 'transactions/s', goal: { compare: 'at least', value: 0.7 } } as const
  return [
    against({ ...figure, id: `${id} own`, what: `${works} against their own statements sent by pgbench`, floor: own }),
    against({
      ...figure,
      id: `${id} bare`,
      what: `${works} against a bare HTTP handler that sends their statements`,
      floor: bare,
    }),
  ]
}
