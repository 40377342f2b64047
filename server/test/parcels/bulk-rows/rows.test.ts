import { validationRule } from '@waybill/contract/ground/validation'
import {
  type BulkField,
  type BulkRow,
  bulkFields,
  cartBulk,
  createBulk,
  editBulk,
  getBulk,
} from '@waybill/contract/parcels/bulk'
import { getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { createParcel, getParcel, parcelInput } from '@waybill/contract/parcels/parcels'
import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { beforeAll, describe, expect, it } from 'vitest'
import { omit, safeParse } from 'zod/mini'
import { rowReading } from '../../../src/domains/parcels/bulk-rows/contract-problems.ts'
import { addJob } from '../../../src/jobs/jobs.ts'
import { days } from '../../../src/lib/clock.ts'
import { parsePhone } from '../../../src/lib/phone.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { addAddress } from '../../testing/factories/addresses.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'
import { form, jsonRow, xlsx } from '../bulk/bulk-sheets.ts'

type Cells = Partial<Record<BulkField, string>>

/** Shoes to Singapore, as a row says it. */
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

const goodInput = {
  reference: ' A ',
  scope: 'domestic',
  serviceType: 'e_parcel',
  deliveryMode: 'D2D',
  receiver: {
    contactName: ' Ann ',
    company: '',
    phone: ' +60123456789 ',
    email: 'A@B.TEST',
    line1: '1 Jalan Burma',
    line2: null,
    postcode: '10050',
    city: 'George Town',
    state: 'Pulau Pinang',
    country: 'MY',
    residential: true,
    remarks: null,
  },
  selfCollectionStationId: null,
  contentType: 'others',
  contentDescription: 'Shoes',
  declaredValueMinor: 100,
  insuredValueMinor: null,
  codAmountMinor: null,
  customs: null,
  weightGrams: 250,
  dimensions: { lengthMm: 300, widthMm: 1, heightMm: 300 },
  sender: undefined,
}

describe('rows keep the rules of a parcel from the form', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await sender()
  })

  async function sender(): Promise<TestCustomer> {
    const customer = await createCustomer(test)
    await addAddress(test, customer, { isDefault: true, kind: 'sender', label: 'Shop' })
    return customer
  }
  const look = async (id: string, who = owner, language = 'en') =>
    (await test.call(getBulk, { params: { id }, query: { limit: 200 }, token: who.token, language })).body
  const fromRows = async (rows: Cells[], who = owner) => {
    const { status, body, error } = await test.call(createBulk, { body: { rows }, token: who.token })
    expect(status, JSON.stringify(error)).toBe(200)
    await test.settle()
    return look(body.id, who)
  }
  const codes = (row: BulkRow | undefined) => row?.problems.map(({ column, code }) => [column, code])
  const cart = async (who: TestCustomer) =>
    (await test.call(getCart, { query: { limit: 200 }, token: who.token })).body.items

  it('names the rule by cell, in both languages', async () => {
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

  it('lets a contradiction through that the sender insists on, and keeps who said so with the parcel', async () => {
    const who = await sender()
    const { batch, items } = await fromRows([jsonRow(1, { state: 'Johor' })], who)
    expect(codes(items[0])).toEqual([['state', 'state_mismatch']])
    const edit = { row: 2, version: 1, shipAnyway: ['receiver.state' as const] }
    const said = await test.call(editBulk, { body: { id: batch.id, edits: [edit] }, token: who.token })
    expect(said.body.items[0]).toMatchObject({ state: 'good', insisted: ['receiver.state'] })
    await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    const [parcel] = await cart(who)
    expect(parcel).toMatchObject({
      receiver: { state: 'Johor' },
      shippedAnyway: [{ field: 'receiver.state', written: 'Johor', postcode: '10050', by: who.userId }],
    })
  })

  it('asks again when what was insisted on becomes another contradiction', async () => {
    const { batch } = await fromRows([jsonRow(21, { state: 'Johor' })])
    const edit = (version: number, more: object) =>
      test.call(editBulk, { body: { id: batch.id, edits: [{ row: 2, version, ...more }] }, token: owner.token })
    await edit(1, { shipAnyway: ['receiver.state'] })
    const other = await edit(2, { cells: { state: 'Perlis' } })
    expect(other.body.items[0]).toMatchObject({ state: 'bad', insisted: [] })
  })

  it('takes goods abroad with their customs items, as the form does', async () => {
    const who = await sender()
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

  it('sends a row from another address of the book, also where the batch has no sender', async () => {
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

  it('adds rows behind the last one', async () => {
    const { batch } = await fromRows([jsonRow(31)])
    const added = await test.call(editBulk, { body: { id: batch.id, add: [jsonRow(32), {}] }, token: owner.token })
    expect(added.body.items.map(({ row, state }) => [row, state])).toEqual([
      [3, 'good'],
      [4, 'bad'],
    ])
    expect(added.body.batch.counts).toMatchObject({ total: 3, good: 2, bad: 1 })
  })

  it('forgets rows that nobody touched for thirty days; parcels stay', async () => {
    const who = await sender()
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

  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('=1+1', '1,2', '2026-02-01', '0', '-1', '1e9', '١٢'),
  )
  const wild = fc.dictionary(fc.constantFrom(...bulkFields), text, { maxKeys: 12 })

  it('never fails over what stands in cells, and a good row is a parcel that the form takes too', async () => {
    const who = await sender()
    await fc.assert(
      fc.asyncProperty(fc.array(wild, { minLength: 1, maxLength: 12 }), async (given) => {
        const rows = given.map((cells, n) => ({ ...jsonRow(n), ...cells }))
        const sent = await test.call(createBulk, { body: { rows }, token: who.token })
        expect(sent.status).toBeLessThan(500)
        if (sent.status !== 200) return
        await test.settle()
        const { batch } = await look(sent.body.id, who)
        expect(batch.status).toBe('ready')
        if (batch.counts.good === 0) return
        const carted = await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
        expect(carted.body.added).toBe(batch.counts.good)
        const [parcel] = (await test.call(listParcels, { query: { batchId: batch.id, limit: 1 }, token: who.token }))
          .body.items
        if (!parcel) throw new Error('no parcel')
        const {
          sender: from,
          receiver,
          scope,
          serviceType,
          deliveryMode,
          contentType,
          contentDescription,
          weightGrams,
          dimensions,
        } = parcel
        const { reference, declaredValueMinor, insuredValueMinor, codAmountMinor, customs, selfCollectionStationId } =
          parcel
        const body = {
          sender: from,
          receiver,
          scope,
          serviceType,
          deliveryMode,
          contentType,
          contentDescription,
          weightGrams,
          dimensions,
          reference,
          declaredValueMinor,
          insuredValueMinor,
          codAmountMinor,
          customs,
          selfCollectionStationId,
          addToCart: true,
        }
        const made = await test.call(createParcel, { body: body as never, token: who.token })
        expect(made.status, JSON.stringify(made.error)).toBe(200)
        // Parcels in one cart share a pickup, each in its own place.
        expect([made.body.status, withoutPickup(made.body)]).toEqual(['incart', withoutPickup(parcel)])
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  it('reads a good row out of a spreadsheet as it was written', async () => {
    const who = await sender()
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,30}[a-z]$/)
    const rows = fc.sample(
      fc.record({ receiverName: word, line1: word, reference: fc.stringMatching(/^[A-Z]{2}-\d{4,8}$/) }),
      20,
    )
    const fields = [
      'receiverName',
      'phone',
      'line1',
      'postcode',
      'city',
      'weight',
      'length',
      'width',
      'height',
      'reference',
    ] as const
    const full = rows.map((cells, n) => jsonRow(n, { ...cells, reference: `${cells.reference}-${n}` }))
    const { payload, headers } = form(
      await xlsx([[...fields], ...full.map((row) => fields.map((field) => row[field] ?? ''))]),
      'a.xlsx',
    )
    const sent = await test.app.inject({
      method: 'POST',
      url: createBulk.path,
      payload,
      headers: { ...headers, authorization: `Bearer ${who.token}` },
    })
    await test.settle()
    const { batch, items } = await look(sent.json().id, who)
    expect(items.flatMap(({ problems }) => problems)).toEqual([])
    await test.call(cartBulk, { body: { id: batch.id }, token: who.token })
    const parcels = (await cart(who)).map(({ receiver, reference }) => [
      receiver?.contactName,
      receiver?.line1,
      reference,
    ])
    expect(parcels.sort()).toEqual(
      full.map(({ receiverName, line1, reference }) => [receiverName?.trim(), line1?.trim(), reference]).sort(),
    )
    const one = await test.call(getParcel, {
      params: { id: items[0]?.parcelId ?? (await cart(who))[0]?.id ?? '' },
      token: who.token,
    })
    expect(one.body.batchId).toBe(batch.id)
  })

  it('asks of a row, field by field, what the contract asks of the whole parcel', () => {
    const text = fc.constantFrom('', ' ', ' A ', 'Ann', '10050', 'x'.repeat(121), 'y'.repeat(400), 'W1A 1AA', '广州')
    const maybe = fc.option(text)
    const count = fc.option(fc.constantFrom(-1, 0, 1, 1.5, 250, 20_000_000, 2_000_000_000, Number.NaN))
    const side = fc.constantFrom(0, 1, 300, 100_001, 2.5)
    const receiver = fc.record({
      contactName: text,
      company: maybe,
      phone: fc.constantFrom('', '+60123456789', ' +60123456789 ', '0123', '+0'),
      email: fc.option(fc.constantFrom('', 'a@b.test', 'A@B.TEST', 'a b', `${'a'.repeat(330)}@b.test`)),
      line1: text,
      line2: maybe,
      postcode: text,
      city: text,
      state: text,
      country: fc.constantFrom('my', 'MY', 'sg', 'hk', 'gb', 'xyz', ''),
      residential: fc.boolean(),
      remarks: maybe,
    })
    const input = fc.record({
      reference: maybe,
      scope: fc.constantFrom('domestic', 'international', 'lunar'),
      serviceType: fc.constantFrom('e_parcel', 'document', 'pigeon', null),
      deliveryMode: fc.constantFrom('D2D', 'P2P', 'X2X', null),
      carrier: fc.constant(null),
      sender: fc.constant(null),
      receiver: fc.option(receiver),
      dropOffStationId: fc.constant(null),
      selfCollectionStationId: fc.constantFrom(null, 'no-id', '019c0000-0000-7000-8000-000000000001'),
      contentType: fc.constantFrom('others', 'gold', null),
      contentDescription: maybe,
      declaredValueMinor: count,
      insuredValueMinor: count,
      collectionMode: fc.constant(null),
      codAmountMinor: count,
      customs: fc.constantFrom(null, { reason: 'sale', items: [] }, { reason: 'why', items: 3 }),
      weightGrams: count,
      dimensions: fc.option(fc.record({ lengthMm: side, widthMm: side, heightMm: side })),
    })
    // One reading for all, so that what it remembers of one row is held against the next.
    const read = rowReading()
    const whole = omit(parcelInput, { sender: true, photoIds: true, unfinished: true, shipAnyway: true })
    const rules = (given: unknown) => {
      const parsed = safeParse(whole, given, { reportInput: true })
      if (parsed.success) return { value: parsed.data, problems: [] }
      const problems = parsed.error.issues.map((issue) => {
        const { key, vars } = validationRule(issue)
        return { field: issue.path.join('.'), rule: key, vars }
      })
      return { value: null, problems }
    }
    fc.assert(
      fc.property(input, (row) => {
        const { value, problems } = read(row)
        const expected = rules(row)
        expect(problems).toEqual(expected.problems)
        if (expected.value)
          expect({ ...(value as object), sender: undefined }).toEqual({ ...expected.value, sender: undefined })
      }),
      { numRuns: 2000 },
    )
    // Most rows of the generator are refused: the good one has to be read as the contract reads it, too.
    const good = { ...fc.sample(input, { numRuns: 1, seed: 1 })[0], ...goodInput }
    expect(read(good).problems).toEqual([])
    expect(read(good).value).toMatchObject({
      reference: 'A',
      receiver: { contactName: 'Ann', email: 'a@b.test', country: 'my', company: null },
    })
    expect({ ...rules(good).value, sender: undefined }).toEqual(read(good).value)
  })

  it('reads plain telephone numbers as the library does', () => {
    const written = fc.oneof(
      fc.stringMatching(/^(\+60|0|60|\+)?\d{1,12}$/),
      fc.stringMatching(/^(\+60|0)1\d[ -]?\d{3}[ -]?\d{4,5}$/),
    )
    fc.assert(
      fc.property(written, fc.constantFrom('my', 'sg', 'gb', 'de', 'us', 'id', 'th'), (number, country) => {
        const read = parsePhoneNumberFromString(number, country.toUpperCase() as never)
        expect(parsePhone(number, country)).toBe(read?.isValid() ? read.number : null)
      }),
      { numRuns: 3000 },
    )
  })
})
