import { expect, test, vi } from 'vitest'
import { formatWindow } from '../src/components/display/time-window.ts'
import { useServiceName } from '../src/features/pricing/shared/price-lines.tsx'
import { createFormat } from '../src/lib/format.ts'

const language = vi.hoisted(() => ({ index: 0 }))
vi.mock('../src/lib/labels.ts', () => ({
  useLabel: () => (labels: Record<string, readonly string[]>, key: string) => labels[key]?.[language.index],
}))

test('breaks a Chinese date only at its space', () => {
  const format = createFormat(undefined, 'cn_zh')
  // A line could end on both sides of a Han character.
  const day = '2026\u2060年\u206011\u2060月\u206025\u2060日'
  expect(format.day('2026-11-25')).toBe(day)
  expect(format.dateTime('2026-11-25T04:00:00Z')).toMatch(new RegExp(`^${day} \\d\\d:\\d\\d$`))
  expect(format.weekday('2026-11-25')).toBe('星\u2060期\u2060三')
  expect(createFormat().day('2026-11-25')).toBe('25 Nov 2026')
})

test('breaks a pickup window neither before nor after its dash', () => {
  expect(formatWindow('09:00-12:00')).toBe('09:00\u00a0–\u2060\u00a012:00')
})

test('breaks the name of a service only beside its dot', () => {
  const lines = (index: number) => {
    language.index = index
    // Lines can end at spaces, after hyphens, and between Han characters, unless a word joiner follows.
    return useServiceName()('own.semi_express.D2D')?.split(/ |(?<=-)(?=\S)(?!\u2060)|(?<=\p{sc=Han})(?=\p{sc=Han})/u)
  }
  expect(lines(0)).toEqual(['Semi-\u2060express', '·', 'Pick\u00a0Up\u00a0-\u2060\u00a0Delivery'])
  expect(lines(1)?.map((line) => line.replaceAll('\u2060', ''))).toEqual(['准快递', '·', '上门取件－送货上门'])
})
