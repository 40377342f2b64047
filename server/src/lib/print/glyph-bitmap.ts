/** Renders text as bitmaps. */
import type { Font } from 'fontkit'
import type { FontSet } from './fonts.ts'
import { mmPerPoint, type Weight } from './marks.ts'

/** One-bit bitmaps of text, for printers without our fonts. A dot is black if a letter covers enough of it. */

/** Rows of bytes, most significant bit first; a set bit is ink. */
export interface Bitmap {
  width: number
  height: number
  bytesPerRow: number
  data: Uint8Array
}

/** A white bitmap. */
export function emptyBitmap(width: number, height: number): Bitmap {
  const bytesPerRow = Math.ceil(width / 8)
  return { width, height, bytesPerRow, data: new Uint8Array(bytesPerRow * height) }
}

/** Makes a dot black. */
export function setDot(bitmap: Bitmap, x: number, y: number): void {
  if (x < 0 || y < 0 || x >= bitmap.width || y >= bitmap.height) return
  const at = y * bitmap.bytesPerRow + (x >> 3)
  bitmap.data[at] = (bitmap.data[at] as number) | (0x80 >> (x & 7))
}

/** An edge of an outline, in dots, y downwards. */
type Edge = [x1: number, y1: number, x2: number, y2: number]

/** Straight lines per curve of a letter. */
const curveSteps = 6

function listEdges(font: Font, glyphId: number, scale: number): Edge[] {
  const edges: Edge[] = []
  let [x, y, startX, startY] = [0, 0, 0, 0]
  const to = (nextX: number, nextY: number) => {
    edges.push([x * scale, -y * scale, nextX * scale, -nextY * scale])
    x = nextX
    y = nextY
  }
  const curve = (at: (t: number) => [number, number]) => {
    for (let step = 1; step <= curveSteps; step++) to(...at(step / curveSteps))
  }
  for (const { command, args } of font.getGlyph(glyphId).path.commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args
    const [fromX, fromY] = [x, y]
    if (command === 'moveTo') {
      if (x !== startX || y !== startY) to(startX, startY)
      ;[x, y, startX, startY] = [a, b, a, b]
    } else if (command === 'lineTo') to(a, b)
    else if (command === 'quadraticCurveTo')
      curve((t) => {
        const u = 1 - t
        return [u * u * fromX + 2 * u * t * a + t * t * c, u * u * fromY + 2 * u * t * b + t * t * d]
      })
    else if (command === 'bezierCurveTo')
      curve((t) => {
        const u = 1 - t
        return [
          u ** 3 * fromX + 3 * u * u * t * a + 3 * u * t * t * c + t ** 3 * e,
          u ** 3 * fromY + 3 * u * u * t * b + 3 * u * t * t * d + t ** 3 * f,
        ]
      })
    else if (x !== startX || y !== startY) to(startX, startY)
  }
  return edges
}

/** Scan lines per row of dots. */
const scansPerRow = 4
/** The share of a dot that must be covered: a little under half, or thin strokes would vanish. */
const threshold = 0.42

interface GlyphDots {
  left: number
  top: number
  bitmap: Bitmap
}

/** The dots of an outline (non-zero winding), relative to the origin of the letter. */
function fill(edges: readonly Edge[]): GlyphDots | null {
  if (edges.length === 0) return null
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x1, y1, x2, y2] of edges) {
    minX = Math.min(minX, x1, x2)
    maxX = Math.max(maxX, x1, x2)
    minY = Math.min(minY, y1, y2)
    maxY = Math.max(maxY, y1, y2)
  }
  const [left, top] = [Math.floor(minX), Math.floor(minY)]
  const bitmap = emptyBitmap(Math.ceil(maxX) - left + 1, Math.ceil(maxY) - top + 1)
  const coverage = new Float64Array(bitmap.width)
  for (let row = 0; row < bitmap.height; row++) {
    coverage.fill(0)
    for (let scan = 0; scan < scansPerRow; scan++) {
      const y = top + row + (scan + 0.5) / scansPerRow
      const crossings: { x: number; winding: number }[] = []
      for (const [x1, y1, x2, y2] of edges) {
        if (y1 <= y === y2 <= y) continue
        crossings.push({ x: x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) - left, winding: y1 < y2 ? 1 : -1 })
      }
      crossings.sort((a, b) => a.x - b.x)
      let winding = 0
      crossings.forEach(({ x, winding: turn }, index) => {
        if (winding !== 0) cover(coverage, (crossings[index - 1] as { x: number }).x, x)
        winding += turn
      })
    }
    for (let x = 0; x < bitmap.width; x++) {
      if ((coverage[x] as number) / scansPerRow >= threshold) setDot(bitmap, x, row)
    }
  }
  return { left, top, bitmap }
}

function cover(row: Float64Array, from: number, to: number): void {
  for (let x = Math.floor(from); x < to && x < row.length; x++) {
    row[x] = (row[x] as number) + Math.min(to, x + 1) - Math.max(from, x)
  }
}

/** Cached letters by face, glyph and size: labels repeat most of them. */
const glyphCache = new Map<string, GlyphDots | null>()
const maxCachedGlyphs = 20_000

function glyphDots(name: string, font: Font, glyphId: number, emDots: number): GlyphDots | null {
  const key = `${name} ${glyphId} ${emDots}`
  const cachedDots = glyphCache.get(key)
  if (cachedDots !== undefined) return cachedDots
  const dots = fill(listEdges(font, glyphId, emDots / font.unitsPerEm))
  if (glyphCache.size >= maxCachedGlyphs) glyphCache.clear()
  glyphCache.set(key, dots)
  return dots
}

/**
 * A line of text in dots. `baseline` is the row of the bitmap on which the letters stand; the left edge is that of the
 * text.
 */
export function textBitmap(
  fonts: FontSet,
  text: string,
  weight: Weight,
  sizePt: number,
  dotsPerMm: number,
): { bitmap: Bitmap; baseline: number } {
  const em = Math.round(sizePt * mmPerPoint * dotsPerMm * 100) / 100
  const { runs, advance } = fonts.shape(text, weight)
  const baseline = Math.ceil(em * 1.1)
  const bitmap = emptyBitmap(Math.ceil((advance / 1000) * em) + 2, baseline + Math.ceil(em * 0.35))
  let pen = 0
  for (const run of runs) {
    run.ids.forEach((id, index) => {
      const dots = glyphDots(run.face.name, run.face.font, id, em)
      if (dots) stamp(bitmap, dots, Math.round(pen), baseline)
      pen += ((run.advances[index] as number) / 1000) * em
    })
  }
  return { bitmap, baseline }
}

function stamp(bitmap: Bitmap, { left, top, bitmap: glyph }: GlyphDots, x: number, baseline: number): void {
  for (let row = 0; row < glyph.height; row++) {
    for (let column = 0; column < glyph.width; column++) {
      const byte = glyph.data[row * glyph.bytesPerRow + (column >> 3)] as number
      if (byte & (0x80 >> (column & 7))) setDot(bitmap, x + left + column, baseline + top + row)
    }
  }
}

/** Removes blank rows above and below; `top` is the number of rows removed above. Null: nothing is black. */
export function trimBitmap(bitmap: Bitmap): { bitmap: Bitmap; top: number } | null {
  const { bytesPerRow, data, height } = bitmap
  const isBlank = (row: number) => data.subarray(row * bytesPerRow, (row + 1) * bytesPerRow).every((byte) => byte === 0)
  let top = 0
  while (top < height && isBlank(top)) top++
  if (top === height) return null
  let bottom = height
  while (isBlank(bottom - 1)) bottom--
  const cut = data.subarray(top * bytesPerRow, bottom * bytesPerRow)
  return { bitmap: { ...bitmap, height: bottom - top, data: cut }, top }
}
