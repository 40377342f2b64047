/** Deletes an account that has used every feature, and searches every column of every table for names of its people. */
import { deleteOwnAccount } from '@waybill/contract/account-closure/account-closure'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { listAddresses } from '@waybill/contract/addresses/addresses'
import { getPublicAddressRequest } from '@waybill/contract/addresses/requests'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { eraseStored } from '../../src/domains/account-closure/jobs.ts'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { sweep } from '../../src/jobs/housekeeping.ts'
import { days } from '../../src/lib/clock.ts'
import { erasedMarks } from '../../src/lib/text/erased.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel, testParty, testReceiver } from '../testing/factories/parcels.ts'
import { sumBooks } from '../testing/factories/wallet.ts'
import { createOwner, password, ship, useEverything, writeAboutAccount, writeAboutParcel } from './full-account.ts'

/** The name of the user and of the sender and receiver of every parcel in this test. */
const needles = [
  'Zulaikha',
  ...[testParty(), testReceiver()].flatMap(({ contactName, phone, email, line1 }) => [
    contactName,
    phone,
    email ?? '',
    line1,
  ]),
]

/** Columns that still name a person after a deletion, with the reason. */
const exceptions: Record<string, string> = {
  'invoices.buyer': 'tax law: an issued invoice keeps the buyer',
  'orders.buyer': 'tax law: a credit note names the buyer of the invoice of its order',
}

/** Columns (`table.column`) that contain one of the words in any row, regardless of case. */
async function findPersonal(test: TestApp, words: readonly string[] = needles): Promise<string[]> {
  const { rows: columns } = await sql<{ schema: string; table: string; column: string; type: string }>`
    select c.table_schema as schema, c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema not in ('pg_catalog', 'information_schema') and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')
    order by 2, 3`.execute(test.deps.db)
  expect(columns.length).toBeGreaterThan(300)
  const patterns = words.map((word) => `%${word}%`)
  const hits = new Set<string>()
  for (const { schema, table, column, type } of columns) {
    const text = type === 'bytea' ? sql`encode(${sql.ref(column)}, 'escape')` : sql`${sql.ref(column)}::text`
    const { rows } = await sql`
      select 1 from ${sql.table(`${schema}.${table}`)} where ${text} ilike any(${patterns}::text[]) limit 1`.execute(
      test.deps.db,
    )
    // A partition is listed under the name of its table.
    if (rows.length > 0) hits.add(`${table.replace(/^(tracking_events)_.*/, '$1')}.${column}`)
  }
  return [...hits].sort()
}

/** Tables in which the deletion must have found something to erase. */
const personalTables = [
  'account_artworks',
  'account_notes',
  'account_status_changes',
  'accounts',
  'activity_log',
  'address_import_rows',
  'address_imports',
  'address_requests',
  'addresses',
  'api_keys',
  'attachments',
  'bulk_rows',
  'carrier_bookings',
  'carrier_labels',
  'chat_messages',
  'claims',
  'delivery_choices',
  'delivery_tasks',
  'idempotency_keys',
  'identities',
  'invoices',
  'one_time_codes',
  'order_approvals',
  'orders',
  'parcel_proofs',
  'parcel_search',
  'parcel_weighings',
  'parcels',
  'pickup_requests',
  'rate_cards',
  'refunds',
  'sessions',
  'tickets',
  'tracking_events',
  'users',
  'webhook_deliveries',
  'webhooks',
]

describe('the data that remains after a deletion', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    await seedTestNetwork(test)
  })

  const remove = ({ token, userId }: TestCustomer) =>
    test.call(deleteOwnAccount, { token, params: { id: userId }, body: { currentPassword: password } })

  it('names nobody in any table, except where tax law requires it', async () => {
    expect(await findPersonal(test)).toEqual([])
    const { db } = test.deps
    const bystander = await createCustomer(test, { name: 'Bystander' })
    await db.updateTable('users').set({ phone: '+60170000001' }).where('id', '=', bystander.userId).execute()
    const other = testParty({ contactName: 'Siti', phone: '+60170000002', email: 's@example.test', line1: '1 Jalan A' })
    const survivor = await createParcel(test, bystander, { status: 'completed', sender: other, receiver: other })

    const owner = await createOwner(test)
    const parcelId = await ship(test, owner)
    await writeAboutParcel(test, owner, parcelId)
    const { secret, requestUrl } = await useEverything(test, owner)
    await writeAboutAccount(test, owner)
    await test.settle()
    const before = await findPersonal(test)
    const tables = new Set(before.map((column) => column.split('.')[0]))
    expect(personalTables.filter((table) => !tables.has(table))).toEqual([])
    expect((await test.call(listAddresses, { token: secret, query: {} })).status).toBe(200)

    const answer = await remove(owner)
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    // Personal data is removed at once, before any job runs.
    expect((await test.call(getProfile, { token: owner.token })).status).toBe(401)
    expect((await test.call(listAddresses, { token: secret, query: {} })).status).toBe(401)
    const linkToken = requestUrl.split('/').at(-1) ?? ''
    expect((await test.call(getPublicAddressRequest, { params: { token: linkToken } })).status).not.toBe(200)
    await test.settle()

    expect(await findPersonal(test)).toEqual(Object.keys(exceptions))
    expect(await findPersonal(test, ['10.9.8.7'])).toEqual([])
    const emptyTables = ['addresses', 'address_distinctions', 'webhooks', 'ownership_offers', 'dashboards'] as const
    const count = async (table: (typeof emptyTables)[number]) =>
      (await db.selectFrom(table).select('account_id').where('account_id', '=', owner.accountId).execute()).length
    for (const table of emptyTables) {
      expect(await count(table), table).toBe(0)
    }
    const uploads = () => db.selectFrom('attachments').select('id').where('account_id', '=', owner.accountId).execute()
    expect(await uploads()).not.toEqual([])
    test.clock.advance(days(1) + 3_600_000)
    await sweep(test.deps)
    expect(await uploads()).toEqual([])

    expect((await checkBooks(db))?.problems).toEqual([])
    expect(await sumBooks(test)).toMatchObject({ total: 0, unbalanced: 0, differing: 0 })
    const { sender, receiver } = await db
      .selectFrom('parcels')
      .select(['sender', 'receiver'])
      .where('id', '=', survivor.id)
      .executeTakeFirstOrThrow()
    expect([sender, receiver]).toEqual([other, other])
  })

  it('can be read by staff, and stays the same when the job runs again', async () => {
    const owner = await createCustomer(test, { password })
    const { db } = test.deps
    // More rows than one step of the job handles.
    const first = await createParcel(test, owner, { status: 'completed' })
    await sql`
      insert into parcels (account_id, id, created_by, scope, currency, status, sender, receiver)
      select account_id, gen_random_uuid(), created_by, scope, currency, status, sender, receiver
      from parcels, generate_series(1, 450)
      where id = ${first.id}::uuid`.execute(db)
    expect((await remove(owner)).status).toBe(200)
    await test.settle()
    const listPeople = () =>
      sql<{ sender: string; receiver: string; parcels: number }>`
        select sender ->> 'contactName' as sender, receiver ->> 'contactName' as receiver, count(*) as parcels
        from parcels where account_id = ${owner.accountId}::uuid group by 1, 2`.execute(db)
    const erasedRows = [{ sender: erasedMarks.text, receiver: erasedMarks.text, parcels: 451 }]
    expect((await listPeople()).rows).toEqual(erasedRows)
    await eraseStored(test.deps, { accountId: owner.accountId, userIds: [owner.userId] })
    expect((await listPeople()).rows).toEqual(erasedRows)
    const staff = await createStaff(test, { type: 'superadmin' })
    const readIn = (language: string) =>
      test.call(staffParcelByNumber, { token: staff.token, params: { no: first.tracking_number ?? '' }, language })
    const { status, body } = await readIn('en')
    expect(status).toBe(200)
    expect(body.receiver).toMatchObject({ contactName: 'Deleted', city: 'George Town', postcode: '10300' })
    expect((await readIn('zh')).body.receiver).toMatchObject({ contactName: '已删除', line1: '已删除' })
  })
})
