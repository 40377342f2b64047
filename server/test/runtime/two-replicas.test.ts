// Two usable replicas: they share the reads, and one takes over when the other is lost.
import { beforeAll, expect, it } from 'vitest'
import { createPool } from '../../src/db/pool.ts'
import { readFromReplicas } from '../../src/db/replicas/read-scope.ts'
import { type FallbackReason, openReplicas, type ReadPool } from '../../src/db/replicas/routing.ts'
import { afterUse } from '../testing/after-use.ts'
import { type Standby, startStandby } from '../testing/standby.ts'
import { startTemporaryPostgres } from '../testing/temporary-postgres.ts'

let standbys: [Standby, Standby]
let routed: ReadPool
let states: () => string[]
const fallbacks: FallbackReason[] = []

beforeAll(async () => {
  const primary = await startTemporaryPostgres(() => undefined, { fsync: 'off', autovacuum: 'off' })
  afterUse(() => primary.stop())
  standbys = [await startStandby(primary.url), await startStandby(primary.url)]
  for (const standby of standbys) afterUse(() => standby.stop())
  const pool = createPool(primary.url, { max: 2 })
  afterUse(() => pool.end())
  const urls = standbys.map(({ url }) => url)
  const replicas = openReplicas(primary.url, urls, {
    max: 2,
    observe: (reason) => reason && fallbacks.push(reason),
    log: () => undefined,
  })
  afterUse(() => replicas.stop())
  routed = replicas.route(pool)
  states = () => replicas.all.map(({ state }) => state)
})

const findPort = ({ url }: Standby) => new URL(url).port

/** The ports of the servers that answered ten reads, each port once. */
async function answeringPorts(): Promise<string[]> {
  const ports = new Set<string>()
  for (let n = 0; n < 10; n += 1) {
    const { rows } = await readFromReplicas(() =>
      routed.query<{ port: string }>(`select current_setting('port') as port`, []),
    )
    ports.add(rows[0]?.port ?? '')
  }
  return [...ports].sort()
}

it('share the reads; when one is lost, the other answers them all, until both are back', async () => {
  const [first, second] = standbys
  const both = [findPort(first), findPort(second)].sort()
  await expect.poll(states, { timeout: 20_000 }).toEqual(['ok', 'ok'])
  await expect.poll(answeringPorts, { timeout: 20_000 }).toEqual(both)

  await second.kill()
  // Every read is answered meanwhile, by the primary if the lost replica's turn came before its state was known.
  await expect.poll(answeringPorts, { timeout: 20_000 }).toEqual([findPort(first)])
  await expect.poll(states, { timeout: 20_000 }).toEqual(['ok', 'down'])
  expect(fallbacks.filter((reason) => reason === 'none_usable' || reason === 'position_unknown')).toEqual([])

  await second.start()
  await expect.poll(states, { timeout: 20_000 }).toEqual(['ok', 'ok'])
  await expect.poll(answeringPorts, { timeout: 20_000 }).toEqual(both)
})
