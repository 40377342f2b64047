import type { ParsedAddress, ParsedField } from '@waybill/contract/addresses/addresses'
import { parseAddress } from '@waybill/contract/addresses/addresses'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { doubtfulLines, pastedLines } from './pasted-lines.ts'

type Expected = Partial<Record<ParsedField, string>>

const cases: [string, string, Expected][] = [
  [
    'an address in lines',
    'Ahmad bin Ismail\n+60 19-876 5432\n7, Lebuh Pantai\n10300 George Town\nPulau Pinang\nMalaysia',
    {
      contactName: 'Ahmad bin Ismail',
      phone: '+60198765432',
      line1: '7, Lebuh Pantai',
      postcode: '10300',
      city: 'George Town',
      state: 'Pulau Pinang',
      country: 'my',
    },
  ],
  [
    'an address in one line, with a company',
    'Siti Nurhaliza, Maju Jaya Sdn Bhd, 012-345 6789, No 12 Jalan SS2/72, 47300 Petaling Jaya, Selangor',
    {
      contactName: 'Siti Nurhaliza',
      company: 'Maju Jaya Sdn Bhd',
      phone: '+60123456789',
      line1: 'No 12 Jalan SS2/72',
      postcode: '47300',
      city: 'Petaling Jaya',
      state: 'Selangor',
      country: 'my',
    },
  ],
  [
    'labels, an e-mail and the state by its other name',
    'Name: Lim Ah Kow\nTel: 0124567890\nEmail: Lim@Example.com\nAddress: 88 Jalan Burma, 10050 George Town, Penang',
    {
      contactName: 'Lim Ah Kow',
      phone: '+60124567890',
      email: 'lim@example.com',
      line1: '88 Jalan Burma',
      postcode: '10050',
      state: 'Pulau Pinang',
      city: 'George Town',
    },
  ],
  [
    'Chinese with labels in one line',
    '收件人：陈伟明 电话：012-3456789 地址：雪兰莪八打灵再也SS2 72路12号 47300',
    {
      contactName: '陈伟明',
      phone: '+60123456789',
      line1: 'SS2 72路12号',
      postcode: '47300',
      city: 'Petaling Jaya',
      state: 'Selangor',
      country: 'my',
    },
  ],
  [
    'Chinese without labels',
    '林美玲，0167788990，吉隆坡蕉赖皇后花园12号，56100',
    {
      contactName: '林美玲',
      phone: '+60167788990',
      line1: '蕉赖皇后花园12号',
      postcode: '56100',
      city: 'Kuala Lumpur',
      state: 'Kuala Lumpur',
    },
  ],
  [
    'a receiver in Johor with a phone of Singapore',
    'Tan Wei Ling\n+65 8123 4567\n12 Jalan Wong Ah Fook\n80000 Johor Bahru',
    {
      contactName: 'Tan Wei Ling',
      phone: '+6581234567',
      line1: '12 Jalan Wong Ah Fook',
      postcode: '80000',
      city: 'Johor Bahru',
      state: 'Johor',
    },
  ],
  [
    'Singapore',
    'Tan Wei Ling\n+65 8123 4567\n10 Bayfront Avenue #08-01\nSingapore 018956',
    {
      contactName: 'Tan Wei Ling',
      phone: '+6581234567',
      line1: '10 Bayfront Avenue #08-01',
      postcode: '018956',
      city: 'Singapore',
      country: 'sg',
    },
  ],
  [
    'the United States',
    'John Smith, 1 Market Street, San Francisco, CA 94105, USA, +1 415 555 2671',
    {
      contactName: 'John Smith',
      line1: '1 Market Street',
      city: 'San Francisco',
      state: 'CA',
      postcode: '94105',
      country: 'us',
      phone: '+14155552671',
    },
  ],
  [
    'the United Kingdom',
    'Jane Doe\n10 Downing Street\nLondon SW1A 2AA\nUnited Kingdom',
    { contactName: 'Jane Doe', line1: '10 Downing Street', city: 'London', postcode: 'SW1A 2AA', country: 'gb' },
  ],
  [
    'mainland China',
    '王小明 13800138000 中国广东省深圳市南山区科技园1号 518057',
    {
      contactName: '王小明',
      phone: '+8613800138000',
      state: '广东省',
      city: '深圳市',
      line1: '南山区科技园1号',
      postcode: '518057',
      country: 'cn',
    },
  ],
]

describe('an address pasted as free text', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
  })
  const parse = async (text: string): Promise<ParsedAddress> => {
    const { status, body, error } = await test.call(parseAddress, { body: { text }, token: owner.token })
    if (status !== 200) throw new Error(JSON.stringify(error))
    return body.fields
  }

  it.each(cases)('reads %s', async (_, text, expected) => {
    const fields = await parse(text)
    const values = Object.fromEntries(Object.keys(expected).map((name) => [name, fields[name as ParsedField]?.value]))
    expect(values).toEqual(expected)
    for (const { confidence } of Object.values(fields)) {
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })

  /** The two lines of the street count as one text. Signs between words are ignored. */
  const getMeaning = (fields: ParsedAddress) => {
    const { line1, line2, country: _country, state: _state, ...others } = fields
    const street = line1 && {
      value: [line1.value, line2?.value].filter(Boolean).join(' '),
      confidence: Math.max(line1.confidence, line2?.confidence ?? 0),
    }
    return { ...others, ...(street ? { street } : {}) }
  }
  const normalise = (value: string | undefined) => value?.replace(/[\s,.]+/g, '').toLowerCase()
  /** From this confidence the form shows "Sure". */
  const sure = 0.75

  it.each(pastedLines)('reads %j', async (text, meaning) => {
    const fields = getMeaning(await parse(text))
    const values = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, normalise(value)]))
    const expected = Object.fromEntries(Object.entries(meaning).map(([name, value]) => [name, normalise(value)]))
    expect(values).toEqual(expected)
  })

  it.each(doubtfulLines)('gives low confidence to every wrong field in %j', async (text, meaning) => {
    const fields = getMeaning(await parse(text))
    const wrong = Object.entries(fields).filter(
      ([name, { value }]) => normalise(value) !== normalise(meaning[name as never]),
    )
    expect(wrong.filter(([, { confidence }]) => confidence >= sure)).toEqual([])
    expect(Object.values(fields).some(({ confidence }) => confidence < sure)).toBe(true)
  })

  it('gives high confidence to most fields', async () => {
    const all = await Promise.all(pastedLines.map(async ([text]) => Object.values(getMeaning(await parse(text)))))
    const fields = all.flat()
    expect(fields.filter(({ confidence }) => confidence >= sure).length / fields.length).toBeGreaterThan(0.9)
  })

  it('gives high confidence to values that agree, and low confidence to contradictions', async () => {
    const consistent = await parse('Lim, 1 Jalan Burma, 10050 George Town, Pulau Pinang')
    expect([consistent.postcode?.confidence, consistent.state?.confidence]).toEqual([1, 1])
    const capital = await parse('Lim, 1 Jalan Kiara, 50480 Kuala Lumpur')
    expect(capital.city).toEqual({ value: 'Kuala Lumpur', confidence: 1 })
    const contradictory = await parse('Lim, 1 Jalan Burma, 10050, Johor')
    expect(contradictory.state).toEqual({ value: 'Johor', confidence: 0.5 })
    const unknown = await parse('Lim\n1 Jalan Burma\n00001')
    expect(unknown.postcode?.confidence).toBeLessThan(0.5)
  })

  it('keeps every word of an address: words that match nothing else belong to the street', async () => {
    const words = ['Jalan', 'Kiara', 'Blok', 'Taman', 'Melati', 'Indah', 'Lot', 'Unit', '12', '7A', 'B-3']
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 8 }), async (street) => {
        const fields = await parse(`Tan Ah Kow\n${street.join(' ')}\n50480 Kuala Lumpur`)
        const all = Object.values(fields)
          .map(({ value }) => value)
          .join(' ')
        for (const word of street) expect(all).toContain(word)
      }),
      { numRuns: 20 },
    )
  })

  it('handles any text without an error, and rejects callers who are not signed in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), async (text) => {
        const { status } = await test.call(parseAddress, { body: { text }, token: owner.token })
        expect([200, 422]).toContain(status)
      }),
      { numRuns: 40 },
    )
    expect((await test.call(parseAddress, { body: { text: 'x'.repeat(1001) }, token: owner.token })).status).toBe(422)
    expect((await test.call(parseAddress, { body: { text: 'x' } })).status).toBe(401)
  })
})
