/** Reads from streaming replicas return the same data as the primary, whatever state a replica is in. */
import { createAddress, listAddresses } from '@waybill/contract/addresses/addresses'
import { exportLogs } from '@waybill/contract/logs/logs'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrack, publicTrackGet } from '@waybill/contract/tracking/tracking'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createDb, createPool, tx } from '../../src/db/pool.ts'
import { readFromReplicas } from '../../src/db/replicas/read-scope.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { asAccountId } from '../../src/http/caller.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { listenForOperators } from '../../src/metrics/server.ts'
import { afterUse } from '../testing/after-use.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { createCustomer, createDevice, type TestCustomer } from '../testing/factories/accounts.ts'
import { addressBody } from '../testing/factories/addresses.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { startWire, type Wire } from '../testing/peers/wire.ts'
import { secondProcess } from '../testing/second-process.ts'
import { startSleep } from '../testing/sleeping-read.ts'
import { type Standby, startStandby } from '../testing/standby.ts'
import { listening, openStream } from '../testing/streams.ts'
import { startTemporaryPostgres } from '../testing/temporary-postgres.ts'

const metrics = createMetrics()
let standby: Standby
/** The proxy between the servers and the replica. */
let wire: Wire
let test: TestApp
let second: FastifyInstance
let operators: string
/** The address of the first process. */
let address: string
let customer: TestCustomer

beforeAll(async () => {
  const primary = await startTemporaryPostgres(() => undefined, { fsync: 'off', autovacuum: 'off' })
  afterUse(() => primary.stop())
  await migrate(primary.url)
  standby = await startStandby(primary.url)
  afterUse(() => standby.stop())
  wire = await startWire(standby.url)
  afterUse(() => wire.stop())
  const pool = createPool(primary.url, { max: 10 })
  afterUse(() => pool.end())
  const database = { url: primary.url, pool, db: createDb(pool) }
  test = await buildTestApp({ DATABASE_REPLICA_URL: wire.url, LOG_LEVEL: 'silent' }, { database, metrics })
  second = await secondProcess(test)
  const server = await listenForOperators(test.deps, metrics, { host: '127.0.0.1', port: 0 })
  afterUse(() => server.stop())
  operators = server.address
  address = await listening(test)
  customer = await createCustomer(test)
})

const processes = () => [test.app, second]
const states = () => processes().map((app) => app.deps.replicas?.all[0]?.state)
const isUsed = () => expect.poll(states, { timeout: 20_000, interval: 50 }).toEqual(['ok', 'ok'])
const isLeftOut = (state: string) => expect.poll(states, { timeout: 20_000, interval: 50 }).toEqual([state, state])

/** A sample of the first process's metrics. */
async function sample(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${operators}/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}
const replicaReads = async () => (await sample('waybill_reads_total{target="replica"}')) ?? 0
const primaryReads = () => sample('waybill_reads_total{target="primary"}')
const replicaGauge = (name: string) => sample(`waybill_replica_${name}{replica="${new URL(wire.url).host}"}`)

/** The names in the customer's address book, as `app` returns them. */
async function readNames(app: FastifyInstance, token: string): Promise<string[]> {
  const answer = await app.inject({
    url: fillPath(listAddresses, {}, { limit: 200 }),
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.statusCode).toBe(200)
  return answer.json().items.map((item: { contactName: string }) => item.contactName)
}

let serial = 0
/** Writes an address through the first process. Returns its name. */
async function write(owner: TestCustomer): Promise<string> {
  serial += 1
  const contactName = `Replica ${serial}`
  const body = addressBody({ contactName, line1: `${serial}, Jalan Kiara` })
  const answer = await test.call(createAddress, { token: owner.token, body })
  expect(answer.status).toBe(200)
  return contactName
}

/** Checks that the other process, and another session of the same user, read each of `count` writes immediately. */
async function expectOwnWrites(count: number): Promise<void> {
  const owner = await createCustomer(test)
  const device = await createDevice(test, owner)
  for (let n = 0; n < count; n += 1) {
    const name = await write(owner)
    const [here, there, onDevice] = await Promise.all([
      readNames(test.app, owner.token),
      readNames(second, owner.token),
      readNames(second, device),
    ])
    expect(here).toContain(name)
    expect(there).toContain(name)
    expect(onDevice).toContain(name)
  }
}

describe('an up-to-date replica', () => {
  beforeEach(isUsed)

  it('serves lists and tracking', async () => {
    const parcel = await createParcel(test, customer, { status: 'inbound' })
    const no = parcel.tracking_number ?? ''
    const reads = [
      () => readNames(test.app, customer.token),
      () => test.call(publicTrackGet, { query: { no } }),
      () => test.call(publicTrack, { body: { numbers: [no] } }),
    ]
    // Its last commits may still be in transit.
    for (const read of reads) {
      await expect
        .poll(
          async () => {
            const before = await replicaReads()
            await read()
            return (await replicaReads()) - before
          },
          { timeout: 20_000 },
        )
        .toBeGreaterThan(0)
    }
    expect((await test.call(publicTrackGet, { query: { no } })).body.found).toHaveLength(1)
    const [row] = await standby.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where application_name = 'waybill reads'`,
    )
    expect(row?.count).toBeGreaterThan(0)
  })

  it.each(['csv', 'xlsx'] as const)('serves an export to the last batch (%s)', async (format) => {
    const owner = await createCustomer(test)
    await sql`
      insert into activity_log (id, account_id, level, action, detail, at)
      select gen_random_uuid(), ${owner.accountId}, 'INFO', 'auth.login', '{}', now() - n * interval '1 second'
      from generate_series(1, 5000) n`.execute(test.deps.db)
    const reads = async () => {
      const before = await replicaReads()
      const headers = { authorization: `Bearer ${owner.token}` }
      const answer = await fetch(`${address}${fillPath(exportLogs, {}, { format })}`, { headers })
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50_000)
      return (await replicaReads()) - before
    }
    // Batches of a thousand rows, and an empty one.
    await expect.poll(reads, { timeout: 20_000 }).toBeGreaterThanOrEqual(6)
  })

  it('receives no writes; a write or a lock within a read goes to the primary', async () => {
    const { db } = test.deps
    const before = await replicaReads()
    await write(customer)
    expect(await replicaReads()).toBe(before)
    const primaryReadsBefore = (await primaryReads()) ?? 0
    await readFromReplicas(async () => {
      // Detected by the first word, by the refusal of PostgreSQL, and by tables that are not replicated.
      await sql`insert into rate_limits values ('replica', 1, now() + interval '1 hour')`.execute(db)
      await sql`select nextval('tracking_serial')`.execute(db)
      await sql`with one as (delete from rate_limits where key = 'replica' returning 1) select * from one`.execute(db)
      await sql`select count(*) from rate_limits`.execute(db)
      await sql`select id from accounts where id = ${customer.accountId} for update`.execute(db)
      await tx(db, async (trx) => {
        const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(trx)
        expect(rows[0]?.standby).toBe(false)
      })
    })
    expect(await replicaReads()).toBe(before)
    expect(((await primaryReads()) ?? 0) - primaryReadsBefore).toBeGreaterThanOrEqual(4)
  })

  it('reports the error of a statement, without a retry on the primary', async () => {
    const failed = (await sample('waybill_replica_fallbacks_total{reason="failed"}')) ?? 0
    const fault = readFromReplicas(() => sql`select 1 / 0`.execute(test.deps.db))
    await expect(fault).rejects.toThrow('division by zero')
    expect((await sample('waybill_replica_fallbacks_total{reason="failed"}')) ?? 0).toBe(failed)
  })

  it('shows each write immediately to every process and session', async () => {
    const before = await replicaReads()
    await expectOwnWrites(30)
    expect(await replicaReads()).toBeGreaterThan(before)
  })

  it('appears in metrics and readiness', async () => {
    await expect.poll(() => replicaGauge('lag_bytes'), { timeout: 20_000 }).toBe(0)
    expect([await replicaGauge('up'), await replicaGauge('lag_seconds')]).toEqual([1, 0])
    expect((await test.app.inject('/readyz')).json()).toEqual({ ok: true, files: 'ok', replicas: 'ok' })
  })
})

describe('a replica that lags', () => {
  beforeEach(isUsed)
  afterEach(async () => {
    await standby.query(`select pg_wal_replay_resume()`)
    await isUsed()
  })

  it('is excluded, and used again once it has caught up', async () => {
    await standby.query(`select pg_wal_replay_pause()`)
    await expectOwnWrites(3)
    await isLeftOut('behind')
    await expectOwnWrites(3)
    // A read that waited too long excludes the replica, and the next probe measures its lag. A probe that compares with
    // the state before the writes still passes; the one after it does not.
    const isFinally = (read: () => unknown) => expect.poll(read, { timeout: 20_000 })
    await isFinally(() => replicaGauge('lag_bytes')).toBeGreaterThan(0)
    await isFinally(() => replicaGauge('up')).toBe(0)
    expect(await replicaGauge('lag_seconds')).toBeGreaterThan(0)
    const degraded = { ok: true, files: 'ok', replicas: 'degraded' }
    await isFinally(async () => (await test.app.inject('/readyz')).json()).toEqual(degraded)
    await standby.query(`select pg_wal_replay_resume()`)
    await isUsed()
    const before = await replicaReads()
    await expect
      .poll(() => readNames(test.app, customer.token).then(replicaReads), { timeout: 20_000 })
      .toBeGreaterThan(before)
  })

  it('never returns data older than a live event', async () => {
    const stream = await openStream(address, accountEvents, { token: customer.token })
    await standby.query(`select pg_wal_replay_pause()`)
    for (const event of ['sorted', 'departed'] as const) {
      const parcel = await createParcel(test, customer, { status: 'inbound' })
      await tx(test.deps.db, async (trx) => {
        const rows = await lockParcels(trx, asAccountId(parcel.account_id), [parcel.id])
        await transitionParcels(test.deps, trx, rows, event, { actorId: null, place: 'Ipoh' })
      })
      await test.deps.outbox.drain()
      const message = await stream.next()
      expect(message).toMatchObject({ event: 'parcel', data: { id: parcel.id } })
      const url = fillPath(publicTrackGet, {}, { no: parcel.tracking_number })
      const [parcelNow] = (await second.inject(url)).json().found
      expect(parcelNow.status).toBe((message.data as { status: string }).status)
      expect(parcelNow.events[0].event).toBe(event)
    }
    await stream.close()
  })
})

describe('a replica that fails', () => {
  beforeEach(isUsed)

  /** Reads and writes continuously until `stop`. Nothing may fail, and every write must be read. */
  function keepWorking(): { rounds(): number; stop(): Promise<number> } {
    let stopped = false
    let rounds = 0
    const work = async () => {
      while (!stopped) {
        await expectOwnWrites(1)
        rounds += 1
      }
    }
    const working = Promise.all([work(), work()])
    working.catch(() => undefined)
    return {
      rounds: () => rounds,
      async stop() {
        stopped = true
        await working
        return rounds
      },
    }
  }

  it('is killed and comes back without a failed request', async () => {
    const load = keepWorking()
    await expect.poll(load.rounds, { timeout: 20_000 }).toBeGreaterThan(0)
    await standby.kill()
    await isLeftOut('down')
    await expectOwnWrites(3)
    expect([await replicaGauge('up'), await replicaGauge('lag_bytes')]).toEqual([0, undefined])
    expect((await test.app.inject('/readyz')).statusCode).toBe(200)
    await standby.start()
    await isUsed()
    expect(await load.stop()).toBeGreaterThan(0)
    const before = await replicaReads()
    await expect
      .poll(() => readNames(test.app, customer.token).then(replicaReads), { timeout: 20_000 })
      .toBeGreaterThan(before)
  })

  it('stops responding: the primary answers the statements that wait for it', async () => {
    // A silent network reports no error; only missing responses reveal it.
    const { statement } = await startSleep(standby, test)
    wire.freeze()
    expect((await statement).rows).toEqual([{ pg_sleep: '' }])
    await expectOwnWrites(1)
    await isUsed()
  })

  it('stops responding while a process stops: the process still ends', async () => {
    const third = await secondProcess(test)
    await expect.poll(() => third.deps.replicas?.all[0]?.state, { timeout: 20_000 }).toBe('ok')
    const { statement } = await startSleep(standby, third)
    wire.freeze()
    await third.close()
    expect((await statement).rows).toHaveLength(1)
    await isUsed()
  })

  it('cannot be reached: the servers continue, and use it when it is back', async () => {
    await wire.cut()
    await expectOwnWrites(1)
    await isLeftOut('down')
    await expectOwnWrites(1)
    await wire.mend()
    await isUsed()
  })

  // This is the last test because the server is no replica afterwards.
  it('is promoted: its diverging data is never shown', async () => {
    await standby.query(`select pg_promote()`)
    await standby.query(`update accounts set name = 'Elsewhere'`)
    await isLeftOut('unfit')
    await expectOwnWrites(1)
    const { rows } = await readFromReplicas(() =>
      sql<{ count: number }>`select count(*) from accounts where name = 'Elsewhere'`.execute(test.deps.db),
    )
    expect(rows).toEqual([{ count: 0 }])
  })
})
