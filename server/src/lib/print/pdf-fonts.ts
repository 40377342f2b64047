/** Embeds fonts in a PDF. */
import type PDFDocument from 'pdfkit'
import type { Face, GlyphRun } from './fonts.ts'

/**
 * Embeds the glyphs that one document uses. pdfkit would shape and measure text at each call. Here fonts.ts has done
 * the shaping, so only pdfkit's embedding is used, through the members of its embedded font that are named below.
 * pdfkit is pinned to an exact version, and the printing tests read text back from the finished files.
 */
interface EmbeddedFont {
  id: string
  subset: { includeGlyph(glyphId: number): number }
  widths: number[]
  unicode: number[][]
  ref(): unknown
  finalize(): void
}

interface PdfInside {
  _font: EmbeddedFont
  page: { fonts: Record<string, unknown> }
}

/** Writing a subset takes about 50 microseconds per glyph without a pause. A larger one would delay requests. */
const maxGlyphsPerSubset = 400

interface EmbeddedGlyph {
  font: EmbeddedFont
  hex: string
}

interface EmbeddedFace {
  subsets: EmbeddedFont[]
  glyphs: Map<number, EmbeddedGlyph>
}

export class DocumentFonts {
  readonly #document: PDFKit.PDFDocument
  readonly #faces = new Map<Face, EmbeddedFace>()

  constructor(document: InstanceType<typeof PDFDocument>) {
    this.#document = document
  }

  /** The PDF operators that draw runs at the current position. Registers their fonts on the current page. */
  show(runs: readonly GlyphRun[], size: number): string {
    let out = ''
    let font: EmbeddedFont | undefined
    for (const run of runs) {
      const face = this.#getFace(run.face)
      for (let i = 0; i < run.ids.length; i++) {
        const glyph = face.glyphs.get(run.ids[i] as number) ?? this.#embed(run, i, face)
        if (glyph.font !== font) {
          out += `${font ? '>] TJ ' : ''}/${glyph.font.id} ${size} Tf [<`
          font = glyph.font
          this.#registerOnPage(font)
        }
        out += glyph.hex
        // TJ moves left by thousandths of an em: the kerning, as a difference from the width that the viewer knows.
        const kern = Math.round((run.widths[i] as number) - (run.advances[i] as number))
        if (kern !== 0) out += `> ${kern} <`
      }
    }
    return font ? `${out}>] TJ` : ''
  }

  /** Writes the font files in steps, before the document ends. */
  *finish(): Generator<void> {
    for (const { subsets } of this.#faces.values()) {
      for (const font of subsets) {
        font.finalize()
        yield
      }
    }
  }

  #getFace(face: Face): EmbeddedFace {
    const existing = this.#faces.get(face)
    if (existing) return existing
    const embedded: EmbeddedFace = { subsets: [], glyphs: new Map() }
    this.#faces.set(face, embedded)
    return embedded
  }

  #embed(run: GlyphRun, index: number, face: EmbeddedFace): EmbeddedGlyph {
    const glyphId = run.ids[index] as number
    if (face.glyphs.size % maxGlyphsPerSubset === 0) face.subsets.push(this.#openSubset(run.face, face.subsets.length))
    const font = face.subsets.at(-1) as EmbeddedFont
    const id = font.subset.includeGlyph(glyphId)
    font.widths[id] ??= run.widths[index] as number
    font.unicode[id] ??= run.codePoints[index] as number[]
    const glyph = { font, hex: id.toString(16).padStart(4, '0') }
    face.glyphs.set(glyphId, glyph)
    return glyph
  }

  /** pdfkit identifies fonts by name, so each subset needs a unique name. */
  #openSubset(face: Face, index: number): EmbeddedFont {
    const name = index === 0 ? face.name : `${face.name}-${index + 1}`
    const font = Object.create(face.font, { postscriptName: { value: name } })
    this.#document.font(font)
    return (this.#document as unknown as PdfInside)._font
  }

  #registerOnPage(font: EmbeddedFont): void {
    const { fonts } = (this.#document as unknown as PdfInside).page
    fonts[font.id] ??= font.ref()
  }
}
