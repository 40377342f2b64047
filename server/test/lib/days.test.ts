import {
  addDays,
  addMonths,
  daysBetween,
  exampleOfWeekday,
  getWeekday,
  listDays,
  monthsBetween,
} from '@waybill/contract/ground/days'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const getMonthLength = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** The next day by the rules of the calendar. */
function step([year, month, day]: readonly [number, number, number]): [number, number, number] {
  if (day < getMonthLength(year, month)) return [year, month, day + 1]
  return month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1]
}
const print = ([year, month, day]: readonly [number, number, number]) =>
  `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`

const anyDay = fc
  .tuple(fc.integer({ min: 3, max: 9990 }), fc.integer({ min: 1, max: 12 }))
  .chain(([year, month]) =>
    fc.tuple(fc.constant(year), fc.constant(month), fc.integer({ min: 1, max: getMonthLength(year, month) })),
  )

describe('calendar days', () => {
  it('follow each other by the rules of the calendar, in every year', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 800 }), (first, count) => {
        const expected: string[] = []
        for (let day: readonly [number, number, number] = first; expected.length < count; day = step(day)) {
          expected.push(print(day))
        }
        expect(listDays(print(first), count)).toEqual(expected)
        expect(addDays(expected.at(-1) as string, 1 - count)).toBe(print(first))
        expect(daysBetween(print(first), expected.at(-1) as string)).toBe(count - 1)
      }),
    )
  })

  it('have weekdays from Monday to Sunday', () => {
    expect(['2026-11-16', '2026-11-20', '2026-11-22'].map(getWeekday)).toEqual([1, 5, 7])
    expect([1, 2, 3, 4, 5, 6, 7].map((weekday) => getWeekday(exampleOfWeekday(weekday)))).toEqual([1, 2, 3, 4, 5, 6, 7])
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(getWeekday(addDays(print(day), 1))).toBe((getWeekday(print(day)) % 7) + 1)
      }),
    )
  })

  it('are in months that are counted in both directions, from any day of the month', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -24, max: 100 }), ([year, month, day], count) => {
        const months = year * 12 + month - 1 + count
        const expected = `${pad(Math.floor(months / 12), 4)}-${pad((months % 12) + 1, 2)}`
        expect(addMonths(print([year, month, day]), count)).toBe(expected)
        expect(addMonths(print([year, month, day]).slice(0, 7), count)).toBe(expected)
        expect(monthsBetween(print([year, month, day]), `${expected}-28`)).toBe(count)
      }),
    )
  })
})
