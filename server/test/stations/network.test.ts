import { createHash } from 'node:crypto'
import { stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { allPostcodes } from 'malaysia-postcodes'
import { beforeAll, describe, expect, it } from 'vitest'
import { seedNetwork, stationCodes } from '../../src/demo/network/network.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

const places = allPostcodes.flatMap((state) =>
  state.city.flatMap((city) => city.postcode.map((postcode) => ({ postcode, city: city.name }))),
)

describe("the demo's network", () => {
  let db: TestDatabase['db']
  beforeAll(async () => {
    db = (await createTestDatabase()).db
    await seedNetwork(db)
  })

  it('covers every postcode of Malaysia', async () => {
    const ranges = await db.selectFrom('station_coverage').selectAll().execute()
    const without = places.filter(
      ({ postcode }) => !ranges.some((range) => range.postcode_from <= postcode && postcode <= range.postcode_to),
    )
    expect(places.length).toBeGreaterThan(2_900)
    expect(without).toEqual([])
  })

  it('has stations of every type in towns with their postcode', async () => {
    const stations = await db.selectFrom('stations').selectAll().execute()
    expect(stations.map(({ code }) => code).sort()).toEqual([...stationCodes].sort())
    expect(new Set(stations.map(({ type }) => type))).toEqual(new Set(labelValues(stationTypeLabels)))
    expect(
      stations.filter(
        ({ postcode, city }) => !places.some((place) => place.postcode === postcode && place.city === city),
      ),
    ).toEqual([])
    // Malaysia lies between these coordinates.
    for (const { latitude, longitude } of stations) {
      expect(latitude).toBeGreaterThan(0.8)
      expect(latitude).toBeLessThan(7.4)
      expect(longitude).toBeGreaterThan(99.6)
      expect(longitude).toBeLessThan(119.3)
    }
  })

  it('has a price for every service between every two zones', async () => {
    const { zones } = await db
      .selectFrom('zones')
      .where('scope', '=', 'domestic')
      .select(({ fn }) => fn.countAll<number>().as('zones'))
      .executeTakeFirstOrThrow()
    const lines = await db
      .selectFrom('rate_lines')
      .innerJoin('rate_cards', 'rate_cards.id', 'rate_lines.rate_card_id')
      .select(({ fn }) => [
        'rate_cards.code',
        'service_type',
        fn.countAll<number>().as('lines'),
        fn.min('first_price_minor').as('least'),
      ])
      .where('rate_lines.scope', '=', 'domestic')
      .where('rate_cards.status', '=', 'published')
      .groupBy(['rate_cards.code', 'service_type'])
      .execute()
    expect(lines).toHaveLength(6)
    expect(lines.filter((line) => line.lines !== zones * zones)).toEqual([])
    const least = (code: string) => lines.find((line) => line.code === code && line.service_type === 'e_parcel')?.least
    expect(least('BUSINESS')).toBeLessThan(Number(least('STANDARD')))
  })

  it('is created once: a second run changes nothing', async () => {
    const state = async () => {
      const rows = await Promise.all(
        (
          [
            'stations',
            'station_coverage',
            'zones',
            'zone_areas',
            'rate_cards',
            'rate_lines',
            'holidays',
            'banners',
          ] as const
        ).map((table) => db.selectFrom(table).selectAll().execute()),
      )
      return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
    }
    const before = await state()
    await seedNetwork(db)
    expect(await state()).toBe(before)
  })
})
