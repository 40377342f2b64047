import { countStock, listStock, listStockNumbers, type StockTab, stockTabs } from '@waybill/contract/parcels/stock'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { beforeEach, describe, expect, it } from 'vitest'
import { nextStockStep } from '../../../src/domains/parcels/stock/rules.ts'
import { hours, minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, scanned } from '../../testing/factories/handed-over.ts'
import { listServiceCentres, seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { explainSent } from '../../testing/plans.ts'

describe('the stock of a station', () => {
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

  const read = async (query: object = {}, { token } = clerk) => (await test.call(listStock, { token, query })).body
  const numbers = async (query: object) => (await read(query)).items.map(({ trackingNumber }) => trackingNumber)
  const lies = (overrides: object = {}) =>
    createParcel(test, owner, {
      status: 'inbound',
      holder: 'station',
      station_id: here,
      last_event_at: test.clock.now(),
      delivery_mode: 'D2D',
      ...overrides,
    })

  it('has what was accepted or has arrived, until it leaves; the longest without a scan first', async () => {
    const first = await handedOver(test, owner, clerk)
    test.clock.advance(minutes(5))
    const second = await handedOver(test, owner, clerk)
    await lies({ station_id: there })
    await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    expect(await numbers({})).toEqual([first.number, second.number])
    expect(await numbers({ sort: '-lastEventAt' })).toEqual([second.number, first.number])
    expect(await numbers({ limit: 1, offset: 1 })).toEqual([second.number])
    await scanned(test, clerk, first.number, 'departed', { nextStationId: there })
    expect(await read()).toMatchObject({ total: 1, items: [{ trackingNumber: second.number }] })
    // With a rider of the station it does not lie there any more.
    await scanned(test, clerk, second.number, 'out_for_delivery')
    expect(await read()).toMatchObject({ total: 0, counts: { all: 0 } })
    const colleague = await createStaff(test, { stationId: there })
    await scanned(test, colleague, first.number, 'arrived')
    expect((await read({}, colleague)).items.map(({ trackingNumber }) => trackingNumber)).toContain(first.number)
  })

  it('counts its tabs, and names the next step of each parcel', async () => {
    await lies()
    const collect = { delivery_mode: 'D2P' as const, self_collection_station_id: here, collect_until: '2099-01-01' }
    await lies(collect)
    await lies({ leg: 'return' })
    await lies({ status: 'recall' })
    const heavy = await handedOver(test, owner, clerk)
    const weighing = { weightGrams: 6000, confirmed: true }
    await test.call(reweighParcel, { token: clerk.token, params: { id: heavy.id }, body: weighing })
    await lies({ last_event_at: new Date(test.clock.now().getTime() - hours(40)) })
    await lies({ ...collect, collect_until: '2020-01-01' })
    const branch = (await listServiceCentres(test)).find(({ id }) => id === there)
    const { tracking_number: far } = await lies({ receiver: testReceiver({ postcode: branch?.postcode ?? '' }) })

    const { counts, items } = await read()
    expect(counts).toEqual({ all: 8, onward: 3, collect: 2, back: 2, held: 1, late: 2, missing: 0, lost: 0 })
    for (const tab of stockTabs) {
      const list = await read({ tab })
      expect([tab, list.total, list.items.length]).toEqual([tab, counts[tab], counts[tab]])
    }
    const steps = (tab: StockTab) => read({ tab }).then((list) => list.items.map(({ next }) => next.step))
    expect(await steps('held')).toEqual(['payment'])
    expect(await steps('collect')).toEqual(['hand_out', 'hand_out'])
    expect((await read({ tab: 'late' })).items.every(({ late }) => late)).toBe(true)
    // Every parcel but those of `late`, which overlaps, is in one tab.
    const parts = (['onward', 'collect', 'back', 'held'] as const).map((tab) => counts[tab])
    expect(parts.reduce((sum, count) => sum + count, 0)).toBe(counts.all)
    expect(items.find(({ trackingNumber }) => trackingNumber === far)?.next).toEqual({
      step: 'forward',
      station: branch?.name,
    })
    // Only a parcel to forward names a station.
    for (const { next } of items) expect(next.station !== null, next.step).toBe(next.step === 'forward')
  })

  it('is searched by number, name and city', async () => {
    const receiver = { contactName: 'Nur 50% Izzati', city: 'Ipoh' }
    const { tracking_number: number } = await lies({ receiver: { ...(await lies()).receiver, ...receiver } })
    for (const search of [number, number?.slice(-5), 'izzati', '50%', 'ipoh'])
      expect(await numbers({ search }), search ?? '').toEqual([number])
    expect(await read({ search: '%' })).toMatchObject({ total: 1 })
    expect(await read({ search: 'nobody' })).toMatchObject({ total: 0, counts: { all: 0 } })
  })

  it('is read by its index, however many parcels there are', async () => {
    const query = { tab: 'late', search: 'nobody' } as const
    const read = () => test.call(listStock, { token: clerk.token, query })
    const plans = await explainSent(test, "p.holder = 'station'", read, { asLarge: true })
    expect(plans).toHaveLength(2)
    for (const plan of plans) expect(plan).toContain('parcels_at_station')
    const numbersRead = () => test.call(listStockNumbers, { token: clerk.token })
    const [plan] = await explainSent(test, "where holder = 'station'", numbersRead, { asLarge: true })
    expect(plan).toContain('parcels_at_station')
  })

  it('is shown to its own staff, and to staff without a station who name it', async () => {
    await lies()
    const office = await createStaff(test, { role: 'admin' })
    expect(await read({ stationId: here }, office)).toMatchObject({ total: 1 })
    const nowhere = await test.call(listStock, { token: office.token })
    expect([nowhere.status, nowhere.error.errors?.[0]?.field]).toEqual([422, 'stationId'])
    const stationId = newId()
    const missing = await test.call(listStock, { token: office.token, query: { stationId } })
    const body = { stationId, startedAt: test.clock.now().toISOString(), numbers: ['abc'] }
    const count = await test.call(countStock, { token: office.token, body })
    for (const { status, error } of [missing, count])
      expect([status, error.errors?.[0]?.field]).toEqual([422, 'stationId'])
    const other = await createStaff(test, { stationId: there })
    const refused = await test.call(listStock, { token: other.token, query: { stationId: here } })
    expect([refused.status, refused.error.code]).toEqual([403, 'task_other_station'])
  })
})

describe('the next step of a parcel at a station', () => {
  const parcel = { leg: 'outbound', status: 'inbound', carrier: 'own', delivery_mode: 'D2D' } as const
  it.each([
    ['deliver', parcel, ['here']],
    ['forward', parcel, ['there', 'elsewhere']],
    ['unknown', parcel, []],
    ['hand_out', { ...parcel, delivery_mode: 'P2P' }, ['here']],
    ['carrier', { ...parcel, carrier: 'dhl' }, []],
    ['payment', { ...parcel, status: 'outstanding' }, ['here']],
    ['hand_back', { ...parcel, status: 'recall', carrier: 'dhl' }, ['there', 'here']],
    ['hand_back', { ...parcel, leg: 'return', delivery_mode: 'P2P' }, ['here']],
    ['forward', { ...parcel, leg: 'return' }, ['there']],
  ] as const)('is %s', (step, row, lastStations) => {
    expect(nextStockStep(row, 'here', lastStations)).toBe(step)
  })
})
