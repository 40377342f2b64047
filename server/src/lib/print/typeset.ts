/** Fits text into boxes. */
import { lazyPackage } from '../packages/lazy-package.ts'
import type { FontSet } from './fonts.ts'
import { ascentEm, type Box, type Colour, descentEm, ink, mmPerPoint, type TextMark, type Weight } from './marks.ts'

const lineBreaker = lazyPackage<typeof import('linebreak').default>('linebreak')

/** Lines break where Unicode allows it (UAX #14), and text shrinks rather than leave its box. */

export interface Paragraph {
  text: string
  /** The preferred size in points. All paragraphs of a box shrink together. */
  size: number
  weight?: Weight
  colour?: Colour
  /** The space above in millimetres, except at the top of the box. */
  before?: number
}

export interface FitOptions {
  align?: 'left' | 'center' | 'right'
  /** The vertical position in a box that is not full. */
  valign?: 'top' | 'middle' | 'bottom'
  /** The line height in ems. */
  leading?: number
  /** Never wrap; shrink to one line each. */
  oneLine?: boolean
}

/** The steps by which text shrinks: the first ones are small enough not to be noticed. */
const scales = [
  1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.36, 0.32, 0.28, 0.25, 0.22, 0.19, 0.16, 0.13,
  0.1,
]

/** Text between two possible line breaks; widths in ems, without and with the spaces at its end. */
interface Piece {
  text: string
  ems: number
  emsWithBlanks: number
}

function splitPieces(fonts: FontSet, text: string, weight: Weight): Piece[] {
  const pieces: Piece[] = []
  const LineBreaker = lineBreaker()
  const breaker = new LineBreaker(text)
  let start = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const part = text.slice(start, next.position)
    start = next.position
    const emsWithBlanks = fonts.ems(part, weight)
    pieces.push({
      text: part,
      emsWithBlanks,
      ems: part.endsWith(' ') ? fonts.ems(part.trimEnd(), weight) : emsWithBlanks,
    })
  }
  return pieces
}

/** Fills lines of at most `limit` ems. A longer word is broken between characters; nothing is dropped. */
function fillLines(pieces: Piece[], measure: (part: string) => number, limit: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of pieces) {
    if (line && used + piece.ems > limit) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    line += piece.text
    used += piece.emsWithBlanks
    if (piece.ems <= limit) continue
    while (measure(line.trimEnd()) > limit && [...line].length > 1) {
      const head = longestHead(line, (part) => measure(part) <= limit)
      lines.push(head)
      line = line.slice(head.length)
    }
    used = measure(line)
  }
  if (line.trimEnd()) lines.push(line.trimEnd())
  return lines
}

/** Returns at least one character, or breaking would never end. */
function longestHead(text: string, fits: (part: string) => boolean): string {
  const chars = [...text]
  let low = 1
  let high = chars.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(chars.slice(0, middle).join(''))) low = middle
    else high = middle - 1
  }
  return chars.slice(0, low).join('')
}

interface Line {
  text: string
  width: number
  size: number
  paragraph: Paragraph
  /** The middle of the line, from the top of the text. */
  top: number
}

/** A paragraph, measured once for all sizes. */
interface ParagraphMetrics {
  paragraph: Paragraph
  weight: Weight
  ems: number
  pieces?: Piece[]
}

/**
 * Fits paragraphs into a box. Text that does not fit is wrapped and then shrunk, all paragraphs alike; nothing is cut
 * off. Empty paragraphs take no space.
 */
export function fitText(fonts: FontSet, paragraphs: Paragraph[], box: Box, options: FitOptions = {}): TextMark[] {
  const leading = options.leading ?? defaultLeading
  const measuredParagraphs = measure(fonts, paragraphs)
  for (const scale of scales) {
    const { lines, height } = setLines(fonts, measuredParagraphs, box.width, scale, leading, options.oneLine ?? false)
    const fits = height <= box.height + slack && lines.every(({ width }) => width <= box.width + slack)
    if (fits || scale === scales.at(-1)) return place(lines, height, box, leading, options)
  }
  return []
}

/** Sets paragraphs at their own size in a column that is as high as needed. `top` is where it begins. */
export function flowText(
  fonts: FontSet,
  paragraphs: Paragraph[],
  column: { x: number; top: number; width: number },
  options: Pick<FitOptions, 'align' | 'leading'> = {},
): { marks: TextMark[]; height: number } {
  const leading = options.leading ?? defaultLeading
  const { lines, height } = setLines(fonts, measure(fonts, paragraphs), column.width, 1, leading, false)
  return {
    marks: place(lines, height, { x: column.x, y: column.top, width: column.width, height }, leading, options),
    height,
  }
}

const defaultLeading = 1.22

function measure(fonts: FontSet, paragraphs: Paragraph[]): ParagraphMetrics[] {
  return paragraphs
    .filter(({ text }) => text !== '')
    .map((paragraph) => {
      const weight = paragraph.weight ?? 'regular'
      return { paragraph, weight, ems: fonts.ems(paragraph.text, weight) }
    })
}

/** The tolerance of rounding in millimetres: a fiftieth of a printer's dot. */
const slack = 0.0025

function setLines(
  fonts: FontSet,
  paragraphs: ParagraphMetrics[],
  width: number,
  scale: number,
  leading: number,
  oneLine: boolean,
) {
  const lines: Line[] = []
  let y = 0
  paragraphs.forEach((measure, index) => {
    const { paragraph, weight, ems } = measure
    const size = paragraph.size * scale
    const em = size * mmPerPoint
    if (index > 0) y += (paragraph.before ?? 0) * scale
    for (const text of oneLine || ems * em <= width + slack ? [paragraph.text] : broken(measure, width / em)) {
      lines.push({ text, width: fonts.width(text, weight, size), size, paragraph, top: y })
      y += em * leading
    }
  })
  return { lines, height: y }

  function broken(paragraphMeasure: ParagraphMetrics, limit: number): string[] {
    const { paragraph, weight } = paragraphMeasure
    paragraphMeasure.pieces ??= splitPieces(fonts, paragraph.text, weight)
    return fillLines(paragraphMeasure.pieces, (part) => fonts.ems(part, weight), limit)
  }
}

function place(
  lines: Line[],
  height: number,
  box: Box,
  leading: number,
  { align = 'left', valign = 'top' }: FitOptions,
): TextMark[] {
  const spare = box.height - height
  const y = box.y + (valign === 'middle' ? spare / 2 : valign === 'bottom' ? spare : 0)
  return lines.map(({ text, width, size, paragraph, top }) => {
    const em = size * mmPerPoint
    const above = (leading - ascentEm - descentEm) / 2 + ascentEm
    const offset = align === 'left' ? 0 : align === 'center' ? (box.width - width) / 2 : box.width - width
    return {
      kind: 'text',
      text,
      width,
      size,
      x: box.x + offset,
      baseline: y + top + em * above,
      weight: paragraph.weight ?? 'regular',
      colour: paragraph.colour ?? ink,
    }
  })
}
