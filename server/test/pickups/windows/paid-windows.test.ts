// An order is paid some minutes after its checkout: its window may be full by then, or have started.
import { payCorporate, putConsent } from '@waybill/contract/orders/monthly-billing'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { payWithIpay88 } from '@waybill/contract/payments/payments'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { listPickupRequests } from '@waybill/contract/pickups/pickups'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { coveringStation } from '../../../src/domains/stations/network.ts'
import { days, minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, payAtGateway, payCredits, placeOrder, testPickup } from '../../testing/factories/orders.ts'
import { testParty } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { workingDay } from '../../testing/factories/working-day.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'

const funds = 100_000

describe('the window of an order', () => {
  let test: TestApp
  let bank: BankPeer
  let stationId: string
  let pickup: PickupChoice
  let ahead = 2
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
    const { country, postcode } = testParty()
    stationId = (await coveringStation(test.deps.db, country, postcode))?.station.id ?? ''
  })
  beforeEach(async () => {
    ahead += 1
    pickup = testPickup(test, { date: workingDay(test, ahead) })
    while (await countBooked()) pickup = testPickup(test, { date: workingDay(test, ++ahead) })
  })

  const countBooked = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pickup_requests
      where station_id = ${stationId} and pickup_date = ${pickup.date}::date and cancelled_at is null`.execute(
      test.deps.db,
    )
    return rows[0]?.count ?? 0
  }
  const setCapacity = (pickups: number) =>
    sql`insert into station_pickup_days (station_id, day, pickup_window, pickups)
      values (${stationId}, ${pickup.date}::date, ${pickup.window}, ${pickups})`.execute(test.deps.db)
  const placeOne = async (customer: TestCustomer, count = 1) =>
    placeOrder(test, customer, { mode: 'D2D', pickup, count })
  const createRich = () => createPayer(test, { creditsMinor: funds })
  const expectUnpaid = async (customer: TestCustomer, order: OrderDetail) => {
    const now = await orderNow(test, customer, order)
    expect([now.status, now.parcels[0]?.status]).toEqual(['pending_payment', 'incart'])
    expect((await test.call(getWallet, { token: customer.token })).body.balanceMinor).toBe(funds)
    expect((await test.call(listPickupRequests, { token: customer.token })).body.total).toBe(0)
  }

  it('is given only as often as it has places, even if its orders are paid at the same time', async () => {
    await setCapacity(2)
    const customers = await Promise.all([1, 2, 3, 4, 5].map(createRich))
    const orders: OrderDetail[] = []
    for (const customer of customers) orders.push(await placeOne(customer))
    const answers = await Promise.all(
      customers.map((customer, n) => payCredits(test, customer, orders[n] as OrderDetail)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409])
    expect(await countBooked()).toBe(2)
    for (const [n, { status, error }] of answers.entries()) {
      if (status === 200) continue
      expect(error.code).toBe('pickup_full')
      await expectUnpaid(customers[n] as TestCustomer, orders[n] as OrderDetail)
    }
  })

  it('is refused to a monthly bill and to the gateway once it is full, but a joining order is paid', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    await sql`update accounts set credit_limit_minor = 1000000 where id = ${company.accountId}::uuid`.execute(
      test.deps.db,
    )
    await test.call(putConsent, { token: company.token, body: { version: '2026-01', accept: true } })
    const [first, other] = [await createRich(), await createRich()]
    const [booked, waiting, billed] = [await placeOne(first), await placeOne(other), await placeOne(company)]
    await setCapacity(1)
    expect((await payCredits(test, first, booked)).status).toBe(200)
    const body = { expectedTotalMinor: billed.totalMinor }
    const bill = await test.call(payCorporate, { token: company.token, params: { id: billed.id }, body })
    expect([bill.status, bill.error.code]).toEqual([409, 'pickup_full'])
    const form = await test.call(payWithIpay88, {
      token: other.token,
      params: { id: waiting.id },
      body: { expectedTotalMinor: waiting.totalMinor },
    })
    expect([form.status, form.error.code]).toEqual([409, 'pickup_full'])
    await expectUnpaid(other, waiting)
    expect((await payCredits(test, first, await placeOne(first))).status).toBe(200)
    expect(await countBooked()).toBe(1)
  })

  it('is kept for money that a bank took before it was full', async () => {
    const [first, other] = [await createRich(), await createRich()]
    const [booked, waiting] = [await placeOne(first), await placeOne(other)]
    const form = await payAtGateway(test, other, waiting)
    await setCapacity(1)
    expect((await payCredits(test, first, booked)).status).toBe(200)
    await bank.pay(test, form.fields)
    expect(await orderNow(test, other, waiting)).toMatchObject({ status: 'pending', pickup: { date: pickup.date } })
    expect(await countBooked()).toBe(2)
  })

  it('cannot be paid for once it has started, except with money that a bank has already taken', async () => {
    test.clock.freeze()
    const start = Date.parse(`${pickup.date}T09:00:00+08:00`) - minutes(5)
    test.clock.advance(start - test.clock.now().getTime())
    const [late, banked] = [await createRich(), await createRich()]
    const [order, other] = [await placeOne(late), await placeOne(banked)]
    const form = await payAtGateway(test, banked, other)
    test.clock.advance(minutes(8))
    const refused = await payCredits(test, late, order)
    expect([refused.status, refused.error.code]).toEqual([409, 'pickup_missed'])
    await expectUnpaid(late, order)
    await bank.pay(test, form.fields)
    expect((await orderNow(test, banked, other)).status).toBe('pending')
    test.clock.advance(days(1))
  })
})
