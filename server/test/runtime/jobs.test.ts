/** Jobs survive a crash of their process, and none of them blocks the others. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { startMailbox } from '../../src/demo/peers/mailbox/mailbox.ts'
import { crontab } from '../../src/jobs/cron.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { openJobLease } from '../../src/jobs/lease.ts'
import { startJobs } from '../../src/jobs/runner.ts'
import { createBreaker } from '../../src/lib/breaker.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { startSilentServer } from '../testing/peers/silent-server.ts'
import { startWire } from '../testing/peers/wire.ts'
import { startServerProcess } from '../testing/server-process.ts'

const code = { template: 'register_code', locale: 'en' as const, vars: { name: 'Mei', code: '012345', minutes: 15 } }

type JobRow = { id: string; locked_by: string | null; attempts: number; last_error: string | null }
const jobsNamed = async (db: TestDatabase['db'], name: string): Promise<JobRow[]> =>
  (
    await sql<JobRow>`
      select id::text, locked_by, attempts, last_error from graphile_worker.jobs
      where task_identifier = ${name} order by id`.execute(db)
  ).rows

describe('after kill -9 while jobs run', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  /** A separate process that works on the jobs of a database. */
  const startWorker = async (database: TestDatabase, smtpUrl: string): Promise<ChildProcess> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'waybill-jobs-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), '--role', 'worker'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        SECRET_KEY: 'a secret of the tests that is long enough',
        DEMO: 'off',
        SMTP_URL: smtpUrl,
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  it('the next process completes them within seconds and leaves the jobs of a live process alone', async () => {
    const database = await createTestDatabase()
    const silent = await startSilentServer()
    const mailbox = await startMailbox()
    onTestFinished(async () => {
      await silent.stop()
      await mailbox.stop()
    })
    const victim = await startWorker(database, `smtp://127.0.0.1:${silent.port}`)
    await addJob(database.db, 'mail:send', { to: 'patient@example.test', ...code })
    await expect.poll(() => silent.calls(), { timeout: 10_000 }).toBe(1)
    // Another process looks for abandoned jobs. The job of a live process is not abandoned.
    const looking = await openJobLease(
      database.url,
      () => undefined,
      async () => undefined,
    )
    onTestFinished(() => looking.stop())
    expect(await looking.unlockAbandoned()).toBe(0)
    expect(await jobsNamed(database.db, 'mail:send')).toMatchObject([{ locked_by: expect.any(String) }])

    victim.kill('SIGKILL')
    await once(victim, 'exit')
    await startWorker(database, mailbox.url)
    const mail = await mailbox.waitFor(({ to }) => to.includes('patient@example.test'), 40_000)
    expect(mail.subject).toContain('012345')
  }, 90_000)
})

describe('a lease', () => {
  it('unlocks the jobs and queues of abandoned pools, and delays their next attempt', async () => {
    const database = await createTestDatabase()
    const throwError = (error: Error) => {
      throw error
    }
    const living = await openJobLease(database.url, throwError)
    const looking = await openJobLease(database.url, throwError, async () => undefined)
    onTestFinished(async () => {
      await living.stop()
      await looking.stop()
    })
    await living.hold('pool-living')
    const add = (pool: string) =>
      sql`select graphile_worker.add_job('orders:expire', '{}'::json, ${`queue ${pool}`}::text)`.execute(database.db)
    for (const pool of ['pool-living', 'pool-gone']) {
      await add(pool)
      await sql`update graphile_worker._private_job_queues set locked_by = ${pool}, locked_at = now()
        where queue_name = ${`queue ${pool}`}`.execute(database.db)
      await sql`update graphile_worker._private_jobs set locked_by = ${pool}, locked_at = now(), attempts = 3
        where locked_by is null`.execute(database.db)
    }
    expect(await looking.unlockAbandoned()).toBe(1)
    expect(await looking.unlockAbandoned()).toBe(0)
    const { rows } = await sql<{ locked_by: string | null; pause: number }>`
      select j.locked_by, q.locked_by as queue, round(extract(epoch from j.run_at - now()))::int as pause
      from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id
      order by j.id`.execute(database.db)
    expect(rows).toEqual([
      expect.objectContaining({ locked_by: 'pool-living', queue: 'pool-living' }),
      // e³ seconds, as after any third failure.
      { locked_by: null, queue: null, pause: 20 },
    ])
    await living.stop()
    await expect.poll(() => looking.unlockAbandoned()).toBe(1)
  })
})

describe('a process that replaces its lost connection', () => {
  it('keeps its jobs', async () => {
    const database = await createTestDatabase()
    const lock = async () =>
      (
        await sql<{ pid: number }>`
          select pid from pg_locks
          where locktype = 'advisory' and classid = 7294631 and database = (
            select oid from pg_database where datname = current_database())`.execute(database.db)
      ).rows[0]?.pid
    const isHeld = () => expect.poll(lock, { timeout: 10_000 }).toBeTypeOf('number')
    const living = await openJobLease(database.url, () => undefined)
    const looking = await openJobLease(database.url, () => undefined, isHeld)
    onTestFinished(async () => {
      await living.stop()
      await looking.stop()
    })
    await living.hold('pool-living')
    await addJob(database.db, 'orders:expire', {})
    await sql`update graphile_worker._private_jobs set locked_by = 'pool-living', locked_at = now()`.execute(
      database.db,
    )
    await sql`select pg_terminate_backend(${await lock()}::int)`.execute(database.db)
    await expect.poll(lock).toBe(undefined)
    expect(await looking.unlockAbandoned()).toBe(0)
    expect(await jobsNamed(database.db, 'orders:expire')).toMatchObject([{ locked_by: 'pool-living' }])
  })
})

describe('a mail server that accepts connections but does not respond', () => {
  const mailTo = async (test: TestApp, port: number) => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    const values = { 'mail.host': '127.0.0.1', 'mail.port': port }
    expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
  }

  it('delays only emails', async () => {
    const test = await buildTestApp({ LOG_LEVEL: 'silent' })
    const silent = await startSilentServer()
    onTestFinished(() => silent.stop())
    await mailTo(test, silent.port)
    const { db } = test.deps
    for (let n = 0; n < 12; n += 1) await addJob(db, 'mail:send', { to: `m${n}@example.test`, ...code })
    await expect.poll(() => silent.calls(), { timeout: 10_000 }).toBe(2)
    await addJob(db, 'housekeeping:sweep', {})
    // Twelve emails with a timeout of ten seconds each would block it for much longer.
    await expect.poll(() => jobsNamed(db, 'housekeeping:sweep'), { timeout: 5_000 }).toEqual([])
    expect(silent.calls()).toBe(2)
    await sql`delete from graphile_worker._private_jobs where locked_at is null`.execute(db)
  })

  it('is not called for a while after a timeout; then one call checks it', async () => {
    let now = 0
    let calls = 0
    const breaker = createBreaker({
      message: 'later',
      pauseMs: 1000,
      isTimeout: (error) => (error as { code?: unknown }).code === 'ETIMEDOUT',
      now: () => now,
    })
    const answer = (outcome: string | null) =>
      breaker.run(async () => {
        calls += 1
        if (outcome !== null) throw Object.assign(new Error(outcome), { code: outcome })
        return 'sent'
      })
    await expect(answer('ECONNREFUSED')).rejects.toThrow('ECONNREFUSED')
    await expect(answer('ETIMEDOUT')).rejects.toThrow('ETIMEDOUT')
    await expect(answer(null)).rejects.toThrow('later')
    expect(calls).toBe(2)
    now = 1000
    const first = answer('ETIMEDOUT')
    await expect(answer(null)).rejects.toThrow('later')
    await expect(first).rejects.toThrow('ETIMEDOUT')
    now = 1999
    await expect(answer(null)).rejects.toThrow('later')
    now = 2000
    expect(await answer(null)).toBe('sent')
    expect(await answer(null)).toBe('sent')
    expect(calls).toBe(5)
  })
})

describe('scheduled jobs', () => {
  it('run one at a time per name, with at most one waiting, however long a run takes', async () => {
    const test = await buildTestApp()
    const { db } = test.deps
    const lines = crontab.split('\n')
    for (const line of lines) expect(line).toMatch(/^(\S+ ){5}(\S+) \?queue=\2&jobKey=\2&max=\d+(&fill=1d)?$/)
    // What the scheduler adds. It is called several times.
    const add = () =>
      sql`select graphile_worker.add_job(name, '{}'::json, name, null, 5, name)
        from (values ('parcels:tell-stuck')) as t(name)`.execute(db)
    let open: () => void = () => undefined
    const release = new Promise<void>((done) => {
      open = done
    })
    const holding = db.transaction().execute(async (trx) => {
      await sql`lock table parcels in access exclusive mode`.execute(trx)
      await release
    })
    const locked = async () => (await jobsNamed(db, 'parcels:tell-stuck')).filter(({ locked_by }) => locked_by !== null)
    await add()
    await expect.poll(async () => (await locked()).length).toBe(1)
    for (let n = 0; n < 3; n += 1) await add()
    // Another job is completed in the meantime.
    await addJob(db, 'parcels:ensure-partitions', {})
    await expect.poll(() => jobsNamed(db, 'parcels:ensure-partitions')).toEqual([])
    expect(await jobsNamed(db, 'parcels:tell-stuck')).toHaveLength(2)
    expect(await locked()).toHaveLength(1)
    open()
    await holding
    await expect.poll(() => jobsNamed(db, 'parcels:tell-stuck'), { timeout: 15_000 }).toEqual([])
  })

  it('are made up for if no process was running at their time of day', async () => {
    const test = await buildTestApp()
    const { db } = test.deps
    const daily = [...crontab.matchAll(/^\d+ \d+ \* \* \* (\S+)/gm)].map(([, name = '']) => name)
    expect(daily).toContain('payments:cod-payout')
    const countMissed = async () => {
      const { rows } = await sql`
        select 1
        from graphile_worker._private_known_crontabs
        where identifier = any(${daily}::text[]) and last_execution < now() - interval '1 day'`.execute(db)
      return rows.length
    }
    await sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      select name, now() - interval '9 days', now() - interval '30 hours' from unnest(${daily}::text[]) as name
      on conflict (identifier) do update
      set known_since = excluded.known_since, last_execution = excluded.last_execution`.execute(db)
    expect(await countMissed()).toBe(daily.length)
    const jobs = await startJobs(test.deps)
    await expect.poll(countMissed).toBe(0)
    await jobs.stop()
  })

  it('leave no failed job behind once they succeed again', async () => {
    const test = await buildTestApp({ LOG_LEVEL: 'silent' })
    const { db } = test.deps
    await sql`alter table parcels rename to parcels_away`.execute(db)
    await addJob(db, 'parcels:tell-stuck', {}, { maxAttempts: 1 })
    await test.settle()
    expect(await jobsNamed(db, 'parcels:tell-stuck')).toEqual([expect.objectContaining({ attempts: 1 })])
    await sql`alter table parcels_away rename to parcels`.execute(db)
    await addJob(db, 'parcels:tell-stuck', {}, { maxAttempts: 1 })
    await test.settle()
    expect(await jobsNamed(db, 'parcels:tell-stuck')).toEqual([])
  })
})

it('a runner reconnects by itself after it loses its connection to the queue', async () => {
  const test = await buildTestApp({ LOG_LEVEL: 'silent' })
  const { db } = test.deps
  const jobs = await startJobs(test.deps, '')
  onTestFinished(async () => {
    await jobs.stop()
  })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'waybill jobs%'`.execute(db)
  await addJob(db, 'housekeeping:sweep', {})
  await expect.poll(() => jobsNamed(db, 'housekeeping:sweep'), { timeout: 15_000 }).toEqual([])
})

it('a process outlives an outage of the database in which a job ends, and runs the job again', async () => {
  const { db, url } = await createTestDatabase()
  const [wire, silent] = await Promise.all([startWire(url), startSilentServer()])
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-jobs-'))
  const { child, ready, ended, output } = startServerProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: wire.url,
    DEMO: 'off',
    SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    await wire.stop()
    rmSync(dataDir, { recursive: true })
  })
  await ready()
  await addJob(db, 'mail:send', { to: 'patient@example.test', ...code })
  await expect.poll(() => silent.calls(), { timeout: 10_000 }).toBe(1)
  await wire.cut()
  await silent.stop()
  await expect.poll(() => child.exitCode ?? output(), { timeout: 10_000 }).toContain('Failed to fail jobs')
  await wire.mend()
  const mailbox = await startMailbox(silent.port)
  onTestFinished(() => mailbox.stop())
  const mail = await mailbox.waitFor(({ to }) => to.includes('patient@example.test'), 40_000)
  expect([mail.subject, child.exitCode]).toEqual([expect.stringContaining('012345'), null])
}, 90_000)
