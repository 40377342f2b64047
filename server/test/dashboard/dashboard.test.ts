import { listOrders } from '@waybill/contract/orders/orders'
import { listParcels } from '@waybill/contract/parcels/list'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn, days, hours, minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, orderParcels, payAtGateway, placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createPayer } from '../testing/factories/wallet.ts'
import { listKinds, readData, readHome } from './widgets.ts'

const zone = 'Asia/Kuala_Lumpur'

describe('the dashboard', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })
  const timeAgo = (milliseconds: number) => new Date(test.clock.now().getTime() - milliseconds)

  it('shows zeros for thirty days for a new account', async () => {
    const { token } = await createCustomer(test)
    const home = await readHome(test, token)
    const { unpaidUntil, unpaidEndsSoon, ...counts } = home.todo
    expect(new Set(Object.values(counts))).toEqual(new Set([0]))
    expect([unpaidUntil, unpaidEndsSoon]).toEqual([null, false])
    expect(new Set(Object.values(readData(home, 'parcels_by_status').byTrackingStatus))).toEqual(new Set([0]))
    const { days: perDay } = readData(home, 'parcels_per_day')
    expect(perDay).toHaveLength(30)
    expect(perDay.at(-1)?.day).toBe(dayIn(test.clock.now(), zone))
    expect(perDay.every(({ created, delivered }) => created === 0 && delivered === 0)).toBe(true)
    expect(readData(home, 'wallet').balanceMinor).toBe(0)
  })

  it('lists what the customer must do today, and parcels without a scan for 36 hours', async () => {
    const account = await createCustomer(test)
    await createParcel(test, account)
    await createParcel(test, account, { status: 'incart' })
    await createParcel(test, account, { status: 'incart' })
    await createParcel(test, account, { status: 'outstanding', delivery_mode: 'P2D' })
    await createParcel(test, account, { status: 'pending_pickup' })
    await createParcel(test, account, { status: 'fail-to-deliver' })
    await createParcel(test, account, { status: 'outbound', last_event_at: timeAgo(hours(37)) })
    await createParcel(test, account, { status: 'outbound', last_event_at: timeAgo(hours(35)) })
    await createParcel(test, account, { status: 'completed', last_event_at: timeAgo(hours(50)) })
    const home = await readHome(test, account.token)
    expect(home.todo).toEqual({
      drafts: 1,
      inCart: 2,
      unpaid: 0,
      unpaidUntil: null,
      unpaidEndsSoon: false,
      outstanding: 1,
      toHandOver: 1,
      withoutPickup: 1,
      failedPickups: 0,
      failedDeliveries: 1,
      stuck: 1,
      approvals: 0,
      overdueStatements: 0,
    })
    // The link of the text leads to the same number of parcels.
    const { body } = await test.call(listParcels, { token: account.token, query: { silent: 'true' } })
    expect([body.total, body.items.map(({ status }) => status)]).toEqual([home.todo.stuck, ['outbound']])
    expect(readData(home, 'parcels_by_status').byTrackingStatus).toMatchObject({
      pending: 4,
      pending_pickup: 1,
      in_transit: 3,
      delivered: 1,
      cancelled: 0,
    })
  })

  it('counts the parcels that the linked list shows for each task', async () => {
    const account = await createCustomer(test)
    for (const status of ['pending', 'incart', 'pending_payment', 'outstanding', 'fail-to-deliver', 'recall'] as const)
      await createParcel(test, account, { status })
    // Neither needs a choice: it is made already, or the parcel is on its way back.
    await createParcel(test, account, { status: 'fail-to-deliver', choice_made: true })
    await createParcel(test, account, { status: 'fail-to-deliver', leg: 'return' })
    const { todo } = await readHome(test, account.token)
    // The filters are those of the links in web/src/features/dashboard/todo-list.tsx.
    const links = [
      [todo.drafts, { tab: 'draft', status: 'pending' }],
      [todo.failedDeliveries, { tab: 'problem', undecided: 'true' }],
    ] as const
    expect(todo.failedDeliveries).toBe(1)
    for (const [count, query] of links) {
      const { body } = await test.call(listParcels, { token: account.token, query })
      expect([query.tab, body.total]).toEqual([query.tab, count])
    }
  })

  it('counts unpaid checkouts for the member who made them, as the linked list does', async () => {
    const owner = await createPayer(test, { userType: 'corporate' })
    const [member, colleague] = await Promise.all(
      [1, 2].map(() => createMember(test, owner, ['parcels.create', 'pay'])),
    )
    if (!member || !colleague) throw new Error('no members')
    // The owner checks out a member's parcels: the member has parcels that wait, but no checkout to pay.
    await payAtGateway(test, owner, await orderParcels(test, owner, await fillCart(test, member, 2, 'P2D')))
    await placeOrder(test, owner)
    await placeOrder(test, colleague, { count: 3 })
    for (const [user, count] of [
      [owner, 3],
      [member, 0],
      [colleague, 1],
    ] as const) {
      const { todo } = await readHome(test, user.token)
      // The filter is that of the link in web/src/features/dashboard/todo-list.tsx.
      const { body } = await test.call(listOrders, { token: user.token, query: { payable: 'true' } })
      expect([todo.unpaid, body.total, todo.unpaidUntil !== null]).toEqual([count, count, count > 0])
    }
  })

  it('warns when a checkout expires soon', async () => {
    const payer = await createPayer(test)
    await payAtGateway(test, payer, await placeOrder(test, payer, { count: 2 }))
    // A new token for each request: sessions expire before a checkout does.
    const readTodo = async () => {
      const { token } = await createCustomer(test, { accountId: payer.accountId })
      return (await readHome(test, token)).todo
    }
    const first = await readTodo()
    expect(first).toMatchObject({ unpaid: 1, unpaidEndsSoon: false })
    test.clock.advance(minutes(20))
    expect(await readTodo()).toEqual({ ...first, unpaidEndsSoon: true })
  })

  it('counts a parcel by the date in the time zone of the deployment', async () => {
    const account = await createCustomer(test)
    // Half past midnight of five days ago in Kuala Lumpur is still the day before in UTC.
    const day = dayIn(timeAgo(days(5)), zone)
    const justAfterMidnight = new Date(`${day}T00:30:00+08:00`)
    const justBefore = new Date(justAfterMidnight.getTime() - hours(1))
    await createParcel(test, account, { status: 'completed', created_at: justBefore, last_event_at: justAfterMidnight })
    const { days: perDay } = readData(await readHome(test, account.token), 'parcels_per_day')
    expect(perDay.find((row) => row.day === day)).toMatchObject({ created: 0, delivered: 1 })
    expect(perDay.find((row) => row.day === dayIn(justBefore, zone))).toMatchObject({ created: 1, delivered: 0 })
    const old = await createCustomer(test)
    await createParcel(test, old, {
      status: 'completed',
      created_at: timeAgo(days(60)),
      last_event_at: timeAgo(days(59)),
    })
    const later = await readHome(test, old.token)
    expect(readData(later, 'parcels_by_status').byTrackingStatus.delivered).toBe(0)
    expect(readData(later, 'parcels_per_day').days.every(({ created, delivered }) => created + delivered === 0)).toBe(
      true,
    )
  })

  it("counts only a member's own parcels, and hides the wallet from them", async () => {
    const account = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, account, ['parcels.create'])
    await createParcel(test, account, { status: 'incart' })
    await createParcel(test, member)
    const home = await readHome(test, member.token)
    expect(home.todo).toMatchObject({ drafts: 1, inCart: 0 })
    expect(listKinds(home)).not.toContain('wallet')
  })
})
