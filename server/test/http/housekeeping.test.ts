import { forgetPassword, getProfile, refresh } from '@waybill/contract/accounts/sign-in'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordActivity } from '../../src/activity.ts'
import type { DbOrTx } from '../../src/db/pool.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { days, hours, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'

describe('housekeeping', () => {
  let test: TestApp
  let startedAt: Date
  beforeAll(async () => {
    test = await buildTestApp()
    startedAt = test.clock.now()
  })

  const sweep = async () => {
    await addJob(test.deps.db, 'housekeeping:sweep', {})
    await test.settle()
  }

  it('deletes expired rows and nothing else', async () => {
    const { db, clock } = test.deps
    const customer = await createCustomer(test)
    const { email } = customer
    await test.call(forgetPassword, { body: { email } })
    await test.settle()
    const now = clock.now()
    const key = (name: string, at: Date) => ({
      caller_id: customer.accountId,
      key: name,
      endpoint: 'orders.create',
      request_hash: 'x',
      created_at: at,
    })
    await db
      .insertInto('idempotency_keys')
      .values([key('young', later(now, -hours(23))), key('old', later(now, -hours(25)))])
      .execute()
    const session = (name: string, ended: Date | null, expires: Date) => ({
      id: newId(),
      user_id: customer.userId,
      token_hash: Buffer.alloc(32),
      user_agent: name,
      ended_at: ended,
      expires_at: expires,
    })
    await db
      .insertInto('sessions')
      .values([
        session('ended long ago', later(now, -days(31)), later(now, days(1))),
        session('ended lately', later(now, -days(29)), later(now, days(1))),
        session('ran out long ago', null, later(now, -days(31))),
      ])
      .execute()
    await sweep()
    const keys = await db.selectFrom('idempotency_keys').select('key').execute()
    expect(keys).toEqual([{ key: 'young' }])
    const sessions = await db.selectFrom('sessions').select('user_agent').orderBy('id').execute()
    expect(sessions.map((row) => row.user_agent)).toEqual([null, 'ended lately'])
    expect(await db.selectFrom('one_time_codes').select('id').execute()).toHaveLength(1)
    expect((await db.selectFrom('rate_limits').select('key').execute()).length).toBeGreaterThan(0)

    test.clock.advance(days(2))
    await sweep()
    expect(await db.selectFrom('one_time_codes').select('id').execute()).toEqual([])
    expect(await db.selectFrom('rate_limits').select('key').execute()).toEqual([])
    expect((await test.call(getProfile, { token: customer.token })).status).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken: 'x' } })).status).toBe(401)
  })

  it('creates the partitions of tracking events for this month and the next two, also in parallel', async () => {
    const { db } = test.deps
    const listMonths = async () => {
      const partitions = await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'tracking_events'::regclass`.execute(
        db,
      )
      return partitions.rows.map(({ name }) => name)
    }
    const namesFrom = (now: Date) =>
      [0, 1, 2].map((ahead) => {
        const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
        return `tracking_events_${month.toISOString().slice(0, 7).replace('-', '_')}`
      })
    expect(await listMonths()).toEqual(expect.arrayContaining(namesFrom(startedAt)))
    test.clock.advance(days(75))
    await Promise.all([1, 2, 3].map(() => addJob(db, 'parcels:ensure-partitions', {})))
    await test.settle()
    expect(await listMonths()).toEqual(expect.arrayContaining(namesFrom(test.clock.now())))
    const failedJobs = await sql`select 1 from graphile_worker.jobs`.execute(db)
    expect(failedJobs.rows).toEqual([])
  })

  it('deletes old activity and old gateway messages, but nothing that needs attention by staff', async () => {
    const { db, clock } = test.deps
    const old = later(clock.now(), -days(800))
    await recordActivity(
      db,
      { action: 'test.old', at: old },
      { action: 'test.young', at: later(clock.now(), -days(700)) },
    )
    const message = (reason: string, review: string, trouble: string | null, at: Date) => ({
      id: newId(),
      source: 'backend',
      accepted: true,
      payload: '{}',
      reason,
      review,
      trouble,
      at,
    })
    await db
      .insertInto('gateway_messages')
      .values([
        message('old', 'open', null, old),
        message('old and handled', 'handled', 'refused', old),
        message('old and open', 'open', 'refused', old),
        message('young', 'open', null, later(clock.now(), -days(300))),
      ])
      .execute()
    await sweep()
    const actions = (await listActivities(test)).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('test.'))).toEqual(['test.young'])
    const messages = await db.selectFrom('gateway_messages').select('reason').orderBy('reason').execute()
    expect(messages).toEqual([{ reason: 'old and open' }, { reason: 'young' }])
  })

  it('deletes queues of jobs that nothing uses, and none that a job waits in', async () => {
    const { db } = test.deps
    const payload = { webhookId: newId() }
    const add = (trx: DbOrTx, queue: string, runAt?: Date) =>
      addJob(trx, 'webhooks:deliver', payload, { queue, ...(runAt ? { runAt } : {}) })
    const listQueues = async () => {
      const { rows } = await sql<{ name: string }>`
        select queue_name as name from graphile_worker._private_job_queues where queue_name like 'test %'
        order by 1`.execute(db)
      return rows.map(({ name }) => name)
    }
    for (const name of ['unused', 'adding', 'waiting']) await add(db, `test ${name}`)
    await test.settle()
    await add(db, 'test waiting', new Date(Date.now() + hours(1)))
    const trx = await db.startTransaction().execute()
    await add(trx, 'test adding')
    await sweep()
    // A transaction is adding a job.
    expect(await listQueues()).toEqual(['test adding', 'test unused', 'test waiting'])
    await trx.commit().execute()
    await test.settle()
    // A run gives up if it does not get its lock at once.
    await expect.poll(() => sweep().then(listQueues), { timeout: 15_000 }).toEqual(['test waiting'])
  })
})
