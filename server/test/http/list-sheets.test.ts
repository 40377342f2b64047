/** "Download Excel" of the lists: each spreadsheet has the rows of its list, for the same callers and filters. */
import { createAddressRequest } from '@waybill/contract/addresses/requests'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { submitArtwork } from '@waybill/contract/parcels/labels'
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
import { type Case, cases, formula, type Query } from '../testing/list-sheets.ts'

describe('spreadsheets of lists', () => {
  let test: TestApp
  let company: Company
  let boss: TestStaff
  let clerk: TestStaff
  let ids: { webhook: string; drawer: string }

  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
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
    const debtor = await makers.owing(test, company)
    await sql`
      update parcels set receiver = jsonb_set(receiver, '{contactName}', to_jsonb(${formula}::text))
      where id = ${debtor.id}::uuid`.execute(test.deps.db)
    const approval = await makers.approval(test, company)
    await sql`update order_approvals set note = ${formula} where id = ${approval.id}::uuid`.execute(test.deps.db)
    await sql`update notifications set facts = facts || jsonb_build_object('requester', ${formula}::text)`.execute(
      test.deps.db,
    )
    await test.call(createAddressRequest, { token: owner.token, body: { label: formula } })
    const artwork = await makers.artwork(test, company)
    await test.call(submitArtwork, { token: owner.token, params: { id: artwork.id }, body: { version: 1 } })
    const { here: stationId } = await findCounter(test)
    const rider = await createStaff(test, { stationId })
    await collectCod(test, owner, { amountMinor: 1250, rider, stationId })
    boss = await createStaff(test, { type: 'superadmin', role: null })
    clerk = await addStaffRows(test, company, { stationId, text: formula })
    const webhook = await makers.webhook(test, company)
    const { rows: drawers } = await sql<{ id: string }>`
      select id from cash_drawers where station_id = ${stationId}::uuid`.execute(test.deps.db)
    ids = { webhook: webhook.id, drawer: drawers[0]?.id ?? '' }
    await sql`update users set name = ${formula} where id = ${rider.userId}::uuid`.execute(test.deps.db)
    await sql`update accounts set name = ${formula} where id = ${owner.accountId}::uuid`.execute(test.deps.db)
  })

  const findCaller = ({ staff }: Case) => (staff ? (staff === 'station' ? clerk : boss) : company)

  const ask = (endpoint: EndpointShape, query: Query, { token = company.token, language = 'en' } = {}) =>
    test.app.inject({
      method: 'GET',
      url: endpoint.path.replace(':id', /webhooks/.test(endpoint.path) ? ids.webhook : ids.drawer),
      query,
      headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    })

  it('are all tested', async () => {
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
    '$name allows the same callers as its list',
    async (each) => {
      const { sheet, list, some, countRows = ({ total }) => total } = each
      const other = await createCustomer(test, { userType: 'corporate' })
      const colleague = await createMember(test, company, [])
      const answer = await ask(sheet, some, other)
      if (each.staff) {
        expect(answer.statusCode).toBe(403)
      } else if ((await ask(list, some, other)).statusCode === 404) {
        expect(answer.statusCode).toBe(404)
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
