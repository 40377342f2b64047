import { deleteOwnAccount } from '@waybill/contract/account-closure/account-closure'
import { getMember, removeMember, setMemberStatus, updateMember } from '@waybill/contract/accounts/company'
import { getOwnershipOffer, offerOwnership } from '@waybill/contract/accounts/ownership'
import type { MemberPermission } from '@waybill/contract/ground/enums/enums'
import { approveOrder, askApproval, listApprovals } from '@waybill/contract/orders/approvals'
import { putConsent } from '@waybill/contract/orders/monthly-billing'
import { getCart } from '@waybill/contract/parcels/cart'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

const password = 'correct horse battery'
const approving: MemberPermission[] = ['parcels.create', 'pay', 'users']

/** A company with a requester, an approver besides the owner, and one open request. */
async function company() {
  const owner = await createCustomer(test, { userType: 'corporate', language: 'cn_zh', password })
  const set = { credit_limit_minor: 1_000_000, approval_above_minor: 100 }
  await test.deps.db.updateTable('accounts').set(set).where('id', '=', owner.accountId).execute()
  await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
  const clerk = await createMember(test, owner, ['parcels.create', 'pay'])
  const approver = await createMember(test, owner, approving, { password })
  const order = await placeOrder(test, clerk, { count: 2 })
  const { body: request } = await test.call(askApproval, {
    token: clerk.token,
    body: { orderId: order.id, note: null },
  })
  await test.settle()
  return { owner, clerk, approver, order, request }
}

const requests = async ({ token }: TestCustomer, tab: 'pending' | 'decided') =>
  (await test.call(listApprovals, { token, query: { tab } })).body.items.map(({ id, status }) => ({ id, status }))
/** Emails which say that only the owner can decide. */
const mailsToOwner = ({ email }: TestCustomer) =>
  test.mailbox.mails().filter(({ to, subject }) => to.includes(email) && subject.includes('等待您审批'))
const remove = ({ token }: TestCustomer, { userId }: TestCustomer) =>
  test.call(removeMember, { token, params: { id: userId } })

describe('when a member is removed', () => {
  it('withdraws their open requests and returns the parcels to the cart', async () => {
    const { owner, clerk, request, order } = await company()
    await remove(owner, clerk)
    await test.settle()
    expect(await requests(owner, 'pending')).toEqual([])
    expect(await requests(owner, 'decided')).toEqual([{ id: request.id, status: 'withdrawn' }])
    const cart = await test.call(getCart, { token: owner.token, query: { tab: 'dropoff' } })
    expect(cart.body.items.map(({ id }) => id).sort()).toEqual(order.parcels.map(({ id }) => id).sort())
    expect(mailsToOwner(owner)).toEqual([])
    const body = { expectedTotalMinor: order.totalMinor }
    const late = await test.call(approveOrder, { token: owner.token, params: { id: request.id }, body })
    expect(late.error.code).toBe('approval_decided')
  })

  it('leaves their decisions to the owner if nobody else can decide, and emails the owner once', async () => {
    const { owner, approver, request } = await company()
    await remove(owner, approver)
    await test.settle()
    expect(await requests(owner, 'pending')).toEqual([{ id: request.id, status: 'pending' }])
    expect(mailsToOwner(owner)).toHaveLength(1)
  })
})

describe('when a member deletes their own login', () => {
  it('leaves the decisions to the owner and ends an ownership offer', async () => {
    const { owner, approver } = await company()
    const offer = { memberId: approver.userId, currentPassword: password }
    expect((await test.call(offerOwnership, { token: owner.token, body: offer })).status).toBe(200)
    const { token, userId: id } = approver
    const removed = await test.call(deleteOwnAccount, { token, params: { id }, body: { currentPassword: password } })
    expect(removed.status).toBe(200)
    await test.settle()
    expect(mailsToOwner(owner)).toHaveLength(1)
    expect((await test.call(getOwnershipOffer, { token: owner.token })).body.offer).toBeNull()
  })
})

describe('when a member may no longer approve', () => {
  const limit = {
    'loses the permission': async (owner: TestCustomer, { userId }: TestCustomer) => {
      const { name, phone, version } = (await test.call(getMember, { token: owner.token, params: { id: userId } })).body
      const body = { name, phone, permissions: ['pay'] as MemberPermission[], version }
      return test.call(updateMember, { token: owner.token, params: { id: userId }, body })
    },
    'is suspended': ({ token }: TestCustomer, { userId }: TestCustomer) =>
      test.call(setMemberStatus, { token, params: { id: userId, status: 'inactive' } }),
    'is blocked': ({ token }: TestCustomer, { userId }: TestCustomer) =>
      test.call(setMemberStatus, { token, params: { id: userId, status: 'blacklisted' } }),
  }

  it.each(Object.entries(limit))('and %s leaves the decisions to the owner', async (_, act) => {
    const { owner, approver, request } = await company()
    expect((await act(owner, approver)).status).toBe(200)
    await test.settle()
    expect(await requests(owner, 'pending')).toEqual([{ id: request.id, status: 'pending' }])
    expect(mailsToOwner(owner)).toHaveLength(1)
  })

  it('sends no email to the owner while another member can approve', async () => {
    const { owner, approver } = await company()
    await createMember(test, owner, approving)
    await remove(owner, approver)
    await test.settle()
    expect(mailsToOwner(owner)).toEqual([])
  })
})
