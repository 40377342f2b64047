import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { exportParcels, listParcels } from '@waybill/contract/parcels/list'
import { getParcelByNumber, getParcels, trackParcels } from '@waybill/contract/parcels/parcels'
import { scan, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'

type Row = Awaited<ReturnType<typeof createParcel>>

describe('finding parcels', () => {
  let test: TestApp
  let owner: TestCustomer
  let member: TestCustomer
  let near: Row
  let abroad: Row
  let draft: Row
  let due: Row
  const batchId = newId()
  const orderId = newId()
  const carrierNumber = '1234567890128'
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test, { userType: 'corporate' })
    member = await createMember(test, owner, ['parcels.create'])
    near = await createParcel(test, owner, {
      status: 'pending_dropoff',
      delivery_mode: 'P2D',
      payment_method: 'store',
      order_id: orderId,
      cod_amount_minor: 5900,
      receiver: testReceiver({ contactName: 'Victoria Lim', city: 'Ipoh', state: 'Perak', postcode: '30000' }),
    })
    abroad = await createParcel(test, member, {
      status: 'outbound',
      scope: 'international',
      carrier: 'yunda',
      reference: 'PO-77',
      payment_method: 'express_credit',
      receiver: testReceiver({
        contactName: '王小明',
        phone: '+8613812345678',
        city: 'Shenzhen',
        state: 'Guangdong',
        postcode: '518000',
        country: 'cn',
      }),
    })
    await sql`insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, state, carrier_number)
      values (${owner.accountId}::uuid, ${abroad.id}::uuid, 'yunda', ${abroad.tracking_number}, 'booked',
        ${carrierNumber})`.execute(test.deps.db)
    draft = await createParcel(test, owner, { service_type: 'document', batch_id: batchId, receiver: null })
    due = await createParcel(test, owner, { status: 'outstanding', delivery_mode: 'P2P', amount_due_minor: 943 })
  })

  const listIds = async (query: QueryIn<typeof listParcels>, { token } = owner) => {
    const { status, body } = await test.call(listParcels, { token, query })
    expect(status).toBe(200)
    expect(body.total).toBe(body.items.length)
    return body.items.map(({ id }) => id)
  }
  const ids = (...rows: Row[]) => rows.map(({ id }) => id).sort()

  it('filters by every field, alone and combined', async () => {
    const each: [QueryIn<typeof listParcels>, Row[]][] = [
      [{ scope: 'international' }, [abroad]],
      [{ scope: 'domestic', carrier: 'own' }, [near, draft, due]],
      [{ carrier: 'yunda' }, [abroad]],
      [{ carrier: 'dhl' }, []],
      [{ serviceType: 'document' }, [draft]],
      [{ deliveryMode: 'P2D' }, [near]],
      [{ paymentMethod: 'store' }, [near]],
      [{ paymentMethod: 'ec' }, [abroad]],
      [{ paymentMethod: 'mb' }, []],
      [{ orderId }, [near]],
      [{ batchId }, [draft]],
      [{ withCod: 'true' }, [near]],
      [{ unpaid: 'true' }, [due]],
      [{ unpaid: 'true', tab: 'moving' }, []],
      [{ city: 'ipoh' }, [near]],
      [{ state: 'PERAK' }, [near]],
      [{ postcode: '300' }, [near]],
      [{ postcode: '3%' }, []],
      [{ createdBy: member.userId }, [abroad]],
      [{ carrier: 'yunda', tab: 'moving', paymentMethod: 'express_credit', sort: '+receiverName' }, [abroad]],
      [{ city: 'Ipoh', status: 'completed' }, []],
      [{ serviceType: 'e_parcel', tab: 'to_hand_over', sort: '-updatedAt' }, [near]],
    ]
    for (const [query, rows] of each)
      expect({ query, ids: (await listIds(query)).sort() }).toEqual({ query, ids: ids(...rows) })
    // No filter shows further parcels to a member who sees only their own.
    expect(await listIds({ createdBy: owner.userId }, member)).toEqual([abroad.id])
    for (const wrong of [{ carrier: 'ups' }, { withCod: 'perhaps' }, { batchId: 'x' }, { createdBy: 'me' }]) {
      const answer = await test.call(listParcels, { token: owner.token, query: wrong as never })
      expect([answer.status, answer.error.errors?.map(({ field }) => field)]).toEqual([422, Object.keys(wrong)])
    }
  })

  it('searches by number, carrier’s number, end of either, phone, reference, name and place', async () => {
    const no = near.tracking_number ?? ''
    const typed: [string, Row[]][] = [
      [no.toLowerCase(), [near]],
      [no.slice(0, 8), [near]],
      [no.slice(-6), [near]],
      [carrierNumber, [abroad]],
      ['1234 5678 90128', [abroad]],
      ['po-77', [abroad]],
      ['victoria', [near]],
      ['Lim', [near]],
      ['小明', [abroad]],
      ['+86 138-1234-5678', [abroad]],
      ['1381234', [abroad]],
      ['019-876 5432', [near, due]],
      ['30000', [near]],
      ['IPOH', [near]],
      ['shenzhen', [abroad]],
      ['nobody at all', []],
      ['%', []],
    ]
    for (const [search, rows] of typed)
      expect({ search, ids: (await listIds({ search })).sort() }).toEqual({ search, ids: ids(...rows) })
    const stranger = await createCustomer(test)
    for (const search of [no, no.slice(-6), carrierNumber, 'victoria', 'ipoh', '30000'])
      expect(await listIds({ search }, stranger)).toEqual([])
  })

  it('finds an edited parcel by its new content, and a removed one no longer', async () => {
    const row = await createParcel(test, owner, { receiver: testReceiver({ contactName: 'Quentin Before' }) })
    expect(await listIds({ search: 'quentin before' })).toEqual([row.id])
    const receiver = JSON.stringify(testReceiver({ contactName: 'Quentin After', city: 'Muar' }))
    await sql`update parcels set receiver = ${receiver}::jsonb where id = ${row.id}::uuid`.execute(test.deps.db)
    expect(await listIds({ search: 'quentin before' })).toEqual([])
    expect(await listIds({ search: 'quentin after', city: 'muar' })).toEqual([row.id])
    await sql`delete from parcels where id = ${row.id}::uuid`.execute(test.deps.db)
    expect(await listIds({ search: 'quentin' })).toEqual([])
    const { rows } = await sql`select from parcel_search where id = ${row.id}::uuid`.execute(test.deps.db)
    expect(rows).toEqual([])
  })

  const sheet = async (query: QueryIn<typeof exportParcels>, { token } = owner, language = 'en') => {
    const answer = await test.call(exportParcels, { token, query, language })
    expect(answer.status).toBe(200)
    const rows: unknown[][] = []
    for await (const { cells } of readSheet(answer.raw, { rows: 100_000, bytes: 100_000_000, ratio: 1_000 }))
      rows.push([...cells])
    return { rows, headers: answer.headers }
  }

  it('exports the filtered parcels as a spreadsheet', async () => {
    const { rows, headers } = await sheet({ carrier: 'yunda' })
    expect(headers['content-disposition']).toMatch(/^attachment; filename="parcels-\d{4}-\d{2}-\d{2}\.xlsx"$/)
    expect(rows).toHaveLength(2)
    expect(rows[1]).toEqual(
      expect.arrayContaining([abroad.tracking_number, 'PO-77', 'International', 'Yunda', '王小明', 'Shenzhen', 1.2]),
    )
    expect((await sheet({ search: 'victoria', format: 'csv' }, owner, 'zh')).rows[0]).toContain('状态')
    expect((await sheet({ status: 'completed', tab: 'moving' })).rows).toHaveLength(1)
    expect((await sheet({}, member)).rows.slice(1).map(([number]) => number)).toEqual([abroad.tracking_number])
  })

  it('exports every parcel of a long list, even those with the same timestamp', async () => {
    const other = await createCustomer(test)
    await sql`insert into parcels (account_id, id, created_by, reference, scope, currency, status, created_at)
      select ${other.accountId}::uuid, gen_random_uuid(), ${other.userId}::uuid, 'R' || n, 'domestic', 'MYR', 'pending',
        '2026-01-01'::timestamptz + (n / 300) * interval '1 microsecond' from generate_series(1, 1300) n`.execute(
      test.deps.db,
    )
    for (const query of [{ format: 'csv' }, { format: 'csv', scope: 'domestic' }] as const) {
      const { rows } = await sheet(query, other)
      expect(new Set(rows.slice(1).map(([, reference]) => reference)).size).toBe(1300)
    }
  })

  it('tracks own parcels by any number, each once, but no misspelt or foreign ones, and limits the count', async () => {
    const no = near.tracking_number ?? ''
    const slip = `${no.slice(0, -1)}${(Number(no.at(-1)) + 1) % 10}`
    const others = await createParcel(test, await createCustomer(test), { status: 'sorting' })
    const track = (numbers: string[]) => test.call(trackParcels, { token: owner.token, body: { numbers } })
    const { body } = await track([
      carrierNumber,
      no,
      no.toLowerCase(),
      abroad.tracking_number ?? '',
      slip,
      others.tracking_number ?? '',
      'hello',
    ])
    expect(body.items.map(({ id }) => id)).toEqual([abroad.id, near.id])
    expect(body.notFound).toEqual([slip, others.tracking_number, 'HELLO'])
    const many = await track(Array.from({ length: 201 }, (_, n) => `WB${n}`))
    expect([many.status, many.error.errors?.[0]?.field]).toEqual([422, 'numbers'])
    const none = await track([])
    expect([none.status, none.error.errors?.[0]?.field]).toEqual([422, 'numbers'])
    const byCarrier = await test.call(getParcelByNumber, { token: owner.token, params: { no: carrierNumber } })
    expect(byCarrier.body.id).toBe(abroad.id)
  })

  it('returns several by id, up to 200 and only own ones', async () => {
    const get = (ids: string[]) => test.call(getParcels, { token: owner.token, params: { ids: ids.join(',') } })
    expect((await get([near.id, near.id])).body.items.map(({ id }) => id)).toEqual([near.id, near.id])
    expect((await get([near.id, newId()])).status).toBe(404)
    const many = await get(Array.from({ length: 201 }, () => newId()))
    expect([many.status, many.error.errors?.[0]?.field]).toEqual([422, 'ids'])
  })

  it('finds a parcel for staff by its carrier’s number', async () => {
    const staff = await createStaff(test)
    const answer = await test.call(staffParcelByNumber, { token: staff.token, params: { no: carrierNumber } })
    expect([answer.status, answer.body.id]).toEqual([200, abroad.id])
    // A scan finds the parcel too: only the transition is refused.
    const refused = await test.call(scan, {
      token: staff.token,
      body: { trackingNumber: carrierNumber, event: 'accepted' },
    })
    expect([refused.status, refused.error.code]).toEqual([409, 'transition_forbidden'])
  })
})
