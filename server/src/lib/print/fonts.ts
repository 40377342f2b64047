/** Fonts and text shaping. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { Font } from 'fontkit'
import { isSharedPunctuation, tokens } from './characters.ts'
import { mmPerPoint, type Weight } from './marks.ts'

/**
 * The typefaces of everything printed: Inter for Latin, Greek and Cyrillic, Noto Sans SC for Chinese. Each file is
 * parsed once per process (the Chinese ones have 10 MB); a document embeds only the glyphs that it uses.
 */

export interface Face {
  /** Unique; also the name of the file. */
  name: string
  font: Font
}

/** Consecutive glyphs of one face. Advances and widths are thousandths of an em; kerning makes them differ. */
export interface GlyphRun {
  face: Face
  ids: number[]
  advances: number[]
  widths: number[]
  codePoints: number[][]
  advance: number
}

const require = createRequire(import.meta.url)

/** The files of the typefaces. */
export const fontFiles = {
  latin: {
    regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
  },
  han: {
    regular: require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf'),
  },
}

/** Limits of the caches: a long run of labels keeps bringing new names. A word takes about 1 kB, a line about 4 kB. */
const maxWords = 8000
const maxLines = 2000

/** The glyphs of a line in reading order, neighbours of one face joined. `advance` is in thousandths of an em. */
export interface ShapedLine {
  runs: readonly GlyphRun[]
  advance: number
}

/** Turns text into glyphs and widths. Words and lines are cached, because labels repeat most of them. */
export class FontSet {
  readonly #faces: Record<Weight, { latin: Face; han: Face }>
  readonly #words: Record<Weight, Map<string, GlyphRun[]>> = { regular: new Map(), bold: new Map() }
  readonly #lines: Record<Weight, Map<string, ShapedLine>> = { regular: new Map(), bold: new Map() }

  constructor(faces: Record<Weight, { latin: Face; han: Face }>) {
    this.#faces = faces
  }

  /** The glyphs of one line of text. */
  shape(text: string, weight: Weight): ShapedLine {
    const lines = this.#lines[weight]
    const cachedLine = lines.get(text)
    if (cachedLine) return cachedLine
    const runs: GlyphRun[] = []
    let advance = 0
    for (const { word, chinese } of tokens(text)) {
      for (const run of this.#word(word, chinese, weight)) {
        const last = runs.at(-1)
        if (last?.face === run.face) append(last, run)
        else
          runs.push({
            face: run.face,
            ids: [...run.ids],
            advances: [...run.advances],
            widths: [...run.widths],
            codePoints: [...run.codePoints],
            advance: run.advance,
          })
        advance += run.advance
      }
    }
    const line = { runs, advance }
    if (lines.size >= maxLines) lines.clear()
    lines.set(text, line)
    return line
  }

  /** The width of a line in millimetres, at a size in points. */
  width(text: string, weight: Weight, size: number): number {
    return this.ems(text, weight) * size * mmPerPoint
  }

  /** The width of a text in ems, which is the same at every size. */
  ems(text: string, weight: Weight): number {
    const cachedLine = this.#lines[weight].get(text)
    if (cachedLine) return cachedLine.advance / 1000
    let thousandths = 0
    for (const { word, chinese } of tokens(text)) {
      for (const { advance } of this.#word(word, chinese, weight)) thousandths += advance
    }
    return thousandths / 1000
  }

  #word(word: string, chinese: boolean, weight: Weight): GlyphRun[] {
    const words = this.#words[weight]
    // A quote or dash is Chinese only next to Chinese. It is cheap to shape, so it is not cached as either.
    if (word.length === 1 && isSharedPunctuation(word.charCodeAt(0)))
      return chinese ? this.#shapeHan(word, weight) : this.#shapeWord(word, weight)
    const cachedWord = words.get(word)
    if (cachedWord) return cachedWord
    const runs = chinese ? this.#shapeHan(word, weight) : this.#shapeWord(word, weight)
    if (words.size >= maxWords) words.clear()
    words.set(word, runs)
    return runs
  }

  #shapeWord(word: string, weight: Weight): GlyphRun[] {
    const { latin } = this.#faces[weight]
    const runs: GlyphRun[] = []
    let pending = ''
    for (const char of word) {
      if (latin.font.hasGlyphForCodePoint(getCodePoint(char))) {
        pending += char
        continue
      }
      if (pending) runs.push(shapeLatin(latin, pending))
      pending = ''
      runs.push(...this.#shapeHan(char, weight))
    }
    if (pending) runs.push(shapeLatin(latin, pending))
    return runs
  }

  /**
   * Chinese needs no shaping: one character, one glyph. A character that neither face has prints as an open square, so
   * that it is noticed.
   */
  #shapeHan(char: string, weight: Weight): GlyphRun[] {
    const faces = this.#faces[weight]
    if (!faces.han.font.hasGlyphForCodePoint(getCodePoint(char))) {
      return faces.latin.font.hasGlyphForCodePoint(getCodePoint(char))
        ? [shapeLatin(faces.latin, char)]
        : this.#shapeHan('□', weight)
    }
    const { font } = faces.han
    const glyph = font.glyphForCodePoint(getCodePoint(char))
    const advance = (glyph.advanceWidth * 1000) / font.unitsPerEm
    return [
      {
        face: faces.han,
        ids: [glyph.id],
        advances: [advance],
        widths: [advance],
        codePoints: [[getCodePoint(char)]],
        advance,
      },
    ]
  }
}

/**
 * Amounts get figures of equal width, so that they line up in a column. The feature also widens hyphens, so other text
 * does not get it.
 */
const amount = /^\u2212?[\d.,]+\s*$/

function shapeLatin(face: Face, text: string): GlyphRun {
  const { glyphs, positions } = face.font.layout(text, amount.test(text) ? ['tnum'] : [])
  const scale = 1000 / face.font.unitsPerEm
  const advances = positions.map(({ xAdvance }) => xAdvance * scale)
  return {
    face,
    ids: glyphs.map(({ id }) => id),
    advances,
    widths: glyphs.map(({ advanceWidth }) => advanceWidth * scale),
    codePoints: glyphs.map(({ codePoints }) => [...codePoints]),
    advance: advances.reduce((sum, advance) => sum + advance, 0),
  }
}

function append(line: GlyphRun, run: GlyphRun): void {
  line.ids.push(...run.ids)
  line.advances.push(...run.advances)
  line.widths.push(...run.widths)
  line.codePoints.push(...run.codePoints)
  line.advance += run.advance
}

function getCodePoint(char: string): number {
  return char.codePointAt(0) ?? 0
}

let loaded: Promise<FontSet> | undefined

/** The process's fonts, loaded at the first call. Rejects if a font file is missing. */
export function loadFonts(): Promise<FontSet> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function load(): Promise<FontSet> {
  const faces = {
    regular: { latin: await openFace(fontFiles.latin.regular), han: await openFace(fontFiles.han.regular) },
    bold: { latin: await openFace(fontFiles.latin.bold), han: await openFace(fontFiles.han.bold) },
  }
  const fonts = new FontSet(faces)
  // The first words of a face parse its tables and compile the shaping code. A few at a time, so that requests are
  // served in between.
  for (const weight of ['regular', 'bold'] as const) {
    for (const sample of ['A', 'Waybill', 'To: 12-3A, (Jalan) fi', '+60 12.50', '运']) {
      await setImmediate()
      fonts.shape(sample, weight)
    }
  }
  return fonts
}

async function openFace(file: string): Promise<Face> {
  const fontkit = await import('fontkit')
  const opened = fontkit.create(await readFile(file))
  if (!('layout' in opened)) throw new Error(`${file} is a collection, not a font.`)
  return { name: opened.postscriptName, font: opened }
}
