import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  currencySymbol,
  dateFormats,
  dateTimeFormats,
  formatDate,
  formatDay,
  formatDimensions,
  formatDistance,
  formatLength,
  formatMoney,
  formatMonth,
  formatTime,
  formatWeekday,
  formatWeight,
  fractionDigits,
  spaceHan,
} from '../src/ground/format.ts'

const spaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('money', () => {
  test.each([
    [125_050, 'MYR', 'en', 'RM 1,250.50'],
    [125_050, 'MYR', 'cn_zh', 'RM 1,250.50'],
    [5, 'MYR', 'en', 'RM 0.05'],
    [-5, 'MYR', 'en', '−RM 0.05'],
    [0, 'MYR', 'en', 'RM 0.00'],
    [1250, 'JPY', 'en', '¥1,250'],
    [1250, 'KWD', 'en', 'KWD 1.250'],
    [Number.MAX_SAFE_INTEGER, 'MYR', 'en', 'RM 90,071,992,547,409.91'],
  ] as const)('%i %s in %s is %s', (amount, currency, locale, text) => {
    expect(spaces(formatMoney(amount, currency, locale))).toBe(text)
  })

  test('formats every amount exactly (property)', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('MYR', 'JPY', 'KWD'), (amount, currency) => {
        const text = formatMoney(amount, currency, 'en')
        expect(BigInt(text.replace('−', '-').replace(/[^\d-]/g, ''))).toBe(BigInt(amount))
        expect(text).toContain(currencySymbol(currency, 'en'))
        if (fractionDigits(currency) > 0) expect(text.split('.')[1]).toHaveLength(fractionDigits(currency))
      }),
    )
  })

  test('refuses an invalid currency code', () => {
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
  [300, 'cm', 'cn_zh', '30 cm'],
  [254, 'in', 'en', '10 in'],
] as const)('%d mm in %s, %s: %s', (mm, unit, locale, text) => {
  expect(spaces(formatLength(mm, unit, locale))).toBe(text)
})

test('omits zeros on screens, and shows dimensions with one unit', () => {
  expect(formatWeight(1200, 'kg', 'en', 0)).toBe('1.2\u00a0kg')
  expect(formatDimensions({ lengthMm: 300, widthMm: 205, heightMm: 100 }, 'cm', 'en')).toBe(
    '30\u00a0×\u00a020.5\u00a0×\u00a010\u00a0cm',
  )
  expect(formatDistance(999.6, 'en')).toBe('1,000\u00a0m')
  expect(formatDistance(3240, 'en')).toBe('3.2\u00a0km')
})

describe('dates', () => {
  const evening = '2026-07-09T16:05:06Z'
  test.each([
    ['DD/MM/YYYY', 'en', '10/07/2026'],
    ['DD/MM/YYYY HH:mm', 'en', '10/07/2026 00:05'],
    ['DD/MM/YYYY HH:mm', 'cn_zh', '10/07/2026 00:05'],
    ['YYYY-MM-DD', 'en', '2026-07-10'],
    ['YYYY-MM-DD HH:mm', 'cn_zh', '2026-07-10 00:05'],
    ['MM/DD/YYYY', 'cn_zh', '07/10/2026'],
    ['MM/DD/YYYY HH:mm', 'en', '07/10/2026 00:05'],
    ['DD MMM YYYY', 'en', '10 Jul 2026'],
    ['DD MMM YYYY HH:mm', 'en', '10 Jul 2026 00:05'],
    ['DD MMM YYYY', 'cn_zh', '2026年7月10日'],
    ['DD MMM YYYY HH:mm', 'cn_zh', '2026年7月10日 00:05'],
  ] as const)('%s in %s: %s', (pattern, locale, text) => {
    expect(formatDate(evening, 'Asia/Kuala_Lumpur', pattern, locale)).toBe(text)
  })

  test('shows the same time in every format (property)', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.constantFrom(...dateFormats),
        (time, format) => {
          const text = formatDate(time.toISOString(), 'UTC', format, 'en')
          const digits = { year: text.match(/\d{4}/)?.[0], rest: text.replace(/\d{4}/, '').match(/\d{2}/g) }
          const [month, day] = [time.getUTCMonth() + 1, time.getUTCDate()].map((n) => String(n).padStart(2, '0'))
          expect(digits.year).toBe(String(time.getUTCFullYear()))
          expect(digits.rest?.toSorted()).toEqual((text.includes(' ') ? [day] : [month, day]).toSorted())
          const dateTime = dateTimeFormats[dateFormats.indexOf(format)] ?? 'YYYY-MM-DD HH:mm'
          expect(formatDate(time.toISOString(), 'UTC', dateTime, 'en')).toBe(
            `${text} ${formatTime(time.toISOString(), 'UTC')}`,
          )
        },
      ),
    )
  })

  test('does not convert days and months to another time zone', () => {
    expect(formatDay('2026-01-01', 'DD MMM YYYY', 'en')).toBe('01 Jan 2026')
    expect(formatWeekday('2026-11-20', 'cn_zh')).toBe('星期五')
    expect(formatMonth('2026-10', 'en')).toBe('October 2026')
    expect(formatMonth('2026-10', 'cn_zh')).toBe('2026年10月')
  })

  test('refuses an invalid time', () => {
    expect(() => formatDate('yesterday', 'Asia/Kuala_Lumpur', 'DD/MM/YYYY', 'en')).toThrow(RangeError)
  })
})

test('puts a space between a number and a Chinese unit', () => {
  expect(formatDistance(3240, 'cn_zh')).toBe('3.2\u00a0公里')
  expect(spaceHan('5天前')).toBe('5 天前')
})
