import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { generateNotes } from '@waybill/contract/parcels/labels'
import { createParcel as createParcelCall, getParcel } from '@waybill/contract/parcels/parcels'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { checkoutParcels } from '../../../src/domains/parcels/service.ts'
import { lockParcels } from '../../../src/domains/parcels/transition.ts'
import { buildTestApp, fillPath, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { listServiceCentres, seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, parcelBody, testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { openPaper, scan } from '../../testing/paper.ts'
import { listening } from '../../testing/streams.ts'

describe('consignment notes', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
  })

  const print = (ids: string[], language = 'en', token = owner.token) =>
    test.call(generateNotes, { query: { ids: ids.join(',') }, token, language })

  it('are one PDF in the order of the ids, with codes that a scanner reads', async () => {
    const parcels = [
      await createParcel(test, owner, { status: 'pending_pickup' }),
      await createParcel(test, owner, { status: 'completed', receiver: testReceiver({ contactName: '王小明' }) }),
      await createParcel(test, owner, {
        status: 'outbound',
        delivery_mode: 'P2D',
        cod_amount_minor: 12_345,
        collection_mode: 'cod',
      }),
    ].reverse()
    const answer = await print(parcels.map(({ id }) => id))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    const { pages } = await openPaper(answer.raw)
    expect(pages).toHaveLength(3)
    for (const [n, page] of pages.entries()) {
      const number = parcels[n]?.tracking_number ?? ''
      expect(page.text).toContain(groupTrackingNumber(number))
      const codes = await scan(await page.raster(203))
      expect(codes.map(({ text }) => text)).toContain(number)
      expect(codes.map(({ text }) => text)).toContain(`http://portal.test/public/track-parcels?no=${number}`)
    }
    expect(pages[0]?.text).toContain('123.45')
    expect(pages[1]?.text).toContain('王小明')
    expect(pages[2]?.text).toContain(testParty().contactName)
  })

  it('name the station of the collection and its zone for the sorters, whatever the address', async () => {
    const kinabalu = (await listServiceCentres(test)).find(({ city }) => city === 'Kota Kinabalu')
    const columns = { delivery_mode: 'P2P', self_collection_station_id: kinabalu?.id ?? '' } as const
    const { id } = await createParcel(test, owner, { status: 'pending_dropoff', ...columns })
    const { pages } = await openPaper((await print([id])).raw)
    expect(pages[0]?.text).toContain('BKI-T11 SBH')
  })

  it('are printed a thousand at once over a real connection', async () => {
    const { id } = await createParcel(test, owner, { status: 'pending_pickup' })
    const address = await listening(test)
    const ids = Array.from({ length: 1000 }, () => id).join(',')
    const answer = await fetch(`${address}${fillPath(generateNotes, {}, { ids })}`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(answer.status).toBe(200)
    const { pages } = await openPaper(Buffer.from(await answer.arrayBuffer()))
    expect(pages).toHaveLength(1000)
  })

  it('are in the language of the user who prints them', async () => {
    const { id } = await createParcel(test, owner, { status: 'pending_pickup' })
    const english = (await openPaper((await print([id])).raw)).pages[0]?.text
    const chinese = (await openPaper((await print([id], 'zh')).raw)).pages[0]?.text
    expect(english).toContain('E-parcel')
    expect(chinese).toContain('电商包裹')
  })

  it('name both countries of an international parcel in English capitals', async () => {
    const receiver = testReceiver({ country: 'gb', postcode: 'SW1A 1AA', city: 'London', state: 'England' })
    const { id } = await createParcel(test, owner, { status: 'pending_pickup', scope: 'international', receiver })
    for (const language of ['en', 'zh']) {
      const text = (await openPaper((await print([id], language)).raw)).pages[0]?.text
      expect(text).toContain('UNITED KINGDOM')
      expect(text).toContain('MALAYSIA')
    }
  })

  it('leave out emoji instead of printing boxes', async () => {
    const receiver = testReceiver({ contactName: 'Ahmad 👨‍👩‍👧 Ismail', remarks: 'Leave it 🙏🏽 at the door' })
    const { id } = await createParcel(test, owner, { status: 'pending_pickup', receiver })
    const text = (await openPaper((await print([id])).raw)).pages[0]?.text
    expect(text).toContain('Ahmad Ismail')
    expect(text).toContain('Leave it at the door')
    expect(text).not.toContain('□')
  })

  it('show the destination station and zone of a priced parcel for sorting', async () => {
    const { body: cart } = await test.call(createParcelCall, {
      token: owner.token,
      body: parcelBody({ addToCart: true }),
    })
    const [shipment] = await tx(test.deps.db, async (trx) =>
      checkoutParcels(test.deps, trx, await lockParcels(trx, owner.accountId, [cart.id]), 'checkout_credit', {
        actorId: owner.userId,
      }),
    )
    expect(shipment?.tracking_number).toMatch(/^WB\d{11}$/)
    const { body } = await test.call(getParcel, { params: { id: cart.id }, token: owner.token })
    const { pages } = await openPaper((await print([cart.id])).raw)
    expect(pages[0]?.text).toContain(`PEN-T11 ${body.price?.destinationZone}`)
  })

  it('are refused for parcels without a note, naming them, and for parcels of other accounts', async () => {
    const parcel = await createParcel(test, owner, { status: 'pending_pickup' })
    const draft = await createParcel(test, owner)
    const cancelled = await createParcel(test, owner, { status: 'cancel' })
    for (const language of ['en', 'zh']) {
      const { status, error } = await print([parcel.id, draft.id, cancelled.id], language)
      expect([status, error.code]).toEqual([422, 'validation'])
      expect(error.details).toEqual({ ids: [draft.id, cancelled.id] })
      expect(error.errors?.[0]?.field).toBe('ids')
      expect(error.errors?.[0]?.message).not.toContain('validation.')
    }
    const stranger = await createCustomer(test)
    expect((await print([parcel.id], 'en', stranger.token)).status).toBe(404)
    expect((await print(['nonsense'])).status).toBe(422)
    expect((await test.call(generateNotes, { query: { ids: parcel.id } })).status).toBe(401)
  })
})
