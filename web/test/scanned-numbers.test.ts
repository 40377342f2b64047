import { checkDigit } from '@waybill/contract/ground/tracking-number'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scannedNumbers } from '../src/lib/scanned-numbers.ts'

const read = (typed: string) => scannedNumbers(typed, 'WB')
const one = 'WB12345678903'
const two = 'WB00000000019'
const dhl = '1234567891'

const ours = fc
  .integer({ min: 0, max: 9_999_999_999 })
  .map((serial) => String(serial).padStart(10, '0'))
  .map((digits) => `WB${digits}${checkDigit(digits)}`)

test('both codes of a note mean its number; what is neither stays what it is', () => {
  const page = 'https://portal.example.test/public/track-parcels'
  expect(read(one)).toEqual([one])
  expect(read(` ${one}\n`)).toEqual([one])
  expect(read(`${page}?no=${one}`)).toEqual([one])
  expect(read(`HTTPS://X.TEST/P?a=1&no=${one}`)).toEqual([one])
  expect(read('https://x.test/p?number=1')).toEqual(['https://x.test/p?number=1'])
  expect(read('https://')).toEqual(['https://'])
  expect(read('hello')).toEqual(['hello'])
  expect(read('')).toEqual([])
  expect(read('  \t ')).toEqual([])
})

test('numbers are read as people write them', () => {
  expect(read('wb 1234 5678 903')).toEqual([one])
  expect(read('WB-1234-5678-903')).toEqual([one])
  expect(read('ＷＢ１２３４５６７８９０３')).toEqual([one])
  expect(read(`${one}, ${two}`)).toEqual([one, two])
})

test('what scanners put around a number is not part of it', () => {
  expect(read(`]C1${one}`)).toEqual([one])
  expect(read(`]C0${one}\u001d`)).toEqual([one])
  expect(read(`]Q3https://x.test/t?no=${one}`)).toEqual([one])
  expect(read(`]C1${dhl}`)).toEqual([dhl])
  expect(read(`\u0002${one}\u0003\r\n`)).toEqual([one])
  expect(read(`${one}\t`)).toEqual([one])
})

test('numbers that have run together are split', () => {
  expect(read(one + two)).toEqual([one, two])
  expect(read(`]C1${one}]C1${two}`)).toEqual([one, two])
  expect(read(`https://x.test/t?no=${one}https://x.test/t?no=${two}`)).toEqual([one, two])
  expect(read(`${one}https://x.test/t?no=${two}`)).toEqual([one, two])
  expect(read(one + dhl)).toEqual([one, dhl])
  // A wrong digit in one of them is told for that one alone.
  expect(read(`WB12345678904${two}`)).toEqual(['WB12345678904', two])
})

test('what could be split in two ways, or in none, is not split', () => {
  const half = `${one}WB123`
  expect(read(half)).toEqual([half])
  // Two numbers of DHL, or a gunny's: nobody knows.
  expect(read(dhl + dhl)).toEqual([dhl + dhl])
  expect(read('00395012345678901237')).toEqual(['00395012345678901237'])
})

test('any pile of our numbers that has run together comes apart as it was (property)', () => {
  const marks = fc.constantFrom('', ']C1', ' ', '\t')
  fc.assert(
    fc.property(fc.array(fc.tuple(marks, ours), { minLength: 1, maxLength: 6 }), (pile) => {
      expect(read(pile.map((each) => each.join('')).join(''))).toEqual(pile.map(([, number]) => number))
    }),
  )
})
