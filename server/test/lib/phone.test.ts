import fc from 'fast-check'
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { formatPhone, isPhone, parsePhone, suggestPhone } from '../../src/lib/phone.ts'

test.each([
  ['+60123456789', '+60 12 345 6789'],
  ['+6531234567', '+65 3123 4567'],
  ['12', '12'],
])('phone %s: %s', (e164, text) => {
  expect(formatPhone(e164)).toBe(text)
})

test.each([
  ['012-345 6789 / 013-222 3333', '+60123456789'],
  ['0123456789，0132223333', '+60123456789'],
  ['012-345 6789 or 013-222 3333', '+60123456789'],
  ['60123456789.0', '+60123456789'],
  ['6.0123456789E+10', '+60123456789'],
  ['6591234567', '+6591234567'],
  ['6.01E+10', null],
  ['about 12', null],
])('suggests for the phone cell %s: %s', (text, e164) => {
  expect(suggestPhone(text, 'my')).toBe(e164)
})

const countries = fc.constantFrom(...(Object.keys(examples) as CountryCode[]))
const getExample = (country: CountryCode) => getExampleNumber(country, examples)

test('a number with + is valid or not, whatever the country of the address', () => {
  fc.assert(
    fc.property(countries, countries, fc.integer({ min: 0, max: 4 }), (own, address, cut) => {
      const example = getExample(own)
      if (!example) return
      const number = example.number.slice(0, example.number.length - cut)
      expect(isPhone(number, address)).toBe(isPhone(number))
      if (cut > 0) return
      expect(isPhone(number, address)).toBe(true)
      expect(parsePhone(example.formatInternational(), address)).toBe(number)
    }),
    { numRuns: 2000 },
  )
})

test('a number without + is one of the country of the address', () => {
  fc.assert(
    fc.property(countries, (country) => {
      const example = getExample(country)
      if (example) expect(parsePhone(example.formatNational(), country)).toBe(example.number)
    }),
  )
  expect(parsePhone('3123 4567', 'sg')).toBe('+6531234567')
  expect(parsePhone('3123 4567', 'my')).toBeNull()
})
