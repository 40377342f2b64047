import { createAttachment } from '@waybill/contract/attachments/attachments'
import { listMessages, listThreads, longestMessage, markRead, sendMessage } from '@waybill/contract/chat/chat'
import { listInboxMessages, markInboxRead, sendAnswer } from '@waybill/contract/chat/inbox'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { uploadPhoto } from '../testing/factories/attachments.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { upload } from '../testing/forms.ts'

describe('messages', () => {
  let test: TestApp
  let owner: TestCustomer
  let sales: TestStaff
  let parcelId: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test, { userType: 'corporate', name: 'Kinabalu Trading' })
    sales = await createStaff(test, { role: 'inside_sales_representative' })
    parcelId = (await createParcel(test, owner, { status: 'inbound' })).id
  })

  const ask = (threadId: string, text: string, by: TestCustomer = owner, headers: Record<string, string> = {}) =>
    test.call(sendMessage, { token: by.token, body: { threadId, text }, headers })
  const answer = (id: string, text: string) =>
    test.call(sendAnswer, { token: sales.token, params: { id }, body: { text } })
  const read = (id: string, query: { before?: number; after?: number; limit?: number } = {}, by = owner) =>
    test.call(listMessages, { token: by.token, params: { id }, query: query as never })
  const createThreadParcel = async () => (await createParcel(test, owner, { status: 'inbound' })).id

  it('start with an empty page that has the number of the parcel', async () => {
    const { tracking_number, id } = await createParcel(test, owner, { status: 'inbound' })
    const { body } = await read(id)
    expect(body).toMatchObject({ items: [], before: null, thread: { subject: 'parcel', number: tracking_number } })
    expect((await test.call(listThreads, { token: owner.token })).body.items.map((each) => each.id)).not.toContain(id)
  })

  it('are exchanged in both directions, with a picture, read marks and unread counts', async () => {
    const photo = await uploadPhoto(test, owner.token, 'message')
    const body = { threadId: parcelId, text: 'Where is it?', attachmentIds: [photo.id] }
    const question = await test.call(sendMessage, { token: owner.token, body })
    expect(question.body).toMatchObject({ position: 1, from: 'customer', text: 'Where is it?' })
    expect(question.body.files[0]).toMatchObject({ id: photo.id, claimed: true })
    const inbox = await test.call(listInboxMessages, { token: sales.token, params: { id: parcelId } })
    expect(inbox.body).toMatchObject({ accountName: 'Kinabalu Trading', thread: { unread: 1, readByOther: 1 } })
    await test.call(markInboxRead, { token: sales.token, params: { id: parcelId }, body: { position: 1 } })
    expect((await read(parcelId)).body.thread).toMatchObject({ readByOther: 1, unread: 0 })

    expect((await answer(parcelId, 'In Ipoh.')).body).toMatchObject({ position: 2, from: 'staff' })
    const threads = await test.call(listThreads, { token: owner.token, query: { tab: 'unread' } })
    expect(threads.body).toMatchObject({ unreadThreads: 1 })
    expect(threads.body.items[0]).toMatchObject({ unread: 1, lastMessage: { from: 'staff', text: 'In Ipoh.' } })
    // Customers do not see names of staff.
    expect((await read(parcelId)).body.items.map(({ authorName }) => authorName !== null)).toEqual([true, false])
    await test.call(markRead, { token: owner.token, params: { id: parcelId }, body: { position: 2 } })
    expect((await read(parcelId)).body.thread.unread).toBe(0)
    // A read mark never moves back, and never beyond the last message.
    await test.call(markRead, { token: owner.token, params: { id: parcelId }, body: { position: 1 } })
    await test.call(markRead, { token: owner.token, params: { id: parcelId }, body: { position: 99 } })
    const after = await test.call(listInboxMessages, { token: sales.token, params: { id: parcelId } })
    expect(after.body.thread.readByOther).toBe(2)
  })

  it('can be about orders', async () => {
    const shopper = await createCustomer(test)
    const order = await placeOrder(test, shopper)
    expect((await ask(order.id, 'Invoice, please', shopper)).status).toBe(200)
    expect((await read(order.id, {}, shopper)).body.thread).toMatchObject({ subject: 'order', number: order.number })
  })

  it('are paged backwards, and forwards for a client that was disconnected', async () => {
    const id = await createThreadParcel()
    for (let n = 1; n <= 7; n += 1) await ask(id, `message ${n}`)
    const listPositions = async (query: Parameters<typeof read>[1]) => {
      const { body } = await read(id, query)
      return [body.items.map(({ position }) => position), body.before]
    }
    expect(await listPositions({ limit: 3 })).toEqual([[5, 6, 7], 5])
    expect(await listPositions({ limit: 3, before: 5 })).toEqual([[2, 3, 4], 2])
    expect(await listPositions({ limit: 3, before: 2 })).toEqual([[1], null])
    expect(await listPositions({ after: 5 })).toEqual([[6, 7], 6])
  })

  it('keep their order even if the clocks of the processes differ', async () => {
    const id = await createThreadParcel()
    await ask(id, 'first')
    // The clock of the process that stores the first message is an hour ahead.
    for (const [table, column] of [
      ['chat_messages', 'at'],
      ['chat_threads', 'last_at'],
    ] as const) {
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = now() + interval '1 hour'
        where ${sql.ref(table === 'chat_threads' ? 'id' : 'thread_id')} = ${id}::uuid`.execute(test.deps.db)
    }
    await ask(id, 'second')
    const { items } = (await read(id)).body
    expect(items.map(({ text }) => text)).toEqual(['first', 'second'])
    expect((items[1]?.at ?? '') >= (items[0]?.at ?? '')).toBe(true)
  })

  it('get different positions if they are sent at the same moment, and none is lost', async () => {
    const id = await createThreadParcel()
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => ask(id, `customer ${n}`)),
      ...Array.from({ length: 5 }, (_, n) => answer(id, `staff ${n}`)),
    ])
    const positions = answers.map(({ body }) => body.position).sort((a, b) => a - b)
    expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('are stored once if they are sent again, even from two tabs at the same moment', async () => {
    const id = await createThreadParcel()
    const headers = { 'idempotency-key': newId() }
    const bothAnswers = await Promise.all([ask(id, 'once', owner, headers), ask(id, 'once', owner, headers)])
    const thirdAnswer = await ask(id, 'once', owner, headers)
    expect(new Set([...bothAnswers, thirdAnswer].map(({ body }) => body.id)).size).toBe(1)
    expect((await read(id)).body.items).toHaveLength(1)
    expect((await ask(id, 'another', owner, headers)).error.code).toBe('idempotency_conflict')
  })

  it('are refused if empty, if too long, or with files of another user', async () => {
    const id = await createThreadParcel()
    const fields = (refusal: Awaited<ReturnType<typeof ask>>) => [
      refusal.status,
      refusal.error.errors?.map(({ field }) => field),
    ]
    expect(fields(await ask(id, '  '))).toEqual([422, ['text']])
    expect(fields(await ask(id, 'x'.repeat(100_000)))).toEqual([422, ['text']])
    expect((await ask(id, 'x'.repeat(longestMessage))).status).toBe(200)
    const stranger = await createCustomer(test)
    for (const photo of [
      await uploadPhoto(test, stranger.token, 'message'),
      await uploadPhoto(test, owner.token, 'parcel_photo'),
    ]) {
      const body = { threadId: id, text: 'look', attachmentIds: [photo.id] }
      expect(fields(await test.call(sendMessage, { token: owner.token, body }))).toEqual([422, ['attachmentIds']])
    }
    expect((await read(id)).body.items).toHaveLength(1)
  })

  it('are stored and returned as plain text if they contain a script', async () => {
    const id = await createThreadParcel()
    const text = '<script>alert(1)</script><img src=x onerror=alert(2)>'
    await ask(id, text)
    const page = await read(id)
    expect(page.body.items[0]?.text).toBe(text)
    expect(page.headers['content-type']).toMatch(/^application\/json/)
  })

  it('cannot have a picture of 100 MB', async () => {
    const bytes = new Uint8Array(100 * 1024 * 1024)
    bytes.set([0xff, 0xd8, 0xff, 0xe0])
    const file = { name: 'huge.jpg', type: 'image/jpeg', bytes }
    const refusal = await upload(test, createAttachment, { token: owner.token, fields: { purpose: 'message' }, file })
    expect([refusal.status, refusal.error.code]).toEqual([413, 'too_large'])
  })

  it('are visible only to users of the account who may see the parcel', async () => {
    const member = await createMember(test, owner, ['parcels.create'])
    const viewer = await createMember(test, owner, ['parcels.view_all'])
    const own = (await createParcel(test, member, { status: 'inbound' })).id
    await ask(own, 'by the member', member)
    await ask(parcelId, 'by the owner')
    const listVisible = async (by: TestCustomer) =>
      (await test.call(listThreads, { token: by.token })).body.items.map(({ id }) => id)
    expect(await listVisible(member)).toEqual([own])
    expect(await listVisible(viewer)).toEqual(expect.arrayContaining([own, parcelId]))
    expect((await read(parcelId, {}, member)).status).toBe(404)
    expect((await ask(parcelId, 'me too', member)).status).toBe(404)
  })

  it('cannot be sent about a draft, but by a suspended account, which asks why', async () => {
    const draft = await createParcel(test, owner, { status: 'incart' })
    expect((await ask(draft.id, 'hello')).status).toBe(404)
    const suspendedCustomer = await createCustomer(test, { accountStatus: 'inactive' })
    const { id } = await createParcel(test, suspendedCustomer, { status: 'inbound' })
    expect((await ask(id, 'hello', suspendedCustomer)).status).toBe(200)
    expect((await read(id, {}, suspendedCustomer)).body.items).toHaveLength(1)
  })
})
