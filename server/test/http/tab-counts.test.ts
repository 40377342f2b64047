/** The counts of the tabs of a list are those of the lists that the tabs open, also with other filters. */
import { listMembers, memberTabs } from '@waybill/contract/accounts/company'
import { accountTabs, listAccounts } from '@waybill/contract/accounts/directory'
import { listTeam, teamTabs } from '@waybill/contract/accounts/team'
import { disputeTabs, listDisputes } from '@waybill/contract/parcels/weighing'
import { listStaffTickets, staffTicketTabs } from '@waybill/contract/tickets/staff-tickets'
import { closeTicket, listTickets, ticketTabs } from '@waybill/contract/tickets/tickets'
import { beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { createPlainTicket } from '../testing/factories/tickets.ts'

let test: TestApp
let admin: TestStaff
let owner: TestCustomer

beforeAll(async () => {
  test = await buildTestApp()
  admin = await createStaff(test, { type: 'admin', email: 'zainab@example.test' })
  await createStaff(test)
  owner = await createCustomer(test, { userType: 'corporate', name: 'Counts Trading' })
  const suspended = await createCustomer(test)
  await test.deps.db.updateTable('accounts').set({ status: 'inactive' }).where('id', '=', suspended.accountId).execute()
  await createMember(test, owner)
  await createPlainTicket(test, owner)
  const { id, version } = await createPlainTicket(test, owner)
  await test.call(closeTicket, { token: owner.token, params: { id }, body: { version } })
})

const lists = [
  { name: 'tickets', tabs: ticketTabs, expected: { open: 1, closed: 1, all: 2 }, filters: [{}, { kind: 'claim' }] },
  {
    name: 'tickets of all accounts',
    tabs: staffTicketTabs,
    expected: { due: 1, closed: 1, all: 2 },
    filters: [{}, { search: 'T1' }, { search: 'none' }],
  },
  {
    name: 'accounts',
    tabs: accountTabs,
    expected: { all: 2, corporate: 1, customer: 1, inactive: 1, blacklisted: 0 },
    filters: [{}, { search: 'counts' }],
  },
  {
    name: 'members of a company',
    tabs: memberTabs,
    expected: { all: 2, invited: 1, active: 1, inactive: 0, blacklisted: 0 },
    filters: [{}, { search: 'none' }],
  },
  { name: 'team', tabs: teamTabs, expected: { all: 2 }, filters: [{}, { search: 'zainab' }] },
  { name: 'disputes', tabs: disputeTabs, expected: { contested: 0, decided: 0 }, filters: [{}] },
] as const

type List = (typeof lists)[number]['name']

async function read(
  name: List,
  tab: string,
  filter: object,
): Promise<{ items: unknown[]; counts: Record<string, number> }> {
  const query = (name === 'disputes' ? { state: tab, ...filter } : { tab, ...filter }) as never
  switch (name) {
    case 'tickets':
      return (await test.call(listTickets, { token: owner.token, query })).body
    case 'tickets of all accounts':
      return (await test.call(listStaffTickets, { token: admin.token, query })).body
    case 'accounts':
      return (await test.call(listAccounts, { token: admin.token, query })).body
    case 'members of a company':
      return (await test.call(listMembers, { token: owner.token, query })).body
    case 'team':
      return (await test.call(listTeam, { token: admin.token, query })).body
    case 'disputes':
      return (await test.call(listDisputes, { token: admin.token, query })).body
  }
}

it.each(lists)('$name', async ({ name, tabs, expected, filters }) => {
  expect((await read(name, tabs[0], {})).counts).toMatchObject(expected)
  for (const filter of filters) {
    const { counts } = await read(name, tabs[0], filter)
    expect(Object.keys(counts)).toEqual([...tabs])
    for (const tab of tabs)
      expect((await read(name, tab, filter)).items.length, `${tab} ${JSON.stringify(filter)}`).toBe(counts[tab])
  }
})
