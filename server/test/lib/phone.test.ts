import { expect, test } from 'vitest'
import { formatPhone } from '../../src/lib/phone.ts'

test.each([
  ['+60123456789', '+60 12 345 6789'],
  ['+6531234567', '+65 3123 4567'],
  ['12', '12'],
])('phone %s: %s', (e164, text) => {
  expect(formatPhone(e164)).toBe(text)
})
