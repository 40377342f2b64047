import { expect, test } from 'vitest'
import { formatPhone, suggestPhone } from '../../src/lib/phone.ts'

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
