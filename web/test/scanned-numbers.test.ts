import { checkDigit } from '@waybill/contract/ground/tracking-number'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scannedNumbers } from '../src/lib/input/scanned-numbers.ts'

const parse = (input: string) => scannedNumbers(input, 'WB')
const one = 'WB12345678903'
const two = 'WB00000000019'
const dhl = '1234567891'

const ours = fc
  .integer({ min: 0, max: 9_999_999_999 })
  .map((serial) => String(serial).padStart(10, '0'))
  .map((digits) => `WB${digits}${checkDigit(digits)}`)

test('reads the number from both codes of a consignment note, and returns other texts unchanged', () => {
  const page = 'https://portal.example.test/public/track-parcels'
  expect(parse(one)).toEqual([one])
  expect(parse(` ${one}\n`)).toEqual([one])
  expect(parse(`${page}?no=${one}`)).toEqual([one])
  expect(parse(`HTTPS://X.TEST/P?a=1&no=${one}`)).toEqual([one])
  expect(parse('https://x.test/p?number=1')).toEqual(['https://x.test/p?number=1'])
  expect(parse('https://')).toEqual(['https://'])
  expect(parse('hello')).toEqual(['hello'])
  expect(parse('')).toEqual([])
  expect(parse('  \t ')).toEqual([])
})

test('reads numbers as people write them', () => {
  expect(parse('wb 1234 5678 903')).toEqual([one])
  expect(parse('WB-1234-5678-903')).toEqual([one])
  expect(parse('ＷＢ１２３４５６７８９０３')).toEqual([one])
  expect(parse(`${one}, ${two}`)).toEqual([one, two])
})

test('strips the characters that scanners add around a number', () => {
  expect(parse(`]C1${one}`)).toEqual([one])
  expect(parse(`]C0${one}\u001d`)).toEqual([one])
  expect(parse(`]Q3https://x.test/t?no=${one}`)).toEqual([one])
  expect(parse(`]C1${dhl}`)).toEqual([dhl])
  expect(parse(`\u0002${one}\u0003\r\n`)).toEqual([one])
  expect(parse(`${one}\t`)).toEqual([one])
})

test('splits concatenated numbers', () => {
  expect(parse(one + two)).toEqual([one, two])
  expect(parse(`]C1${one}]C1${two}`)).toEqual([one, two])
  expect(parse(`https://x.test/t?no=${one}https://x.test/t?no=${two}`)).toEqual([one, two])
  expect(parse(`${one}https://x.test/t?no=${two}`)).toEqual([one, two])
  expect(parse(one + dhl)).toEqual([one, dhl])
  // A wrong digit in one number is reported for that number only.
  expect(parse(`WB12345678904${two}`)).toEqual(['WB12345678904', two])
})

test('does not split an ambiguous or unknown sequence', () => {
  const half = `${one}WB123`
  expect(parse(half)).toEqual([half])
  // Two DHL numbers, or one gunny number: ambiguous.
  expect(parse(dhl + dhl)).toEqual([dhl + dhl])
  expect(parse('00395012345678901237')).toEqual(['00395012345678901237'])
})

test('splits any concatenation of our numbers into the same numbers (property)', () => {
  const marks = fc.constantFrom('', ']C1', ' ', '\t')
  fc.assert(
    fc.property(fc.array(fc.tuple(marks, ours), { minLength: 1, maxLength: 6 }), (pile) => {
      expect(parse(pile.map((each) => each.join('')).join(''))).toEqual(pile.map(([, number]) => number))
    }),
  )
})
