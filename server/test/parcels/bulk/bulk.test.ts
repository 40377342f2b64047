import {
  bulkProblemFile,
  cartBulk,
  clearBulk,
  createBulk,
  editBulk,
  getBulk,
  mapBulk,
} from '@waybill/contract/parcels/bulk'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { findRowsByHash } from '../../../src/domains/parcels/bulk/queries-duplicates.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { addAddress } from '../../testing/factories/addresses.ts'
import { createSender, getBatch, listProblems, readRows, readSheet, uploadSheet } from '../../testing/factories/bulk.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'
import { goodRow, headers, jsonRow, xlsx } from './bulk-sheets.ts'

describe('parcels from a spreadsheet', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test)
  })

  it('reads an .xlsx, prices its rows, and puts the valid rows in the cart while the faulty ones stay', async () => {
    const who = await createSender(test)
    const bad = goodRow(3)
    bad[3] = '99999'
    const { batch, items } = await readSheet(
      test,
      who,
      await xlsx([headers, goodRow(1), goodRow(2), bad]),
      'orders.xlsx',
    )
    expect(batch).toMatchObject({
      status: 'ready',
      name: 'orders.xlsx',
      counts: { read: 3, total: 3, good: 2, bad: 1, carted: 0 },
    })
    expect(items[0]).toMatchObject({ row: 2, state: 'good', problems: [] })
    expect(items[0]?.priceMinor).toBeGreaterThan(0)
    expect(listProblems(items[2])).toEqual([['postcode', 'postcode_unknown', null]])
    expect(batch.totalMinor).toBe((items[0]?.priceMinor ?? 0) + (items[1]?.priceMinor ?? 0))

    const carted = await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    expect(carted.body).toMatchObject({ added: 2, batch: { counts: { good: 0, bad: 1, carted: 2 } } })
    const cart = await test.call(getCart, { query: {}, token: who.token })
    expect(cart.body.items.map(({ reference }) => reference).sort()).toEqual(['SO-1', 'SO-2'])
    expect(cart.body.items[0]).toMatchObject({ status: 'incart', weightGrams: 1200 })
    // A row shows the price of the parcel alone; only the cart knows which parcels share a pickup.
    expect(withoutPickup(cart.body.items[0] as Parcel)).toBe(items[0]?.priceMinor)
    const detail = await test.call(getParcel, { params: { id: cart.body.items[0]?.id ?? '' }, token: who.token })
    expect(detail.body.events.map(({ event }) => event).sort()).toEqual(['added_to_cart', 'created'])
    expect((await test.call(cartBulk, { body: { id: batch.id }, token: who.token })).error.code).toBe(
      'bulk_nothing_good',
    )
    expect((await test.call(cartCount, { token: who.token })).body.count).toBe(2)
  })

  it('uses the sender that was chosen last, even while rows are being moved to the cart', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(test, who, [jsonRow(1)])
    const change = sql`update bulk_batches set version = version + 1,
      sender = jsonb_set(sender, '{contactName}', '"Chosen Later"') where id = ${batch.id}::uuid`
    await queueBehind(test, change, () => test.call(cartBulk, { body: { id: batch.id }, token: who.token }))
    const [parcel] = (await test.call(getCart, { query: {}, token: who.token })).body.items
    expect(parcel?.sender?.contactName).toBe('Chosen Later')
  })

  it('reports problems by cell, in the language of the caller, with suggested corrections', async () => {
    const who = await createSender(test)
    const rows = [
      jsonRow(1, { phone: '12-345 6789' }),
      jsonRow(2, { weight: '1,2 kg' }),
      jsonRow(3, { state: 'Johor' }),
      jsonRow(4, { serviceType: 'Semi-expres' }),
      jsonRow(5, { weight: '2026-02-01' }),
      jsonRow(6, { postcode: '5000', city: '' }),
      jsonRow(7, { city: 'Ipoh' }),
      jsonRow(8, { email: 'not an address', length: '' }),
      jsonRow(9, { postcode: '84300', state: 'Johor', city: 'Ipoh' }),
    ]
    const { batch, items } = await readRows(test, who, rows)
    expect(items.map(listProblems)).toEqual([
      [['phone', 'phone_lost_zero', '+60123456789']],
      [['weight', 'number_format', '1.2']],
      [['state', 'state_mismatch', 'Pulau Pinang']],
      [['serviceType', 'service_unknown', 'Semi-express']],
      [['weight', 'date_not_number', '1.2']],
      [['postcode', 'postcode_lost_zero', '05000']],
      [['city', 'city_mismatch', expect.any(String)]],
      [
        ['email', 'email_invalid', null],
        ['length', 'required', null],
      ],
      [['city', 'city_mismatch', 'Bukit Pasir']],
    ])
    const chinese = await getBatch(test, who, batch.id, {}, 'zh-CN')
    expect(chinese.items[2]?.problems[0]?.message).toBe('10050 属于 Pulau Pinang。')
    expect(chinese.items[8]?.problems[0]?.message).toContain('Bukit Pasir、Muar')
    expect(chinese.items[3]?.problems[0]?.suggestion).toBe('准快递')
    expect((await getBatch(test, who, batch.id, { only: 'good' })).total).toBe(0)
  })

  it('applies a suggestion to all rows at once, and returns the previous values', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(
      test,
      who,
      [1, 2, 3].map((n) => jsonRow(n, { phone: `12345678${n}` })),
    )
    expect(batch.common).toEqual([
      expect.objectContaining({ code: 'phone_lost_zero', column: 'phone', count: 3, suggested: 3 }),
    ])
    const fixed = await test.call(editBulk, {
      body: { id: batch.id, fix: { code: 'phone_lost_zero', column: 'phone' } },
      token: who.token,
    })
    expect(fixed.body.batch.counts).toMatchObject({ good: 3, bad: 0 })
    expect(fixed.body.before.map(({ cells }) => cells.phone)).toEqual(['123456781', '123456782', '123456783'])
  })

  it('lists a problem of one row if it has a fix: a suggestion, or a missing value', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(test, who, [
      jsonRow(1, { length: '' }),
      jsonRow(2, { phone: '123456789' }),
      jsonRow(3, { email: 'nobody' }),
    ])
    expect(batch.common).toEqual([
      expect.objectContaining({ code: 'phone_lost_zero', column: 'phone', count: 1, suggested: 1 }),
      expect.objectContaining({ code: 'required', column: 'length', count: 1 }),
    ])
  })

  it('lists every kind of problem, however many there are', async () => {
    const who = await createSender(test)
    const missing = Object.fromEntries(Object.keys(jsonRow(1)).map((field) => [field, '']))
    const wrong = { phone: '1', weight: 'heavy', length: 'long', width: 'wide', height: 'high', email: 'nobody' }
    const { batch } = await readRows(
      test,
      who,
      [1, 2, 3, 4].map((n) => jsonRow(n, n < 3 ? { ...missing, reference: `${n}` } : wrong)),
    )
    expect(batch.common.length).toBeGreaterThan(12)
    expect(batch.common.map(({ column }) => column)).toEqual(expect.arrayContaining(['receiverName', 'email']))
  })

  it('checks edited rows again, and refuses a stale version without changing anything', async () => {
    const who = await createSender(test)
    const { batch, items } = await readRows(test, who, [jsonRow(1, { postcode: '99999' }), jsonRow(2)])
    const edit = (row: number, version: number, postcode: string) => ({ row, version, cells: { postcode } })
    const stale = await test.call(editBulk, {
      body: { id: batch.id, edits: [edit(2, 1, '10050'), edit(3, 7, '10050')] },
      token: who.token,
    })
    expect(stale.error).toMatchObject({
      statusCode: 409,
      code: 'version_conflict',
      details: { rows: [{ row: 3, version: 1 }] },
    })
    expect((await getBatch(test, who, batch.id)).items).toEqual(items)
    const edited = await test.call(editBulk, { body: { id: batch.id, edits: [edit(2, 1, '10050')] }, token: who.token })
    expect(edited.body.items[0]).toMatchObject({ row: 2, version: 2, state: 'good', problems: [] })
    expect(edited.body.before).toEqual([{ row: 2, cells: { postcode: '99999' } }])
    const removal = await test.call(editBulk, {
      body: { id: batch.id, edits: [{ row: 3, version: 1, remove: true }] },
      token: who.token,
    })
    expect(removal.body.batch.counts.total).toBe(1)
  })

  it('recognises a repeated file or row in any batch and in the cart, and accepts it with an override', async () => {
    const who = await createSender(test)
    const file = await xlsx([headers, goodRow(1), goodRow(2), goodRow(1)])
    const first = await readSheet(test, who, file, 'a.xlsx')
    expect(first.batch.sameFile).toBeNull()
    expect(listProblems(first.items[2])).toEqual([[null, 'duplicate_row', null]])
    const second = await readSheet(test, who, file, 'b.xlsx')
    expect(second.batch.sameFile).toMatchObject({ id: first.batch.id })
    expect(second.items.map((row) => row.problems[0]?.code)).toEqual([
      'duplicate_batch',
      'duplicate_batch',
      expect.stringMatching(/^duplicate_/),
    ])
    await test.call(cartBulk, { body: { id: first.batch.id }, token: who.token })
    const third = await readRows(test, who, [jsonRow(1, { phone: '012-345 6789', contentDescription: 'Shirts' })])
    expect(listProblems(third.items[0])).toEqual([[null, 'duplicate_cart', null]])
    const overridden = await test.call(editBulk, {
      body: { id: third.batch.id, overrideDuplicates: true },
      token: who.token,
    })
    expect(overridden.body.batch.counts).toMatchObject({ good: 1, bad: 0 })
  })

  it('finds a later row that equals a corrected one, and marks only one of them', async () => {
    const who = await createSender(test)
    const { batch, items } = await readRows(test, who, [jsonRow(1, { phone: '1' }), jsonRow(1), jsonRow(2)])
    expect(items.map(({ state }) => state)).toEqual(['bad', 'good', 'good'])
    const edit = (row: number, version: number, cells: Parameters<typeof jsonRow>[1]) =>
      test.call(editBulk, { body: { id: batch.id, edits: [{ row, version, cells }] }, token: who.token })
    const corrected = await edit(2, 1, { phone: '0123456789' })
    expect(corrected.body.items[0]?.problems.map(({ code, message }) => [code, message])).toEqual([
      ['duplicate_row', expect.stringContaining('3')],
    ])
    expect(corrected.body.batch.counts).toMatchObject({ good: 2, bad: 1 })
    // An edit of a row that has a marked duplicate keeps the row valid.
    const other = await edit(3, 1, { declaredValue: '10' })
    expect(other.body.items.map(({ row, state }) => [row, state])).toEqual([[3, 'good']])
    expect(other.body.batch.counts).toMatchObject({ good: 2, bad: 1 })
    const carted = await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    expect(carted.body.added).toBe(2)
  })

  it('keeps a row valid when its intended duplicate further down is overridden', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(test, who, [jsonRow(1), jsonRow(1)])
    const edit = (row: number, version: number, more: object) =>
      test.call(editBulk, { body: { id: batch.id, edits: [{ row, version, ...more }] }, token: who.token })
    await edit(3, 1, { overrideDuplicate: true })
    const edited = await edit(2, 1, { cells: { declaredValue: '10' } })
    expect(edited.body.batch.counts).toMatchObject({ good: 2, bad: 0 })
  })

  it('keeps a row marked as a duplicate of a row that is overridden, after another sender is chosen', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(test, who, [jsonRow(1), jsonRow(1)])
    const edit = async (body: object) =>
      (await test.call(editBulk, { body: { id: batch.id, ...body }, token: who.token })).body.batch.counts
    expect(await edit({ edits: [{ row: 2, version: 1, overrideDuplicate: true }] })).toMatchObject({ good: 1, bad: 1 })
    const address = await addAddress(test, who, { kind: 'sender' })
    expect(await edit({ senderAddressId: address.id })).toMatchObject({ good: 1, bad: 1 })
  })

  it.each([
    ['edited', { cells: { reference: 'Another' } }],
    ['made invalid', { cells: { phone: '1' } }],
    ['removed', { remove: true }],
  ])('marks a row no longer as a duplicate once the other row is %s', async (_, change) => {
    const who = await createSender(test)
    const { batch, items } = await readRows(test, who, [jsonRow(1), jsonRow(1), jsonRow(1)])
    expect(items.map(listProblems)).toEqual([[], [[null, 'duplicate_row', null]], [[null, 'duplicate_row', null]]])
    const edits = [{ row: 2, version: 1, ...change }]
    const { body } = await test.call(editBulk, { body: { id: batch.id, edits }, token: who.token })
    const later = body.items.filter(({ row }) => row > 2)
    expect(later.map(({ row, state, version }) => [row, state, version])).toEqual([
      [3, 'good', 2],
      [4, 'bad', 2],
    ])
    // The last row is now a duplicate of the row above it.
    expect(later[1]?.problems.map(({ message }) => message)).toEqual([expect.stringContaining('3')])
    expect((await getBatch(test, who, batch.id)).items.slice(-2)).toEqual(later)
  })

  it('finds duplicates without reading the other rows, whatever the statistics say', async () => {
    const who = await createSender(test)
    const { batch } = await readRows(test, who, [jsonRow(95)])
    const readStatistics = sql<{ scans: number; rows: number }>`
      select seq_scan::int as scans, idx_tup_fetch::int as rows from pg_stat_xact_user_tables
      where relname = 'bulk_rows'`
    const calls = await tx(test.deps.db, async (trx) => {
      const hashes = Array.from({ length: 20 }, (_, n) => `copy ${3990 + n}`)
      const find = async () => {
        const [before] = (await readStatistics.execute(trx)).rows
        const sameRows = await findRowsByHash(trx, who.accountId, hashes, { since: new Date(0), valid: true })
        const [after] = (await readStatistics.execute(trx)).rows
        const [scans, rowsRead] = [
          Number(after?.scans) - Number(before?.scans),
          Number(after?.rows) - Number(before?.rows),
        ]
        return { duplicates: sameRows.length, scans, rowsRead }
      }
      // The statistics know a few rows, as after a first import.
      await sql`analyze bulk_rows`.execute(trx)
      await sql`discard plans`.execute(trx)
      await find()
      await sql`
        insert into bulk_rows (account_id, batch_id, row_number, cells, state, hash)
        select account_id, batch_id, n, cells, state, 'copy ' || n
        from bulk_rows, generate_series(1001, 4000) n where batch_id = ${batch.id}::uuid`.execute(trx)
      const withEarlierPlan = await find()
      await sql`discard plans`.execute(trx)
      return [withEarlierPlan, await find()]
    })
    expect(calls).toEqual(Array(2).fill({ duplicates: 11, scans: 0, rowsRead: 11 }))
  })

  it('shows a batch only to its account and to the member who created it', async () => {
    const { batch } = await readRows(test, owner, [jsonRow(90)])
    const stranger = await createSender(test)
    const token = stranger.token
    const answers = await Promise.all([
      test.call(getBulk, { params: { id: batch.id }, query: {}, token }),
      test.call(bulkProblemFile, { params: { id: batch.id }, token }),
      test.call(editBulk, { body: { id: batch.id, overrideDuplicates: true }, token }),
      test.call(cartBulk, { body: { id: batch.id }, token }),
      test.call(clearBulk, { body: { id: batch.id }, token }),
      test.call(mapBulk, { body: { id: batch.id, version: 1, mapping: [null] }, token }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await getBatch(test, owner, batch.id)).batch.counts.good).toBe(1)
    expect((await test.call(clearBulk, { body: { id: batch.id }, token: owner.token })).status).toBe(200)
    expect((await test.call(getBulk, { params: { id: batch.id }, query: {}, token: owner.token })).status).toBe(404)
  })

  it('honours an Idempotency-Key', async () => {
    const keyHeaders = { 'idempotency-key': 'bulk-key-1' }
    const body = { rows: [jsonRow(91)] }
    const first = await test.call(createBulk, { body, token: owner.token, headers: keyHeaders })
    const second = await test.call(createBulk, { body, token: owner.token, headers: keyHeaders })
    expect(second.body.id).toBe(first.body.id)
  })

  it('honours an Idempotency-Key of a file: the same file returns the same batch, another is refused', async () => {
    const key = { 'idempotency-key': 'the-same-file-0001' }
    const file = await xlsx([headers, goodRow(95)])
    const first = await uploadSheet(test, owner, file, { name: 'a.xlsx', headers: key })
    expect((await uploadSheet(test, owner, file, { name: 'a.xlsx', headers: key })).body.id).toBe(first.body.id)
    const other = await uploadSheet(test, owner, await xlsx([headers, goodRow(96)]), { name: 'a.xlsx', headers: key })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  it('needs a sender', async () => {
    const nobody = await createCustomer(test)
    const { batch } = await readRows(test, nobody, [jsonRow(1)])
    expect(batch.sender).toBeNull()
    expect((await test.call(cartBulk, { body: { id: batch.id }, token: nobody.token })).error.code).toBe(
      'bulk_no_sender',
    )
    const address = await addAddress(test, nobody, { isDefault: true, kind: 'sender' })
    const change = await test.call(editBulk, {
      body: { id: batch.id, senderAddressId: address.id },
      token: nobody.token,
    })
    expect(change.body.batch).toMatchObject({ sender: { contactName: address.contactName }, counts: { good: 1 } })
    expect(change.body.batch.totalMinor).toBeGreaterThan(0)
  })
})
