import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable } from '../../src/lib/print/characters.ts'
import { loadFonts } from '../../src/lib/print/fonts.ts'
import { inkBounds } from '../../src/lib/print/marks.ts'
import { fitText, flowText } from '../../src/lib/print/typeset.ts'

const fonts = await loadFonts()
const letters = (text: string) => text.replaceAll(/\s/g, '')

/** What people type and paste: Latin, Chinese, digits, punctuation, and occasionally any character. */
const typedText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'Jalan ',
        'Tan Ah Kow ',
        '陈亚九',
        '吉隆坡市中心，',
        '“',
        '”',
        '12-3A, ',
        'É',
        '—',
        'Wolfeschlegelsteinhausen',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => printable(parts.join('')))

describe('text in a box', () => {
  test('stays inside the box, in order and complete', () => {
    fc.assert(
      fc.property(
        typedText,
        fc.integer({ min: 15, max: 90 }),
        fc.integer({ min: 8, max: 40 }),
        (text, width, height) => {
          const box = { x: 10, y: 20, width, height }
          const marks = fitText(fonts, [{ text, size: 12 }], box)
          expect(letters(marks.map((mark) => mark.text).join(''))).toBe(letters(text))
          for (const mark of marks) {
            const { x, y, ...size } = inkBounds(mark)
            expect(x).toBeGreaterThanOrEqual(box.x - 0.01)
            expect(x + size.width).toBeLessThanOrEqual(box.x + width + 0.01)
            expect(y).toBeGreaterThanOrEqual(box.y - 0.01)
            expect(y + size.height).toBeLessThanOrEqual(box.y + height + 0.01)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('keeps its size while it fits, and wraps before it shrinks', () => {
    const box = { x: 0, y: 0, width: 40, height: 20 }
    expect(fitText(fonts, [{ text: 'Tan Ah Kow', size: 12 }], box)).toMatchObject([{ text: 'Tan Ah Kow', size: 12 }])
    const wrapped = fitText(fonts, [{ text: 'Tan Ah Kow Holdings Berhad', size: 12 }], box)
    expect(wrapped.map(({ text, size }) => [text, size])).toEqual([
      ['Tan Ah Kow', 12],
      ['Holdings Berhad', 12],
    ])
    const [line] = fitText(fonts, [{ text: 'Tan Ah Kow Holdings Berhad', size: 12 }], box, { oneLine: true })
    expect(line?.size).toBeLessThan(12)
    expect(line?.width).toBeLessThanOrEqual(40)
  })

  test('breaks Chinese between characters but never before a full stop', () => {
    const { marks } = flowText(fonts, [{ text: '请轻放。易碎品。', size: 10 }], { x: 0, top: 0, width: 10.7 })
    expect(marks.map(({ text }) => text)).toEqual(['请轻', '放。易', '碎品。'])
  })
})

describe('glyphs', () => {
  const getFaces = (text: string) =>
    fonts
      .shape(text, 'regular')
      .runs.map(({ face, codePoints }) => [face.name, String.fromCodePoint(...codePoints.flat())])

  test('each script uses its own font, on one line', () => {
    expect(getFaces('Tan Ah Kow 陈亚九')).toEqual([
      ['Inter-Regular', 'Tan Ah Kow '],
      ['NotoSansSC-Regular', '陈亚九'],
    ])
  })

  test('quotation marks are full width only next to Chinese', () => {
    expect(getFaces('他说“好”。')).toEqual([['NotoSansSC-Regular', '他说“好”。']])
    expect(getFaces('the “best” one')).toEqual([['Inter-Regular', 'the “best” one']])
  })

  test('a character without a glyph is reported as missing', () => {
    expect(getFaces('a🦆')).toEqual([
      ['Inter-Regular', 'a'],
      ['NotoSansSC-Regular', '□'],
    ])
  })

  test('the digits of an amount have the same width', () => {
    expect(fonts.width('1,111.11', 'regular', 10)).toBeCloseTo(fonts.width('8,888.88', 'regular', 10), 6)
    expect(fonts.width('−1,111.11', 'regular', 10)).toBeCloseTo(fonts.width('−8,888.88', 'regular', 10), 6)
  })

  test('Inter has the minus sign of negative amounts', () => {
    expect(getFaces('−RM 5.00')).toEqual([['Inter-Regular', '−RM 5.00']])
  })
})

test.each([
  ['line\r\nbreak\ttab', 'line break tab'],
  ['zero\u200bwidth\ufeff and \u202edirection', 'zerowidth and direction'],
  ['e\u0301', 'é'],
  ['half \ud83d a pair', 'half \ufffd a pair'],
  ['  much   space ', 'much space'],
])('%j is printed as %j', (input, output) => {
  expect(printable(input)).toBe(output)
})
