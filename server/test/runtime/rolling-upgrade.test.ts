/** A release that still serves while the next one migrates the database (docs/operations.md, "Upgrade"). */
import { listAccounts } from '@waybill/contract/accounts/directory'
import { login } from '@waybill/contract/accounts/sign-in'
import { listParcels } from '@waybill/contract/parcels/list'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDb, createPool, tx } from '../../src/db/pool.ts'
import { lastStatementMark } from '../../src/db/wire/edge-query.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { delivered, findCounter, handedOver } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createPayer } from '../testing/factories/wallet.ts'

const password = 'parcels on a long road'

describe('while a migration adds columns', () => {
  let test: TestApp
  let customer: TestCustomer
  let counter: TestStaff
  let admin: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createPayer(test, { password, creditsMinor: 10_000_000 })
    counter = (await findCounter(test)).counter
    admin = await createStaff(test, { type: 'superadmin' })
  })

  /** Signs in, pays, scans and lists. Several at once, so that several connections prepare the statements. */
  const workAsUsual = async () => {
    const work = async () => {
      const signedIn = await test.call(login, { body: { email: customer.email, password } })
      expect(signedIn.status).toBe(200)
      const { number } = await handedOver(test, customer, counter)
      await delivered(test, counter, number)
      expect((await test.call(listParcels, { token: signedIn.body.token })).status).toBe(200)
      expect((await test.call(listAccounts, { token: admin.token })).status).toBe(200)
    }
    await Promise.all([work(), work(), work()])
    await test.settle()
  }

  it('every request, event and job succeeds', async () => {
    await workAsUsual()
    await workAsUsual()
    for (const table of ['users', 'accounts', 'parcels', 'orders', 'payments', 'stations', 'idempotency_keys'])
      await sql`alter table ${sql.table(table)} add column of_next_release int`.execute(test.deps.db)
    await workAsUsual()
    const { rows } = await sql`
      select topic as name, attempts from outbox where attempts > 0
      union all select topic, attempts from outbox_failed
      union all select task_identifier, attempts from graphile_worker.jobs where last_error is not null`.execute(
      test.deps.db,
    )
    expect(rows).toEqual([])
  })

  it('an outdated statement is prepared again, wherever it is in a transaction', async () => {
    const pool = createPool(test.databaseUrl, { max: 1 })
    const db = createDb(pool)
    const widen = async (column: string) => {
      await sql`alter table notes add column ${sql.ref(column)} int`.execute(test.deps.db)
    }
    const add = (id: number) => sql`insert into notes (id) values (${id}::int)`
    const read = (id: number, mark = '') => sql`${sql.raw(mark)} select * from notes where id = ${id}::int`
    const readAlone = () => read(1).execute(db)
    const readFirst = () => tx(db, (trx) => read(1).execute(trx))
    const readLater = (id: number) =>
      tx(db, async (trx) => {
        await add(id).execute(trx)
        return read(id).execute(trx)
      })
    const readLast = (id: number) =>
      tx(db, async (trx) => {
        await add(id).execute(trx)
        return read(id, lastStatementMark).execute(trx)
      })
    try {
      await sql`create table notes (id int primary key)`.execute(db)
      await add(1).execute(db)
      await readAlone()
      await widen('alone')
      expect((await readAlone()).rows).toEqual([{ id: 1, alone: null }])
      const config = { text: 'select * from notes where id = $1::int', values: [1] }
      await pool.query(config)
      await widen('pool')
      expect((await pool.query(config)).rows).toEqual([{ id: 1, alone: null, pool: null }])
      await readFirst()
      await widen('first')
      expect((await readFirst()).rows).toMatchObject([{ id: 1, first: null }])
      await readLater(2)
      await widen('later')
      expect((await readLater(3)).rows).toMatchObject([{ id: 3, later: null }])
      await readLast(4)
      await widen('last')
      expect((await readLast(5)).rows).toMatchObject([{ id: 5, last: null }])
      const { rows } = await sql`select count(*) from notes`.execute(test.deps.db)
      expect(rows).toEqual([{ count: 5 }])
    } finally {
      await pool.end()
    }
  })
})
