// Notices to members who were removed, blocked or suspended: the owner gets those about the account's business.
import { removeMember, setMemberStatus } from '@waybill/contract/accounts/company'
import { answerAddressRequest, createAddressRequest } from '@waybill/contract/addresses/requests'
import { sendAnswer } from '@waybill/contract/chat/inbox'
import {
  getNotificationPreferences,
  listNotifications,
  putNotificationPreferences,
} from '@waybill/contract/notifications/notifications'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Tx, tx } from '../../src/db/pool.ts'
import { type Notice, notify } from '../../src/domains/notifications/notify.ts'
import { notifyDelivered } from '../../src/domains/parcels/timeline/notify-delivered.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'

describe('the owner', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
  })
  beforeEach(async () => {
    owner = await createCustomer(test, { userType: 'corporate', language: 'cn_zh' })
  })

  const addMember = () => createMember(test, owner, ['parcels.create', 'addresses'])
  const remove = ({ userId }: TestCustomer) => test.call(removeMember, { token: owner.token, params: { id: userId } })
  const setStatus = ({ userId }: TestCustomer, status: 'inactive' | 'blacklisted') =>
    test.call(setMemberStatus, { token: owner.token, params: { id: userId, status } })
  const leaves = {
    'is removed': remove,
    'is blocked': (member: TestCustomer) => setStatus(member, 'blacklisted'),
    'is suspended': (member: TestCustomer) => setStatus(member, 'inactive'),
  }
  const send = (notice: Notice) => tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
  const list = async ({ token }: TestCustomer) => (await test.call(listNotifications, { token })).body.items
  const listStored = async ({ userId }: TestCustomer) =>
    test.deps.db.selectFrom('notifications').select('kind').where('user_id', '=', userId).execute()
  const mailsTo = ({ email }: TestCustomer) => test.mailbox.mails().filter((mail) => mail.to.includes(email))
  const stuck = { kind: 'parcel_stuck', facts: { number: 'WB1', numbers: 'WB1', hours: 24 } } as const

  it.each(Object.entries(leaves))(
    'gets the answer to a message about the parcel of a member who %s',
    async (_, leave) => {
      const member = await addMember()
      const parcel = await createParcel(test, member, { status: 'delivering' })
      expect((await leave(member)).status).toBe(200)
      const staff = await createStaff(test, { role: 'account_manager' })
      const message = { text: 'Your parcel is in Ipoh.', fileIds: [] }
      const answer = await test.call(sendAnswer, { token: staff.token, params: { id: parcel.id }, body: message })
      expect(answer.status, JSON.stringify(answer.error)).toBe(200)
      await test.settle()
      const [item, ...others] = await list(owner)
      expect(item).toMatchObject({ kind: 'message_received', path: `/messages/${parcel.id}` })
      expect(others).toEqual([])
      expect(await listStored(member)).toEqual([])
      const mails = mailsTo(owner)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.subject).toMatch(/\p{Script=Han}/u)
      expect(mailsTo(member)).toEqual([])
    },
  )

  it('is told of an address that was entered by the link of a blocked member', async () => {
    const member = await addMember()
    const { url } = (await test.call(createAddressRequest, { token: member.token, body: {} })).body
    await setStatus(member, 'blacklisted')
    const body = {
      contactName: 'Farah binti Osman',
      phone: '+60123847265',
      line1: '8, Lorong Meranti 2',
      postcode: '50480',
      city: 'Kuala Lumpur',
      state: 'Kuala Lumpur',
      country: 'my',
    }
    const token = url.split('/').at(-1) as string
    expect((await test.call(answerAddressRequest, { params: { token }, body })).status).toBe(200)
    expect(await list(owner)).toMatchObject([{ kind: 'address_filled_in' }])
  })

  it('gets a notice once, also if it is addressed to several former members and to the owner', async () => {
    const [removed, blocked, active] = [await addMember(), await addMember(), await addMember()]
    await remove(removed)
    await setStatus(blocked, 'blacklisted')
    await send({ ...stuck, to: { users: [removed, owner, blocked, active].map(({ userId }) => userId) } })
    await test.settle()
    for (const reader of [owner, active]) {
      expect(await list(reader)).toHaveLength(1)
      expect(mailsTo(reader)).toHaveLength(1)
    }
  })

  it("gets it by the owner's own preferences", async () => {
    const member = await addMember()
    await remove(member)
    const { version } = (await test.call(getNotificationPreferences, { token: owner.token })).body
    const channels = [{ topic: 'parcels' as const, channel: 'mail' as const, on: false }]
    const body = { channels, quietHours: null, version }
    expect((await test.call(putNotificationPreferences, { token: owner.token, body })).status).toBe(200)
    await send({ ...stuck, to: { users: [member.userId] } })
    await test.settle()
    expect(await list(owner)).toHaveLength(1)
    expect(mailsTo(owner)).toEqual([])
  })

  it.each([
    ['security', { kind: 'new_device', facts: { device: 'Firefox', ip: '192.0.2.1', at: '' } }],
    ['account', { kind: 'ownership_declined', facts: { other: 'A', account: 'B', days: 7 } }],
    ['approvals', { kind: 'approval_declined', facts: { decider: 'A', reason: '', number: 'O-1', amount: '' } }],
  ] as const)('gets no notice of the personal topic %s', async (_, notice) => {
    const [removed, blocked, suspended] = [await addMember(), await addMember(), await addMember()]
    await remove(removed)
    await setStatus(blocked, 'blacklisted')
    await setStatus(suspended, 'inactive')
    await send({ ...notice, to: { users: [removed, blocked, suspended].map(({ userId }) => userId) } })
    await test.settle()
    for (const nobody of [owner, removed, blocked]) {
      expect(await listStored(nobody)).toEqual([])
      expect(mailsTo(nobody)).toEqual([])
    }
    expect(await listStored(suspended)).toEqual([{ kind: notice.kind }])
  })

  it('gets no notice of another company', async () => {
    const other = await createCustomer(test, { userType: 'corporate' })
    const member = await addMember()
    await remove(member)
    await send({ ...stuck, to: { users: [member.userId] } })
    expect(await list(other)).toEqual([])
  })

  describe('of delivered parcels', () => {
    const deliver = (trx: Tx, senders: TestCustomer[]) =>
      notifyDelivered(
        test.deps,
        trx,
        senders.map(({ accountId, userId }) => ({
          accountId,
          parcelId: crypto.randomUUID(),
          createdBy: userId,
          trackingNumber: 'WB12345678903',
          event: 'delivered',
          status: 'completed',
          leg: 'outbound',
          trackingStatus: 'delivered',
          collectUntil: null,
        })),
      )

    it('gets one notification for the own ones and those of former members', async () => {
      const [removed, blocked] = [await addMember(), await addMember()]
      await remove(removed)
      await setStatus(blocked, 'blacklisted')
      await tx(test.deps.db, (trx) => deliver(trx, [removed, owner, blocked, owner]))
      expect(await list(owner)).toMatchObject([{ kind: 'parcel_delivered', items: 4 }])
    })

    it('is locked in the order of all readers, so that no transaction is repeated after a deadlock', async () => {
      // Ids ascend: the former member comes before the active one, and the owner after both.
      const former = await createCustomer(test, { userType: 'corporate', isOwner: false })
      const active = await createMember(test, former)
      owner = await createMember(test, former, [], { isOwner: true })
      await setStatus(former, 'blacklisted')
      const { db } = test.deps
      let attempts = 0
      const deliverBoth = (trx: Tx) => {
        attempts += 1
        return deliver(trx, [former, active])
      }
      const { both } = await tx(db, async (trx) => {
        attempts += 1
        await deliver(trx, [active])
        const both = tx(db, deliverBoth)
        await expect.poll(countWaiting).toBe(1)
        await deliver(trx, [owner])
        return { both }
      })
      await both
      expect(attempts).toBe(2)
      for (const reader of [owner, active]) expect(await list(reader)).toMatchObject([{ items: 2 }])
    })

    const countWaiting = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(test.deps.db)
      return rows[0]?.waiting
    }
  })
})
