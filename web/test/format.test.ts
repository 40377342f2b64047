import { dateTimeFormats } from '@waybill/contract/ground/format'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPlace } from '../src/features/addresses/shared/format-place.ts'
import { createFormat, type FormatSettings } from '../src/lib/format.ts'

const settings: FormatSettings = {
  timezone: 'Asia/Kuala_Lumpur',
  currency: 'MYR',
  weightUnit: 'kg',
  dimensionUnit: 'cm',
  dateFormat: 'DD MMM YYYY',
  dateTimeFormat: 'DD MMM YYYY HH:mm',
  creditLabel: 'LP',
}
const english = createFormat(settings, 'en')
const chinese = createFormat(settings, 'cn_zh')
const imperial = createFormat({ ...settings, weightUnit: 'lb', dimensionUnit: 'in', currency: 'USD' }, 'en')

test('separates the items of an enumeration by the punctuation of the language', () => {
  expect(english.list(['Johor', 'Melaka', 'Perak'])).toBe('Johor, Melaka, Perak')
  expect(chinese.list(['柔佛', '马六甲', '霹雳'])).toBe('柔佛、马六甲、霹雳')
  expect(chinese.list([])).toBe('')
})

describe('money', () => {
  test('formats minor units exactly, with the decimal places of the currency', () => {
    expect(english.money(125050)).toBe('RM\u00a01,250.50')
    expect(english.money(-5)).toBe('−RM\u00a00.05')
    expect(english.money(1234, 'JPY')).toBe('¥1,234')
    expect(english.money(900_719_925_474_099)).toBe('RM\u00a09,007,199,254,740.99')
    expect(english.credits(125050)).toBe('1,250.50\u00a0LP')
    expect(english.credits(-125050)).toBe('−1,250.50\u00a0LP')
  })

  test.each([
    ['12', 1200],
    ['12.5', 1250],
    ['RM 1,250.50', 125050],
    ['1.250,50', 125050],
    ['1,250', 125000],
    ['2,5', 250],
    ['1 250.00', 125000],
    ['.5', 50],
    ['−RM 12.50', -1250],
    ['', null],
    ['  ', null],
  ])('reads %j', (text, minor) => {
    expect(english.readMoney(text)).toBe(minor)
  })

  test.each(['abc', '-', '1-2', '.'])('refuses %j', (text) => {
    expect(english.readMoney(text)).toBeNaN()
  })

  test('does not round an amount with too many decimals', () => {
    expect(english.readMoney('12.345')).toBe(1234.5)
    expect(english.readMoney('1.5', 'JPY')).toBe(1.5)
  })

  test('reads an amount back unchanged from its text in an input (property)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_000_000 }),
        fc.constantFrom('MYR', 'JPY', 'BHD'),
        (minor, currency) => {
          expect(english.readMoney(english.moneyInput(minor, currency), currency)).toBe(minor)
        },
      ),
    )
  })
})

describe('weights and lengths', () => {
  test('formats in the units of the deployment', () => {
    expect(english.weight(1250)).toBe('1.25\u00a0kg')
    expect(imperial.weight(1250)).toBe('2.76\u00a0lb')
    expect(english.length(305)).toBe('30.5\u00a0cm')
    expect(imperial.length(305)).toBe('12.01\u00a0in')
    expect(english.dimensions({ lengthMm: 300, widthMm: 205, heightMm: 100 })).toBe(
      '30\u00a0×\u00a020.5\u00a0×\u00a010\u00a0cm',
    )
    expect(chinese.weight(1250)).toBe('1.25\u00a0kg')
  })

  test.each([
    ['1.2', 1200],
    ['1.2kg', 1200],
    ['500 g', 500],
    ['500克', 500],
    ['2 lb', 907],
    ['8 oz', 227],
    ['0,5', 500],
    ['', null],
  ])('reads the weight %j', (text, grams) => {
    expect(english.readWeight(text)).toBe(grams)
  })

  test.each([
    ['30', 300],
    ['30cm', 300],
    ['300 mm', 300],
    ['0.3 m', 300],
    ['12in', 305],
    ['12"', 305],
    ['', null],
  ])('reads the length %j', (text, mm) => {
    expect(english.readLength(text)).toBe(mm)
  })

  test.each(['heavy', '3 stone', 'kg'])('refuses the weight %j', (text) => {
    expect(english.readWeight(text)).toBeNaN()
  })

  test('reads a number without a unit in the unit of the deployment', () => {
    expect(imperial.readWeight('1')).toBe(454)
    expect(imperial.readLength('10')).toBe(254)
  })

  test('reads weights and lengths back unchanged from their text in an input (property)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 100_000 }), (grams, mm) => {
        expect(english.readWeight(english.weightInput(grams))).toBe(grams)
        expect(english.readLength(english.lengthInput(mm))).toBe(mm)
      }),
    )
  })
})

/** Chinese dates have word joiners between their characters. */
const withoutJoiners = (text: string) => text.replaceAll('\u2060', '')

describe('times', () => {
  const evening = '2026-11-20T17:05:00Z'

  test('uses the time zone and pattern of the deployment instead of those of the machine', () => {
    expect(english.dateTime(evening)).toBe('21 Nov 2026 01:05')
    expect(withoutJoiners(chinese.dateTime(evening))).toBe('2026年11月21日 01:05')
    expect(english.date(evening)).toBe('21 Nov 2026')
    expect(english.time('2026-11-20T16:00:00Z')).toBe('00:00')
    expect(english.today(Date.parse(evening))).toBe('2026-11-21')
  })

  test.each(dateTimeFormats)('uses the pattern %s of the settings', (dateTimeFormat) => {
    const format = createFormat({ ...settings, dateTimeFormat }, 'en')
    const month = dateTimeFormat.includes('MMM') ? ['MMM', 'Mar'] : ['MM', '03']
    const text = dateTimeFormat
      .replace('YYYY', '2026')
      .replace('DD', '01')
      .replace('mm', '07')
      .replace('HH', '09')
      .replace(...(month as [string, string]))
    expect(format.dateTime('2026-03-01T01:07:09Z')).toBe(text)
  })

  test('does not convert a calendar day to another time zone', () => {
    expect(english.day('2026-01-01')).toBe('01 Jan 2026')
    expect(english.weekday('2026-11-20')).toBe('Friday')
    expect(english.shortDay('2026-11-20')).toBe('20 Nov')
    expect(english.shortDay('2026-09-30')).toBe('30 Sep')
    expect(english.day('2026-12-01').startsWith(english.shortDay('2026-12-01'))).toBe(true)
    expect(withoutJoiners(chinese.shortDay('2026-11-20'))).toBe('11月20日')
    expect(english.day('nonsense')).toBe('')
    expect(english.dateTime('nonsense')).toBe('')
  })

  test.each([
    [-5_000, '5 seconds ago'],
    [-59.8 * 60_000, '59 minutes ago'],
    [-3 * 3_600_000, '3 hours ago'],
    [-23.8 * 3_600_000, '23 hours ago'],
    [2 * 86_400_000, 'in 2 days'],
    [-86_400_000, 'yesterday'],
    [-40 * 86_400_000, '1 month ago'],
    [-50 * 86_400_000, '1 month ago'],
    [-65 * 86_400_000, '2 months ago'],
    [-370 * 86_400_000, '1 year ago'],
  ])('formats a time relative to now: %i ms', (away, text) => {
    const now = Date.parse(evening)
    expect(english.relative(new Date(now + away).toISOString(), now)).toBe(text)
  })

  test.each([
    ['2026-11-25T11:41:00+08:00', 'yesterday'],
    ['2026-11-25T00:10:00+08:00', 'yesterday'],
    ['2026-11-24T23:50:00+08:00', '2 days ago'],
    ['2026-11-24T01:36:00+08:00', '2 days ago'],
    ['2026-11-28T00:10:00+08:00', 'in 2 days'],
  ])('counts days by the calendar of the deployment: %s', (instant, text) => {
    expect(english.relative(instant, Date.parse('2026-11-26T19:00:00+08:00'))).toBe(text)
  })
})

test('groups the digits of a tracking number, and formats distances', () => {
  expect(english.trackingNumber('WB12345678901')).toBe('WB\u00a01234\u00a05678\u00a0901')
  expect(english.distance(850)).toBe('850\u00a0m')
  expect(english.distance(3240)).toBe('3.2\u00a0km')
})

test('a place names a city that is also its state once', () => {
  expect(formatPlace({ postcode: '62000', city: 'Putrajaya', state: 'Putrajaya' })).toBe('62000 Putrajaya')
  expect(formatPlace({ postcode: '81300', city: 'Johor Bahru', state: 'Johor' })).toBe('81300 Johor Bahru, Johor')
  expect(formatPlace({ city: 'Singapore', state: null })).toBe('Singapore')
})
