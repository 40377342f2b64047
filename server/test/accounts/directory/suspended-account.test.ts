import { sendMessage } from '@waybill/contract/chat/chat'
import { createOrder } from '@waybill/contract/orders/orders'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { recallParcel } from '@waybill/contract/parcels/allowed-actions'
import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { listOutstanding, payInStore, payOutstanding } from '@waybill/contract/parcels/outstanding'
import { createParcel as createParcelCall } from '@waybill/contract/parcels/parcels'
import { createTicket } from '@waybill/contract/tickets/tickets'
import { topUp } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { parcelBody } from '../../testing/factories/parcels.ts'
import { createPayer, testPin } from '../../testing/factories/wallet.ts'

describe('a suspended account', () => {
  let test: TestApp
  let counter: TestStaff
  /** The owner with a token from before the suspension, and a member with one from after it. */
  let owner: TestCustomer
  let suspended: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ counter } = await findCounter(test))
    owner = await createPayer(test, { userType: 'corporate', creditsMinor: 200_000 })
    suspended = await createCustomer(test, {
      userType: 'corporate',
      accountId: owner.accountId,
      accountStatus: 'inactive',
      isOwner: false,
      permissions: ['parcels.create', 'parcels.view_all', 'pay', 'wallet'],
    })
  })

  it('writes to support', async () => {
    const { token } = suspended
    const { id } = await handedOver(test, owner, counter)
    const message = await test.call(sendMessage, { token, body: { threadId: id, text: 'Why am I suspended?' } })
    expect(message.status, JSON.stringify(message.error)).toBe(200)
    const ticket = await test.call(createTicket, {
      token,
      body: { kind: 'enquiry', title: 'Suspended', description: 'Please reactivate my account.' },
    })
    expect(ticket.status, JSON.stringify(ticket.error)).toBe(200)
  })

  it('decides about a failed delivery, also for a fee', async () => {
    const { token } = suspended
    const { id } = await undelivered(test, owner, counter)
    expect((await parcelNow(test, suspended, id)).allowedActions).toEqual(['choose_delivery', 'print_note'])
    const { options } = (await test.call(getDeliveryChoice, { token, params: { id } })).body
    const recall = options.find(({ kind }) => kind === 'recall')
    expect(recall).toMatchObject({ open: true, feeMinor: 530 })
    const body = { kind: 'recall' as const, expectedFeeMinor: 530, pin: testPin }
    const choice = await test.call(makeDeliveryChoice, { token, params: { id }, body })
    expect(choice.status, JSON.stringify(choice.error)).toBe(200)
  })

  it('pays what it owes and cancels parcels, but buys nothing', async () => {
    const { token } = suspended
    const [dueOrder, otherOrder] = [await placeOrder(test, owner), await placeOrder(test, owner)]
    for (const { id, totalMinor } of [dueOrder, otherOrder])
      await test.call(payInStore, {
        token: owner.token,
        params: { id },
        body: { expectedTotalMinor: totalMinor },
      })
    const { items } = (await test.call(listOutstanding, { token })).body
    const parcelIds = items.flatMap(({ parcelId, orderId }) => (orderId === dueOrder.id ? [parcelId] : []))
    const [parcelId = ''] = parcelIds
    expect((await parcelNow(test, suspended, parcelId)).allowedActions).toEqual([
      'pay_outstanding',
      'cancel',
      'print_note',
    ])
    const payment = await test.call(payOutstanding, {
      token,
      body: { parcelIds, totalSeenMinor: dueOrder.totalMinor, pin: testPin },
    })
    expect(payment.status, JSON.stringify(payment.error)).toBe(200)
    const ids = items.flatMap(({ parcelId, orderId }) => (orderId === otherOrder.id ? [parcelId] : []))
    const cancellation = await test.call(cancelParcels, { token, body: { ids } })
    expect(cancellation.status, JSON.stringify(cancellation.error)).toBe(200)

    const { id } = await handedOver(test, owner, counter)
    const purchases = [
      test.call(createParcelCall, { token, body: parcelBody() }),
      test.call(createOrder, { token, body: { parcelIds } as never }),
      test.call(topUp, { token, body: { amountMinor: 1000 } as never }),
      test.call(recallParcel, { token, params: { id }, body: { version: 1, expectedFeeMinor: 530, pin: testPin } }),
    ]
    for (const { status, error } of await Promise.all(purchases))
      expect([status, error.code]).toEqual([403, 'account_suspended'])
  })

  it('reads who can end the suspension: the courier, or for a suspended member the owner of the account', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['parcels.create'], { userStatus: 'inactive' })
    const readReason = async ({ token }: TestCustomer) =>
      (await test.call(createParcelCall, { token, body: parcelBody() })).error.message
    expect(await readReason(suspended)).toMatch(/Contact support/)
    expect(await readReason(member)).toMatch(/Ask the account owner/)
  })
})
