import { readFileSync } from 'node:fs'
import { type ParsedAddress, type ParsedField, parseAddress } from '@waybill/contract/addresses/addresses'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'

/*
 * Two hundred addresses as people write them, with the fields as a person reads them. The table is written by hand and
 * never adapted to the output of the parser. `street` is line 1 and 2 together; an empty cell means that the text does
 * not have the field. In a text `\n` is a line break and `\t` a tab. `contradiction` means that state and postcode
 * disagree, so that the form must ask.
 */
const [header = '', ...lines] = readFileSync(new URL('written-addresses.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const names = header.split('\t')
const table = lines.map((line) => {
  const cells = line.split('\t')
  const row = Object.fromEntries(names.map((name, n) => [name, cells[n] ?? '']))
  const { text = '', contradiction = '', ...fields } = row
  return { text: text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'), fields, contradiction: contradiction === 'yes' }
})

/** From this confidence the form shows "Sure". */
const sure = 0.75
/** Signs and spaces between words do not count, and neither does the case. */
const normalise = (value: string | undefined) => (value ?? '').replace(/[\s,.()]+/g, '').toLowerCase()

function readFields(fields: ParsedAddress): Record<string, string> {
  const value = (name: ParsedField) => fields[name]?.value ?? ''
  const street = [value('line1'), value('line2')].filter(Boolean).join(' ')
  return { ...Object.fromEntries(Object.keys(fields).map((name) => [name, value(name as ParsedField)])), street }
}

describe('the table of written addresses', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
  })

  it('has two hundred different addresses, with the four of the review', () => {
    expect(new Set(table.map(({ text }) => text)).size).toBe(204)
    expect(table.filter(({ contradiction }) => contradiction).length).toBeGreaterThanOrEqual(15)
  })

  it.each(table)('is read as a person reads it: $text', async ({ text, fields, contradiction }) => {
    const { body } = await test.call(parseAddress, { body: { text }, token: owner.token })
    const values = readFields(body.fields)
    const parts = Object.fromEntries(Object.keys(fields).map((name) => [name, normalise(values[name])]))
    expect(parts).toEqual(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, normalise(value)])))
    const { postcode, state } = body.fields
    if (contradiction) expect(Math.min(postcode?.confidence ?? 0, state?.confidence ?? 0)).toBeLessThan(sure)
  })
})
