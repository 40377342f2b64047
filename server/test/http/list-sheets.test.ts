/** "Download Excel" of the lists: each spreadsheet has the rows of its list, for the same callers and filters. */
import { exportMembers, listMembers } from '@waybill/contract/accounts/company'
import { exportAccounts, listAccounts } from '@waybill/contract/accounts/directory'
import { exportUsers, listUsers } from '@waybill/contract/accounts/staff'
import { exportTeam, listTeam } from '@waybill/contract/accounts/team'
import { exportCarrierBookings, listCarrierBookings } from '@waybill/contract/carriers/carriers'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { exportApprovals, listApprovals } from '@waybill/contract/orders/approvals'
import {
  exportBilledAccounts,
  exportStatements,
  listBilledAccounts,
  listStatements,
} from '@waybill/contract/orders/monthly-billing'
import { exportOrders, listOrders } from '@waybill/contract/orders/orders'
import { exportRefunds, listRefunds } from '@waybill/contract/orders/refunds'
import { exportGunnies, listGunnies } from '@waybill/contract/parcels/gunny'
import { exportParcels, listParcels } from '@waybill/contract/parcels/list'
import { exportOutstanding, listOutstanding } from '@waybill/contract/parcels/outstanding'
import { exportFailedDeliveries, listFailedDeliveries } from '@waybill/contract/parcels/rider-tasks'
import { listCloses, listHandIns, listOwnCloses } from '@waybill/contract/payments/cash-desk'
import { exportCloses, exportHandIns, exportOwnCloses } from '@waybill/contract/payments/cash-sheets'
import {
  exportAllCodPayouts,
  exportCod,
  exportCodOwed,
  exportCodPayouts,
  listAllCodPayouts,
  listCod,
  listCodOwed,
  listCodPayouts,
} from '@waybill/contract/payments/cod'
import { exportGatewayTroubles, listGatewayTroubles } from '@waybill/contract/payments/gateway'
import { exportPickupRequests, listPickupRequests } from '@waybill/contract/pickups/pickups'
import {
  exportAccountConditions,
  exportRateCards,
  listAccountConditions,
  listRateCards,
} from '@waybill/contract/pricing/rate-cards'
import { exportManagedStations, listManagedStations } from '@waybill/contract/stations/manage'
import { exportZones, listZones } from '@waybill/contract/stations/zones'
import { exportStaffTickets, listStaffTickets } from '@waybill/contract/tickets/staff-tickets'
import { exportTickets, listTickets } from '@waybill/contract/tickets/tickets'
import { exportEntries, exportTrialBalances, listTrialBalances, searchEntries } from '@waybill/contract/wallet/ledger'
import { exportWalletHistory, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createMember, createStaff, type TestStaff } from '../testing/factories/accounts.ts'
import { collectCod } from '../testing/factories/cod.ts'
import { findCounter } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { toTable } from '../testing/factories/sheets.ts'
import { addStaffRows } from '../testing/factories/staff-lists.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { type Company, makers } from '../testing/foreign-objects.ts'

type Query = Record<string, string>
type Case = {
  sheet: EndpointShape
  list: EndpointShape
  /** Headers, in English and Chinese. */
  headers: [string, string]
  /** A filter that some rows pass, and one that none does. */
  some: Query
  none?: Query
  /** A row has this text, which a spreadsheet would run. */
  hasFormula?: true
  /** A list of staff, which no customer sees. `station`: of the station of the caller. */
  staff?: true | 'station'
  /** The rows of the spreadsheet for a response of the list, where it has not one for each item. */
  countRows?: (list: { items: Items; total: number }) => number
}

type Items = { lines?: unknown[]; postings?: unknown[]; areas?: unknown[] }[]

const formula = '=1+1'

const cases: Case[] = [
  { sheet: exportParcels, list: listParcels, headers: ['Reference', '参考号'], some: {} },
  { sheet: exportOrders, list: listOrders, headers: ['Status', '状态'], some: {} },
  {
    sheet: exportWalletHistory,
    list: walletHistory,
    headers: ['Reference', '编号'],
    some: { kind: 'topup' },
    none: { kind: 'claim' },
  },
  { sheet: exportPickupRequests, list: listPickupRequests, headers: ['City', '城市'], some: { tab: 'all' } },
  {
    ...{ sheet: exportGunnies, list: listGunnies, headers: ['Packed', '打包时间'], hasFormula: true },
    ...{ some: { status: 'open' }, none: { status: 'closed' } },
  },
  {
    ...{ sheet: exportTickets, list: listTickets, headers: ['Deadline', '期限'], hasFormula: true },
    ...{ some: { tab: 'open', kind: 'enquiry' }, none: { tab: 'closed' } },
  },
  { sheet: exportStatements, list: listStatements, headers: ['Due date', '到期日'], some: {}, hasFormula: true },
  {
    ...{ sheet: exportCod, list: listCod, headers: ['Payout', '结算单'] },
    ...{ some: { state: 'owed' }, none: { state: 'paid_out' } },
  },
  {
    sheet: exportOutstanding,
    list: listOutstanding,
    headers: ['Due since', '待付起始时间'],
    some: {},
    hasFormula: true,
  },
  {
    ...{ sheet: exportMembers, list: listMembers, headers: ['Cost centre', '成本中心'], hasFormula: true },
    ...{ some: { search: 'Accountant' }, none: { tab: 'blacklisted' } },
  },
  {
    ...{ sheet: exportApprovals, list: listApprovals, headers: ['Requested by', '申请人'], hasFormula: true },
    ...{ some: { tab: 'pending' }, none: { tab: 'decided' } },
  },
  {
    ...{
      sheet: exportAccounts,
      list: listAccounts,
      headers: ['Customer since', '注册时间'],
      hasFormula: true,
      staff: true,
    },
    ...{ some: { tab: 'corporate' }, none: { tab: 'blacklisted' } },
  },
  {
    ...{ sheet: exportTeam, list: listTeam, headers: ['Role', '角色'], hasFormula: true, staff: true },
    ...{ some: { role: 'normal_staff' }, none: { tab: 'blacklisted' } },
  },
  {
    ...{
      sheet: exportStaffTickets,
      list: listStaffTickets,
      headers: ['Account', '账户'],
      hasFormula: true,
      staff: true,
    },
    ...{ some: { tab: 'open' }, none: { kind: 'claim' } },
  },
  {
    ...{
      sheet: exportOwnCloses,
      list: listOwnCloses,
      headers: ['Float (MYR)', '备用金 (MYR)'],
      staff: 'station',
      hasFormula: true,
    },
    ...{ some: {}, none: { to: '2020-01-01' } },
  },
  {
    ...{
      sheet: exportCloses,
      list: listCloses,
      headers: ['Difference (MYR)', '差额 (MYR)'],
      staff: true,
      hasFormula: true,
    },
    ...{ some: {}, none: { difference: 'any' } },
  },
  {
    ...{ sheet: exportHandIns, list: listHandIns, headers: ['Rider', '派送员'], staff: true, hasFormula: true },
    ...{ some: {}, none: { difference: 'any' } },
  },
  {
    ...{ sheet: exportGatewayTroubles, list: listGatewayTroubles, headers: ['Expected', '应为'], staff: true },
    ...{ some: {}, none: { tab: 'handled' } },
  },
  {
    ...{
      sheet: exportBilledAccounts,
      list: listBilledAccounts,
      headers: ['Owes (MYR)', '欠款 (MYR)'],
      staff: true,
      hasFormula: true,
    },
    ...{ some: {}, none: { search: 'nobody has this name' } },
  },
  {
    ...{ sheet: exportTrialBalances, list: listTrialBalances, headers: ['Debit', '借方'], staff: true, some: {} },
    countRows: ({ items }) => items.flatMap(({ lines }) => lines ?? []).length,
  },
  {
    ...{ sheet: exportEntries, list: searchEntries, headers: ['Book', '科目'], staff: true, hasFormula: true },
    ...{ some: { kind: 'topup' }, none: { kind: 'claim' } },
    countRows: ({ items }) => items.flatMap(({ postings }) => postings ?? []).length,
  },
  {
    ...{
      sheet: exportCodOwed,
      list: listCodOwed,
      headers: ['Owed (MYR)', '应付 (MYR)'],
      staff: true,
      some: {},
      hasFormula: true,
    },
  },
  { sheet: exportCodPayouts, list: listCodPayouts, headers: ['Payout fee (MYR)', '结算手续费 (MYR)'], some: {} },
  {
    ...{ sheet: exportAllCodPayouts, list: listAllCodPayouts, headers: ['Sender', '寄件人'], staff: true },
    ...{ some: {}, none: { to: '2020-01-01' }, hasFormula: true },
  },
  {
    ...{ sheet: exportRefunds, list: listRefunds, headers: ['Credit note', '红字发票'], staff: true },
    ...{ some: {}, none: { status: 'failed' } },
  },
  {
    ...{ sheet: exportFailedDeliveries, list: listFailedDeliveries, headers: ['Attempt', '第几次派送'] },
    ...{ staff: 'station', some: { tab: 'waiting' }, none: { tab: 'later' } },
  },
  {
    ...{ sheet: exportManagedStations, list: listManagedStations, headers: ['Coverage', '服务范围'], staff: true },
    ...{ some: { tab: 'open' }, none: { tab: 'closed' }, hasFormula: true },
  },
  {
    ...{ sheet: exportZones, list: listZones, headers: ['From postcode', '起始邮编'], some: { scope: 'domestic' } },
    ...{ none: { search: 'nothing has this name' }, hasFormula: true },
    countRows: ({ items }) => items.flatMap(({ areas }) => areas ?? []).length,
  },
  {
    ...{ sheet: exportRateCards, list: listRateCards, headers: ['Version', '版本'], staff: true, hasFormula: true },
    ...{ some: { state: 'current' }, none: { search: 'nothing has this name' } },
  },
  {
    ...{ sheet: exportAccountConditions, list: listAccountConditions, headers: ['Rate card', '费率表'], staff: true },
    ...{ some: {}, none: { search: 'nobody has this name' }, hasFormula: true },
  },
  {
    ...{ sheet: exportCarrierBookings, list: listCarrierBookings, headers: ['Next attempt', '下次尝试'], staff: true },
    ...{ some: { tab: 'all' }, none: { tab: 'cancelled' }, hasFormula: true },
  },
  {
    ...{ sheet: exportUsers, list: listUsers, headers: ['Devices', '设备'], staff: true, hasFormula: true },
    ...{ some: {}, none: { search: 'nobody has this name' } },
  },
]

describe('spreadsheets of lists', () => {
  let test: TestApp
  let company: Company
  let boss: TestStaff
  let clerk: TestStaff

  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const owner = await createCustomer(test, { userType: 'corporate', name: 'Ledger Lines' })
    const member = await createMember(test, owner, ['pay', 'parcels.create'], { name: 'Accountant' })
    company = { ...owner, member }
    await fundWallet(test, owner, 50_000_000)
    await setWalletPin(test, owner)
    await sql`update accounts set approval_above_minor = 0 where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    await sql`update users set job_title = ${formula} where id = ${member.userId}::uuid`.execute(test.deps.db)
    await makers.pickup(test, company)
    const gunny = await makers.gunny(test, company)
    await sql`update gunnies set seal_number = ${formula} where id = ${gunny.id}::uuid`.execute(test.deps.db)
    await sql`
      insert into gunnies select (jsonb_populate_record(g, jsonb_build_object(
        'id', gen_random_uuid(), 'number', 'GY' || n, 'sscc', lpad(n::text, 18, '0')))).*
      from gunnies g, generate_series(1, 250) n where g.id = ${gunny.id}::uuid`.execute(test.deps.db)
    const ticket = await makers.ticket(test, company)
    await sql`update tickets set title = ${formula} where id = ${ticket.id}::uuid`.execute(test.deps.db)
    await sql`
      insert into tickets (account_id, id, kind, status, title, description, created_by, created_at, updated_at)
      select account_id, gen_random_uuid(), kind, status, title, description, created_by, created_at, updated_at
      from tickets, generate_series(1, 450) where id = ${ticket.id}::uuid`.execute(test.deps.db)
    const statement = await makers.statement(test, company)
    await sql`update corporate_statements set number = ${formula} where id = ${statement.id}::uuid`.execute(
      test.deps.db,
    )
    const owing = await makers.owing(test, company)
    await sql`
      update parcels set receiver = jsonb_set(receiver, '{contactName}', to_jsonb(${formula}::text))
      where id = ${owing.id}::uuid`.execute(test.deps.db)
    const approval = await makers.approval(test, company)
    await sql`update order_approvals set note = ${formula} where id = ${approval.id}::uuid`.execute(test.deps.db)
    const { here: stationId } = await findCounter(test)
    const rider = await createStaff(test, { stationId })
    await collectCod(test, owner, { amountMinor: 1250, rider, stationId })
    boss = await createStaff(test, { type: 'superadmin', role: null })
    clerk = await addStaffRows(test, company, { stationId, text: formula })
    await sql`update users set name = ${formula} where id = ${rider.userId}::uuid`.execute(test.deps.db)
    await sql`update accounts set name = ${formula} where id = ${owner.accountId}::uuid`.execute(test.deps.db)
  })

  const findCaller = ({ staff }: Case) => (staff ? (staff === 'station' ? clerk : boss) : company)

  const ask = (endpoint: EndpointShape, query: Query, { token = company.token, language = 'en' } = {}) =>
    test.app.inject({
      method: 'GET',
      url: endpoint.path,
      query,
      headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    })

  it('are all walked', async () => {
    const sheets = (await contractEndpoints()).filter(({ path }) => path.endsWith('/xls'))
    expect(sheets.map(({ id }) => id).sort()).toEqual(cases.map(({ sheet }) => sheet.id).sort())
  })

  it.each(cases.map((each) => ({ ...each, name: each.sheet.id })))('$name has the rows of its list', async (each) => {
    const { sheet, list, headers, some, none, hasFormula, countRows = ({ total }) => total } = each
    const { token } = findCaller(each)
    for (const query of none ? [some, none] : [some]) {
      const total = countRows((await ask(list, query, { token })).json())
      const answer = await ask(sheet, query, { token })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[a-z-]+-\d{4}-\d\d-\d\d\.xlsx"$/)
      const [head, ...rows] = await toTable(answer.rawPayload)
      expect(head).toContain(headers[0])
      expect(rows).toHaveLength(total)
      if (query === none) expect(total).toBe(0)
      else expect(total).toBeGreaterThan(0)
    }
    const [chineseHead] = await toTable((await ask(sheet, some, { token, language: 'zh-CN' })).rawPayload)
    expect(chineseHead).toContain(headers[1])
    const csv = (await ask(sheet, { ...some, format: 'csv' }, { token })).payload
    expect(csv).not.toMatch(/(^|[,"\n])[=@]/)
    if (hasFormula) expect(csv).toContain(`'${formula}`)
  })

  it.each(cases.map((each) => ({ ...each, name: each.sheet.id })))(
    '$name is for who may see the list',
    async (each) => {
      const { sheet, list, some, countRows = ({ total }) => total } = each
      const other = await createCustomer(test, { userType: 'corporate' })
      const colleague = await createMember(test, company, [])
      const answer = await ask(sheet, some, other)
      if (each.staff) {
        expect(answer.statusCode).toBe(403)
      } else {
        const [, ...rows] = await toTable(answer.rawPayload)
        expect(rows).toHaveLength(countRows((await ask(list, some, other)).json()))
      }
      expect((await ask(sheet, some, colleague)).statusCode).toBe((await ask(list, some, colleague)).statusCode)
      const { token } = findCaller(each)
      expect((await ask(sheet, { ...some, format: 'doc' }, { token })).statusCode).toBe(422)
      expect((await ask(sheet, some, { token: newId() })).statusCode).toBe(401)
    },
  )
})
