import { beforeAll, describe, expect, it } from 'vitest'
import { repriceWithWeight } from '../../src/domains/pricing/reprice.ts'
import { quoteServices, replayPrice } from '../../src/domains/pricing/service.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { getLines, quoteParcel, type Request } from './quotes.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

describe('a stored price', () => {
  const replay = async (overrides: Partial<Request>, token?: string) => {
    const { price } = await quoteParcel(test, overrides, token)
    if (!price) throw new Error('no price')
    return [price, await replayPrice(test.deps, price)] as const
  }

  it('has the same amount if settings have changed since', async () => {
    const everything = { insuredValueMinor: 45_000, codAmountMinor: 12_000, receiver: { postcode: '96800' } }
    const { price } = await quoteParcel(test, everything)
    if (!price) throw new Error('no price')
    const { db, settings } = test.deps
    const set = { key: 'price.fuelBasisPoints', value: JSON.stringify(900) }
    await db.insertInto('settings').values(set).execute()
    await settings.reload()
    try {
      expect(getLines(await quoteParcel(test, everything)).fuel).not.toBe(
        price.lines.find(({ kind }) => kind === 'fuel')?.amountMinor,
      )
      expect(await replayPrice(test.deps, price)).toEqual(price)
    } finally {
      await db.deleteFrom('settings').where('key', '=', set.key).execute()
      await settings.reload()
    }
  })

  it('of a tampered record gives another amount', async () => {
    const [price, again] = await replay({ weightGrams: 3500 })
    expect(again).toEqual(price)
    const wrong = { ...price, weightGrams: 2500 }
    expect((await replayPrice(test.deps, wrong))?.totalMinor).not.toBe(price.totalMinor)
    expect(await replayPrice(test.deps, { ...price, rateCard: { code: 'STANDARD', version: 99 } })).toBeNull()
  })
})

describe('the price of a parcel that was weighed heavier than every band', () => {
  it('is computed again by the agreed rate, which continues in its steps', async () => {
    await publishTwoBands(2)
    const { price } = await quoteParcel(test)
    if (!price) throw new Error('no price')
    const service = { scope: 'domestic', serviceType: 'e_parcel', carrier: 'own' } as const
    const heavy = await repriceWithWeight(test.deps, price, service, { weightGrams: 250_000, dimensions: null })
    expect(heavy.totalMinor).toBeGreaterThan(price.totalMinor)
    expect(await replayPrice(test.deps, heavy)).toMatchObject({ totalMinor: heavy.totalMinor, lines: heavy.lines })
  })
})

describe('the price cache', () => {
  const request = {
    scope: 'domestic' as const,
    deliveryMode: 'D2D' as const,
    sender: { postcode: '50480', country: 'my' },
    receiver: { postcode: '10400', country: 'my' },
    dropOffStationId: null,
    selfCollectionStationId: null,
    weightGrams: 1000,
    dimensions: null,
    insuredValueMinor: null,
    codAmountMinor: null,
  }

  it('needs no database queries once it is filled', async () => {
    await quoteServices(test.deps, request, null)
    const { pool } = test.deps
    const query = pool.query.bind(pool)
    const connect = pool.connect.bind(pool)
    let calls = 0
    const count =
      <A extends unknown[], R>(original: (...args: A) => R) =>
      (...args: A) => {
        calls += 1
        return original(...args)
      }
    pool.query = count(query as never) as never
    pool.connect = count(connect as never) as never
    try {
      await quoteServices(test.deps, request, null)
    } finally {
      pool.query = query
      pool.connect = connect
    }
    expect(calls).toBe(0)
  })

  it('uses a new version of a rate card immediately', async () => {
    await publishTwoBands(3)
    const quote = await quoteParcel(test)
    expect(quote.price?.rateCard).toEqual({ code: 'STANDARD', version: 3 })
    expect(getLines(quote).freight).toBe(700)
    const bulky = await quoteParcel(test, { dimensions: { lengthMm: 400, widthMm: 300, heightMm: 250 } })
    expect(getLines(bulky).freight).toBe(2000)
  })
})

/** Publishes a version of the common card with two weight bands: above 5 kg parcels have their own price. */
async function publishTwoBands(version: number): Promise<void> {
  const { db, live } = test.deps
  const card = await db
    .selectFrom('rate_cards')
    .selectAll()
    .where('code', '=', 'STANDARD')
    .where('version', '=', 1)
    .executeTakeFirstOrThrow()
  const line = await db
    .selectFrom('rate_lines')
    .selectAll()
    .where('rate_card_id', '=', card.id)
    .where('service_type', '=', 'e_parcel')
    .where('origin_zone', '=', 'KV')
    .where('destination_zone', '=', 'KV')
    .executeTakeFirstOrThrow()
  const id = newId()
  const notification = new Promise<void>((resolve) => live.subscribe('rates', () => resolve()))
  await db
    .insertInto('rate_cards')
    .values({ ...card, id, version })
    .execute()
  const band = { ...line, rate_card_id: id }
  await db
    .insertInto('rate_lines')
    .values([
      { ...band, id: newId(), first_price_minor: 700, max_weight_grams: 5000 },
      { ...band, id: newId(), first_price_minor: 2000, first_weight_grams: 6000, min_weight_grams: 5001 },
    ])
    .execute()
  await live.publish(db, 'rates', {})
  await notification
}
