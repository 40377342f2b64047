import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { putSettings } from '@waybill/contract/settings/settings'
import { decideClaim, getStaffTicket } from '@waybill/contract/tickets/staff-tickets'
import {
  addDocuments,
  claimOptions,
  createClaim,
  getTicket,
  listTickets,
  withdrawClaim,
} from '@waybill/contract/tickets/tickets'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createClaimTicket, createInsured, uploadDocument } from '../testing/factories/tickets.ts'

const day = 86_400_000

describe('insurance claims', () => {
  let test: TestApp
  let owner: TestCustomer
  let manager: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
    manager = await createStaff(test, { role: 'account_manager' })
  })

  const claim = async (parcelId: string, overrides: Partial<BodyIn<typeof createClaim>> = {}, by = owner) =>
    test.call(createClaim, {
      token: by.token,
      body: { parcelId, reason: 'lost', amountMinor: 40_000, description: 'Gone.', ...overrides },
    })
  const decide = (id: string, body: BodyIn<typeof decideClaim>, by = manager) =>
    test.call(decideClaim, { token: by.token, params: { id }, body })
  const balance = async (by: TestCustomer) => (await test.call(getWallet, { token: by.token })).body.balanceMinor
  const options = async (parcelId: string) =>
    (await test.call(claimOptions, { token: owner.token, params: { id: parcelId } })).body
  const refusal = ({ status, error }: Awaited<ReturnType<typeof claim>>) => [
    status,
    error.code,
    ...(error.errors ?? []).map(({ field }) => field),
  ]

  it('go from the checklist to staff, and are paid to the wallet with one ledger entry', async () => {
    const shop = await createCustomer(test)
    const { id: parcelId } = await createInsured(test, shop)
    const opened = await claim(parcelId, {}, shop)
    expect(opened.body).toMatchObject({
      kind: 'claim',
      status: 'open',
      claim: { state: 'documents', claimedMinor: 40_000, insuredMinor: 50_000 },
      deadline: { waitsFor: 'customer', overdue: false },
      allowedActions: ['add_document', 'submit_claim', 'withdraw_claim'],
    })
    const { id } = opened.body
    const listed = async (tab: 'open' | 'closed') =>
      (await test.call(listTickets, { token: shop.token, query: { tab } })).body.items
    expect(await listed('open')).toMatchObject([{ id, status: 'open', claimState: 'documents' }])
    const documents = [await uploadDocument(test, shop, 'proof_of_value')]
    const complete = await test.call(addDocuments, {
      token: shop.token,
      params: { id },
      body: { version: 1, documents },
    })
    expect(complete.body).toMatchObject({ claim: { state: 'submitted' }, deadline: { waitsFor: 'staff' } })
    expect(complete.body.documents[0]).toMatchObject({ kind: 'proof_of_value', required: true })
    expect(complete.body.documents[0]?.files).toHaveLength(1)

    const before = await balance(shop)
    const paid = await decide(id, { version: 2, decision: 'accepted', amountMinor: 40_000 })
    expect(paid.body).toMatchObject({
      status: 'closed',
      deadline: null,
      claim: { state: 'paid', paidMinor: 40_000 },
      allowedActions: [],
    })
    expect(await listed('closed')).toMatchObject([{ id, status: 'closed', claimState: 'paid' }])
    expect((await balance(shop)) - before).toBe(40_000)
    const { items } = (await test.call(walletHistory, { token: shop.token })).body
    expect(items[0]).toMatchObject({ kind: 'claim', amountMinor: 40_000, reference: paid.body.number })
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  it('are paid once if two clerks accept at the same time', async () => {
    const shop = await createCustomer(test)
    const { id, version } = await createClaimTicket(test, shop)
    const other = await createStaff(test, { type: 'admin' })
    const answers = await Promise.all(
      [manager, other, manager].map((clerk) =>
        decide(id, { version, decision: 'accepted', amountMinor: 40_000 }, clerk),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await balance(shop)).toBe(40_000)
    const again = await decide(id, { version: version + 1, decision: 'accepted', amountMinor: 40_000 })
    expect([again.status, again.error.code]).toEqual([409, 'claim_decided'])
    expect(await balance(shop)).toBe(40_000)
  })

  it('are accepted in part with a reason, and never above the amount claimed', async () => {
    const shop = await createCustomer(test)
    const { id, version } = await createClaimTicket(test, shop)
    const accept = (amountMinor: number | null, note: string | null = 'Second-hand value') =>
      decide(id, { version, decision: 'accepted', amountMinor, note })
    for (const refused of [await accept(40_001), await accept(null)]) {
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([422, 'amountMinor'])
    }
    const withoutReason = await accept(25_000, null)
    expect([withoutReason.status, withoutReason.error.errors?.[0]?.field]).toEqual([422, 'note'])
    expect(await balance(shop)).toBe(0)
    const part = await accept(25_000)
    expect(part.body.claim).toMatchObject({ paidMinor: 25_000, decisionNote: 'Second-hand value' })
    expect(await balance(shop)).toBe(25_000)
  })

  it('are refused with a reason, reconsidered, and sent back for documents', async () => {
    const { id, version } = await createClaimTicket(test, owner)
    const withoutReason = await decide(id, { version, decision: 'refused' })
    expect(withoutReason.error.errors?.[0]?.field).toBe('note')
    const refused = await decide(id, { version, decision: 'refused', note: 'No receipt' })
    expect(refused.body).toMatchObject({ status: 'closed', claim: { state: 'refused', decisionNote: 'No receipt' } })
    expect(refused.body.allowedActions).toEqual(['reconsider_claim'])
    const read = await test.call(getTicket, { token: owner.token, params: { id } })
    expect(read.body).toMatchObject({ claim: { decisionNote: 'No receipt' }, allowedActions: [] })
    const reconsideration = await decide(id, { version: version + 1, decision: 'reconsidered', note: 'Receipt found' })
    expect(reconsideration.body).toMatchObject({ status: 'open', claim: { state: 'submitted' } })
    const back = await decide(id, { version: version + 2, decision: 'documents_requested', note: 'A readable one' })
    expect(back.body).toMatchObject({ claim: { state: 'documents' }, deadline: { waitsFor: 'customer' } })
    expect((await decide(id, { version, decision: 'refused', note: 'x' })).error.code).toBe('version_conflict')
  })

  it('cannot be reopened after the owner has deleted the account', async () => {
    const leaver = await createCustomer(test)
    const { id, version } = await createClaimTicket(test, leaver)
    expect((await decide(id, { version, decision: 'refused', note: 'No receipt' })).status).toBe(200)
    const at = new Date()
    await test.deps.db.updateTable('accounts').set({ closed_at: at }).where('id', '=', leaver.accountId).execute()
    const answer = await decide(id, { version: version + 1, decision: 'reconsidered', note: 'Receipt found' })
    expect([answer.status, answer.error.code]).toEqual([409, 'account_closed'])
  })

  it('require finance permission for a decision', async () => {
    const sales = await createStaff(test, { role: 'inside_sales_representative' })
    const { id, version } = await createClaimTicket(test, owner)
    const body = { version, decision: 'accepted' as const, amountMinor: 40_000 }
    expect((await decide(id, body, sales)).status).toBe(403)
    expect((await test.call(getStaffTicket, { token: sales.token, params: { id } })).status).toBe(200)
  })

  it('are at most the insured value, and at least one minor unit', async () => {
    const { id } = await createInsured(test, owner)
    expect(refusal(await claim(id, { amountMinor: 50_001 }))).toEqual([422, 'validation', 'amountMinor'])
    expect(refusal(await claim(id, { amountMinor: 0 }))).toEqual([422, 'validation', 'amountMinor'])
    expect((await options(id)).closed).toBeNull()
    expect((await claim(id, { amountMinor: 50_000 })).status).toBe(200)
  })

  it('are possible for insured parcels only', async () => {
    const { id } = await createParcel(test, owner, { status: 'inbound' })
    expect((await options(id)).closed).toBe('not_insured')
    expect(refusal(await claim(id))).toEqual([422, 'claim_not_insured', 'parcelId'])
  })

  it('are created once, even from two tabs at once, until the claim is withdrawn', async () => {
    const { id } = await createInsured(test, owner)
    const twice = await Promise.all([claim(id), claim(id)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(twice.find(({ status }) => status === 409)?.error.code).toBe('claim_made')
    const claimAnswer = twice.find(({ status }) => status === 200)?.body
    expect(await options(id)).toMatchObject({ closed: 'claimed', ticketId: claimAnswer?.id })
    const params = { id: claimAnswer?.id ?? '' }
    const withdrawn = await test.call(withdrawClaim, { token: owner.token, params, body: { version: 1 } })
    expect(withdrawn.body).toMatchObject({ status: 'closed', claim: { state: 'withdrawn' }, allowedActions: [] })
    expect((await claim(id)).status).toBe(200)
  })

  it('are withdrawn by users who may create parcels; who only looks gets 403 and no such action', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const looker = await createMember(test, company, ['parcels.view_all', 'pay'])
    const creator = await createMember(test, company, ['parcels.view_all', 'parcels.create'])
    const { id } = await createClaimTicket(test, company)
    const params = { id }
    const body = { version: 1 }
    const look = async ({ token }: TestCustomer) => (await test.call(getTicket, { token, params })).body.allowedActions
    expect(await look(looker)).toEqual(['add_document'])
    expect((await test.call(withdrawClaim, { token: looker.token, params, body })).status).toBe(403)
    expect(await look(creator)).toEqual(['add_document', 'withdraw_claim'])
    expect((await test.call(withdrawClaim, { token: creator.token, params, body })).status).toBe(200)
  })

  it('are stored once if they are sent again', async () => {
    const { id: parcelId } = await createInsured(test, owner)
    const body = { parcelId, reason: 'lost' as const, amountMinor: 1, description: 'Gone.' }
    const options = { token: owner.token, body, headers: { 'idempotency-key': newId() } }
    const [first, second] = [await test.call(createClaim, options), await test.call(createClaim, options)]
    expect(second.body.id).toBe(first.body.id)
  })

  it('are possible in the statuses that allow them, for matching reasons', async () => {
    const insured = { insured_value_minor: 50_000 }
    const reasons = async (overrides: Parameters<typeof createParcel>[2]) => {
      const { id } = await createParcel(test, owner, { ...insured, ...overrides })
      const { closed, reasons: open } = await options(id)
      return [closed, open.map(({ reason }) => reason).join()]
    }
    expect(await reasons({ status: 'pending_pickup' })).toEqual(['state', ''])
    expect(await reasons({ status: 'outbound' })).toEqual([null, 'lost,damaged,missing'])
    expect(await reasons({ status: 'completed' })).toEqual([null, 'damaged,missing'])
    const late = new Date(test.clock.now().getTime() - 31 * day)
    expect(await reasons({ status: 'completed', last_event_at: late })).toEqual(['window_over', 'damaged,missing'])
    const { id } = await createParcel(test, owner, { ...insured, status: 'completed' })
    expect(refusal(await claim(id))).toEqual([409, 'claim_state'])
    const old = await createParcel(test, owner, { ...insured, status: 'completed', last_event_at: late })
    expect(refusal(await claim(old.id, { reason: 'damaged' }))).toEqual([409, 'claim_window_over'])
  })

  it('are possible for as many days after the arrival as the setting says', async () => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    const set = (count: number) => test.call(putSettings, { token, body: { values: { 'claims.windowDays': count } } })
    const arrival = new Date(test.clock.now().getTime() - 31 * day)
    const values = { status: 'completed' as const, insured_value_minor: 50_000, last_event_at: arrival }
    const { id } = await createParcel(test, owner, values)
    expect((await set(32)).status).toBe(200)
    expect((await options(id)).closed).toBeNull()
    expect((await set(30)).status).toBe(200)
    expect((await options(id)).closed).toBe('window_over')
  })

  it('for a lost parcel are not paid once it has arrived', async () => {
    const { id: parcelId } = await createInsured(test, owner)
    const { id, version } = await createClaimTicket(test, owner, { parcelId })
    await sql`update parcels set status = 'completed' where id = ${parcelId}::uuid`.execute(test.deps.db)
    const refused = await decide(id, { version, decision: 'accepted', amountMinor: 40_000 })
    expect([refused.status, refused.error.code]).toEqual([409, 'claim_arrived'])
    expect((await test.call(getTicket, { token: owner.token, params: { id } })).body.version).toBe(version)
  })

  it('expire without their documents, and may be created again', async () => {
    const { id: parcelId } = await createInsured(test, owner)
    const { id } = (await claim(parcelId)).body
    await sql`update tickets set due_at = now() - interval '1 minute' where id = ${id}::uuid`.execute(test.deps.db)
    await sql`select graphile_worker.add_job('tickets:deadlines')`.execute(test.deps.db)
    await test.settle()
    const { body } = await test.call(getTicket, { token: owner.token, params: { id } })
    expect(body).toMatchObject({ status: 'closed', claim: { state: 'withdrawn' } })
    const { items } = (await test.call(listNotifications, { token: owner.token })).body
    expect(items.find(({ path }) => path === `/tickets/${id}`)).toMatchObject({
      kind: 'claim_lapsed',
    })
    expect((await claim(parcelId)).status).toBe(200)
  })

  it('accept only their own documents, of the kinds that their reason requires', async () => {
    const { id } = await createInsured(test, owner)
    const stranger = await createCustomer(test)
    for (const documents of [
      [await uploadDocument(test, stranger, 'proof_of_value')],
      [await uploadDocument(test, owner, 'damage_photo')],
    ]) {
      expect(refusal(await claim(id, { documents }))).toEqual([422, 'validation', 'documents'])
    }
    expect((await options(id)).closed).toBeNull()
  })
})
