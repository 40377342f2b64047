import { sendMessage } from '@waybill/contract/chat/chat'
import { sendAnswer } from '@waybill/contract/chat/inbox'
import { createArtwork, decideArtwork, submitArtwork } from '@waybill/contract/parcels/labels'
import { closeStaffTicket, listStaffTickets, reopenStaffTicket } from '@waybill/contract/tickets/staff-tickets'
import {
  addDocuments,
  closeTicket,
  createTicket,
  getTicket,
  listTickets,
  plainTicketKinds,
  reopenTicket,
} from '@waybill/contract/tickets/tickets'
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
import { uploadPhoto } from '../testing/factories/attachments.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createClaimTicket, createPlainTicket, uploadDocument } from '../testing/factories/tickets.ts'

describe('tickets', () => {
  let test: TestApp
  let owner: TestCustomer
  let sales: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test, { userType: 'corporate', name: 'Kinabalu Trading' })
    sales = await createStaff(test, { role: 'inside_sales_representative' })
  })

  const read = async (id: string, by = owner) => (await test.call(getTicket, { token: by.token, params: { id } })).body
  const ids = async (by: TestCustomer, tab: 'open' | 'closed' | 'all' = 'open') =>
    (await test.call(listTickets, { token: by.token, query: { tab } })).body.items.map(({ id }) => id)
  const staffIds = async (query: Parameters<typeof test.call<typeof listStaffTickets>>[1] = {}) =>
    (await test.call(listStaffTickets, { token: sales.token, ...query })).body.items.map(({ id }) => id)

  it('are created about a parcel, with a number and a deadline for staff', async () => {
    const parcel = await createParcel(test, owner, { status: 'inbound' })
    const ticket = await createPlainTicket(test, owner, { kind: 'delivery', aboutId: parcel.id })
    expect(ticket).toMatchObject({
      kind: 'delivery',
      status: 'open',
      about: { subject: 'parcel', id: parcel.id, number: parcel.tracking_number },
      deadline: { waitsFor: 'staff', overdue: false },
      allowedActions: ['add_document', 'close'],
    })
    expect(ticket.number).toMatch(/^T\d{6,}$/)
    expect(await ids(owner)).toContain(ticket.id)
    const invalid = await test.call(createTicket, {
      token: (await createCustomer(test)).token,
      body: { kind: 'enquiry', title: 'x', description: 'y', aboutId: parcel.id },
    })
    expect([invalid.status, invalid.error.errors?.[0]?.field]).toEqual([422, 'aboutId'])
  })

  it('are closed and reopened by either side, with the version that they saw', async () => {
    const { id } = await createPlainTicket(test, owner)
    const closed = await test.call(closeTicket, { token: owner.token, params: { id }, body: { version: 1 } })
    expect(closed.body).toMatchObject({ status: 'closed', deadline: null, allowedActions: ['reopen'] })
    expect(await ids(owner, 'closed')).toContain(id)
    const stale = await test.call(reopenTicket, { token: owner.token, params: { id }, body: { version: 1 } })
    expect(stale.error.code).toBe('version_conflict')
    const twice = await test.call(closeTicket, { token: owner.token, params: { id }, body: { version: 2 } })
    expect(twice.error.code).toBe('ticket_state')
    const opened = await test.call(reopenStaffTicket, { token: sales.token, params: { id }, body: { version: 2 } })
    expect(opened.body).toMatchObject({ status: 'open', accountName: 'Kinabalu Trading' })
    const again = await test.call(closeStaffTicket, { token: sales.token, params: { id }, body: { version: 3 } })
    expect(again.body.status).toBe('closed')
    const own = await test.call(reopenTicket, { token: owner.token, params: { id }, body: { version: 4 } })
    expect(own.body.status).toBe('open')
    const claim = await createClaimTicket(test, owner)
    const refusal = await test.call(closeTicket, { token: owner.token, params: { id: claim.id }, body: { version: 1 } })
    expect(refusal.error.code).toBe('ticket_state')
  })

  it('switch between waiting for staff and for the customer with each message', async () => {
    const { id, number, deadline } = await createPlainTicket(test, owner)
    const answered = await test.call(sendAnswer, { token: sales.token, params: { id }, body: { text: 'No.' } })
    expect(answered.status).toBe(200)
    expect((await read(id)).deadline).toMatchObject({ waitsFor: 'customer' })
    await test.call(sendMessage, { token: owner.token, body: { threadId: id, text: 'And on Saturday?' } })
    const turned = (await read(id)).deadline
    expect(turned).toMatchObject({ waitsFor: 'staff' })
    expect((turned?.at ?? '') >= (deadline?.at ?? '')).toBe(true)
    // A second question does not extend the deadline of staff.
    await test.call(sendMessage, { token: owner.token, body: { threadId: id, text: 'Hello?' } })
    expect((await read(id)).deadline).toEqual(turned)
    expect(await staffIds({ query: { search: number.toLowerCase() } })).toEqual([id])
  })

  it('are closed without a reply once the deadline has passed, and staff see overdue ones first', async () => {
    const answered = await createPlainTicket(test, owner)
    await test.call(sendAnswer, { token: sales.token, params: { id: answered.id }, body: { text: 'No.' } })
    const late = await createPlainTicket(test, owner)
    await sql`
      update tickets set due_at = now() - interval '400 days'
      where id = any(${[answered.id, late.id]}::uuid[])`.execute(test.deps.db)
    await sql`select graphile_worker.add_job('tickets:deadlines')`.execute(test.deps.db)
    await test.settle()
    expect((await read(answered.id)).status).toBe('closed')
    expect(await read(late.id)).toMatchObject({ status: 'open', deadline: { waitsFor: 'staff', overdue: true } })
    const due = await test.call(listStaffTickets, { token: sales.token, query: { tab: 'due', limit: 1 } })
    expect(due.body.items[0]?.id).toBe(late.id)
    expect(due.body.next).not.toBeNull()
  })

  it('accept documents, which then belong to the account', async () => {
    const { id } = await createPlainTicket(test, owner)
    const documents = [await uploadDocument(test, owner, 'other')]
    const added = await test.call(addDocuments, { token: owner.token, params: { id }, body: { version: 1, documents } })
    expect(added.body.documents[0]?.files[0]).toMatchObject({ id: documents[0]?.attachmentId, claimed: true })
  })

  it('of an account are visible to those of its users with the permission', async () => {
    const member = await createMember(test, owner, ['parcels.create'])
    const own = await createPlainTicket(test, member)
    const others = await createPlainTicket(test, owner)
    expect(await ids(member)).toEqual([own.id])
    expect(await ids(owner)).toEqual(expect.arrayContaining([own.id, others.id]))
    const refusal = await test.call(getTicket, { token: member.token, params: { id: others.id } })
    expect(refusal.status).toBe(404)
  })

  it('are closed and reopened by their opener and by colleagues who may settle their subject', async () => {
    const opener = await createMember(test, owner, [])
    const callers = {
      opener,
      owner,
      creator: await createMember(test, owner, ['parcels.view_all', 'parcels.create']),
      payer: await createMember(test, owner, ['parcels.view_all', 'pay']),
      looker: await createMember(test, owner, ['parcels.view_all', 'wallet', 'reports', 'addresses', 'users']),
    }
    const allowed = {
      enquiry: ['opener', 'owner', 'creator'],
      delivery: ['opener', 'owner', 'creator'],
      billing: ['opener', 'owner', 'payer'],
    }
    const steps = { close: closeTicket, reopen: reopenTicket }
    for (const kind of plainTicketKinds) {
      const { id } = await createPlainTicket(test, opener, { kind })
      const take = async (step: keyof typeof steps, { token }: TestCustomer) => {
        const { version, allowedActions } = (await test.call(getTicket, { token, params: { id } })).body
        const { status } = await test.call(steps[step], { token, params: { id }, body: { version } })
        return { shown: allowedActions.includes(step), status }
      }
      for (const [name, caller] of Object.entries(callers)) {
        for (const step of ['close', 'reopen'] as const) {
          const expected = allowed[kind].includes(name) ? { shown: true, status: 200 } : { shown: false, status: 403 }
          expect([kind, name, step, await take(step, caller)]).toEqual([kind, name, step, expected])
          if (expected.status === 403) await take(step, owner)
        }
      }
    }
  })

  it('for artwork have its id and follow its six statuses', async () => {
    const manager = await createStaff(test, { role: 'account_manager' })
    const attachmentId = (await uploadPhoto(test, owner.token, 'artwork')).id
    const { id } = (await test.call(createArtwork, { token: owner.token, body: { attachmentId } })).body
    expect(await read(id)).toMatchObject({ kind: 'branding', status: 'draft.in_progress', deadline: null })
    await test.call(submitArtwork, { token: owner.token, params: { id }, body: { version: 1 } })
    expect(await read(id)).toMatchObject({
      status: 'draft.ready',
      deadline: { waitsFor: 'staff' },
      artwork: { id, status: 'draft.ready', version: 2 },
      allowedActions: [],
    })
    const decide = (event: 'draft_accepted' | 'artwork_approved', version: number) =>
      test.call(decideArtwork, { token: manager.token, params: { id }, body: { event, version } })
    await decide('draft_accepted', 2)
    expect((await read(id)).status).toBe('draft.completed')
    expect(await ids(owner)).toContain(id)
    await decide('artwork_approved', 3)
    expect(await read(id)).toMatchObject({ status: 'artwork.approved', deadline: null })
    expect(await ids(owner, 'closed')).toContain(id)
    const closed = await test.call(closeTicket, { token: owner.token, params: { id }, body: { version: 4 } })
    expect(closed.error.code).toBe('ticket_state')
  })
})
