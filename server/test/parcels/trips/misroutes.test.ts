import { bagByNumber, fillBag, sealBag } from '@waybill/contract/parcels/transport/bags'
import { updateTrip } from '@waybill/contract/parcels/transport/trips'
import { beforeAll, describe, expect, it } from 'vitest'
import { findMisroute } from '../../../src/domains/parcels/bags/rules.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { getNumbers } from '../../testing/factories/gunnies.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { buildTripCalls, createAtStation, fillNewBag, loadNewTrip } from '../../testing/factories/trips.ts'

describe('the rule of misroutes', () => {
  const hub = { id: 'hub', type: 'warehouse' } as const
  const one = { id: 'one', type: 'service_center_t1' } as const
  const two = { id: 'two', type: 'service_center_t1' } as const
  const small = { id: 'small', type: 'service_center_t2' } as const
  const partner = { id: 'partner', type: 'service_center_3rd_party' } as const

  it.each([
    ['to its last station', [two], hub, two, null],
    ['to one of its last stations', [one, two], hub, two, null],
    ['to nowhere that is known', [], hub, two, null],
    ['through a hub', [two], one, hub, null],
    ['from hub to hub', [two], hub, { ...hub, id: 'other' }, null],
    ['from a hub to another centre', [two], hub, one, 'elsewhere'],
    ['from centre to centre', [small], one, small, null],
    ['from a small centre up to a larger one', [two], small, one, null],
    ['to a larger centre that supplies the smaller one', [small], hub, one, null],
    ['to a smaller centre', [two], hub, small, 'elsewhere'],
    ['from a partner point up', [two], partner, small, null],
    ['away from its last station', [one], one, two, 'ends_here'],
    ['away from one of its last stations', [one, two], two, small, 'ends_here'],
    ['from its last station to a hub', [one], one, hub, 'ends_here'],
  ] as const)('%s', (_, ends, from, to, reason) => {
    expect(findMisroute(ends, from, to)).toBe(reason)
  })
})

describe('a parcel or a bag that is probably misrouted', () => {
  let test: TestApp
  let owner: TestCustomer
  let clerk: TestStaff
  let hub: string
  let right: { id: string; name: string; postcode: string }
  let wrong: { id: string; name: string }
  let calls: ReturnType<typeof buildTripCalls>
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    const stations = await test.deps.db.selectFrom('stations').selectAll().orderBy('code').execute()
    const ranges = await test.deps.db.selectFrom('station_coverage').selectAll().execute()
    const centres = stations.filter(({ type }) => type === 'service_center_t1')
    const warehouse = stations.find(({ type }) => type === 'warehouse')
    const served = centres.find(({ id }) => ranges.some(({ station_id }) => station_id === id))
    const other = centres.find(({ id }) => id !== served?.id)
    if (!warehouse || !served || !other) throw new Error('the test network has no hub or too few centres')
    const range = ranges.find(({ station_id }) => station_id === served.id)
    hub = warehouse.id
    right = { id: served.id, name: served.name, postcode: range?.postcode_from ?? '' }
    wrong = { id: other.id, name: other.name }
    clerk = await createStaff(test, { stationId: hub })
    calls = buildTripCalls(test, { sender: clerk, receiver: clerk, there: wrong.id })
  })

  const receiver = () => ({ contactName: 'Lim Mei', postcode: right.postcode, city: 'Ipoh', country: 'my' })
  const createNumbers = async (count: number) =>
    getNumbers(await createAtStation(test, owner, hub, count, { delivery_mode: 'P2D', receiver: receiver() as never }))
  const warning = () => ({ reason: 'elsewhere', station: right.name })

  it('is loaded, with a warning that stays on the trip until another destination is chosen', async () => {
    const [number = '', bagged = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, clerk, right.id, [bagged], 'W-1')
    const trip = await loadNewTrip(test, clerk, wrong.id, [])
    for (const code of [number, bag.number]) {
      const answer = await calls.load(trip.id, code)
      expect(answer.body).toMatchObject({ changed: true, load: { misroute: warning() } })
      // A second scan warns again.
      expect((await calls.load(trip.id, code)).body).toMatchObject({ changed: false, load: { misroute: warning() } })
    }
    const loaded = await calls.read(trip.id)
    expect(loaded.loads.map(({ misroute }) => misroute)).toEqual([warning(), warning()])
    const body = { version: loaded.version, toStationId: right.id, vehicle: 'VAA 1', driverName: 'Ravi' }
    const changed = await test.call(updateTrip, { token: clerk.token, params: { id: trip.id }, body })
    expect(changed.body.loads.map(({ misroute }) => misroute)).toEqual([null, null])
    const departed = await calls.depart(changed.body)
    expect(departed.status).toBe(200)
  })

  it('is put into a bag, with a warning', async () => {
    const [number = '', other = ''] = await createNumbers(2)
    const bag = await fillNewBag(test, clerk, wrong.id, [])
    const fill = (id: string, trackingNumber: string) =>
      test.call(fillBag, { token: clerk.token, params: { id }, body: { trackingNumber } })
    expect((await fill(bag.id, number)).body).toMatchObject({ changed: true, parcel: { misroute: warning() } })
    const now = await test.call(bagByNumber, { token: clerk.token, params: { no: bag.number } })
    expect(now.body.parcels.map(({ misroute }) => misroute)).toEqual([warning()])
    const params = { id: bag.id }
    const body = { version: now.body.version, sealNumber: 'W-2' }
    const sealed = await test.call(sealBag, { token: clerk.token, params, body })
    expect(sealed.body.parcels.map(({ misroute }) => misroute)).toEqual([null])
    const good = await fillNewBag(test, clerk, right.id, [])
    expect((await fill(good.id, other)).body.parcel.misroute).toBeNull()
  })

  it('departs without a warning', async () => {
    const trip = await loadNewTrip(test, clerk, wrong.id, await createNumbers(1))
    expect(trip.loads.map(({ misroute }) => misroute)).toEqual([warning()])
    const departed = await calls.depart(trip)
    expect([departed.status, ...departed.body.loads.map(({ misroute }) => misroute)]).toEqual([200, null])
    expect((await calls.read(trip.id)).loads.map(({ misroute }) => misroute)).toEqual([null])
  })

  it('is suspected on its way back to its sender, whoever took it over', async () => {
    const sender = receiver() as never
    const back = { status: 'recall', delivery_mode: 'D2D', carrier: 'dhl', sender } as const
    const [row] = await createAtStation(test, owner, hub, 1, back)
    const trip = await loadNewTrip(test, clerk, wrong.id, [])
    expect((await calls.load(trip.id, row?.tracking_number ?? '')).body.load.misroute).toEqual(warning())
  })

  it('is not suspected if another carrier takes it over', async () => {
    const [row] = await createAtStation(test, owner, hub, 1, { receiver: receiver() as never, carrier: 'dhl' })
    const trip = await loadNewTrip(test, clerk, wrong.id, [])
    expect((await calls.load(trip.id, row?.tracking_number ?? '')).body.load.misroute).toBeNull()
  })
})
