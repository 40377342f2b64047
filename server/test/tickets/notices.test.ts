import { sendMessage } from '@waybill/contract/chat/chat'
import { markInboxRead, sendAnswer } from '@waybill/contract/chat/inbox'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { closeStaffTicket, decideClaim } from '@waybill/contract/tickets/staff-tickets'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { createClaimTicket, createInsured, createPlainTicket } from '../testing/factories/tickets.ts'

describe('notifications of tickets and messages', () => {
  let test: TestApp
  let owner: TestCustomer
  let manager: TestStaff
  let sales: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
    manager = await createStaff(test, { role: 'account_manager' })
    sales = await createStaff(test, { role: 'inside_sales_representative' })
  })

  /** The titles and pages of a user's notifications of a kind, newest first. */
  const listNotices = async ({ token }: { token: string }, kind: string) =>
    (await test.call(listNotifications, { token })).body.items
      .filter((each) => each.kind === kind)
      .map(({ title, path }) => [title, path])

  it('are grouped for consecutive messages, and go to staff who may answer, then to the assignee', async () => {
    const { id, number } = await createPlainTicket(test, owner)
    const ask = () => test.call(sendMessage, { token: owner.token, body: { threadId: id, text: 'Hello?' } })
    await ask()
    await ask()
    const entry = [`New message about ${number}`, `/staff/inbox/${id}`]
    expect(await listNotices(manager, 'message_received')).toEqual([entry])
    expect(await listNotices(sales, 'message_received')).toEqual([entry])
    await test.call(sendAnswer, { token: sales.token, params: { id }, body: { text: 'Yes.' } })
    expect(await listNotices(owner, 'message_received')).toEqual([[entry[0], `/messages/${id}`]])
    await test.call(markInboxRead, { token: sales.token, params: { id }, body: { position: 3 } })
    await ask()
    expect(await listNotices(sales, 'message_received')).toHaveLength(2)
    expect(await listNotices(manager, 'message_received')).toHaveLength(1)
  })

  it('go to staff who may decide, and to the customer with the decision', async () => {
    const { id, number, version } = await createClaimTicket(test, owner)
    const due = [`Ticket ${number} is waiting for a reply`, `/staff/tickets/${id}`]
    expect(await listNotices(manager, 'ticket_due')).toContainEqual(due)
    expect(await listNotices(sales, 'ticket_due')).not.toContainEqual(due)
    const body = { version, decision: 'accepted' as const, amountMinor: 30_000, note: 'Used goods' }
    expect((await test.call(decideClaim, { token: manager.token, params: { id }, body })).status).toBe(200)
    const [[title, path] = []] = await listNotices(owner, 'claim_paid')
    expect(title).toContain('300.00')
    expect(path).toBe(`/tickets/${id}`)
  })

  it("go to the colleague who has made the claim, not to the parcel's creator", async () => {
    const company = await createCustomer(test, { userType: 'corporate', name: 'Hana' })
    const clerk = await createMember(test, company, ['parcels.create', 'pay'])
    const parcel = await createInsured(test, clerk)
    const { id, version, createdByName } = await createClaimTicket(test, company, { parcelId: parcel.id })
    expect(createdByName).toBe('Hana')
    await test.call(sendAnswer, { token: sales.token, params: { id }, body: { text: 'We look for it.' } })
    const body = { version, decision: 'refused' as const, note: 'It was found.' }
    expect((await test.call(decideClaim, { token: manager.token, params: { id }, body })).status).toBe(200)
    for (const kind of ['message_received', 'claim_refused']) {
      expect(await listNotices(company, kind)).toHaveLength(1)
      expect(await listNotices(clerk, kind)).toEqual([])
    }
  })

  it('go to the customer when staff close a ticket', async () => {
    const { id, number } = await createPlainTicket(test, owner)
    await test.call(closeStaffTicket, { token: sales.token, params: { id }, body: { version: 1 } })
    expect(await listNotices(owner, 'ticket_closed')).toEqual([[`Ticket ${number} is closed`, `/tickets/${id}`]])
  })
})
