import { integer } from '@waybill/contract/ground/fields'
import { basisPoints } from '@waybill/contract/ground/money'
import { expect, test } from 'vitest'
import { scaleNumber } from '../src/lib/input/input-format.ts'

test.each([
  ['43,200', 43_200],
  ['1,000', 1000],
  [' 30 ', 30],
  ['3.0', 3],
])('reads the whole number %j', (text, value) => {
  expect(scaleNumber(text, 0)).toBe(value)
})

test.each([
  ['6', 600],
  ['1.15', 115],
  ['2,5', 250],
  ['0.07', 7],
])('reads the percentage %j in hundredths', (text, value) => {
  expect(scaleNumber(text, 2)).toBe(value)
})

test.each(['2.5', '1.0000001', 'three', '1-2'])('does not round or guess the whole number %j', (text) => {
  expect(integer(0).safeParse(scaleNumber(text, 0)).success).toBe(false)
})

test('does not round a percentage with three decimals', () => {
  expect(basisPoints.safeParse(scaleNumber('2.555', 2)).success).toBe(false)
})
