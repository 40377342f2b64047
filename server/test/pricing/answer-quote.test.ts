import { priceServices } from '@waybill/contract/pricing/pricing'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerQuote } from '../../src/domains/pricing/quotes/answer-quote.ts'
import { type PricingAccount, quoteServices, quotesWithPickup } from '../../src/domains/pricing/service.ts'
import { coveringStation } from '../../src/domains/stations/network.ts'
import { minutes, timeIn } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { secondProcess } from '../testing/second-process.ts'
import { getLines, kualaLumpur, listQuotes, quoteParcel } from './quotes.ts'

let test: TestApp
let other: FastifyInstance
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  other = await secondProcess(test)
})

const postcodes = fc.constantFrom('50480', '59100', '10400', '80000', '93100', '96800', '15000')
const sides = fc.record({
  lengthMm: fc.integer({ min: 10, max: 1200 }),
  widthMm: fc.integer({ min: 10, max: 800 }),
  heightMm: fc.integer({ min: 10, max: 800 }),
})
const requests = fc.record({
  sender: fc.record({ postcode: postcodes }),
  receiver: fc.record({ postcode: postcodes }),
  deliveryMode: fc.constantFrom('D2D', 'D2P', 'P2D', 'P2P'),
  weightGrams: fc.integer({ min: 1, max: 40_000 }),
  dimensions: fc.option(sides),
  insuredValueMinor: fc.option(fc.integer({ min: 1, max: 100_000 })),
  codAmountMinor: fc.option(fc.integer({ min: 1, max: 100_000 })),
})
const accounts: fc.Arbitrary<PricingAccount> = fc.option(
  fc.record({
    rateCardCode: fc.option(fc.constantFrom('STANDARD', 'BUSINESS')),
    discount: fc.option(
      fc.record({ type: fc.constantFrom('fixed', 'percentage'), value: fc.integer({ min: 0, max: 5_000 }) }),
    ),
  }),
)

describe('the cached response to a request for prices', () => {
  it('equals a newly computed one', async () => {
    await fc.assert(
      fc.asyncProperty(requests, accounts, async (request, account) => {
        const body = priceServices.body.parse(request)
        const first = await answerQuote(test.deps, body, account)
        const second = await answerQuote(test.deps, body, account)
        expect(second).toBe(first)
        const { serviceType, carrier, ...rest } = body
        const quotes = await quoteServices(test.deps, rest, account, serviceType, carrier)
        expect(JSON.parse(second.text)).toEqual(
          JSON.parse(JSON.stringify({ items: quotesWithPickup(test.deps, quotes) })),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('is invalidated by a change of a setting, in every process', async () => {
    const before = getLines(await quoteParcel(test))
    expect(await fuelElsewhere()).toBe(before.fuel)
    const { db, live } = test.deps
    await db
      .insertInto('settings')
      .values({ key: 'price.fuelBasisPoints', value: JSON.stringify(1000) })
      .execute()
    await live.publish(db, 'settings', {})
    await expect.poll(async () => getLines(await quoteParcel(test)).fuel).toBe(2 * (before.fuel ?? 0))
    await expect.poll(fuelElsewhere).toBe(2 * (before.fuel ?? 0))
  })

  it('is invalidated by a change of a rate card, in every process', async () => {
    const before = await freightElsewhere()
    expect(getLines(await quoteParcel(test)).freight).toBe(before)
    const { db, live } = test.deps
    const card = await db.selectFrom('rate_cards').selectAll().where('code', '=', 'STANDARD').executeTakeFirstOrThrow()
    const lines = await db.selectFrom('rate_lines').selectAll().where('rate_card_id', '=', card.id).execute()
    const id = newId()
    await db
      .insertInto('rate_cards')
      .values({ ...card, id, version: 2 })
      .execute()
    await db
      .insertInto('rate_lines')
      .values(
        lines.map((line) => ({
          ...line,
          id: newId(),
          rate_card_id: id,
          first_price_minor: Number(line.first_price_minor) + 111,
        })),
      )
      .execute()
    await live.publish(db, 'rates', {})
    await expect.poll(async () => getLines(await quoteParcel(test)).freight).toBe((before ?? 0) + 111)
    await expect.poll(freightElsewhere).toBe((before ?? 0) + 111)
  })

  it('is invalidated by a new holiday', async () => {
    const { expectedDate } = await quoteParcel(test)
    const { db, live } = test.deps
    const holiday = { id: newId(), country: 'my', day: String(expectedDate), state: null, name: 'Holiday' }
    await db.insertInto('holidays').values(holiday).execute()
    await live.publish(db, 'holidays', {})
    await expect.poll(async () => String((await quoteParcel(test)).expectedDate) > String(expectedDate)).toBe(true)
  })

  it('is invalidated by the cut-off time', async () => {
    const covering = await coveringStation(test.deps.db, 'my', kualaLumpur.postcode)
    const getDay = async () => String((await quoteParcel(test)).expectedDate)
    const getTime = () => timeIn(test.clock.now(), 'Asia/Kuala_Lumpur')
    const firstDay = await getDay()
    let before = getTime()
    // On rest days the date stays.
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      test.clock.advance(minutes(60))
      if ((await getDay()) !== firstDay) break
      before = getTime()
    }
    expect(await getDay()).not.toBe(firstDay)
    expect(before <= String(covering?.cutOffTime)).toBe(true)
    expect(getTime() > String(covering?.cutOffTime)).toBe(true)
  })

  it('has the current discount of the account', async () => {
    const { accountId, token } = await createCustomer(test)
    const visitor = await quoteParcel(test)
    expect(await quoteParcel(test, {}, token)).toEqual(visitor)
    const off = { discount_type: 'fixed', discount_value: 50 }
    await test.deps.db.updateTable('accounts').set(off).where('id', '=', accountId).execute()
    expect(getLines(await quoteParcel(test, {}, token)).discount).toBe(-50)
    expect(await listQuotes(test)).toEqual(await listQuotes(test))
    expect(getLines(await quoteParcel(test)).discount).toBeUndefined()
  })

  const readLineElsewhere = async (kind: string) => {
    const payload = { sender: kualaLumpur, receiver: kualaLumpur, weightGrams: 1000, serviceType: 'e_parcel' }
    const answer = await other.inject({ method: 'POST', url: priceServices.path, payload })
    return getLines(answer.json().items[0])[kind]
  }
  const fuelElsewhere = () => readLineElsewhere('fuel')
  const freightElsewhere = () => readLineElsewhere('freight')
})
