import { readFile } from 'node:fs/promises'
import { create } from 'fontkit'
import { describe, expect, it } from 'vitest'
import { findUnprintable, printable } from '../../src/lib/print/characters.ts'
import { fontFiles } from '../../src/lib/print/fonts.ts'

/** The code points of a font file. */
async function readCodePoints(file: string): Promise<readonly number[]> {
  const font = create(await readFile(file))
  return 'characterSet' in font ? font.characterSet : []
}

/** Control, format and private-use characters are never printed, whatever the fonts contain. */
const isText = (codePoint: number) => !/\p{C}/u.test(String.fromCodePoint(codePoint))

/** The ranges of sorted code points, in lines of ten. */
function writeRanges(codePoints: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const codePoint of codePoints) {
    const range = ranges.at(-1)
    if (range?.[1] === codePoint - 1) range[1] = codePoint
    else ranges.push([codePoint, codePoint])
  }
  const words = ranges.map(([first, last]) => [first, last].map((each) => each.toString(16)).join('-'))
  return Array.from({ length: Math.ceil(words.length / 10) }, (_, n) =>
    words.slice(n * 10, n * 10 + 10).join(' '),
  ).join('\n')
}

describe('the characters that can be printed', () => {
  it('are those of the print fonts in both weights', async () => {
    const [regular = new Set<number>(), bold = new Set<number>()] = await Promise.all(
      (['regular', 'bold'] as const).map(async (weight) => {
        const faces = [fontFiles.latin[weight], fontFiles.han[weight]]
        return new Set((await Promise.all(faces.map(readCodePoints))).flat())
      }),
    )
    const inBoth = [...regular].filter((codePoint) => bold.has(codePoint) && isText(codePoint)).sort((a, b) => a - b)
    // If the fonts have changed, `npx vitest run -u test/lib/printable.test.ts` writes the file.
    await expect(`/**
 * The characters that the print fonts have in both weights, as ranges of hexadecimal code points. Opening the fonts for
 * each check would take 40 MB. Written by server/test/lib/printable.test.ts.
 */
export const coveredRanges = \`
${writeRanges(inBoth)}
\`
`).toMatchFileSnapshot('../../src/lib/print/covered-ranges.ts')
  })

  it('include Latin letters of every language, Chinese and Japanese', () => {
    for (const text of [
      'Nguyễn Thị Ánh',
      'Łódź',
      'Đặng',
      'Ağaoğlu',
      'Ælfgifu',
      '陈亚九',
      '佐々木 さくら',
      'Ивáн',
      'Ωμέγα',
      '№ 5 – “A” ©',
    ])
      expect([text, findUnprintable(text)]).toEqual([text, ''])
    expect(findUnprintable('e\u0301\u200b\u202a')).toBe('')
  })

  it('exclude the letters of other scripts, each named once', () => {
    expect(findUnprintable('Ali علي')).toBe('علي')
    expect(findUnprintable('สมชาย สมชาย')).toBe('สมชาย')
    expect(findUnprintable('김민수')).toBe('김민수')
    expect(findUnprintable('முருகன்').length).toBeGreaterThan(0)
  })

  it('leave out emoji, except those that the fonts have', () => {
    expect(printable('Leave it 🙏🏽 at the door 👨‍👩‍👧 🇲🇾 ☎️')).toBe('Leave it at the door ☎')
    expect(findUnprintable('🙏🏽 👨‍👩‍👧 🇲🇾 1️⃣ ☎️')).toBe('')
  })
})
