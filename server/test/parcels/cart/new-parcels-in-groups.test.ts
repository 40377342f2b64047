// Parcels that are created together share a statement (docs/decisions/0102-calls-in-groups.md).
import { createParcel, getParcel } from '@waybill/contract/parcels/parcels'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { parcelBody } from '../../testing/factories/parcels.ts'

describe('parcels that are created together', () => {
  let test: TestApp
  let owners: TestCustomer[]
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owners = [await createCustomer(test), await createCustomer(test), await createCustomer(test)]
  })

  /** Every second one goes to the cart. */
  const newParcels = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      owner: owners[n % owners.length] as TestCustomer,
      body: { ...parcelBody({ deliveryMode: 'P2D', addToCart: n % 2 === 0 }), reference: `together ${n}` },
      key: `together-${count}-${n}`,
      ip: `10.30.40.${n}`,
    }))

  const send = async ({ owner, body, key, ip }: ReturnType<typeof newParcels>[number]) => {
    const answer = await test.app.inject({
      method: createParcel.method,
      url: createParcel.path,
      remoteAddress: ip,
      headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': key },
      payload: body,
    })
    return { status: answer.statusCode, body: answer.json() }
  }

  it('share transactions; each has its own account, status, history, log entry and key', async () => {
    const all = newParcels(24)
    const answers = await Promise.all(all.map(send))
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200))
    for (const [n, { body }] of answers.entries()) {
      const { owner, ip } = all[n] as (typeof all)[number]
      const { body: parcel } = await test.call(getParcel, { params: { id: body.id }, token: owner.token })
      expect(parcel).toMatchObject(body)
      expect([parcel.reference, parcel.status]).toEqual([`together ${n}`, n % 2 === 0 ? 'incart' : 'pending'])
      expect(parcel.events.map(({ status }) => status)).toEqual(n % 2 === 0 ? ['incart', 'pending'] : ['pending'])
      const [entry, ...others] = await listActivities(test, { action: 'parcels.created', subject: body.id })
      expect([entry?.user_id, entry?.account_id, entry?.ip, others]).toEqual([owner.userId, owner.accountId, ip, []])
    }
    const ids = answers.map(({ body }) => body.id)
    const { rows } = await sql<{ transactions: number }>`
      select count(distinct xmin::text)::int as transactions
      from tracking_events
      where parcel_id = any(${ids}::uuid[])`.execute(test.deps.db)
    expect(rows[0]?.transactions).toBeLessThan(all.length)
    // Each request again: its key has its own response.
    expect(await Promise.all(all.map(send))).toEqual(answers)
  })

  it('are created although one of them is refused, and one is sent twice', async () => {
    const [first, ...rest] = newParcels(9)
    if (!first) throw new Error('no parcel')
    const wrong = { ...first, key: 'together-wrong', body: { ...first.body, weightGrams: -1 } }
    const conflict = { ...first, body: { ...first.body, reference: 'another' } }
    const [original, again, refused, different, ...others] = await Promise.all([
      send(first),
      send(first),
      send(wrong),
      send(conflict),
      ...rest.map(send),
    ])
    expect(refused?.status).toBe(422)
    expect(others.map(({ status }) => status)).toEqual(rest.map(() => 200))
    // Of two requests with one key and different content, either may be the first.
    const outcomes = [original?.status, again?.status, different?.status].sort()
    expect([
      [200, 200, 409],
      [200, 409, 409],
    ]).toContainEqual(outcomes)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from parcels
      where account_id = ${first.owner.accountId}::uuid and reference in ('another', 'together 0')
        and id not in (
          select (response ->> 'id')::uuid from idempotency_keys where key = 'together-24-0')`.execute(test.deps.db)
    expect(rows[0]?.count).toBe(1)
  })
})
