/**
 * Sends ids of other customers in every path, query and body. The answer must be the same as for an id that does not
 * exist, and the other account must not change.
 */

import { viewAccount } from '@waybill/contract/accounts/directory'
import { isCallInView } from '@waybill/contract/accounts/view-scope'
import { accessTable } from '@waybill/contract/ground/access'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import { isCallInScope } from '@waybill/contract/integrations/api-scopes'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { addUpChanges } from '../../src/domains/dashboard/queries-figures.ts'
import { makeTrackingNumber } from '../../src/domains/parcels/tracking-number.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'
import { createApiKey, everyScope } from '../testing/factories/api-keys.ts'
import { findCounter } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { testPickup } from '../testing/factories/orders.ts'
import { testParty, testReceiver } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'
import { workingDay } from '../testing/factories/working-day.ts'
import { type Company, type Kind, type Made, makers } from '../testing/foreign-objects.ts'
import { findKind } from '../testing/id-kinds.ts'
import { type IdField, idFields, putAt, type Samples, sampleRequest } from '../testing/request-samples.ts'

type Answer = { status: number; code: string | null; fields: string[]; text: string }
type Case = { endpoint: EndpointShape; field: IdField; name: string; kind: Kind }

/** The records in the other id fields of a request, by field. */
type Beside = Record<string, { part: IdField['part']; id: string; version?: number }>

const currentPassword = 'seven quiet harbours'
const boundary = 'foreign-ids'
const formType = `multipart/form-data; boundary=${boundary}`

/** Whether staff may make the call in a view of an account, to read the account. */
const isReadOfView = (endpoint: EndpointShape) =>
  endpoint.method === 'GET' && endpoint.access !== 'public' && isCallInView(endpoint)

/** Calls that answer 200 to an unknown id: filters of a list, which find nothing, and lists of numbers. */
const emptyAnswers = [
  'parcels.list query.createdBy',
  'parcels.list query.batchId',
  'parcels.list query.orderId',
  'parcels.xls query.createdBy',
  'parcels.xls query.batchId',
  'parcels.xls query.orderId',
  'parcels.pickupList query.pickupRequestId',
  'orders.creditNotes query.parcelId',
  'parcels.tracks body.numbers[]',
  'notifications.read body.ids[]',
]

describe('ids of other customers', () => {
  let test: TestApp
  let victim: Company
  let attacker: Company
  let attackerKey: string
  let ownAddressId: string
  let cases: Case[]
  /** Reads without an id. */
  let lists: EndpointShape[]
  let unnamedFields: string[]
  let samples: Samples

  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    await seedTestNetwork(test)
    victim = await company('Foreign Traders')
    attacker = await company('Curious Shop')
    attackerKey = (await createApiKey(test, attacker, everyScope)).secret
    ownAddressId = (await addAddress(test, attacker)).id
    const { here: stationId } = await findCounter(test)
    const day = workingDay(test, 2)
    const place = { country: 'my', postcode: '50480', city: 'Kuala Lumpur', state: 'Kuala Lumpur' }
    samples = {
      ...place,
      pin: testPin,
      sender: testParty(),
      receiver: testReceiver(),
      address: testParty(),
      contactName: 'Curious',
      email: 'new@example.test',
      phone: '+60123456789',
      day,
      date: day,
      window: '09:00-12:00',
      pickup: testPickup(test),
      dimensions: { lengthMm: 100, widthMm: 100, heightMm: 100 },
      selfCollectionStationId: stationId,
      currentPassword,
      url: 'https://receiver.example/hook',
    }
    const endpoints = (await contractEndpoints()).filter(
      ({ access }) => access === 'public' || 'customer' in accessTable[access],
    )
    lists = endpoints.filter((endpoint) => idFields(endpoint).length === 0)
    const all = endpoints.flatMap((endpoint) =>
      idFields(endpoint).map((field) => ({ endpoint, field, name: `${field.part}.${field.path}` })),
    )
    unnamedFields = all
      .filter((each) => findKind(each.endpoint.id, each.name) === undefined)
      .map(({ endpoint, name }) => `${endpoint.id} ${name}`)
    cases = all.flatMap((each) => {
      const kind = findKind(each.endpoint.id, each.name)
      return kind ? [{ ...each, kind }] : []
    })
  })

  async function company(name: string): Promise<Company> {
    const owner = await createCustomer(test, { userType: 'corporate', name, password: currentPassword })
    const corporate = { userType: 'corporate', accountId: owner.accountId, isOwner: false } as const
    const member = await createCustomer(test, { ...corporate, permissions: ['pay', 'parcels.create'] })
    await fundWallet(test, owner, 50_000_000)
    await setWalletPin(test, owner)
    await sql`update accounts set approval_above_minor = 0 where id = ${owner.accountId}::uuid`.execute(test.deps.db)
    return { ...owner, member }
  }

  /** An id of this kind that does not exist. */
  const makeUnknownId = (kind: Kind, n: number) =>
    kind === 'number' || kind === 'packedNumber'
      ? makeTrackingNumber(test.deps.settings.get('tracking.prefix'), 9_000_000 + n)
      : newId()

  /**
   * Sends the shortest valid request, with `record` in the field. `beside` has the records of the other fields, so that
   * the call reaches the field.
   */
  async function ask({ endpoint, field }: Case, token: string, record: Made, beside: Beside): Promise<Answer> {
    const request = structuredClone(sampleRequest(endpoint, samples))
    if (endpoint.id === 'bulk.create') request.body.rows = [{ receiverName: 'Siti' }]
    for (const [name, other] of Object.entries(beside)) putAt(request[other.part], name, other.id)
    // The call requires at least two ids.
    if (endpoint.id === 'addressDuplicates.dismiss') request.body.ids = [record.id, ownAddressId]
    else putAt(request[field.part], field.path, record.id)
    const version = Object.values(beside).find((other) => other.version !== undefined)?.version ?? record.version
    if ('version' in request.body && version !== undefined) request.body.version = version
    const form = endpoint.upload && !endpoint.body
    const answer = await test.app.inject({
      method: endpoint.method,
      url: fillPath(endpoint, request.params, request.query),
      headers: { authorization: `Bearer ${token}`, ...(form ? { 'content-type': formType } : {}) },
      payloadAsStream: true,
      ...(endpoint.body ? { payload: request.body } : {}),
      ...(form ? { payload: buildForm(request.upload) } : {}),
    })
    const bytes = Buffer.concat(await answer.stream().toArray())
    const isText = /json|text/.test(String(answer.headers['content-type']))
    const text = isText
      ? bytes.toString().replaceAll(record.id, '<id>').replaceAll(groupNumbersIn(record.id), '<id>')
      : `${bytes.length} bytes`
    const { code = null, errors = [] } = answer.statusCode >= 400 ? JSON.parse(text) : {}
    const fields = (errors as { field: string }[]).map((each) => each.field)
    return { status: answer.statusCode, code, fields, text }
  }

  /** Records of a company for the other id fields that the request requires. */
  async function createOthers({ endpoint, field }: Case, owner: Company): Promise<Beside> {
    const beside: Beside = {}
    const { body } = sampleRequest(endpoint, samples)
    for (const other of idFields(endpoint)) {
      const isNeeded =
        other.part === 'params' || (other.part === 'body' && Object.hasOwn(body, other.path.split(/[.[]/)[0] ?? ''))
      if (other.path === field.path || !isNeeded) continue
      const kind = findKind(endpoint.id, `${other.part}.${other.path}`)
      if (kind) beside[other.path] = { part: other.part, ...(await makers[kind](test, owner)) }
    }
    return beside
  }

  /** Replaces records by those that belong to `record`. */
  const withOthers = (beside: Beside, record: Made): Beside => ({
    ...beside,
    ...Object.fromEntries(
      Object.entries(record.others ?? {})
        .filter(([name]) => Object.hasOwn(beside, name))
        .map(([name, id]) => [name, { part: 'params' as const, id }]),
    ),
  })

  /** A form as browsers send it. */
  const buildForm = (fields: Record<string, unknown>) =>
    `${Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')}--${boundary}--\r\n`

  /** A hash of the account and every row of it, in every table with accounts, and of its users' sessions. */
  async function digestState({ accountId }: Company): Promise<Record<string, string | null>> {
    // Otherwise the job that adds up figures would change rows of the account during a comparison.
    await tx(test.deps.db, (trx) => addUpChanges(trx, 1_000_000))
    const { rows: tables } = await sql<{ name: string }>`
      select c.table_name as name
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'
        and c.table_name not like 'tracking_events_%'
      order by 1`.execute(test.deps.db)
    const hashes: Record<string, string | null> = {}
    for (const { name } of tables) {
      const { rows } = await sql<{ hash: string | null }>`
        select md5(string_agg(t::text, '|' order by t::text)) as hash
        from ${sql.table(name)} t where account_id = ${accountId}::uuid`.execute(test.deps.db)
      hashes[name] = rows[0]?.hash ?? null
    }
    const { rows } = await sql<{ hash: string | null }>`
      select md5(string_agg(s::text, '|' order by s::text)) as hash
      from sessions s join users u on u.id = s.user_id where u.account_id = ${accountId}::uuid`.execute(test.deps.db)
    const account = await sql<{ hash: string }>`
      select md5(a::text) as hash from accounts a where id = ${accountId}::uuid`.execute(test.deps.db)
    return { ...hashes, sessions: rows[0]?.hash ?? null, accounts: account.rows[0]?.hash ?? null }
  }

  it('have a kind in the table for every call', () => {
    expect(unnamedFields).toEqual([])
    expect(cases.length).toBeGreaterThan(100)
    // A kind without a call must be removed from the table.
    expect(new Set(cases.map(({ kind }) => kind)).size).toBe(Object.keys(makers).length)
  })

  it('get the same answer as ids that do not exist, and nothing changes', async () => {
    const callers = [
      ['the owner of another company', attacker.token],
      ['an API key', attackerKey],
    ] as const
    const records = new Map<Kind, Made>()
    for (const kind of Object.keys(makers) as Kind[]) records.set(kind, await makers[kind](test, victim))
    await test.settle()
    // A later job, such as the retry of a webhook, would change the account during a comparison.
    await sql`delete from graphile_worker._private_jobs where run_at > now()`.execute(test.deps.db)
    const mistakes: string[] = []
    for (const [n, each] of cases.entries()) {
      const record = records.get(each.kind)
      if (!record) throw new Error(`no record of the kind ${each.kind}`)
      const own = await createOthers(each, attacker)
      await test.settle()
      const before = await digestState(victim)
      const isEmpty = emptyAnswers.includes(`${each.endpoint.id} ${each.name}`)
      const isInScope = isCallInScope(everyScope, each.endpoint.id)
      for (const [caller, token] of isInScope ? callers : callers.slice(0, 1)) {
        // The other fields have the caller's own records, or the ones that belong to the foreign record.
        for (const beside of record.others ? [own, withOthers(own, record)] : [own]) {
          const about = `${each.endpoint.id} ${each.name} by ${caller}`
          const foreign = await ask(each, token, record, beside)
          const absent = await ask(each, token, { id: makeUnknownId(each.kind, n) }, beside)
          const answer = `${foreign.status} ${foreign.text}`
          if (answer !== `${absent.status} ${absent.text}`)
            mistakes.push(`${about}: ${answer}, but an id that does not exist gets ${absent.status} ${absent.text}`)
          const namesField = foreign.fields.every((field) => field.split('.')[0] === each.field.path.split(/[.[]/)[0])
          const isRefused =
            foreign.status === 404 || (foreign.status === 422 && namesField && foreign.fields.length > 0)
          // With a foreign record in another field, too, the call is refused for that one.
          if (!(isEmpty && beside === own ? foreign.status === 200 : isRefused)) mistakes.push(`${about}: ${answer}`)
          if (foreign.text.includes('Foreign Traders')) mistakes.push(`${about}: the answer names the other account`)
        }
      }
      const after = await digestState(victim)
      const changedTables = Object.keys(after).filter((table) => after[table] !== before[table])
      if (changedTables.length > 0) mistakes.push(`${each.endpoint.id} ${each.name}: changed ${changedTables}`)
    }
    expect(mistakes).toEqual([])
  }, 300_000)

  it("get another answer if they are the caller's own, so every record reaches its call", async () => {
    const sameAnswers: string[] = []
    for (const [n, each] of cases.entries()) {
      const record = await makers[each.kind](test, attacker)
      const beside = withOthers(await createOthers(each, attacker), record)
      const absent = await ask(each, attacker.token, { id: makeUnknownId(each.kind, 1000 + n) }, beside)
      const own = await ask(each, attacker.token, record, beside)
      if (own.status === absent.status && own.text === absent.text)
        sameAnswers.push(`${each.endpoint.id} ${each.name}: ${own.status} ${own.text.slice(0, 200)}`)
    }
    expect(sameAnswers).toEqual([])
  }, 300_000)

  it('are read in a view by staff, which changes nothing in the account', async () => {
    const staff = await createStaff(test, { role: 'account_manager' })
    const view = await test.call(viewAccount, { token: staff.token, params: { id: victim.accountId } })
    const records = new Map<Kind, Made>()
    for (const kind of Object.keys(makers) as Kind[]) records.set(kind, await makers[kind](test, victim))
    const reads = []
    for (const each of cases.filter(({ endpoint }) => isReadOfView(endpoint))) {
      const record = records.get(each.kind) as Made
      reads.push({ each, record, beside: withOthers(await createOthers(each, victim), record) })
    }
    // Set by the first note that the owner prints.
    await sql`update accounts set first_note_at = null where id = ${victim.accountId}::uuid`.execute(test.deps.db)
    await test.settle()
    await sql`delete from graphile_worker._private_jobs where run_at > now()`.execute(test.deps.db)
    const before = await digestState(victim)
    const unread: string[] = []
    for (const endpoint of lists.filter(isReadOfView)) {
      const url = fillPath(endpoint, {}, sampleRequest(endpoint, samples).query)
      const { statusCode } = await test.app.inject({ url, headers: { authorization: `Bearer ${view.body.token}` } })
      if (statusCode !== 200) unread.push(`${endpoint.id}: ${statusCode}`)
    }
    for (const { each, record, beside } of reads) {
      const { status } = await ask(each, view.body.token, record, beside)
      if (status !== 200) unread.push(`${each.endpoint.id}: ${status}`)
    }
    // A statement needs a month, and a domestic parcel has no customs form.
    expect(unread).toEqual(['wallet.statement: 422', 'parcels.customs: 422'])
    await test.settle()
    const after = await digestState(victim)
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([])
  }, 300_000)
})
