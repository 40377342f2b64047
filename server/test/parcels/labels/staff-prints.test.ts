import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { createGunny } from '@waybill/contract/parcels/gunny'
import * as prints from '@waybill/contract/parcels/staff-prints'
import { bookPickup, cancelPickup } from '@waybill/contract/pickups/pickups'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, fillPath, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testPickup } from '../../testing/factories/orders.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { openPaper } from '../../testing/paper.ts'

describe('prints by station staff', () => {
  let test: TestApp
  let first: TestCustomer
  let second: TestCustomer
  let clerk: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    first = await createCustomer(test)
    second = await createCustomer(test)
    clerk = await createStaff(test)
  })

  const fetchPrint = (endpoint: EndpointShape, params: { id?: string }, query = {}, token = clerk.token) =>
    test.app.inject({
      method: 'GET',
      url: fillPath(endpoint, params, query),
      headers: { authorization: `Bearer ${token}` },
    })
  const countPages = async (answer: Awaited<ReturnType<typeof fetchPrint>>) => {
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
    const paper = await openPaper(answer.rawPayload)
    // Numbers are printed in groups.
    return paper.pages.map(({ text }) => text.replaceAll(' ', ''))
  }

  it('contain notes of several customers in the order of the ids, and are recorded in the activity log', async () => {
    const parcels = [
      await createParcel(test, first, { status: 'inbound', reference: 'FIRST-1' }),
      await createParcel(test, second, { status: 'pending_dropoff', delivery_mode: 'P2D', reference: 'SECOND-1' }),
    ]
    const ids = parcels.map(({ id }) => id)
    const pages = await countPages(await fetchPrint(prints.staffNotes, {}, { ids: ids.join(',') }))
    expect(pages.map((text) => /(FIRST|SECOND)-1/.exec(text)?.[0])).toEqual(['FIRST-1', 'SECOND-1'])
    const log = await listActivities(test, { action: 'parcels.printed' })
    const entries = parcels.map(({ id, account_id }) => ({ subject: id, account_id, user_id: clerk.userId }))
    expect(log).toMatchObject(entries)
  })

  it('count towards an hourly limit before they are drawn, and are refused above it', async () => {
    const who = await createStaff(test)
    const ids = [
      (await createParcel(test, first, { status: 'inbound' })).id,
      (await createParcel(test, second, { status: 'inbound' })).id,
    ].join(',')
    const print = (format: string) => fetchPrint(prints.staffNotes, {}, { ids, format }, who.token)
    const getCounter = () =>
      test.deps.db.selectFrom('rate_limits').select('count').where('key', '=', `print user ${who.userId}`).execute()
    expect((await print('a6')).statusCode).toBe(200)
    expect((await print('zpl')).statusCode).toBe(200)
    expect(await getCounter()).toEqual([{ count: 8 }])
    await test.deps.db
      .updateTable('rate_limits')
      .set({ count: 29_999 })
      .where('key', '=', `print user ${who.userId}`)
      .execute()
    const refused = await print('a6')
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'print_quota'])
    expect(await getCounter()).toEqual([{ count: 29_999 }])
  })

  it('contain notes in ZPL for label printers', async () => {
    const { id } = await createParcel(test, first, { status: 'inbound' })
    const answer = await fetchPrint(prints.staffNotes, {}, { ids: id, format: 'zpl' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toMatch(/^\^XA/)
    expect(answer.headers['content-disposition']).toContain('consignment-notes.zpl')
  })

  it('contain a customs declaration', async () => {
    const customs = {
      reason: 'gift',
      items: [
        { description: 'Batik scarf', quantity: 1, netWeightGrams: 200, unitValueMinor: 5000, originCountry: 'my' },
      ],
    }
    const { id } = await createParcel(test, first, {
      scope: 'international',
      carrier: 'dhl',
      status: 'inbound',
      receiver: testReceiver({ country: 'sg', city: 'Singapore', postcode: '079903' }),
      customs: JSON.stringify(customs) as never,
    })
    const [page] = await countPages(await fetchPrint(prints.staffCustomsDocument, { id }))
    expect(page).toContain('Batikscarf')
    const domestic = await createParcel(test, first, { status: 'inbound' })
    expect((await fetchPrint(prints.staffCustomsDocument, { id: domestic.id })).statusCode).toBe(422)
  })

  it('contain the label and the manifest of a gunny', async () => {
    const parcel = await createParcel(test, second, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const numbers = [parcel.tracking_number ?? '']
    const { body } = await test.call(createGunny, { token: second.token, body: { numbers } })
    const [label] = await countPages(await fetchPrint(prints.staffGunnyLabel, { id: body.id }))
    expect(label).toContain(body.number)
    const [manifest] = await countPages(await fetchPrint(prints.staffGunnyManifest, { id: body.id }))
    expect(manifest).toContain(parcel.tracking_number)
  })

  it('contain the list of a pickup', async () => {
    const parcel = await createParcel(test, second, { status: 'pending_pickup' })
    const pickup = await testPickup(test)
    const remarks = 'Loading bay behind the building, ring twice. '.repeat(4).trim()
    const booked = await test.call(bookPickup, {
      token: second.token,
      body: { ...pickup, address: { ...pickup.address, remarks }, parcelIds: [parcel.id] },
    })
    expect(booked.status).toBe(200)
    const [list] = await countPages(await fetchPrint(prints.staffPickupList, { id: booked.body.id }))
    expect(list).toContain(parcel.tracking_number)
    expect(list?.replaceAll('\n', '')).toContain(remarks.replaceAll(' ', ''))
  })

  it('contain the list of a pickup only for its station and its rider, until it is cancelled', async () => {
    const parcel = await createParcel(test, second, { status: 'pending_pickup' })
    const { body } = await test.call(bookPickup, {
      token: second.token,
      body: { ...testPickup(test), parcelIds: [parcel.id] },
    })
    const { id, version } = body
    const { db } = test.deps
    const pickup = await db.selectFrom('pickup_requests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const elsewhere = await db
      .selectFrom('stations')
      .select('id')
      .where('id', '<>', pickup.station_id ?? '')
      .executeTakeFirstOrThrow()
    const [own, far] = await Promise.all([
      createStaff(test, { stationId: pickup.station_id }),
      createStaff(test, { stationId: elsewhere.id }),
    ])
    const printAs = async ({ token }: TestStaff) => {
      const answer = await fetchPrint(prints.staffPickupList, { id }, {}, token)
      return answer.statusCode === 200 ? 200 : [answer.statusCode, answer.json().code]
    }
    expect([await printAs(own), await printAs(clerk)]).toEqual([200, 200])
    expect(await printAs(far)).toEqual([403, 'task_other_station'])
    // A rider keeps a task after a move to another station.
    await db.updateTable('pickup_requests').set({ rider_id: far.userId }).where('id', '=', id).execute()
    expect(await printAs(far)).toBe(200)
    await test.call(cancelPickup, { token: second.token, params: { id }, body: { version } })
    expect(await printAs(own)).toEqual([404, 'not_found'])
  })

  it('are refused for unknown records and for customers', async () => {
    const { id } = await createParcel(test, first, { status: 'inbound' })
    for (const endpoint of [prints.staffCustomsDocument, prints.staffCarrierLabel, prints.staffGunnyLabel]) {
      expect((await fetchPrint(endpoint, { id: newId() })).statusCode).toBe(404)
    }
    expect((await fetchPrint(prints.staffNotes, {}, { ids: `${id},${newId()}` })).statusCode).toBe(404)
    expect((await fetchPrint(prints.staffCarrierLabel, { id })).statusCode).toBe(404)
    expect((await fetchPrint(prints.staffNotes, {}, { ids: id }, first.token)).statusCode).toBe(403)
  })
})
