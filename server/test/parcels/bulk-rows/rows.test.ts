import { readFileSync } from 'node:fs'
import { type BulkField, type BulkRow, bulkFields, cartBulk, editBulk } from '@waybill/contract/parcels/bulk'
import { getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../../src/jobs/jobs.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { addAddress } from '../../testing/factories/addresses.ts'
import { createSender, getBatch, readRows } from '../../testing/factories/bulk.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { jsonRow } from '../bulk/bulk-sheets.ts'

type Cells = Partial<Record<BulkField, string>>

/** A row for shoes to Singapore. */
const abroad = (n: number, more: Cells = {}): Cells =>
  jsonRow(n, {
    country: 'Singapore',
    phone: '+65 6123 4567',
    postcode: '018956',
    city: 'Singapore',
    contentDescription: 'Shoes',
    customsReason: 'Gift',
    item1Description: 'Leather shoes',
    item1HsCode: '6403.99',
    item1Quantity: '2',
    item1UnitValue: '45.50',
    item1Origin: 'Malaysia',
    item1Weight: '0.9',
    ...more,
  })

describe('rows follow the same rules as the parcel form', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test, 'Shop')
  })

  const look = (id: string, who = owner, language = 'en') => getBatch(test, who, id, {}, language)
  const fromRows = (rows: Cells[], who = owner) => readRows(test, who, rows)
  const codes = (row: BulkRow | undefined) => row?.problems.map(({ column, code }) => [column, code])
  const cart = async (who: TestCustomer) =>
    (await test.call(getCart, { query: { limit: 200 }, token: who.token })).body.items

  it('names the violated rule for each cell, in both languages', async () => {
    const { batch, items } = await fromRows([
      jsonRow(1, { contentDescription: 'Fireworks' }),
      jsonRow(2, { declaredValue: '10', insuredValue: '20' }),
      jsonRow(3, { weight: '9000' }),
      jsonRow(4, { length: '900', width: '900', height: '900' }),
      jsonRow(5, {
        country: 'Singapore',
        serviceType: 'Document',
        phone: '+6561234567',
        postcode: '12',
        codAmount: '5',
      }),
      abroad(6, { deliveryMode: 'D2P' }),
      jsonRow(7, { line1: 'x'.repeat(121) }),
      jsonRow(8, { senderLabel: 'Shoop' }),
      jsonRow(9, { postcode: '99999', city: '', contentDescription: 'Fireworks' }),
    ])
    expect(items.map((row) => row.state)).toEqual(Array(9).fill('bad'))
    expect(codes(items[0])).toEqual([['contentDescription', 'rule.prohibited']])
    expect(items[0]?.problems[0]?.message).toContain('Explosives and fireworks')
    expect((await look(batch.id, owner, 'zh-CN')).items[0]?.problems[0]?.message).toContain('爆炸品与烟花爆竹')
    expect(codes(items[1])).toEqual([['insuredValue', 'over_declared']])
    expect(codes(items[2])).toEqual([['weight', 'rule.max']])
    expect(items[2]?.problems[0]?.message).toContain('Weight must be at most')
    expect(codes(items[3])).toEqual([['length', 'rule.tooLarge']])
    expect(codes(items[4])).toEqual([
      ['postcode', 'rule.postcodeForm'],
      ['codAmount', 'rule.codAbroad'],
    ])
    expect(codes(items[5])).toContainEqual(['collectionStation', 'required'])
    expect(codes(items[6])).toEqual([['line1', 'too_long']])
    expect(codes(items[8])).toEqual([
      ['postcode', 'postcode_unknown'],
      ['contentDescription', 'rule.prohibited'],
    ])
    expect(items[7]?.problems).toEqual([
      expect.objectContaining({ column: 'senderLabel', code: 'sender_unknown', suggestion: 'Shop' }),
    ])
  })

  it.each([
    ['en', 'Explosives and fireworks'],
    ['zh-CN', '爆炸品与烟花爆竹'],
  ])('names the rule in the message of a frequent problem as well (%s)', async (language, name) => {
    const { batch } = await fromRows([1, 2].map((n) => jsonRow(n, { contentDescription: 'Fireworks' })))
    const [problem] = (await look(batch.id, owner, language)).batch.common
    expect(problem).toMatchObject({ code: 'rule.prohibited', count: 2, message: expect.stringContaining(name) })
  })

  it('suggests the nearest amount to collect that coins make, and takes it in all rows at once', async () => {
    const { batch, items } = await fromRows(['77.77', '12.01'].map((codAmount, n) => jsonRow(71 + n, { codAmount })))
    expect(items.map(codes)).toEqual(Array(2).fill([['codAmount', 'rule.coins']]))
    expect(items.map(({ problems }) => problems[0]?.suggestion)).toEqual(['77.75', '12.00'])
    expect(items[1]?.problems[0]?.message).toMatch(/must be an amount that coins can make, such as 12\.00 or 12\.05\.$/)
    const common = { code: 'rule.coins', column: 'codAmount', count: 2, suggested: 2 }
    // No amount of a single row.
    expect(batch.common[0]).toEqual({ ...common, message: expect.stringMatching(/coins can make\.$/) })
    const fix = { code: 'rule.coins', column: 'codAmount' as const }
    await test.call(editBulk, { body: { id: batch.id, fix }, token: owner.token })
    expect(
      (await look(batch.id)).items.map(({ state, cells }) => [state, cells[bulkFields.indexOf('codAmount')]]),
    ).toEqual([
      ['good', '77.75'],
      ['good', '12.00'],
    ])
  })

  it('refuses an insured value above what is declared, and one without a declared value', async () => {
    const { items } = await fromRows([
      jsonRow(61, { insuredValue: '5000' }),
      abroad(62, { insuredValue: '5000' }),
      abroad(63, { insuredValue: '91' }),
      jsonRow(64, { insuredValue: '0' }),
    ])
    expect(items.map(codes)).toEqual([
      [['declaredValue', 'rule.required']],
      [['insuredValue', 'rule.overDeclared']],
      [],
      [],
    ])
    expect(items[0]?.problems[0]?.message).toBe('Declared value is required.')
  })

  it('accepts a contradiction that the sender overrides, and stores with the parcel who did so', async () => {
    const who = await createSender(test, 'Shop')
    const { batch, items } = await fromRows([jsonRow(1, { state: 'Johor' })], who)
    expect(codes(items[0])).toEqual([['state', 'state_mismatch']])
    const edit = { row: 2, version: 1, override: ['receiver.state' as const] }
    const answer = await test.call(editBulk, { body: { id: batch.id, edits: [edit] }, token: who.token })
    expect(answer.body.items[0]).toMatchObject({ state: 'good', overrides: ['receiver.state'] })
    await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    const [parcel] = await cart(who)
    expect(parcel).toMatchObject({
      receiver: { state: 'Johor' },
      overrides: [{ field: 'receiver.state', written: 'Johor', postcode: '10050', by: who.userId }],
    })
  })

  it('has its warning, also in a row that an earlier release has checked', async () => {
    const { batch } = await fromRows([jsonRow(77, { state: 'Johor' })])
    const edits = [{ row: 2, version: 1, override: ['receiver.state' as const] }]
    await test.call(editBulk, { body: { id: batch.id, edits }, token: owner.token })
    const warning = { column: 'state', code: 'overridden', blocking: false }
    expect((await look(batch.id)).items[0]?.problems).toMatchObject([warning])
    const earlier = JSON.stringify([{ mild: true, column: 'state', code: 'insisted' }])
    await sql`update bulk_rows set problems = ${earlier}::jsonb where batch_id = ${batch.id}`.execute(test.deps.db)
    const migration = new URL('../../../src/db/migrations/0088_overridden_contradictions.sql', import.meta.url)
    await sql.raw(readFileSync(migration, 'utf8')).execute(test.deps.db)
    expect((await look(batch.id)).items[0]?.problems).toMatchObject([warning])
  })

  it('discards the override when an edit causes a different contradiction', async () => {
    const { batch } = await fromRows([jsonRow(21, { state: 'Johor' })])
    const edit = (version: number, more: object) =>
      test.call(editBulk, { body: { id: batch.id, edits: [{ row: 2, version, ...more }] }, token: owner.token })
    await edit(1, { override: ['receiver.state'] })
    const other = await edit(2, { cells: { state: 'Perlis' } })
    expect(other.body.items[0]).toMatchObject({ state: 'bad', overrides: [] })
  })

  it('reads a phone number with + by its country code, and suggests it for one without', async () => {
    const phones = ['+65 9123 4567', '6591234567', '3123 4567']
    const { items } = await fromRows(phones.map((phone, n) => jsonRow(n, { phone })))
    expect(items.map(({ state }) => state)).toEqual(['good', 'bad', 'bad'])
    expect(codes(items[1])).toEqual([['phone', 'phone_invalid']])
    expect(items.map(({ problems }) => problems[0]?.suggestion ?? null)).toEqual([null, '+6591234567', null])
  })

  it('accepts international rows with customs items, as the form does', async () => {
    const who = await createSender(test, 'Shop')
    const { items } = await fromRows(
      [
        abroad(1),
        abroad(2, { item1Quantity: '', item1Origin: 'Malaysja' }),
        abroad(3, { customsReason: 'Sale of goods', item1HsCode: '' }),
        abroad(4, { declaredValue: '12' }),
        abroad(5, { item1Weight: '3' }),
        abroad(6, { item2Description: 'Fireworks', item2Quantity: '1', item2UnitValue: '1', item2Origin: 'MY' }),
        jsonRow(7, { country: 'sg', phone: '+6561234567', postcode: '018956', city: 'Singapore' }),
      ],
      who,
    )
    expect(codes(items[1])).toEqual([
      ['item1Quantity', 'required'],
      ['item1Origin', 'country_unknown'],
    ])
    expect(codes(items[2])).toEqual([['item1HsCode', 'rule.required']])
    expect(codes(items[3])).toEqual([['declaredValue', 'rule.customsSum']])
    expect(codes(items[4])).toEqual([['item1Description', 'rule.netOverGross']])
    expect(codes(items[5])).toEqual([['item2Description', 'rule.prohibited']])
    expect(codes(items[6])).toEqual([['item1Description', 'customs_needed']])
    expect(items[0]?.problems).toEqual([])
    await test.call(cartBulk, { body: { id: (await fromRows([abroad(9)], who)).batch.id }, token: who.token })
    expect((await cart(who))[0]).toMatchObject({
      scope: 'international',
      declaredValueMinor: 9100,
      customs: {
        reason: 'gift',
        items: [
          { description: 'Leather shoes', hsCode: '640399', quantity: 2, unitValueMinor: 4550, netWeightGrams: 900 },
        ],
      },
    })
  })

  it('accepts another address of the address book as sender, even if the batch has none', async () => {
    const who = await createCustomer(test)
    await addAddress(test, who, { kind: 'sender', label: 'Warehouse', contactName: 'Storeman' })
    const { batch, items } = await fromRows([jsonRow(1, { senderLabel: 'warehouse' }), jsonRow(2)], who)
    expect(batch.sender).toBeNull()
    expect(items[0]?.priceMinor).toBeGreaterThan(0)
    const carted = await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    expect(carted.body).toMatchObject({ added: 1, batch: { counts: { good: 1, carted: 1 } } })
    const [parcel] = await cart(who)
    expect(parcel).toMatchObject({ sender: { contactName: 'Storeman' }, batchId: batch.id })
    const listed = await test.call(listParcels, { query: { batchId: batch.id }, token: who.token })
    expect(listed.body.items.map(({ id }) => id)).toEqual([parcel?.id])
  })

  it.each([
    ['JPY', '¥1500', 'JPY 1200', '800', [1500, 1200, 800]],
    ['KWD', '12.345 kwd', '1.5', '0.005', [12_345, 1500, 5]],
    ['MYR', 'RM 45.50', 'myr 20', '0.05', [4550, 2000, 5]],
  ])('reads amounts in the currency of the deployment: %s', async (currency, declared, insured, cod, minor) => {
    const other = await buildTestApp()
    await seedTestNetwork(other)
    await other.deps.db
      .insertInto('settings')
      .values({ key: 'currency', value: JSON.stringify(currency) })
      .execute()
    await other.deps.settings.reload()
    const who = await createSender(other, 'Shop')
    const { batch, items } = await readRows(other, who, [
      jsonRow(1, { declaredValue: declared, insuredValue: insured, codAmount: cod }),
      abroad(2, { item1UnitValue: declared }),
      jsonRow(3, { declaredValue: `GBP ${minor[0]}` }),
    ])
    expect(items.map(codes)).toEqual([[], [], [['declaredValue', 'unit_unknown']]])
    await other.call(cartBulk, { body: { id: batch.id }, token: who.token })
    const parcels = (await other.call(getCart, { query: { limit: 200 }, token: who.token })).body.items
    const first = parcels.find(({ reference }) => reference === 'SO-1')
    expect([first?.declaredValueMinor, first?.insuredValueMinor, first?.codAmountMinor]).toEqual(minor)
    const second = parcels.find(({ reference }) => reference === 'SO-2')
    expect(second?.customs?.items[0]?.unitValueMinor).toBe(minor[0])
  })

  it('appends rows after the last one', async () => {
    const { batch } = await fromRows([jsonRow(31)])
    const added = await test.call(editBulk, { body: { id: batch.id, add: [jsonRow(32), {}] }, token: owner.token })
    expect(added.body.items.map(({ row, state }) => [row, state])).toEqual([
      [3, 'good'],
      [4, 'bad'],
    ])
    expect(added.body.batch.counts).toMatchObject({ total: 3, good: 2, bad: 1 })
  })

  it('deletes rows without a change for thirty days, and keeps their parcels', async () => {
    const who = await createSender(test, 'Shop')
    const { batch } = await fromRows([jsonRow(1), jsonRow(2, { postcode: '99999' })], who)
    await fromRows([jsonRow(3)], who)
    await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    test.clock.advance(days(31))
    await addJob(test.deps.db, 'housekeeping:sweep', {})
    await test.settle()
    const rows = await test.deps.db
      .selectFrom('bulk_rows')
      .select(['batch_id', 'state'])
      .where('account_id', '=', who.accountId)
      .execute()
    expect(rows).toEqual([{ batch_id: batch.id, state: 'carted' }])
    const batches = await test.deps.db
      .selectFrom('bulk_batches')
      .select('id')
      .where('account_id', '=', who.accountId)
      .execute()
    expect(batches).toEqual([{ id: batch.id }])
  })
})
