import { describe, expect, test } from 'vitest'
import { formatDate, formatLength, formatMoney, formatPhone, formatWeight } from '../../src/lib/format.ts'

const spaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('money', () => {
  test.each([
    [125_050, 'MYR', 'en', 'RM 1,250.50'],
    [125_050, 'MYR', 'cn_zh', 'RM 1,250.50'],
    [5, 'MYR', 'en', 'RM 0.05'],
    [-5, 'MYR', 'en', '-RM 0.05'],
    [0, 'MYR', 'en', 'RM 0.00'],
    [1250, 'JPY', 'en', '¥1,250'],
    [1250, 'KWD', 'en', 'KWD 1.250'],
    [Number.MAX_SAFE_INTEGER, 'MYR', 'en', 'RM 90,071,992,547,409.91'],
  ] as const)('%i %s in %s is %s', (amount, currency, locale, text) => {
    expect(spaces(formatMoney(amount, currency, locale))).toBe(text)
  })

  test('a code that is no currency code is refused', () => {
    expect(() => formatMoney(1, 'RINGGIT', 'en')).toThrow(RangeError)
  })
})

test.each([
  [1250, 'kg', 'en', '1.25 kg'],
  [500, 'kg', 'en', '0.50 kg'],
  [1001, 'kg', 'en', '1.001 kg'],
  [453.59237, 'lb', 'en', '1.00 lb'],
  [12_500_000, 'kg', 'en', '12,500.00 kg'],
] as const)('%d g in %s, %s: %s', (grams, unit, locale, text) => {
  expect(spaces(formatWeight(grams, unit, locale))).toBe(text)
})

test.each([
  [305, 'cm', 'en', '30.5 cm'],
  [300, 'cm', 'cn_zh', '30厘米'],
  [254, 'in', 'en', '10 in'],
] as const)('%d mm in %s, %s: %s', (mm, unit, locale, text) => {
  expect(spaces(formatLength(mm, unit, locale))).toBe(text)
})

describe('dates', () => {
  const evening = '2026-07-09T16:05:06Z'
  test.each([
    ['DD/MM/YYYY', 'en', '10/07/2026'],
    ['DD/MM/YYYY HH:mm', 'en', '10/07/2026 00:05'],
    ['D MMM YYYY, h:mm A', 'en', '10 Jul 2026, 12:05 AM'],
    ['dddd D MMMM YY hh:mm:ss', 'en', 'Friday 10 July 26 12:05:06'],
    ['YYYY年M月D日 dddd', 'cn_zh', '2026年7月10日 星期五'],
    ['DD MMM YYYY HH:mm', 'cn_zh', '2026年7月10日 00:05'],
    ['MMMM D, YYYY', 'cn_zh', '2026年7月10日'],
    ['date', 'en', 'Jul 10, 2026'],
    ['dateTime', 'cn_zh', '2026年7月10日 00:05'],
  ] as const)('%s in %s: %s', (pattern, locale, text) => {
    expect(spaces(formatDate(evening, 'Asia/Kuala_Lumpur', pattern, locale))).toBe(text)
  })

  test('what is no time is refused', () => {
    expect(() => formatDate('yesterday', 'Asia/Kuala_Lumpur', 'DD/MM/YYYY', 'en')).toThrow(RangeError)
  })
})

test.each([
  ['+60123456789', '+60 12 345 6789'],
  ['+6531234567', '+65 3123 4567'],
  ['12', '12'],
])('phone %s: %s', (e164, text) => {
  expect(formatPhone(e164)).toBe(text)
})
