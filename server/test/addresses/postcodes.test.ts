import { getAvailablePostcode, getPostcode } from '@waybill/contract/addresses/addresses'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

describe('the details of a postcode', () => {
  it('contain its state and cities', async () => {
    const { body } = await test.call(getPostcode, { body: { postcode: '53300' } })
    expect(body).toEqual({
      postcode: '53300',
      country: 'my',
      state: 'Kuala Lumpur',
      cities: ['Setapak'],
    })
    const sharedPostcode = await test.call(getPostcode, { body: { postcode: '86800' } })
    expect(sharedPostcode.body.cities.sort()).toEqual(['Mersing', 'Tioman'])
  })

  it('name a city and a state that contradict it, while the form is still open', async () => {
    const compare = async (body: { postcode: string; city: string; state: string; country?: string }) =>
      (await test.call(getPostcode, { body })).body.contradictions
    expect(await compare({ postcode: '53300', city: 'Setapak', state: 'WP Kuala Lumpur' })).toEqual([])
    expect(await compare({ postcode: '53300', city: 'Setapak', state: 'Johor' })).toEqual([
      { field: 'state', message: '53300 is in Kuala Lumpur.' },
    ])
    expect(await compare({ postcode: '53300', city: 'Mersing', state: 'Kuala Lumpur' })).toEqual([
      { field: 'city', message: '53300 is not in this city. It belongs to Setapak.' },
    ])
    expect(await compare({ postcode: '238801', city: 'Mersing', state: '', country: 'sg' })).toEqual([])
  })

  it('are refused for an unknown postcode, and empty for other countries', async () => {
    const { status, error } = await test.call(getPostcode, { body: { postcode: '99999' } })
    expect([status, error.code]).toEqual([422, 'postcode_unknown'])
    const { body } = await test.call(getPostcode, { body: { postcode: '238801', country: 'sg' } })
    expect(body).toMatchObject({ state: '', cities: [] })
  })
})

describe('the availability of a postcode', () => {
  const ask = async (body: Parameters<typeof test.call<typeof getAvailablePostcode>>[1]) =>
    (await test.call(getAvailablePostcode, body)).body

  it('names the station, its cut-off time and the remote area surcharge', async () => {
    expect(await ask({ body: { postcode: '96800' } })).toMatchObject({
      covered: true,
      station: { code: 'SBW-T11' },
      cutOffTime: '15:00',
      remoteSurchargeMinor: 1_200,
      currency: 'MYR',
    })
    expect((await ask({ body: { postcode: '50480' } })).remoteSurchargeMinor).toBe(0)
  })

  it('names the services of the requested type and delivery mode', async () => {
    const all = await ask({ body: { postcode: '41000', serviceType: 'semi_express' } })
    expect(all.serviceCodes).toEqual(['semi_express.delivery', 'semi_express.pickup', 'semi_express.drop_off'])
    const toPoint = await ask({ body: { postcode: '41000', serviceType: 'e_parcel', deliveryMode: 'D2P' } })
    expect(toPoint.serviceCodes).toEqual(['e_parcel.pickup', 'e_parcel.self_collection'])
  })

  it('reports no coverage where no carrier delivers', async () => {
    expect(await ask({ body: { postcode: '238801', country: 'sg' } })).toMatchObject({
      covered: false,
      station: null,
      cutOffTime: null,
      serviceCodes: [],
    })
  })

  it('reflects a change of the stations at once, in every process', async () => {
    const { db, live } = test.deps
    expect((await ask({ body: { postcode: '87000' } })).station?.code).toBe('LBU-T21')
    const change = new Promise<void>((resolve) => live.subscribe('zones', () => resolve()))
    await db.updateTable('stations').set({ active: false }).where('code', '=', 'LBU-T21').execute()
    await live.publish(db, 'zones', {})
    await change
    expect((await ask({ body: { postcode: '87000' } })).station?.code).toBe('BKI-T11')
  })
})
