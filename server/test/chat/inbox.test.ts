import { listMessages, sendMessage, sendTyping } from '@waybill/contract/chat/chat'
import {
  assignThread,
  createAnswer,
  deleteAnswer,
  type InboxTab,
  listAnswers,
  listAssignees,
  listInbox,
  listInboxMessages,
  sendAnswer,
  sendStaffTyping,
  updateAnswer,
} from '@waybill/contract/chat/inbox'
import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { accountEvents, staffEvents } from '@waybill/contract/tracking/account-events'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { type Heard, listening, type OpenedStream, openStream } from '../testing/streams.ts'

describe('the inbox', () => {
  let test: TestApp
  let sales: TestStaff
  let manager: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    sales = await createStaff(test, { role: 'inside_sales_representative' })
    manager = await createStaff(test, { role: 'account_manager' })
  })

  const ask = async (by: TestCustomer, text = 'Where is it?') => {
    const { id } = await createParcel(test, by, { status: 'inbound' })
    expect((await test.call(sendMessage, { token: by.token, body: { threadId: id, text } })).status).toBe(200)
    return id
  }
  const inbox = (tab: InboxTab, query: QueryIn<typeof listInbox> = {}, by = sales) =>
    test.call(listInbox, { token: by.token, query: { tab, ...query } })
  const listIds = async (...args: Parameters<typeof inbox>) => (await inbox(...args)).body.items.map(({ id }) => id)
  const answer = (id: string, by = sales) =>
    test.call(sendAnswer, { token: by.token, params: { id }, body: { text: 'In Ipoh.' } })
  const assign = (id: string, expectedId: string | null, assigneeId: string | null, by = sales) =>
    test.call(assignThread, { token: by.token, params: { id }, body: { expectedId, assigneeId } })

  it('lists the longest wait first; an answer ends a wait, and a second question does not restart it', async () => {
    const shop = await createCustomer(test)
    const query = { accountId: shop.accountId }
    const first = await ask(shop)
    const second = await ask(shop)
    const since = (await inbox('waiting', query)).body.items[0]?.waitingSince
    await test.call(sendMessage, { token: shop.token, body: { threadId: first, text: 'Hello?' } })
    expect(await listIds('waiting', query)).toEqual([first, second])
    expect((await inbox('waiting', query)).body.items[0]).toMatchObject({ unread: 2, waitingSince: since })
    await answer(first)
    expect(await listIds('waiting', query)).toEqual([second])
    expect(await listIds('all', query)).toEqual([first, second])
  })

  it('counts as far as other lists do', async () => {
    const shop = await createCustomer(test)
    await sql`
      insert into chat_threads (id, account_id, subject, number, created_by, last_at)
      select gen_random_uuid(), ${shop.accountId}::uuid, 'ticket', 'T' || n, ${shop.userId}::uuid, now()
      from generate_series(1, 1001) n`.execute(test.deps.db)
    expect((await inbox('all', { accountId: shop.accountId })).body.total).toBe(1001)
    await sql`delete from chat_threads where account_id = ${shop.accountId}::uuid`.execute(test.deps.db)
  })

  it('pages by keyset in both orders', async () => {
    const shop = await createCustomer(test)
    const own = []
    for (let n = 0; n < 5; n += 1) own.push(await ask(shop))
    for (const [tab, expected] of [
      ['waiting', own],
      ['all', own.toReversed()],
    ] as const) {
      const query = { accountId: shop.accountId, limit: 2 }
      const one = (await inbox(tab, query)).body
      const two = (await inbox(tab, { ...query, after: one.next ?? '' })).body
      const three = (await inbox(tab, { ...query, after: two.next ?? '' })).body
      expect([one, two, three].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(expected)
      expect(three.next).toBeNull()
      const previousPage = (await inbox(tab, { ...query, before: three.previous ?? '' })).body
      expect(previousPage.items.map(({ id }) => id)).toEqual(two.items.map(({ id }) => id))
    }
  })

  it('filters by subject, account and the first characters of a number', async () => {
    const shop = await createCustomer(test, { name: 'Ipoh Paper' })
    const id = await ask(shop)
    const { body } = await inbox('all', { accountId: shop.accountId })
    expect(body.items[0]).toMatchObject({ id, accountName: 'Ipoh Paper', subject: 'parcel' })
    const { number = '' } = body.items[0] ?? {}
    expect(await listIds('all', { search: number.slice(0, 12) })).toContain(id)
    for (const search of [number.toLowerCase(), groupTrackingNumber(number), ` ${number}`])
      expect(await listIds('all', { search })).toEqual([id])
    for (const search of ['%', '-']) expect(await listIds('all', { search })).toEqual([])
    expect(await listIds('all', { subject: 'order', accountId: shop.accountId })).toEqual([])
  })

  it('assigns a thread to the first person who answers, and by hand to any staff who may answer', async () => {
    const shop = await createCustomer(test)
    const id = await ask(shop)
    expect(await listIds('unassigned')).toContain(id)
    await answer(id)
    await answer(id, manager)
    expect(await listIds('mine')).toContain(id)
    expect(await listIds('mine', {}, manager)).not.toContain(id)
    expect((await assign(id, null, manager.userId)).error.code).toBe('version_conflict')
    expect((await assign(id, sales.userId, manager.userId)).status).toBe(200)
    expect(await listIds('mine', {}, manager)).toContain(id)
    const { body } = await test.call(listInboxMessages, { token: sales.token, params: { id } })
    expect(body.assignee?.id).toBe(manager.userId)
    const rider = await createStaff(test, { role: 'normal_staff' })
    expect((await assign(id, manager.userId, rider.userId)).error.errors?.[0]?.field).toBe('assigneeId')
    expect((await assign(id, manager.userId, null)).status).toBe(200)
    const people = (await test.call(listAssignees, { token: sales.token })).body.items.map((person) => person.id)
    expect(people).toEqual(expect.arrayContaining([sales.userId, manager.userId]))
    expect(people).not.toContain(rider.userId)
  })

  it('notifies everyone who may answer if the assignee may not any more', async () => {
    const shop = await createCustomer(test)
    const id = await ask(shop)
    const clerk = await createStaff(test, { role: 'inside_sales_representative' })
    await answer(id, clerk)
    const text = 'Since when?'
    const countNotices = async ({ token }: TestStaff) =>
      (await test.call(listNotifications, { token })).body.items.filter(({ kind }) => kind === 'message_received')
        .length
    const before = await countNotices(manager)
    await test.call(sendMessage, { token: shop.token, body: { threadId: id, text } })
    await test.settle()
    expect(await countNotices(manager)).toBe(before)
    await answer(id, clerk)
    await test.deps.db.updateTable('users').set({ staff_role: 'normal_staff' }).where('id', '=', clerk.userId).execute()
    await test.call(sendMessage, { token: shop.token, body: { threadId: id, text } })
    await test.settle()
    expect(await countNotices(manager)).toBe(before + 1)
  })

  it('assigns a thread to only one of two people who take it at the same moment', async () => {
    const id = await ask(await createCustomer(test))
    const answers = await Promise.all([assign(id, null, sales.userId), assign(id, null, manager.userId, manager)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('lets staff start a thread', async () => {
    const shop = await createCustomer(test)
    const { id } = await createParcel(test, shop, { status: 'inbound' })
    expect((await answer(id)).body).toMatchObject({ position: 1, from: 'staff' })
    const { body } = await test.call(listMessages, { token: shop.token, params: { id } })
    expect(body.thread.unread).toBe(1)
    expect(await listIds('waiting', { accountId: shop.accountId })).toEqual([])
  })

  it('has saved answers, which staff create, change and delete', async () => {
    const body = { title: 'Opening hours', text: 'Monday to Saturday.', language: 'en' as const }
    const savedAnswer = await test.call(createAnswer, { token: sales.token, body })
    expect(savedAnswer.body).toMatchObject({ version: 1, ...body })
    const duplicate = await test.call(createAnswer, { token: manager.token, body })
    expect([duplicate.status, duplicate.error.errors?.[0]?.field]).toEqual([422, 'title'])
    const chinese = { ...body, language: 'cn_zh' as const }
    expect((await test.call(createAnswer, { token: sales.token, body: chinese })).status).toBe(200)
    const { id } = savedAnswer.body
    const change = (version: number) =>
      test.call(updateAnswer, { token: manager.token, params: { id }, body: { ...body, text: 'Daily.', version } })
    expect((await change(1)).body).toMatchObject({ version: 2, text: 'Daily.' })
    expect((await change(1)).error.code).toBe('version_conflict')
    const { items } = (await test.call(listAnswers, { token: sales.token })).body
    expect(items.map(({ language, text }) => [language, text])).toEqual([
      ['cn_zh', 'Monday to Saturday.'],
      ['en', 'Daily.'],
    ])
    expect((await test.call(deleteAnswer, { token: sales.token, params: { id } })).status).toBe(200)
    expect((await test.call(deleteAnswer, { token: sales.token, params: { id } })).status).toBe(404)
  })

  /** The next event of one of these types. */
  const readNext = async (stream: OpenedStream, ...types: string[]): Promise<Heard> => {
    for (;;) {
      const event = await stream.next()
      if (types.includes(event.event)) return event
    }
  }

  it('sends messages, read marks and typing at once to staff and to the customer', async () => {
    const address = await listening(test)
    const shop = await createCustomer(test, { userType: 'corporate' })
    const stranger = await createCustomer(test)
    const member = await createMember(test, shop)
    const staffStream = await openStream(address, staffEvents, { token: sales.token })
    const ownStream = await openStream(address, accountEvents, { token: shop.token })
    const otherStreams = [
      await openStream(address, accountEvents, { token: stranger.token }),
      await openStream(address, accountEvents, { token: member.token }),
      await openStream(address, staffEvents, { token: (await createStaff(test, { role: 'normal_staff' })).token }),
    ]
    const id = await ask(shop)
    const message = { event: 'chat_message', data: { threadId: id, position: 1, from: 'customer' } }
    expect(await readNext(staffStream, 'chat_message')).toEqual(message)
    expect(await readNext(ownStream, 'chat_message')).toEqual(message)
    await test.call(sendStaffTyping, { token: sales.token, params: { id } })
    expect(await readNext(ownStream, 'chat_typing')).toMatchObject({ data: { threadId: id, by: 'staff' } })
    await test.call(sendTyping, { token: shop.token, params: { id } })
    expect(await readNext(staffStream, 'chat_typing')).toMatchObject({ data: { by: 'staff' } })
    expect(await readNext(staffStream, 'chat_typing')).toMatchObject({ data: { by: 'customer' } })
    await answer(id)
    expect(await readNext(ownStream, 'chat_message')).toMatchObject({ data: { position: 2, from: 'staff' } })
    // The first event of the others is about their own thread.
    const strangersId = await ask(stranger)
    expect(await readNext(otherStreams[0] as OpenedStream, 'chat_message')).toMatchObject({
      data: { threadId: strangersId },
    })
    const membersId = await ask(member)
    expect(await readNext(otherStreams[1] as OpenedStream, 'chat_message')).toMatchObject({
      data: { threadId: membersId },
    })
    for (const stream of [staffStream, ownStream, ...otherStreams]) await stream.close()
  })
})
