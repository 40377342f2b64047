// Scans that arrive together share a transaction (docs/decisions/0102-calls-in-groups.md).
import { recentScans, scan } from '@waybill/contract/parcels/scanning'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'

type Fields = Record<string, unknown> & { event: string }
const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }

describe('scans that arrive together', () => {
  let test: TestApp
  let owner: TestCustomer
  let here: string
  let there: string
  let clerk: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    ;({ here, there, counter: clerk } = await findCounter(test))
  })

  const createHere = (overrides: Partial<ParcelRow> = {}) =>
    createParcel(test, owner, { status: 'inbound', station_id: here, holder: 'station', ...overrides })

  /** Sends a scan from an address of its own, without waiting for its turn. */
  const send = async (trackingNumber: string, fields: Fields, n = 1, key?: string) => {
    const answer = await test.app.inject({
      method: scan.method,
      url: scan.path,
      remoteAddress: `10.20.30.${n}`,
      headers: { authorization: `Bearer ${clerk.token}`, ...(key ? { 'idempotency-key': key } : {}) },
      payload: { trackingNumber, ...fields },
    })
    return { status: answer.statusCode, body: answer.json() }
  }

  /** The number of transactions that wrote the last timeline entries of these parcels. */
  const countTransactions = async (parcels: readonly ParcelRow[]) => {
    const { rows } = await sql<{ transactions: number }>`
      select count(distinct xmin::text)::int as transactions
      from tracking_events
      where parcel_id = any(${parcels.map(({ id }) => id)}::uuid[])
        and event in ('sorted', 'departed', 'out_for_delivery', 'attempt_failed', 'delivered')`.execute(test.deps.db)
    return rows[0]?.transactions
  }

  const work = [
    { fields: { event: 'sorted' }, parcel: 'here', status: 'sorting' },
    { fields: { event: 'departed', nextStationId: 'there' }, parcel: 'here', status: 'outbound' },
    { fields: { event: 'out_for_delivery' }, parcel: 'here', status: 'delivering' },
    { fields: { event: 'attempt_failed', failureReason: 'not_home' }, parcel: 'delivering', status: 'fail-to-deliver' },
    { fields: { event: 'delivered', ...signed }, parcel: 'delivering', status: 'completed' },
  ] as const

  const createFor = ({ parcel }: (typeof work)[number]) =>
    parcel === 'delivering'
      ? createParcel(test, owner, { status: 'delivering', holder: 'rider', rider_id: clerk.userId, station_id: here })
      : createHere()
  const toFields = ({ fields }: (typeof work)[number]) =>
    ('nextStationId' in fields ? { ...fields, nextStationId: there } : fields) as Fields

  it('share transactions; each has its own parcel, response and key', async () => {
    const scans = Array.from({ length: 25 }, (_, n) => work[n % work.length] as (typeof work)[number])
    const parcels: ParcelRow[] = []
    for (const each of scans) parcels.push(await createFor(each))
    const sendAll = () =>
      Promise.all(
        scans.map((each, n) => send(parcels[n]?.tracking_number ?? '', toFields(each), n, `group-${parcels[n]?.id}`)),
      )
    const answers = await sendAll()
    for (const [n, { status, body }] of answers.entries()) {
      const number = parcels[n]?.tracking_number
      expect([status, body.trackingNumber, body.event]).toEqual([200, number, scans[n]?.fields.event])
      expect(body.toStatus).toBe(scans[n]?.status)
    }
    expect(await countTransactions(parcels)).toBeLessThan(scans.length)
    // The same requests again, also together: each key has its own response.
    expect((await sendAll()).map(({ body }) => body)).toEqual(answers.map(({ body }) => body))
    const { body } = await test.call(recentScans, { token: clerk.token, query: { limit: 25 } })
    expect(body.items.map(({ id }) => id).sort()).toEqual(answers.map((answer) => answer.body.id).sort())
    const { rows: events } = await sql<{ count: number }>`
      select count(*)::int as count
      from tracking_events
      where parcel_id = any(${parcels.map(({ id }) => id)}::uuid[]) and actor_id = ${clerk.userId}::uuid
        and event in ('sorted', 'departed', 'out_for_delivery', 'attempt_failed', 'delivered')`.execute(test.deps.db)
    expect(events[0]?.count).toBe(25)
  })

  it('succeed although one of them is refused, one unknown, and one sent twice', async () => {
    const parcels: ParcelRow[] = []
    for (let n = 0; n < 8; n++) parcels.push(await createHere())
    const delivered = await createParcel(test, owner, { status: 'completed', holder: 'customer' })
    const numbers = parcels.map(({ tracking_number }) => tracking_number ?? '')
    const [first = ''] = numbers
    const [refused, unknown, ...answers] = await Promise.all([
      send(delivered.tracking_number ?? '', { event: 'sorted' }),
      send('WB000000000000', { event: 'sorted' }),
      ...[...numbers, first].map((number) => send(number, { event: 'sorted' })),
    ])
    expect([refused?.status, refused?.body.code]).toEqual([409, 'transition_forbidden'])
    expect(unknown?.status).toBeGreaterThanOrEqual(400)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.at(-1)?.body.id).toBe(answers[0]?.body.id)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(parcels.length)
  })

  it('do not wait for a parcel that is locked', async () => {
    const locked = await createHere()
    const others = [await createHere(), await createHere(), await createHere()]
    let late: ReturnType<typeof send> | undefined
    await test.deps.db.transaction().execute(async (trx) => {
      await sql`select 1 from parcels where id = ${locked.id}::uuid for update`.execute(trx)
      late = send(locked.tracking_number ?? '', { event: 'sorted' })
      const answers = await Promise.all(
        others.map(({ tracking_number }) => send(tracking_number ?? '', { event: 'sorted' })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    })
    expect((await late)?.status).toBe(200)
  })

  it('are logged with the address of their own request', async () => {
    const parcels: ParcelRow[] = []
    for (let n = 0; n < 6; n++)
      parcels.push(await createHere({ status: 'outbound', holder: 'carrier', next_station_id: there }))
    const answers = await Promise.all(
      parcels.map(({ tracking_number }, n) => send(tracking_number ?? '', { event: 'arrived' }, 100 + n)),
    )
    expect(answers.map(({ status, body }) => [status, body.rightStation?.id])).toEqual(parcels.map(() => [200, there]))
    for (const [n, { id }] of parcels.entries()) {
      const [entry] = await listActivities(test, { action: 'parcels.misrouted', subject: id })
      expect(entry?.ip).toBe(`10.20.30.${100 + n}`)
    }
  })
})
