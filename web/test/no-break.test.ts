import { expect, test } from 'vitest'
import { keepHan } from '../src/components/display/long-day.ts'
import { formatWindow } from '../src/components/display/time-window.ts'

const segments = (text: string) => text.split('\u2060')

test('breaks a Chinese day only at its space', () => {
  expect(segments(keepHan('2026年11月25日 星期三'))).toEqual(['2026', '年', '11', '月', '25', '日 星', '期', '三'])
  expect(keepHan('Friday, 27 Nov 2026')).toBe('Friday, 27 Nov 2026')
})

test('breaks a pickup window neither before nor after its dash', () => {
  expect(formatWindow('09:00-12:00')).toBe('09:00\u00a0–\u2060\u00a012:00')
})
