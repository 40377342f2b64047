import { getDashboard } from '@waybill/contract/reports/dashboard'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn, days, hours } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember } from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'

const zone = 'Asia/Kuala_Lumpur'

describe('the dashboard', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })
  const ago = (milliseconds: number) => new Date(test.clock.now().getTime() - milliseconds)

  it('is all zeros, and thirty days, for a new account', async () => {
    const { token } = await createCustomer(test)
    const { status, body } = await test.call(getDashboard, { token })
    expect(status).toBe(200)
    expect(Object.values(body.todo)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(new Set(Object.values(body.byTrackingStatus))).toEqual(new Set([0]))
    expect(body.perDay).toHaveLength(30)
    expect(body.perDay.at(-1)?.day).toBe(dayIn(test.clock.now(), zone))
    expect(body.perDay.every(({ created, delivered }) => created === 0 && delivered === 0)).toBe(true)
    expect(body.walletBalanceMinor).toBe(0)
  })

  it('says what needs the customer today, and what has been silent for 36 hours', async () => {
    const account = await createCustomer(test)
    await createParcel(test, account)
    await createParcel(test, account, { status: 'incart' })
    await createParcel(test, account, { status: 'incart' })
    await createParcel(test, account, { status: 'pending_payment' })
    await createParcel(test, account, { status: 'outstanding', delivery_mode: 'P2D' })
    await createParcel(test, account, { status: 'pending_pickup' })
    await createParcel(test, account, { status: 'fail-to-deliver' })
    await createParcel(test, account, { status: 'outbound', last_event_at: ago(hours(37)) })
    await createParcel(test, account, { status: 'outbound', last_event_at: ago(hours(35)) })
    await createParcel(test, account, { status: 'completed', last_event_at: ago(hours(50)) })
    const { body } = await test.call(getDashboard, { token: account.token })
    expect(body.todo).toEqual({
      drafts: 1,
      inCart: 2,
      unpaid: 1,
      outstanding: 1,
      toHandOver: 1,
      failedDeliveries: 1,
      stuck: 1,
    })
    expect(body.byTrackingStatus).toMatchObject({
      pending: 5,
      pending_pickup: 1,
      in_transit: 3,
      delivered: 1,
      cancelled: 0,
    })
  })

  it('counts a parcel on the day that the wall calendar of the deployment shows', async () => {
    const account = await createCustomer(test)
    // Half past midnight of five days ago in Kuala Lumpur is still the day before in UTC.
    const day = dayIn(ago(days(5)), zone)
    const justAfterMidnight = new Date(`${day}T00:30:00+08:00`)
    const justBefore = new Date(justAfterMidnight.getTime() - hours(1))
    await createParcel(test, account, { status: 'completed', created_at: justBefore, last_event_at: justAfterMidnight })
    const { body } = await test.call(getDashboard, { token: account.token })
    expect(body.perDay.find((row) => row.day === day)).toMatchObject({ created: 0, delivered: 1 })
    expect(body.perDay.find((row) => row.day === dayIn(justBefore, zone))).toMatchObject({ created: 1, delivered: 0 })
    const old = await createCustomer(test)
    await createParcel(test, old, { status: 'completed', created_at: ago(days(60)), last_event_at: ago(days(59)) })
    const later = await test.call(getDashboard, { token: old.token })
    expect(later.body.byTrackingStatus.delivered).toBe(0)
    expect(later.body.perDay.every(({ created, delivered }) => created + delivered === 0)).toBe(true)
  })

  it('counts for a member their own parcels only, and keeps the wallet from them', async () => {
    const account = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, account, ['parcels.create'])
    await createParcel(test, account, { status: 'incart' })
    await createParcel(test, member)
    const { body } = await test.call(getDashboard, { token: member.token })
    expect(body.todo).toMatchObject({ drafts: 1, inCart: 0 })
    expect(body.walletBalanceMinor).toBeNull()
  })
})
