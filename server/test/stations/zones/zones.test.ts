import { priceServices } from '@waybill/contract/pricing/pricing'
import {
  createZone,
  getZone,
  listZones,
  removeZone,
  updateZone,
  type ZoneArea,
  zoneNameIn,
} from '@waybill/contract/stations/zones'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { areaProblems } from '../../../src/domains/stations/zones/rules.ts'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'

let test: TestApp
let token: string
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { role: 'product_manager' })).token
})

const area = (overrides: Partial<ZoneArea>): ZoneArea => ({
  country: 'my',
  state: null,
  postcodeFrom: null,
  postcodeTo: null,
  remoteSurchargeMinor: 0,
  ...overrides,
})
const range = (postcodeFrom: string, postcodeTo: string, remoteSurchargeMinor = 0) =>
  area({ postcodeFrom, postcodeTo, remoteSurchargeMinor })
const make = (code: string, areas: Partial<ZoneArea>[], scope: 'domestic' | 'international' = 'domestic') =>
  test.call(createZone, { token, body: { code, name: `Zone ${code}`, scope, areas: areas as ZoneArea[] } })
const byCode = async (code: string) => {
  const { items } = (await test.call(listZones, { token, query: { search: code } })).body
  const match = items.find((zone) => zone.code === code)
  if (!match) throw new Error(`no zone ${code}`)
  return match
}

describe('zones', () => {
  it('are visible to every signed-in user by scope, state and country', async () => {
    const customer = await createCustomer(test)
    const list = async (query: object) =>
      (await test.call(listZones, { token: customer.token, query })).body.items.map(({ code }) => code)
    expect(await list({ scope: 'domestic' })).toEqual(['EAST', 'KV', 'NORTH', 'SBH', 'SOUTH', 'SWK'])
    expect(await list({ search: 'johor' })).toEqual(['SOUTH'])
    expect(await list({ scope: 'international', sort: '-code', limit: 2 })).toEqual(['SG', 'SEA'])
    const { id } = await byCode('KV')
    const view = await test.call(getZone, { token: customer.token, params: { id } })
    expect(view.body.areas.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['Kuala Lumpur', 'Selangor', 'Putrajaya']),
    )
    expect((await test.call(getZone, { token, params: { id: newId() } })).status).toBe(404)
  })

  it('are created, changed and removed, with a log entry and an event to every process', async () => {
    const heard = () => new Promise<void>((resolve) => test.deps.live.subscribe('zones', () => resolve()))
    let notice = heard()
    const created = await make('island', [range('86810', '86810', 900)])
    expect(created.body).toMatchObject({ code: 'ISLAND', version: 1, areas: [range('86810', '86810', 900)] })
    await notice
    const { id } = created.body
    const save = (version: number, areas: ZoneArea[]) =>
      test.call(updateZone, { token, params: { id }, body: { version, name: 'Islands', areas } })
    notice = heard()
    expect((await save(1, [range('86810', '86811', 700)])).body).toMatchObject({ name: 'Islands', version: 2 })
    await notice
    expect((await save(1, [range('86810', '86811')])).error.code).toBe('version_conflict')
    expect((await test.call(removeZone, { token, params: { id } })).status).toBe(200)
    expect((await test.call(getZone, { token, params: { id } })).status).toBe(404)
    const log = await listActivities(test, { subject: id })
    expect(log.map(({ action }) => action)).toEqual(['zones.create', 'zones.update', 'zones.remove'])
  })

  it('have a name in Chinese, which is found, changed and removed', async () => {
    const areas = [range('86820', '86820')]
    const body = { code: 'TIOMAN', name: 'Tioman', nameZh: '刁曼岛', scope: 'domestic' as const, areas }
    const { id, nameZh } = (await test.call(createZone, { token, body })).body
    expect(nameZh).toBe('刁曼岛')
    const matches = (await test.call(listZones, { token, query: { search: '刁曼' } })).body.items
    expect(matches.map(({ code }) => code)).toEqual(['TIOMAN'])
    const rename = async (version: number, name: string | null) =>
      (await test.call(updateZone, { token, params: { id }, body: { version, name: 'Tioman', nameZh: name, areas } }))
        .body
    expect((await rename(1, '潮满岛')).nameZh).toBe('潮满岛')
    expect(zoneNameIn(await rename(2, ''), 'cn_zh')).toBe('Tioman')
    const log = await listActivities(test, { subject: id })
    expect(log.at(-1)?.detail).toMatchObject({ from: { nameZh: '潮满岛' }, to: { nameZh: null } })
    await test.call(removeZone, { token, params: { id } })
  })

  it('determine the surcharge of the next quote', async () => {
    const zone = await byCode('KV')
    const remote = async () => {
      const body = { sender: { postcode: '50480' }, receiver: { postcode: '43000' }, weightGrams: 500 }
      const [quote] = (await test.call(priceServices, { body: { ...body, serviceType: 'e_parcel' as const } })).body
        .items
      return quote?.price?.lines.find(({ kind }) => kind === 'remote_area')?.amountMinor
    }
    expect(await remote()).toBeUndefined()
    const heard = new Promise<void>((resolve) => test.deps.live.subscribe('zones', () => resolve()))
    const areas = [...zone.areas, range('43000', '43009', 350)]
    await test.call(updateZone, {
      token,
      params: { id: zone.id },
      body: { version: zone.version, name: zone.name, areas },
    })
    await heard
    expect(await remote()).toBe(350)
  })

  it('are not removed while in use, and the response lists what uses them', async () => {
    const { id } = await byCode('SEA')
    const { status, error } = await test.call(removeZone, { token, params: { id } })
    expect([status, error.code, error.details]).toEqual([409, 'zone_in_use', { cards: ['BUSINESS', 'STANDARD'] }])
    expect(error.message).toContain('BUSINESS, STANDARD')
    expect((await test.call(removeZone, { token, params: { id: newId() } })).status).toBe(404)
  })

  it('are rejected with the field named', async () => {
    const refused = async (...args: Parameters<typeof make>) => {
      const { status, error } = await make(...args)
      return [status, error.errors?.map(({ field }) => field)]
    }
    expect(await refused('KV', [range('86810', '86810')])).toEqual([422, ['code']])
    expect(await refused('X', [])).toEqual([422, ['areas']])
    expect(await refused('X', [area({ state: 'Johor' })])).toEqual([422, ['areas.0.state']])
    expect(await refused('X', [range('86810', '86810'), range('07000', '07999')])).toEqual([
      422,
      ['areas.1.postcodeFrom'],
    ])
    expect(await refused('X', [range('86811', '86810')])).toEqual([422, ['areas.0.postcodeTo']])
    expect(await refused('X', [area({ state: 'Atlantis' })])).toEqual([422, ['areas.0.state']])
    expect(await refused('X', [area({ country: 'sg' })])).toEqual([422, ['areas.0.country']])
    expect(await refused('X', [area({ country: 'ar', state: 'Chaco' })], 'international')).toEqual([
      422,
      ['areas.0.state'],
    ])
    expect(await refused('X', [area({ country: 'fr' })], 'international')).toEqual([422, ['areas.0.country']])
    expect(await refused('X', [range('86810', '86810', -1)])).toEqual([422, ['areas.0.remoteSurchargeMinor']])
  })
})

describe('areas of zones', () => {
  const ground = { scope: 'domestic' as const, home: 'my', others: [] }
  const postcode = fc.integer({ min: 0, max: 60 }).map((n) => String(n).padStart(5, '0'))
  const ranges = fc.array(
    fc.tuple(postcode, postcode).map(([a, b]) => (a <= b ? range(a, b) : range(b, a))),
    {
      minLength: 1,
      maxLength: 6,
    },
  )

  it('have one narrowest range for each postcode if they are accepted', () => {
    fc.assert(
      fc.property(ranges, (areas) => {
        fc.pre(areaProblems({ code: 'A', areas }, ground).length === 0)
        for (let n = 0; n <= 60; n += 1) {
          const code = String(n).padStart(5, '0')
          const coveringAreas = areas.filter(
            ({ postcodeFrom: from, postcodeTo: to }) => String(from) <= code && code <= String(to),
          )
          const widths = coveringAreas.map(({ postcodeFrom: from, postcodeTo: to }) => Number(to) - Number(from))
          expect(new Set(widths).size).toBe(widths.length)
        }
      }),
    )
  })

  it('may be nested, but not partially overlap', () => {
    const fields = (...areas: ZoneArea[]) => areaProblems({ code: 'A', areas }, ground).map(({ field }) => field)
    expect(fields(range('10000', '19999'), range('12000', '12999'))).toEqual([])
    expect(fields(range('10000', '19999'), range('15000', '25000'))).toEqual(['areas.1.postcodeFrom'])
    expect(fields(range('10000', '19999'), range('1000', '1999'))).toEqual([])
    expect(fields(area({ state: 'Johor' }), area({ state: 'johor' }))).toEqual(['areas.1.state'])
  })
})
