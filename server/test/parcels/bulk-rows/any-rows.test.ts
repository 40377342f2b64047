import { validationRule } from '@waybill/contract/ground/validation'
import { bulkFields, cartBulk, createBulk } from '@waybill/contract/parcels/bulk'
import { getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { createParcel, getParcel, parcelInput } from '@waybill/contract/parcels/parcels'
import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { beforeAll, describe, expect, it } from 'vitest'
import { omit, safeParse } from 'zod/mini'
import { rowReading } from '../../../src/domains/parcels/bulk-rows/contract-problems.ts'
import { parsePhone } from '../../../src/lib/phone.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { createSender, getBatch } from '../../testing/factories/bulk.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'
import { form, jsonRow, xlsx } from '../bulk/bulk-sheets.ts'

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

describe('random content in the cells of a row', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createSender(test, 'Shop')
  })

  const look = (id: string, who = owner, language = 'en') => getBatch(test, who, id, {}, language)
  const cart = async (who: TestCustomer) =>
    (await test.call(getCart, { query: { limit: 200 }, token: who.token })).body.items

  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('=1+1', '1,2', '2026-02-01', '0', '-1', '1e9', '١٢'),
  )
  const wild = fc.dictionary(fc.constantFrom(...bulkFields), text, { maxKeys: 12 })

  it('never causes a server error, and a valid row is a parcel that the form accepts too', async () => {
    const who = await createSender(test, 'Shop')
    await fc.assert(
      fc.asyncProperty(fc.array(wild, { minLength: 1, maxLength: 12 }), async (wildRows) => {
        const rows = wildRows.map((cells, n) => ({ ...jsonRow(n), ...cells }))
        const upload = await test.call(createBulk, { body: { rows }, token: who.token })
        expect(upload.status).toBeLessThan(500)
        if (upload.status !== 200) return
        await test.settle()
        const { batch } = await look(upload.body.id, who)
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
        const answer = await test.call(createParcel, { body: body as never, token: who.token })
        expect(answer.status, JSON.stringify(answer.error)).toBe(200)
        // Parcels in one cart share a pickup, and each has a different position in it.
        expect([answer.body.status, withoutPickup(answer.body)]).toEqual(['incart', withoutPickup(parcel)])
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  it('reads the content of a valid row exactly as it was written', async () => {
    const who = await createSender(test, 'Shop')
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
    const response = await test.app.inject({
      method: 'POST',
      url: createBulk.path,
      payload,
      headers: { ...headers, authorization: `Bearer ${who.token}` },
    })
    await test.settle()
    const { batch, items } = await look(response.json().id, who)
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

  it('validates each field of a row by the same rules as a whole parcel', () => {
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
    // All rows share one context, so that each is compared with the earlier ones.
    const readRow = rowReading()
    const whole = omit(parcelInput, { sender: true, photoIds: true, unfinished: true, override: true })
    const rules = (values: unknown) => {
      const parsed = safeParse(whole, values, { reportInput: true })
      if (parsed.success) return { value: parsed.data, problems: [] }
      const problems = parsed.error.issues.map((issue) => {
        const { key, vars } = validationRule(issue)
        return { field: issue.path.join('.'), rule: key, vars }
      })
      return { value: null, problems }
    }
    fc.assert(
      fc.property(input, (row) => {
        const { value, problems } = readRow(row)
        const expected = rules(row)
        expect(problems).toEqual(expected.problems)
        if (expected.value)
          expect({ ...(value as object), sender: undefined }).toEqual({ ...expected.value, sender: undefined })
      }),
      { numRuns: 2000 },
    )
    // Most generated rows are refused, so the valid row is compared with the contract too.
    const good = { ...fc.sample(input, { numRuns: 1, seed: 1 })[0], ...goodInput }
    expect(readRow(good).problems).toEqual([])
    expect(readRow(good).value).toMatchObject({
      reference: 'A',
      receiver: { contactName: 'Ann', email: 'a@b.test', country: 'my', company: null },
    })
    expect({ ...rules(good).value, sender: undefined }).toEqual(readRow(good).value)
  })

  it('parses plain telephone numbers as the library does', () => {
    const numbers = fc.oneof(
      fc.stringMatching(/^(\+60|0|60|\+)?\d{1,12}$/),
      fc.stringMatching(/^(\+60|0)1\d[ -]?\d{3}[ -]?\d{4,5}$/),
    )
    fc.assert(
      fc.property(numbers, fc.constantFrom('my', 'sg', 'gb', 'de', 'us', 'id', 'th'), (number, country) => {
        const phone = parsePhoneNumberFromString(number, country.toUpperCase() as never)
        expect(parsePhone(number, country)).toBe(phone?.isValid() ? phone.number : null)
      }),
      { numRuns: 3000 },
    )
  })
})
