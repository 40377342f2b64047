import { sendAnswer } from '@waybill/contract/chat/inbox'
import { askApproval } from '@waybill/contract/orders/approvals'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { notify } from '../../src/domains/notifications/notify.ts'
import { forEachAtOnce, forEachBatch, forEachItem } from '../../src/jobs/each-item.ts'
import type { JobName } from '../../src/jobs/jobs.ts'
import { type Tasks, tasks } from '../../src/jobs/tasks.ts'
import { dayIn, days, later, minutes } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { breakRow } from '../testing/broken-row.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { allowBilling } from '../testing/factories/billing.ts'
import { findCounter, handedOver } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createPlainTicket } from '../testing/factories/tickets.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'

/** A job that works on many rows. */
type Work = {
  job: JobName
  table: string
  /** The column that identifies a row. */
  column?: string
  /** Creates a row that the job has to process, and returns its value in `column`. */
  create: () => Promise<string>
  /** The condition of a processed row. */
  done: string
}

describe('a scheduled job', () => {
  let test: TestApp
  let owner: TestCustomer
  let there: string
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
    const stations = await findCounter(test)
    there = stations.there
    counter = stations.counter
  })

  const run = (job: JobName) => (tasks[job] as NonNullable<Tasks['orders:expire']>)(test.deps, {})
  const ago = (milliseconds: number) => later(test.clock.now(), -milliseconds)
  const waiting = (daysLeft: number) => async () => {
    const collect_until = dayIn(ago(-days(daysLeft)), test.deps.settings.get('timezone'))
    const columns = { delivery_mode: 'D2P', self_collection_station_id: there, collect_until } as const
    return (await createParcel(test, owner, { status: 'inbound', ...columns })).id
  }
  const listLooseFile = async () => {
    const key = `2026/01/01/${newId()}.pdf`
    await sql`insert into loose_files (storage_key, since) values (${key}, ${ago(days(1))})`.execute(test.deps.db)
    return key
  }

  const works: Record<string, Work> = {
    'delivers notifications that have waited': {
      job: 'notifications:deliver',
      table: 'notifications',
      async create() {
        const { userId } = await createCustomer(test)
        const notice = {
          kind: 'parcel_delivered',
          to: { users: [userId] },
          facts: { number: 'WB12345678903' },
        } as const
        await tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
        const { rows } = await sql<{ id: string }>`
          update notifications set waits_until = ${ago(minutes(1))}
          where user_id = ${userId}::uuid
          returning id`.execute(test.deps.db)
        return rows[0]?.id ?? ''
      },
      done: 'delivered_at is not null',
    },
    'returns parcels that could not be delivered': {
      job: 'parcels:undelivered',
      table: 'parcels',
      create: async () =>
        (await createParcel(test, owner, { status: 'fail-to-deliver', last_event_at: ago(days(30)) })).id,
      done: "status = 'recall'",
    },
    'returns parcels that were not collected': {
      job: 'parcels:collection-days',
      table: 'parcels',
      create: waiting(-2),
      done: "status = 'recall'",
    },
    'reminds receivers of parcels to collect': {
      job: 'parcels:collection-days',
      table: 'parcels',
      create: waiting(1),
      done: 'collect_reminded_at is not null',
    },
    'accepts re-weighings without an answer': {
      job: 'parcels:weights-accepted',
      table: 'parcel_weighings',
      column: 'parcel_id',
      async create() {
        const { id } = await handedOver(test, owner, counter)
        const body = { weightGrams: 5200, scaleReading: '5.200 kg' }
        await test.call(reweighParcel, { token: counter.token, params: { id }, body })
        for (const [table, column] of [
          ['parcel_weighings', 'parcel_id'],
          ['parcels', 'id'],
        ] as const) {
          await sql`
            update ${sql.table(table)} set contest_until = ${ago(days(1))}
            where ${sql.ref(column)} = ${id}::uuid`.execute(test.deps.db)
        }
        return id
      },
      done: "state = 'accepted'",
    },
    'reports parcels without progress': {
      job: 'parcels:tell-stuck',
      table: 'parcels',
      create: async () => (await createParcel(test, owner, { status: 'outbound', last_event_at: ago(days(4)) })).id,
      done: 'stuck_told_at is not null',
    },
    'closes tickets without an answer': {
      job: 'tickets:deadlines',
      table: 'tickets',
      async create() {
        const { token } = await createStaff(test, { role: 'inside_sales_representative' })
        const { id } = await createPlainTicket(test, owner)
        await test.call(sendAnswer, { token, params: { id }, body: { text: 'Which one?' } })
        await sql`update tickets set due_at = ${ago(days(400))} where id = ${id}::uuid`.execute(test.deps.db)
        return id
      },
      done: "status = 'closed'",
    },
    'ends unpaid orders': {
      job: 'orders:expire',
      table: 'orders',
      async create() {
        const { id } = await placeOrder(test, owner)
        await sql`update orders set expires_at = ${ago(days(1))} where id = ${id}::uuid`.execute(test.deps.db)
        return id
      },
      done: "status = 'cancel'",
    },
    'ends orders that nobody approved': {
      job: 'orders:expire',
      table: 'order_approvals',
      async create() {
        const company = await createCustomer(test, { userType: 'corporate' })
        await allowBilling(test, company)
        await sql`
          update accounts set approval_above_minor = 1 where id = ${company.accountId}::uuid`.execute(test.deps.db)
        const clerk = await createMember(test, company, ['parcels.create', 'pay'])
        const { id: orderId } = await placeOrder(test, clerk)
        const { body } = await test.call(askApproval, { token: clerk.token, body: { orderId, note: null } })
        await sql`
          update order_approvals set expires_at = ${ago(days(1))} where id = ${body.id}::uuid`.execute(test.deps.db)
        return body.id
      },
      done: "status = 'expired'",
    },
    'deletes files without a row': {
      job: 'housekeeping:sweep',
      table: 'loose_files',
      column: 'storage_key',
      create: listLooseFile,
      done: 'false',
    },
  }

  it.each(Object.entries(works))('%s, also if the first one fails every time', async (_, work) => {
    const { job, table, column = 'id', create, done } = work
    const { db } = test.deps
    const keys = [await create(), await create(), await create()]
    const [broken = ''] = keys
    // A deleted row is done, too.
    const listDone = async () => {
      const { rows } = await sql<{ key: string }>`
        select ${sql.ref(column)}::text as key
        from ${sql.table(table)}
        where ${sql.ref(column)}::text = any(${keys}::text[]) and not (${sql.raw(done)})`.execute(db)
      return keys.filter((key) => !rows.some((row) => row.key === key))
    }
    const mend = await breakRow(db, table, column, broken)
    await expect(run(job)).rejects.toThrow('this row is broken')
    expect(await listDone()).toEqual(keys.slice(1))
    await mend()
    await run(job)
    expect(await listDone()).toEqual(keys)
  })

  it('goes on with the next cleanup if one fails', async () => {
    const { db } = test.deps
    await sql`insert into rate_limits (key, count, resets_at) values ('broken', 1, ${ago(days(3))})`.execute(db)
    const mend = await breakRow(db, 'rate_limits', 'key', 'broken')
    const key = await listLooseFile()
    await expect(run('housekeeping:sweep')).rejects.toThrow('this row is broken')
    const { rows } = await sql`select 1 from loose_files where storage_key = ${key}`.execute(db)
    expect(rows).toEqual([])
    await mend()
  })

  it('tries each item once, and reports how many failed', async () => {
    const tried: number[] = []
    const work = async (n: number) => {
      tried.push(n)
      if (n % 2 === 0) throw new Error(`no ${n}`)
    }
    await expect(forEachItem([1, 2, 3, 4, 5], work)).rejects.toThrow('2 of the items failed, the first with: no 2')
    expect(tried).toEqual([1, 2, 3, 4, 5])
    await expect(forEachAtOnce([6, 7], work)).rejects.toThrow('1 of the items failed, the first with: no 6')
  })

  it('ends at once if the database is unavailable, and after twenty failures', async () => {
    let tried = 0
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    const failWith = (error: Error) => async () => {
      tried += 1
      throw error
    }
    const unavailable = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
    await expect(forEachItem(numbers, failWith(unavailable))).rejects.toThrow('gone')
    expect(tried).toBe(1)
    await expect(forEachItem(numbers, failWith(new Error('full')))).rejects.toThrow('20 of the items failed')
    expect(tried).toBe(21)
  })

  it('processes every row of a batch once, except those that fail', async () => {
    const { db } = test.deps
    const ids = Array.from({ length: 400 }, () => newId())
    const failing = [ids[0], ids[130], ids[399]]
    const processed: string[] = []
    let batches = 0
    await db.schema.createTable('chores').addColumn('id', 'uuid').addColumn('done', 'boolean').execute()
    await sql`insert into chores select unnest(${ids}::uuid[]), false`.execute(db)
    const work = forEachBatch<{ id: string }>(
      db,
      200,
      async (trx, limit, except) =>
        (
          await sql<{ id: string }>`
            select id from chores where not done and id <> all(${except}::uuid[]) order by id limit ${limit}
            for update skip locked`.execute(trx)
        ).rows,
      async (trx, rows) => {
        batches += 1
        await sql`update chores set done = true where id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(trx)
        if (rows.some(({ id }) => failing.includes(id))) throw new Error('a chore that fails')
        processed.push(...rows.map(({ id }) => id))
      },
    )
    await expect(work).rejects.toThrow('3 of the items failed, the first with: a chore that fails')
    expect(processed).toEqual(ids.filter((id) => !failing.includes(id)))
    // Each failing row is found by halves: the rows of one sender must not become a mail each.
    expect(batches).toBeLessThan(60)
    const left = await sql<{ id: string }>`select id from chores where not done order by id`.execute(db)
    expect(left.rows.map(({ id }) => id)).toEqual(failing)
  })
})
