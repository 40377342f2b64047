import { getSelector } from '@waybill/contract/settings/settings'
import { addHoliday } from '@waybill/contract/stations/holidays'
import {
  dropOffStations,
  hubStations,
  listStations,
  nearbyServiceCenters,
  publicCoverage,
  publicNearby,
  publicStations,
  selfCollectionStations,
} from '@waybill/contract/stations/stations'
import { beforeAll, describe, expect, it } from 'vitest'
import { stationCodes } from '../../src/demo/network/network.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

const codes = (items: readonly { code: string }[]) => items.map(({ code }) => code)

describe('the list of stations', () => {
  it('contains all by name, without signing in', async () => {
    const { status, body } = await test.call(listStations, { query: { limit: 200 } })
    expect(status).toBe(200)
    expect(body.total).toBe(stationCodes.length)
    expect(codes(body.items).sort()).toEqual([...stationCodes].sort())
    expect(body.items[0]?.distanceM).toBeNull()
  })

  it('is paged and sorted', async () => {
    const first = await test.call(listStations, { query: { limit: 10, sort: '-code' } })
    const second = await test.call(listStations, { query: { limit: 10, offset: 10, sort: '-code' } })
    const expected = [...stationCodes].sort().reverse()
    expect([...codes(first.body.items), ...codes(second.body.items)]).toEqual(expected.slice(0, 20))
  })

  it('filters by type, by any name of a state, and by words in any order', async () => {
    const list = async (query: Parameters<typeof test.call<typeof listStations>>[1]) =>
      codes((await test.call(listStations, query)).body.items)
    expect(await list({ query: { type: 'warehouse', state: 'Penang' } })).toEqual(['PEN-WH1'])
    expect(await list({ query: { state: 'W.P. Labuan' } })).toEqual(['LBU-T21'])
    expect(await list({ query: { search: 'jaya subang' } })).toEqual(['SBJ-T21'])
    expect(await list({ query: { search: '93100' } })).toEqual(['KCH-T11'])
    expect(await list({ query: { search: 'nowhere at all' } })).toEqual([])
  })

  it('is the same for the public, and can be cached for five minutes', async () => {
    const { body, headers } = await test.call(publicStations, { query: { type: 'service_center_t1' } })
    expect(body.total).toBeGreaterThan(10)
    expect(new Set(body.items.map(({ type }) => type))).toEqual(new Set(['service_center_t1']))
    expect(headers['cache-control']).toBe('public, max-age=300')
  })

  it('filters by service, and by being open now', async () => {
    test.clock.advance(Date.parse('2027-01-08T02:00:00Z') - test.clock.now().getTime())
    const semi = await test.call(publicStations, { query: { service: 'semi_express.drop_off', limit: 200 } })
    expect(codes(semi.body.items)).toContain('KUL-T21')
    expect(codes(semi.body.items)).not.toContain('KUL-PP1')
    const open = await test.call(publicStations, { query: { openNow: 'true', limit: 200 } })
    expect(open.body.items.every(({ openNow }) => openNow)).toBe(true)
    expect(codes(open.body.items)).toContain('JHB-T11')
    expect(codes(open.body.items)).not.toContain('KBR-T11')
    expect(open.body.total).toBe(open.body.items.length)
  })

  it.each([
    ['a postcode', '93100', 'KCH-T11'],
    ['a town', 'lutong', 'MYY-T11'],
    ['a point', '1.4927,103.7414', 'JHB-T11'],
  ])('includes the distance from %s, nearest first', async (_, near, code) => {
    const { body } = await test.call(publicStations, { query: { near, type: 'service_center_t1', limit: 200 } })
    expect(body.items[0]?.code).toBe(code)
    const distances = body.items.map(({ distanceM }) => distanceM ?? Number.NaN)
    expect(distances).toEqual([...distances].sort((a, b) => a - b))
    const byName = await test.call(publicStations, { query: { near, sort: '+name' } })
    expect(byName.body.items[0]?.distanceM).toBeGreaterThan(0)
    const names = byName.body.items.map(({ name }) => name)
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
  })

  it.each([
    ['an unknown postcode', '99999', /do not know this postcode/],
    ['an unknown town', 'Atlantis', /do not know this postcode/],
    ['an invalid latitude', '91.0,101.7', /no such place/],
    ['an invalid longitude', '3.1,-180.5', /no such place/],
  ])('rejects %s', async (_, near, message) => {
    const { status, error } = await test.call(publicStations, { query: { near } })
    expect(status).toBe(422)
    expect(error.errors).toEqual([{ field: 'near', message: expect.stringMatching(message) }])
  })

  it('distinguishes warehouses, drop-off counters and self-collection counters', async () => {
    const hubs = await test.call(hubStations)
    expect(new Set(hubs.body.items.map(({ type }) => type))).toEqual(new Set(['warehouse']))
    const dropOff = await test.call(dropOffStations, { query: { type: 'semi_express' } })
    expect(codes(dropOff.body.items)).toContain('KUL-T21')
    expect(codes(dropOff.body.items)).not.toContain('KUL-PP1')
    const collect = await test.call(selfCollectionStations, { query: { type: 'e_parcel', state: 'Kuala Lumpur' } })
    expect(codes(collect.body.items).sort()).toEqual(['KUL-PP1', 'KUL-T11', 'KUL-T21', 'KUL-T22'])
    const partners = await test.call(selfCollectionStations, { query: { type: 'service_center_3rd_party' } })
    expect(new Set(partners.body.items.map(({ type }) => type))).toEqual(new Set(['service_center_3rd_party']))
    expect((await test.call(dropOffStations, { query: { type: 'balloon' } })).error.errors?.[0]?.field).toBe('type')
  })

  it('has pages of counters and warehouses, sorted by distance if a place is given', async () => {
    const near = await test.call(selfCollectionStations, { query: { near: '53300', limit: 2 } })
    expect(near.body).toMatchObject({ offset: 0, limit: 2 })
    expect(near.body.total).toBeGreaterThan(2)
    const [first, second] = near.body.items.map(({ distanceM }) => distanceM ?? Number.NaN)
    expect(near.body.items).toHaveLength(2)
    expect(first).toBeLessThanOrEqual(second ?? Number.NaN)
    const next = await test.call(selfCollectionStations, { query: { near: '53300', limit: 2, offset: 2 } })
    expect(codes(near.body.items)).not.toContain(next.body.items[0]?.code)
    expect((await test.call(hubStations, { query: { limit: 1, sort: '-name' } })).body.items).toHaveLength(1)
    for (const query of [{ near: '99999' }, { limit: 201 }, { sort: 'phone' }])
      expect((await test.call(dropOffStations, { query })).error.errors?.[0]?.field).toBe(Object.keys(query)[0])
  })
})

describe('nearby service centres', () => {
  it('are sorted by distance from a point', async () => {
    const { body } = await test.call(nearbyServiceCenters, { params: { x: '1.4927,103.7414' } })
    expect(body.items[0]?.code).toBe('JHB-T11')
    const distances = body.items.map(({ distanceM }) => distanceM ?? Number.NaN)
    expect(distances).toEqual([...distances].sort((a, b) => a - b))
    // Larkin to Jalan Wong Ah Fook is a little over four kilometres.
    expect(distances[0]).toBeGreaterThan(3_500)
    expect(distances[0]).toBeLessThan(5_500)
    expect(body.items.some(({ type }) => type === 'warehouse')).toBe(false)
  })

  it('are sorted by distance from a postcode, even if its centre is only known from its neighbours', async () => {
    const kuching = await test.call(publicNearby, { query: { near: '93100' } })
    expect(kuching.body.items[0]?.code).toBe('KCH-T11')
    expect(kuching.headers['cache-control']).toBe('public, max-age=300')
    const lutong = await test.call(publicNearby, { query: { near: '98100' } })
    expect(lutong.body.items[0]?.code).toBe('MYY-T11')
  })

  it('are not returned for an unknown postcode', async () => {
    const { status, error } = await test.call(publicNearby, { query: { near: '99999' } })
    expect(status).toBe(422)
    expect(error).toMatchObject({ code: 'postcode_unknown', errors: [{ field: 'near' }] })
    expect((await test.call(nearbyServiceCenters, { params: { x: '91.0,200' } })).status).toBe(422)
  })
})

describe('coverage area', () => {
  it('names the station with the narrowest range around a postcode', async () => {
    const covering = async (postcode: string) =>
      codes((await test.call(publicCoverage, { query: { postcode } })).body.items.map(({ station }) => station))
    expect(await covering('53300')).toEqual(['KUL-T21'])
    expect(await covering('50480')).toEqual(['KUL-T11'])
    expect(await covering('07000')).toEqual(['LGK-T21'])
  })

  it('lists the ranges of a station', async () => {
    const { body } = await test.call(listStations, { query: { search: 'JHB-T11' } })
    const station = body.items[0]
    const answer = await test.call(publicCoverage, { query: { stationId: station?.id ?? '' } })
    expect(answer.body.items).toMatchObject([
      { station: { code: 'JHB-T11' }, postcodes: [{ from: '79000', to: '86999' }] },
    ])
    expect(answer.headers['cache-control']).toBe('public, max-age=300')
  })

  it('returns all of it in pages', async () => {
    const { body } = await test.call(publicCoverage, { query: { limit: 3 } })
    expect(body.items).toHaveLength(3)
    expect(body.total).toBeGreaterThan(3)
    const all = await test.call(publicCoverage, { query: { offset: 3, sort: 'name' } })
    expect(all.body.items).toHaveLength(body.total - 3)
    expect(all.body.items.every(({ postcodes }) => postcodes.length > 0)).toBe(true)
  })

  it('rejects unknown postcodes and stations', async () => {
    expect((await test.call(publicCoverage, { query: { postcode: '99999' } })).error.code).toBe('postcode_unknown')
    const unknown = await test.call(publicCoverage, { query: { stationId: '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b99' } })
    expect(unknown.status).toBe(404)
  })
})

describe('opening hours', () => {
  it('determine "open now" in the time zone of the deployment, by the day of the week', async () => {
    const openAt = async (instant: string) => {
      test.clock.advance(Date.parse(instant) - test.clock.now().getTime())
      const { items } = (await test.call(listStations, { query: { limit: 200 } })).body
      return (code: string) => items.find((station) => station.code === code)?.openNow
    }
    // Friday 10:00 in Malaysia is 02:00 UTC: it is a day of rest in Kelantan, but not in Johor.
    const friday = await openAt('2027-01-08T02:00:00Z')
    expect([friday('KBR-T11'), friday('JHB-T11')]).toEqual([false, true])
    const sunday = await openAt('2027-01-10T02:00:00Z')
    expect([sunday('KBR-T11'), sunday('JHB-T11'), sunday('KUL-PP1')]).toEqual([true, false, true])
    // The closing minute counts as closed; a warehouse stays open.
    const evening = await openAt('2027-01-11T11:00:00Z')
    expect([evening('JHB-T11'), evening('JHB-WH1')]).toEqual([false, true])
    const before = await openAt('2027-01-11T10:59:00Z')
    expect(before('JHB-T11')).toBe(true)
  })
})

describe('public holidays', () => {
  it('close the stations of their states from the minute they are added to the calendar', async () => {
    test.clock.advance(Date.parse('2027-01-12T02:00:00Z') - test.clock.now().getTime())
    const { token } = await createStaff(test, { type: 'admin' })
    const johor = async () => {
      const { body } = await test.call(publicStations, { query: { search: 'JHB-T11' } })
      return body.items.map(({ openNow, holiday }) => ({ openNow, holiday }))
    }
    expect(await johor()).toEqual([{ openNow: true, holiday: null }])
    const reload = new Promise<void>((resolve) => test.deps.live.subscribe('holidays', () => resolve()))
    const body = { country: 'my', day: '2027-01-12', name: 'Thaipusam', states: ['Johor'] }
    const added = await test.call(addHoliday, { token, body })
    expect(added.status).toBe(200)
    await reload
    expect(await johor()).toEqual([{ openNow: false, holiday: 'Thaipusam' }])
    const open = await test.call(publicStations, { query: { openNow: 'true', limit: 200 } })
    expect(codes(open.body.items)).not.toContain('JHB-T11')
    expect(codes(open.body.items)).toContain('KCH-T11')
  })
})

describe('drop-downs', () => {
  const values = async (name: string, query: Record<string, string> = {}) =>
    (await test.call(getSelector, { params: { name }, query })).body.items.map(({ value }) => value)

  it('lead from state to town to postcode', async () => {
    const states = await values('states')
    expect(states).toHaveLength(16)
    expect(states).toContain('Kuala Lumpur')
    expect(states).not.toContain('Wp Kuala Lumpur')
    expect(await values('states', { country: 'SG' })).toEqual([])
    expect(await values('cities', { state: 'Kuala Lumpur' })).toEqual(['Kuala Lumpur', 'Setapak'])
    expect(await values('cities')).toEqual([])
    expect(await values('postcodes', { state: 'Sabah', city: 'Tenom' })).toContain('89900')
    expect(await values('postcodes', { search: '8990' })).toContain('89900')
    expect(await values('postcodes')).toEqual([])
  })

  it('contain the stations of a state', async () => {
    const { body } = await test.call(getSelector, { params: { name: 'stations' }, query: { state: 'Penang' } })
    expect(body.items.map(({ label }) => label)).toContain('Butterworth')
    expect(body.items).toHaveLength(5)
  })
})
