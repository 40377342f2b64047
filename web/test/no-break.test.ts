import { expect, test, vi } from 'vitest'
import { keepHan } from '../src/components/display/line-breaks.ts'
import { formatWindow } from '../src/components/display/time-window.ts'
import { useServiceName } from '../src/features/pricing/shared/price-lines.tsx'

const language = vi.hoisted(() => ({ index: 0 }))
vi.mock('../src/lib/labels.ts', () => ({
  useLabel: () => (labels: Record<string, readonly string[]>, key: string) => labels[key]?.[language.index],
}))

const segments = (text: string) => text.split('\u2060')

test('breaks a Chinese day only at its space', () => {
  expect(segments(keepHan('2026年11月25日 星期三'))).toEqual(['2026', '年', '11', '月', '25', '日 星', '期', '三'])
  expect(keepHan('Friday, 27 Nov 2026')).toBe('Friday, 27 Nov 2026')
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
