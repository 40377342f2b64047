/** An event whose handler fails does not delay others, and staff are notified of it. */
import { discardFailedWork, listFailedWork, retryFailedWork } from '@waybill/contract/failed-work/failed-work'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { accountTopic } from '../../src/http/live.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { createOutbox } from '../../src/outbox/outbox.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'

let test: TestApp
let customer: TestCustomer
beforeAll(async () => {
  test = await buildTestApp({ LOG_LEVEL: 'silent' })
  customer = await createCustomer(test)
})
beforeEach(async () => {
  await sql`truncate outbox, outbox_failed`.execute(test.deps.db)
})

const poison = 'this is no id of an account'
/** Emits events directly, as a faulty release would. */
const emit = async (...accountIds: string[]) => {
  await test.deps.outbox.emit(test.deps.db, 'wallet.moved', ...accountIds.map((accountId) => ({ accountId })))
}
const waiting = async () =>
  (
    await sql<{ id: number; attempts: number; pause: number; account: string }>`
      select id, attempts, round(extract(epoch from try_at - now()))::int as pause, payload ->> 'accountId' as account
      from outbox order by id`.execute(test.deps.db)
  ).rows
/** Makes the last attempt due. */
const makeLastAttemptDue = () => sql`update outbox set attempts = 7, try_at = now()`.execute(test.deps.db)
const exhaustEvent = async () => {
  await emit(poison)
  await test.deps.outbox.drain()
  await makeLastAttemptDue()
  await test.deps.outbox.drain()
}

describe('an event whose handler throws', () => {
  it('waits for its next attempt alone: the others of its batch are handled, each once', async () => {
    const payloads: unknown[] = []
    const stop = test.deps.live.subscribe(accountTopic(customer.accountId), (data) => payloads.push(data))
    // Written in one transaction, so that they are one batch.
    await tx(test.deps.db, async (trx) => {
      for (const accountId of [...Array(20).fill(customer.accountId), poison, ...Array(30).fill(customer.accountId)])
        await test.deps.outbox.emit(trx, 'wallet.moved', { accountId })
    })
    await test.deps.outbox.drain()
    expect(await waiting()).toEqual([expect.objectContaining({ account: poison, attempts: 1, pause: 2 })])
    await expect.poll(() => payloads.length).toBeGreaterThan(0)
    const before = payloads.length
    await emit(customer.accountId)
    await test.deps.outbox.drain()
    await expect.poll(() => payloads.length).toBe(before + 1)
    stop()
  })

  it('is retried with growing pauses, then set aside', async () => {
    await emit(poison)
    await test.deps.outbox.drain()
    await sql`update outbox set try_at = now()`.execute(test.deps.db)
    await test.deps.outbox.drain()
    expect(await waiting()).toEqual([expect.objectContaining({ attempts: 2, pause: 4 })])
    await makeLastAttemptDue()
    await test.deps.outbox.drain()
    expect(await waiting()).toEqual([])
    const { rows } = await sql`select topic, attempts, last_error from outbox_failed`.execute(test.deps.db)
    expect(rows).toEqual([
      { topic: 'wallet.moved', attempts: 8, last_error: expect.stringContaining('invalid input syntax for type uuid') },
    ])
  })

  it('waits at most a second for a locked row, and others are handled first', async () => {
    const payload = { accountId: customer.accountId, parcelId: customer.userId, amountMinor: 100, currency: 'MYR' }
    await tx(test.deps.db, async (locking) => {
      await sql`lock table cod_collections in access exclusive mode`.execute(locking)
      await test.deps.outbox.emit(test.deps.db, 'cod.collected', {
        ...payload,
        actorId: customer.userId,
        stationId: null,
      })
      await emit(customer.accountId)
      await test.deps.outbox.drain()
      expect(await waiting()).toEqual([expect.objectContaining({ attempts: 1 })])
    })
  })
})

it('is waited for while draining if a poll took it in the meantime', async () => {
  const { db } = await createTestDatabase()
  const outbox = createOutbox(db)
  const gates = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() }
  const accounts: unknown[] = []
  const handle = async (_trx: unknown, [payload]: readonly unknown[]) => {
    const { accountId } = payload as { accountId: keyof typeof gates }
    accounts.push(accountId)
    await gates[accountId].promise
  }
  // Polls explicitly.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  outbox.start(test.app.log, [{ topic: 'wallet.moved', handle }])
  vi.useRealTimers()
  // The poll at the start ends before there is an event.
  await outbox.drain()
  let ended = false
  await outbox.emit(db, 'wallet.moved', { accountId: 'first' })
  const draining = outbox.drain().then(() => (ended = true))
  await expect.poll(() => accounts).toEqual(['first'])
  await outbox.emit(db, 'wallet.moved', { accountId: 'second' })
  outbox.kick()
  await expect.poll(() => accounts).toEqual(['first', 'second'])
  gates.first.resolve()
  const rows = async () => (await sql`select 1 from outbox`.execute(db)).rows
  await expect.poll(rows).toHaveLength(1)
  expect(ended).toBe(false)
  gates.second.resolve()
  await draining
  expect(await rows()).toEqual([])
  await outbox.stop()
})

it('stays for another release if this release does not know its topic', async () => {
  await sql`insert into outbox (topic, payload) values ('parcel.teleported', '{}')`.execute(test.deps.db)
  await emit(customer.accountId)
  await test.deps.outbox.drain()
  const { rows } = await sql`select topic from outbox`.execute(test.deps.db)
  expect(rows).toEqual([{ topic: 'parcel.teleported' }])
})

describe('failed work', () => {
  it('is emailed once to the staff who may see it, in their language', async () => {
    const engineer = await createStaff(test, { role: 'it_executive' })
    const clerk = await createStaff(test)
    await sql`update users set language = 'cn_zh' where id = ${engineer.userId}::uuid`.execute(test.deps.db)
    await exhaustEvent()
    await addJob(test.deps.db, 'failed-work:tell', {})
    await test.settle()
    await addJob(test.deps.db, 'failed-work:tell', {})
    await test.settle()
    const mails = test.mailbox.mails().filter(({ to }) => to.includes(engineer.email))
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ subject: '有后台任务失败', text: expect.stringContaining('wallet.moved: 1') })
    expect(test.mailbox.mails().filter(({ to }) => to.includes(clerk.email))).toEqual([])
  })

  it('is listed with its error, and retried on request of staff', async () => {
    const { token } = await createStaff(test, { role: 'it_executive' })
    await exhaustEvent()
    await addJob(test.deps.db, 'parcels:read-bulk', { accountId: 'no id', batchId: 'no id' }, { maxAttempts: 1 })
    await test.settle()
    const listed = await test.call(listFailedWork, { token })
    expect(listed.body.total).toBe(2)
    expect(listed.body.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'event', name: 'wallet.moved', attempts: 8 }),
        expect.objectContaining({ kind: 'job', name: 'parcels:read-bulk', attempts: 1 }),
      ]),
    )
    for (const { error, failedAt, createdAt } of listed.body.items) {
      expect(error).toContain('invalid input syntax for type uuid')
      expect(Math.abs(Date.parse(failedAt) - Date.now())).toBeLessThan(60_000)
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(failedAt) + 1_000)
    }
    // The cause is removed.
    await sql`update outbox_failed set payload = jsonb_build_object('accountId', ${customer.accountId}::text)`.execute(
      test.deps.db,
    )
    const items = listed.body.items.map(({ kind, id }) => ({ kind, id }))
    const retried = await test.call(retryFailedWork, { token, body: { items } })
    expect(retried.body).toEqual({ retried: 2 })
    await test.settle()
    expect(await waiting()).toEqual([])
    // Its cause still exists, so the job has failed again.
    const after = await test.call(listFailedWork, { token })
    expect(after.body.items).toEqual([expect.objectContaining({ kind: 'job', attempts: 1 })])
    expect((await test.call(retryFailedWork, { token, body: { items } })).body).toEqual({ retried: 1 })
  })

  it('is discarded on request of staff, unless it books money or changes records', async () => {
    const { token, userId } = await createStaff(test, { role: 'it_executive' })
    await sql`delete from graphile_worker._private_jobs`.execute(test.deps.db)
    await exhaustEvent()
    await sql`
      insert into outbox_failed (id, topic, payload, created_at, attempts, last_error)
      select 900000, 'cod.collected', '{}', now(), 8, 'no parcel'`.execute(test.deps.db)
    await addJob(test.deps.db, 'parcels:read-bulk', { accountId: 'no id', batchId: 'no id' }, { maxAttempts: 1 })
    await addJob(test.deps.db, 'payments:check', { paymentId: 'no id' }, { maxAttempts: 1 })
    await test.settle()
    const list = async () => (await test.call(listFailedWork, { token })).body.items
    const discard = (works: { kind: 'event' | 'job'; id: string }[]) =>
      test.call(discardFailedWork, { token, body: { items: works.map(({ kind, id }) => ({ kind, id })) } })
    const works = await list()
    expect(Object.fromEntries(works.map(({ name, loss }) => [name, loss]))).toEqual({
      'wallet.moved': 'message',
      'parcels:read-bulk': 'file',
      'cod.collected': null,
      'payments:check': null,
    })
    // One that must not be lost keeps the others.
    for (const important of works.filter(({ loss }) => loss === null)) {
      const refused = await discard([...works.filter(({ loss }) => loss !== null), important])
      expect([refused.status, refused.error.code]).toEqual([409, 'conflict'])
    }
    expect(await list()).toHaveLength(4)

    const useless = works.filter(({ loss }) => loss !== null)
    expect((await discard(useless)).body).toEqual({ discarded: 2 })
    expect((await discard(useless)).body).toEqual({ discarded: 0 })
    expect((await list()).map(({ name }) => name).toSorted()).toEqual(['cod.collected', 'payments:check'])
    const { rows } = await sql`
      select detail -> 'discarded' as discarded from activity_log
      where action = 'failed-work.discard' and user_id = ${userId}::uuid order by at limit 1`.execute(test.deps.db)
    expect(rows).toEqual([{ discarded: ['wallet.moved', 'parcels:read-bulk'] }])
    const clerk = await createStaff(test)
    const forbidden = await test.call(discardFailedWork, {
      token: clerk.token,
      body: { items: [{ kind: 'job', id: '1' }] },
    })
    expect(forbidden.status).toBe(403)
  })

  it('that waits or runs is not discarded', async () => {
    const { token } = await createStaff(test, { role: 'it_executive' })
    const runAt = new Date('2040-01-01')
    await addJob(test.deps.db, 'accounts:resend-registration', { email: 'a@example.test', subject: 'b' }, { runAt })
    const { rows } = await sql<{ id: string }>`
      select id::text as id from graphile_worker.jobs where task_identifier = 'accounts:resend-registration'`.execute(
      test.deps.db,
    )
    const items = rows.map(({ id }) => ({ kind: 'job' as const, id }))
    expect(items).toHaveLength(1)
    expect((await test.call(discardFailedWork, { token, body: { items } })).body).toEqual({ discarded: 0 })
  })
})
