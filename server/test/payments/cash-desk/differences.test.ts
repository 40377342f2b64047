import { sendMessage } from '@waybill/contract/chat/chat'
import { sendAnswer } from '@waybill/contract/chat/inbox'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { getInvoice, getOrder, listOrders, type Order } from '@waybill/contract/orders/orders'
import { listOutstanding, payOutstanding } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { findCashDue, openDrawer, takeCash } from '@waybill/contract/payments/cash-desk'
import { reportOrders } from '@waybill/contract/reports/orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { readData, readHome } from '../../dashboard/widgets.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../../testing/factories/accounts.ts'
import { findCounter, handedOver } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { expectSoundBooks, fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

const currency = 'MYR'

describe('a paid difference after a re-weighing', () => {
  let test: TestApp
  let clerk: TestStaff
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    moveToNextDay(test)
    await seedTestNetwork(test)
    clerk = (await findCounter(test)).counter
    await test.call(openDrawer, { token: clerk.token, body: { drawerNumber: 1, floatMinor: 10_000, currency } })
    owner = await createCustomer(test, { userType: 'corporate', name: 'Owner' })
    await fundWallet(test, owner, 200_000)
    await setWalletPin(test, owner)
  })

  const createSender = async (name: string) => {
    const member = await createMember(test, owner, ['parcels.create', 'pay', 'reports'], { name })
    await test.deps.db
      .updateTable('users')
      .set({ cost_centre: `CC-${name}` })
      .where('id', '=', member.userId)
      .execute()
    return member
  }
  const createHeavyParcel = async (sender: TestCustomer) => {
    const parcel = await handedOver(test, sender, clerk)
    const body = { weightGrams: 6000, confirmed: true }
    const { dueMinor } = (await test.call(reweighParcel, { token: clerk.token, params: { id: parcel.id }, body })).body
    return { ...parcel, dueMinor }
  }
  const payInCash = async (code: string) => {
    const due = (await test.call(findCashDue, { token: clerk.token, query: { code } })).body
    const body = { drawerNumber: 1, code, totalSeenMinor: due.totalMinor, givenMinor: 10_000, currency }
    const sold = await test.call(takeCash, { token: clerk.token, body })
    expect(sold.status).toBe(200)
    return sold.body
  }
  const readOrders = async ({ token }: TestCustomer): Promise<Order[]> =>
    (await test.call(listOrders, { token })).body.items
  const report = async () => (await test.call(reportOrders, { token: owner.token })).body

  it('in cash at a counter is an order of the sender, not of the cashier', async () => {
    const sender = await createSender('Sender')
    const parcel = await createHeavyParcel(sender)
    const { orderNumber } = await payInCash(parcel.number)
    const order = (await readOrders(sender)).find(({ number }) => number === orderNumber)
    const get = { token: sender.token, params: { id: order?.id ?? '' } }
    expect((await test.call(getOrder, get)).body).toMatchObject({ paymentMethod: 'store', paidMinor: parcel.dueMinor })
    expect((await test.call(getInvoice, get)).body).toMatchObject({ totalMinor: parcel.dueMinor })

    const { users } = await report()
    expect(users.map(({ name, costCentre }) => [name, costCentre])).toEqual([['Sender', 'CC-Sender']])
    const [paid] = await readOrders(sender).then((orders) => orders.filter(({ id }) => id === parcel.orderId))
    const spend = readData(await readHome(test, owner.token), 'spend_by_user')
    expect(spend.users.map(({ name, thisMonthMinor }) => [name, thisMonthMinor])).toEqual([
      ['Sender', (paid?.totalMinor ?? 0) + parcel.dueMinor],
    ])

    const sales = await createStaff(test, { role: 'inside_sales_representative' })
    const id = order?.id ?? ''
    const body = { threadId: id, text: 'Why?' }
    expect((await test.call(sendMessage, { token: sender.token, body })).status).toBe(200)
    const params = { id }
    expect((await test.call(sendAnswer, { token: sales.token, params, body: { text: 'Six kilos.' } })).status).toBe(200)
    await test.settle()
    const { items } = (await test.call(listNotifications, { token: sender.token })).body
    expect(items.map(({ kind }) => kind)).toContain('message_received')

    // The books still name the cashier, who took the money, and the order that was paid: also for the rounding.
    const { db } = test.deps
    const entries = await db
      .selectFrom('journal_entries')
      .select(['kind', 'reference', 'created_by'])
      .where('order_id', '=', id)
      .orderBy('kind')
      .execute()
    const booked = { reference: orderNumber, created_by: clerk.userId }
    expect(entries).toEqual([
      { kind: 'adjustment', ...booked },
      { kind: 'outstanding', ...booked },
    ])
    const payment = await db.selectFrom('payments').selectAll().where('order_id', '=', id).executeTakeFirstOrThrow()
    expect(payment.created_by).toBe(clerk.userId)
    await expectSoundBooks(test)
  })

  it('by the owner is one order for each sender, and one payment', async () => {
    const [first, second] = [await createSender('First'), await createSender('Second')]
    const parcels = [await createHeavyParcel(first), await createHeavyParcel(first), await createHeavyParcel(second)]
    const totalSeenMinor = parcels.reduce((sum, { dueMinor }) => sum + dueMinor, 0)
    const body = { parcelIds: parcels.map(({ id }) => id), totalSeenMinor, pin: testPin }
    const paid = await test.call(payOutstanding, { token: owner.token, body })
    expect(paid.body).toMatchObject({ amountMinor: totalSeenMinor, status: 'succeeded' })
    expect((await test.call(listOutstanding, { token: owner.token })).body.totalDueMinor).toBe(0)
    const charges = async (sender: TestCustomer) =>
      (await readOrders(sender)).filter(({ parcelCount }) => parcelCount === 0).map(({ paidMinor }) => paidMinor)
    const [one, two, three] = parcels.map(({ dueMinor }) => dueMinor) as [number, number, number]
    expect([await charges(first), await charges(second)]).toEqual([[one + two], [three]])
    await expectSoundBooks(test)
  })
})
