import { trackingPlaces } from '@waybill/contract/tracking/places'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTrackingNumber } from '../../src/domains/parcels/tracking-number.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { delivered, findCounter, scanned } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel, testReceiver } from '../testing/factories/parcels.ts'

describe('the places of a journey', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createCustomer(test)
  })
  const read = (no: string) => test.call(trackingPlaces, { query: { no } })

  it('are towns in the order of the journey, with the destination until it is reached', async () => {
    const { here, there, counter } = await findCounter(test)
    const parcel = await createParcel(test, customer, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const no = parcel.tracking_number ?? ''
    const listPlaces = async () => (await read(no)).body.places.map(({ name, at }) => [name, at !== null])
    expect((await listPlaces()).at(-1)).toEqual(['George Town', false])
    await scanned(test, counter, no, 'accepted', { stationId: here })
    const stations = await test.deps.db.selectFrom('stations').select(['id', 'city']).execute()
    const [from, to] = [here, there].map((id) => stations.find((each) => each.id === id)?.city)
    expect((await listPlaces()).slice(-2)).toEqual([
      [from, true],
      ['George Town', false],
    ])
    await delivered(test, counter, no)
    expect((await listPlaces()).at(-1)).toEqual(['George Town', true])
    expect((await listPlaces()).map(([name]) => name)).not.toContain(to)
    const { body } = await read(no)
    for (const { position } of body.places) expect(position?.latitude).toBeGreaterThan(0.8)
    expect(body.timezone).toBe('Asia/Kuala_Lumpur')
  })

  it('are not more precise than a town: two addresses in it have the same position', async () => {
    const position = async (postcode: string) => {
      const receiver = testReceiver({ postcode, city: 'Kuala Lumpur', state: 'Kuala Lumpur' })
      const { tracking_number } = await createParcel(test, customer, { status: 'delivering', receiver })
      return (await read(tracking_number ?? '')).body.places.at(-1)?.position
    }
    expect(await position('50480')).not.toBeNull()
    expect(await position('50480')).toEqual(await position('58100'))
  })

  it('have no position if the town is unknown', async () => {
    const receiver = testReceiver({ city: 'Nowhere at all' })
    const { tracking_number } = await createParcel(test, customer, { status: 'sorting', receiver })
    expect((await read(tracking_number ?? '')).body.places.at(-1)).toEqual({
      name: 'Nowhere at all',
      at: null,
      position: null,
    })
  })

  it('include the map tile source from the settings, and reveal no more than public tracking', async () => {
    const { tracking_number } = await createParcel(test, customer, { status: 'completed' })
    const no = tracking_number ?? ''
    expect((await read(no)).body.tiles).toBeNull()
    const names = (await read(no)).body.places.map(({ name }) => name)
    const { body } = await test.call(publicTrackGet, { query: { no } })
    const publicNames = body.found.flatMap(({ events, destinationCity }) => [
      destinationCity,
      ...events.map(({ place }) => place),
    ])
    expect(names.filter((name) => !publicNames.includes(name))).toEqual([])
    const unknown = await read(makeTrackingNumber('WB', 6_543_210_987))
    expect([unknown.status, unknown.error.code]).toEqual([404, 'parcel_unknown'])
    expect((await read('nonsense')).status).toBe(404)
  })
})
