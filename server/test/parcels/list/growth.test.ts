import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { listParcels, parcelCountLimits } from '@waybill/contract/parcels/list'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { broadFrom } from '../../../src/domains/parcels/list/queries-search.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { explainSent } from '../../testing/plans.ts'

/** The parcels of one account: so many that search results are no longer sorted. */
const many = broadFrom + 500

describe('the parcel list of a large account', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
    other = await createCustomer(test)
    for (const [account, rows] of [
      [owner, many],
      [other, 400],
    ] as const) {
      await sql`insert into parcels (account_id, id, created_by, scope, currency, status, carrier, tracking_number,
        reference, receiver, created_at)
        select ${account.accountId}::uuid, gen_random_uuid(), ${account.userId}::uuid, 'domestic', 'MYR',
          (array['completed', 'completed', 'inbound', 'sorting'])[1 + n % 4], (array['own', 'dhl'])[1 + n % 2], null,
          case when n = 7 then 'INV2026001' end,
          ${JSON.stringify(testReceiver())}::jsonb
            || jsonb_build_object('contactName', case when n % 100 = 3 then 'Mei Ling ' else 'Mei Fong ' end || 'Tan'
            || n, 'phone', '+6012' || (3000000 + n), 'city', 'Ipoh'),
          now() - n * interval '1 minute'
        from generate_series(1, ${rows}::int) n`.execute(test.deps.db)
    }
    await sql`vacuum (analyze) parcels, parcel_search`.execute(test.deps.db)
  })

  const list = async (query: QueryIn<typeof listParcels>) => {
    const { status, body } = await test.call(listParcels, { token: owner.token, query })
    expect(status).toBe(200)
    return body
  }

  it('pages through a search that nearly all parcels match, in list order, and reports further results', async () => {
    for (const search of ['mei', 'Ipoh', 'mei tan', '+6012']) {
      const whole = (await list({ limit: 120 })).items.map(({ id }) => id)
      const first = await list({ search, limit: 60 })
      expect([search, first.more, first.total > 60]).toEqual([search, true, true])
      const second = await list({ search, limit: 60, offset: 60 })
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(whole)
    }
    const oldest = await list({ search: 'mei', sort: '+createdAt', limit: 1 })
    expect(oldest.items[0]?.receiver?.contactName).toBe(`Mei Fong Tan${many}`)
    // The last page, beyond the counted results.
    const last = await list({ search: 'mei', offset: many - 10, limit: 50 })
    expect(last.items).toHaveLength(10)
    expect(last.total).toBe(many)
  })

  it('combines a search that nearly all parcels match with filters that few match', async () => {
    const moving = await list({ search: 'mei', tab: 'moving', carrier: 'dhl', limit: 40 })
    expect(new Set(moving.items.map(({ status, carrier }) => `${status} ${carrier}`))).toEqual(new Set(['sorting dhl']))
    expect(moving.items).toHaveLength(40)
    expect((await list({ search: 'mei', tab: 'cancelled' })).total).toBe(0)
    const by = await list({ search: 'mei', status: 'completed', sort: '+receiverName', limit: 3 })
    const names = by.items.map(({ receiver }) => receiver?.contactName ?? '')
    expect(names).toEqual([...names].sort())
  })

  it('counts the results of two broad filters up to a limit, and further for later pages', async () => {
    const first = await list({ carrier: 'own', status: 'sorting' })
    expect([first.total, first.more]).toEqual([0, false])
    const dhl = await list({ carrier: 'dhl', status: 'completed' })
    expect([dhl.total, dhl.more]).toEqual([parcelCountLimits.narrowed, true])
    const beyond = await list({ carrier: 'dhl', status: 'completed', offset: 500, limit: 50 })
    expect([beyond.items.length, beyond.total, beyond.more]).toEqual([50, 600, true])
    const all = await list({ carrier: 'dhl', status: 'completed', offset: many / 4 - 5, limit: 50 })
    expect([all.items.length, all.total, all.more]).toEqual([5, many / 4, false])
    expect((await list({ carrier: 'dhl' })).total).toBe(many / 2)
  })

  it('prefers whole words, then prefixes, and matches both ends of words with digits', async () => {
    const few = many / 100
    expect(await list({ search: 'ling mei' })).toMatchObject({ total: few, more: false })
    expect(await list({ search: 'me lin' })).toMatchObject({ total: few, more: false })
    expect((await list({ search: 'tan42 fong' })).items.map(({ receiver }) => receiver?.contactName)).toEqual([
      'Mei Fong Tan42',
    ])
    for (const search of ['inv2026', 'INV2026001', '26001', '3000007', '012-300 0007', '123000007'])
      expect([search, (await list({ search })).items.map(({ reference }) => reference)]).toEqual([
        search,
        ['INV2026001'],
      ])
    const parcel = await createParcel(test, owner, { receiver: testReceiver({ contactName: '欧阳小明' }) })
    for (const search of ['欧阳', '阳小', '明'])
      expect([search, (await list({ search })).items.map(({ id }) => id)]).toEqual([search, [parcel.id]])
  })

  it('searches only the words of its account, and reads few rows for rare words', async () => {
    const { rows } = await sql<{ line: string }>`
      select string_agg(format, ' ') as line
        from (select unnest(tsvector_to_array(parcel_terms(account_id, words))) as format
        from parcel_search where account_id = ${other.accountId}::uuid limit 50) as terms`.execute(test.deps.db)
    const key = other.accountId.slice(-6)
    expect(rows[0]?.line.split(' ').every((term) => term.startsWith(key))).toBe(true)
    const plans = await explainSent(test, 'parcel_terms(account_id, words) @@', () => list({ search: 'ling mei' }))
    for (const plan of plans) expect(plan).toContain('Bitmap Index Scan on parcel_search_terms')
  })
})
