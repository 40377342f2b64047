import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { declareLost, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { countStock, listStock, listStockNumbers, stockCountLimit } from '@waybill/contract/parcels/stock'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { days, minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, labelByCarrier } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

describe('a count of the stock', () => {
  let test: TestApp
  let owner: TestCustomer
  let clerk: TestStaff
  let here: string
  let there: string
  beforeEach(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ here, there, counter: clerk } = await findCounter(test))
    owner = await createPayer(test)
  })

  const begin = async () => (await test.call(listStockNumbers, { token: clerk.token })).body
  const send = (body: BodyIn<typeof countStock>, { token, key }: { token?: string; key?: string } = {}) =>
    test.call(countStock, {
      token: token ?? clerk.token,
      body,
      headers: key ? { 'idempotency-key': key } : {},
    })
  const listMissing = async () => {
    const { items, counts, lastCount } = (await test.call(listStock, { token: clerk.token, query: { tab: 'missing' } }))
      .body
    expect(counts.missing).toBe(items.length)
    return { numbers: items.map(({ trackingNumber }) => trackingNumber), lastCount }
  }
  const pass = () => test.clock.advance(minutes(2))

  it('names what is missing, what is on record elsewhere, and what nobody knows', async () => {
    const [parcel, lost] = [await handedOver(test, owner, clerk), await handedOver(test, owner, clerk)]
    const colleague = await createStaff(test, { stationId: there })
    const elsewhere = await handedOver(test, owner, colleague)
    pass()
    const { at, numbers } = await begin()
    expect(numbers).toEqual([parcel.number, lost.number])
    const scans = [` ${parcel.number.toLowerCase()} `, elsewhere.number, 'WB00000000000', elsewhere.number]
    const result = (await send({ startedAt: at, numbers: scans })).body
    expect(result).toMatchObject({
      expected: 2,
      found: 1,
      missing: [lost.number],
      extra: [{ trackingNumber: elsewhere.number, custody: { holder: 'station', station: { id: there } } }],
      unknown: ['WB00000000000'],
    })
    expect(await listMissing()).toMatchObject({ numbers: [lost.number], lastCount: { expected: 2, found: 1 } })
    // It has been found, and moves on.
    pass()
    await scanned(test, clerk, lost.number, 'sorted')
    expect((await listMissing()).numbers).toEqual([])
  })

  it('finds what its own riders have brought back after a failed attempt', async () => {
    const colleague = await createStaff(test, { stationId: there })
    const [back, onTheWay] = [await handedOver(test, owner, clerk), await handedOver(test, owner, clerk)]
    const elsewhere = await handedOver(test, owner, colleague)
    for (const [who, parcel] of [
      [clerk, back],
      [clerk, onTheWay],
      [colleague, elsewhere],
    ] as const) {
      await scanned(test, who, parcel.number, 'out_for_delivery')
      test.clock.advance(minutes(1))
      await scanned(test, who, parcel.number, 'attempt_failed', { failureReason: 'not_home' })
    }
    pass()
    const { at, numbers, broughtBack } = await begin()
    // They may still be on a van, so none of them is expected.
    expect([numbers, broughtBack]).toEqual([[], [back.number, onTheWay.number]])
    expect((await send({ startedAt: at, numbers: [back.number, elsewhere.number] })).body).toMatchObject({
      expected: 0,
      missing: [],
      broughtBack: [back.number],
      extra: [{ trackingNumber: elsewhere.number, custody: { holder: 'rider' } }],
    })
  })

  it('says of a parcel that was declared lost what it is, because nobody has it on record', async () => {
    const { id, number } = await handedOver(test, owner, clerk)
    const { token } = await createStaff(test, { role: 'admin', stationId: here })
    const { version } = (await test.call(staffParcelByNumber, { token, params: { no: number } })).body
    const declared = await test.call(declareLost, { token, params: { id }, body: { version, note: 'We searched' } })
    expect(declared.status).toBe(200)
    pass()
    const { at, numbers } = await begin()
    expect(numbers).toEqual([])
    const { extra } = (await send({ startedAt: at, numbers: [number] })).body
    expect(extra).toEqual([expect.objectContaining({ trackingNumber: number, status: 'lost', leg: 'outbound' })])
  })

  it('finds a parcel by the label of its carrier', async () => {
    const [parcel, lost] = [await handedOver(test, owner, clerk), await handedOver(test, owner, clerk)]
    const elsewhere = await handedOver(test, owner, await createStaff(test, { stationId: there }))
    const [dhl, yunda, unknown] = ['1234567891', '3100000000001', '3100000000002'] as const
    await labelByCarrier(test, owner, parcel, 'dhl', dhl)
    await labelByCarrier(test, owner, elsewhere, 'yunda', yunda)
    pass()
    const { at, ownNumbers } = await begin()
    expect(ownNumbers).toEqual({ [dhl]: parcel.number })
    // The labels of one parcel are not two parcels.
    const scans = ['1234 5678 91', parcel.number, yunda, unknown]
    expect((await send({ startedAt: at, numbers: scans })).body).toMatchObject({
      found: 1,
      missing: [lost.number],
      extra: [{ trackingNumber: elsewhere.number }],
      unknown: [unknown],
    })
  })

  it('does not begin with more parcels than it can end with', async () => {
    const { id } = await createParcel(test, owner, { status: 'inbound', holder: 'station', station_id: here })
    await sql`
      insert into parcels (account_id, id, created_by, tracking_number, scope, currency, status, holder, station_id,
        last_event_at)
      select p.account_id, gen_random_uuid(), p.created_by, 'WB' || lpad(n::text, 11, '0'), p.scope, p.currency,
        p.status, p.holder, p.station_id, p.last_event_at
      from parcels p, generate_series(1, ${stockCountLimit}::int) n
      where p.id = ${id}::uuid`.execute(test.deps.db)
    const refused = await test.call(listStockNumbers, { token: clerk.token })
    expect([refused.status, refused.error.code]).toEqual([409, 'stock_count_too_large'])
    expect(refused.error.message).toContain(String(stockCountLimit))

    await test.deps.db.updateTable('parcels').set({ station_id: there }).where('id', '=', id).execute()
    const { at, numbers } = await begin()
    const answer = await send({ startedAt: at, numbers: [...numbers, 'WB99999999999'] })
    expect(answer.body).toMatchObject({ found: stockCountLimit, missing: [], unknown: ['WB99999999999'] })
  })

  it('is replaced by the next one', async () => {
    const { number } = await handedOver(test, owner, clerk)
    pass()
    await send({ startedAt: (await begin()).at, numbers: [] })
    expect((await listMissing()).numbers).toEqual([number])
    pass()
    const second = await send({ startedAt: (await begin()).at, numbers: [number] })
    expect(second.body).toMatchObject({ found: 1, missing: [] })
    expect((await listMissing()).numbers).toEqual([])
  })

  it('leaves out parcels that move while it goes on', async () => {
    const leaves = await handedOver(test, owner, clerk)
    pass()
    const { at } = await begin()
    pass()
    await scanned(test, clerk, leaves.number, 'departed', { nextStationId: there })
    const arrives = await handedOver(test, owner, clerk)
    const result = (await send({ startedAt: at, numbers: [leaves.number] })).body
    expect(result).toMatchObject({ expected: 0, missing: [], extra: [], unknown: [] })
    expect((await send({ startedAt: at, numbers: [arrives.number] })).body).toMatchObject({ extra: [], missing: [] })
  })

  it('is stored once for a repeated key, and only for a start within a day', async () => {
    const { at } = await begin()
    const answers = [1, 2].map(() => send({ startedAt: at, numbers: [] }, { key: 'count-once' }))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
    const rows = await test.deps.db.selectFrom('stock_counts').selectAll().execute()
    expect(rows).toHaveLength(1)
    const future = new Date(test.clock.now().getTime() + minutes(1)).toISOString()
    const past = new Date(test.clock.now().getTime() - days(1) - 1).toISOString()
    for (const startedAt of [future, past])
      expect((await send({ startedAt, numbers: [] })).error.code).toBe('stock_count_too_old')
  })

  it('is made by staff of the station', async () => {
    const { at } = await begin()
    const other = await createStaff(test, { stationId: there })
    const { station_id: stationId } = await test.deps.db
      .selectFrom('users')
      .select('station_id')
      .where('id', '=', clerk.userId)
      .executeTakeFirstOrThrow()
    const body = { startedAt: at, numbers: [], stationId: stationId ?? '' }
    expect((await send(body, { token: other.token })).error.code).toBe('task_other_station')
    expect((await send(body, { token: owner.token })).status).toBe(403)
  })
})
