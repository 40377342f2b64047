import { listPickupRequests } from '@waybill/contract/pickups/pickups'
import { beforeAll, describe, expect, it } from 'vitest'
import { timeProblems } from '../../src/domains/pickups/rules.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder, testPickup } from '../testing/factories/orders.ts'
import { testParty } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'

describe('pickups', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  it('are requested once per order when it is paid, and are listed for their account only', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    await setWalletPin(test, customer)
    await fundWallet(test, customer)
    const unpaid = await placeOrder(test, customer, { mode: 'D2D' })
    expect((await test.call(listPickupRequests, { token })).body.total).toBe(0)
    await payCredits(test, customer, unpaid)
    await payCredits(test, customer, await placeOrder(test, customer, { mode: 'P2D' }))
    const elsewhere = testPickup(test, { address: testParty({ line1: '14 Jalan Telawi' }) })
    const third = await placeOrder(test, customer, { count: 2, mode: 'D2D', pickup: elsewhere })
    await payCredits(test, customer, third)

    const { body } = await test.call(listPickupRequests, { token })
    expect(body.items.map(({ orderId, parcelCount }) => [orderId, parcelCount])).toEqual([
      [third.id, 2],
      [unpaid.id, 1],
    ])
    const oldest = await test.call(listPickupRequests, { token, query: { sort: '+createdAt', limit: 1 } })
    expect(oldest.body).toMatchObject({ total: 2, items: [{ orderId: unpaid.id, window: '09:00-12:00' }] })
    expect((await test.call(listPickupRequests, { token, query: { status: 'completed' } })).body.total).toBe(0)
    const wrong = await test.call(listPickupRequests, { token, query: { status: 'gone' as never } })
    expect(wrong.error.errors?.[0]?.field).toBe('status')
    const stranger = await createCustomer(test)
    expect((await test.call(listPickupRequests, { token: stranger.token })).body.total).toBe(0)
  })
})

describe('the window of a pickup', () => {
  const now = { today: '2026-11-20', time: '13:30', lastDay: '2026-12-20' }
  const getRules = (
    date: string,
    window: '09:00-12:00' | '12:00-15:00' | '15:00-18:00',
    cutOff: string | null = null,
  ) => timeProblems({ date, window }, now, cutOff).map(({ field, rule }) => `${field} ${rule}`)

  it('must not be over, have started, or be too far in the future', () => {
    expect(getRules('2026-11-19', '15:00-18:00')).toEqual(['pickup.date dayPast'])
    expect(getRules('2026-11-20', '12:00-15:00')).toEqual(['pickup.window windowPast'])
    expect(getRules('2026-11-20', '15:00-18:00')).toEqual([])
    expect(getRules('2026-11-21', '09:00-12:00')).toEqual([])
    expect(getRules('2026-12-20', '09:00-12:00')).toEqual([])
    expect(getRules('2026-12-21', '09:00-12:00')).toEqual(['pickup.date dayTooFar'])
  })

  it('is tomorrow at the earliest after the cut-off time', () => {
    expect(getRules('2026-11-20', '15:00-18:00', '13:30')).toEqual(['pickup.window windowPast'])
    expect(getRules('2026-11-20', '15:00-18:00', '14:00')).toEqual([])
    expect(getRules('2026-11-21', '09:00-12:00', '13:00')).toEqual([])
  })
})
