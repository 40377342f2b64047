import LineBreaker from 'linebreak'
import type { FontSet } from './fonts.ts'
import { ascentEm, type Box, type Colour, descentEm, ink, mmPerPoint, type TextMark, type Weight } from './marks.ts'

/** Lines of text into boxes: break where Unicode allows (UAX #14), and get smaller rather than leave the box. */

export interface Paragraph {
  text: string
  /** Wanted size in points; all paragraphs of a box shrink together. */
  size: number
  weight?: Weight
  colour?: Colour
  /** Blank above it in millimetres, except at the top of the box. */
  before?: number
}

export interface FitOptions {
  align?: 'left' | 'center' | 'right'
  /** Where the text stands in a box that it doesn't fill. */
  valign?: 'top' | 'middle' | 'bottom'
  /** Line pitch in ems. */
  leading?: number
  /** Never break: shrink to one line each. */
  oneLine?: boolean
}

/** Steps by which a text that doesn't fit gets smaller: fine at first, where the eye sees it. */
const scales = [
  1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.36, 0.32, 0.28, 0.25, 0.22, 0.19, 0.16, 0.13,
  0.1,
]

/**
 * A stretch of text between two places where a line may break; widths in ems, without and with the blanks at its end.
 */
interface Piece {
  text: string
  ems: number
  emsWithBlanks: number
}

function piecesOf(fonts: FontSet, text: string, weight: Weight): Piece[] {
  const pieces: Piece[] = []
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

/**
 * Cuts pieces into lines no wider than `limit` ems. A word wider than a line is broken between characters; nothing is
 * dropped.
 */
function fillLines(pieces: Piece[], emsOf: (part: string) => number, limit: number): string[] {
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
    while (emsOf(line.trimEnd()) > limit && [...line].length > 1) {
      const head = longestHead(line, (part) => emsOf(part) <= limit)
      lines.push(head)
      line = line.slice(head.length)
    }
    used = emsOf(line)
  }
  if (line.trimEnd()) lines.push(line.trimEnd())
  return lines
}

/** At least one character, so that breaking always gets on. */
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
  /** Middle of the line's height, from the top of the text. */
  top: number
}

/** A paragraph measured once, for all the sizes that are tried. */
interface Measured {
  paragraph: Paragraph
  weight: Weight
  ems: number
  pieces?: Piece[]
}

/**
 * Sets paragraphs into a box. What doesn't fit is wrapped and then made smaller, all paragraphs alike, until it does;
 * nothing is cut off. Empty paragraphs take no room.
 */
export function fitText(fonts: FontSet, paragraphs: Paragraph[], box: Box, options: FitOptions = {}): TextMark[] {
  const leading = options.leading ?? defaultLeading
  const measured = measure(fonts, paragraphs)
  for (const scale of scales) {
    const { lines, height } = setLines(fonts, measured, box.width, scale, leading, options.oneLine ?? false)
    const fits = height <= box.height + slack && lines.every(({ width }) => width <= box.width + slack)
    if (fits || scale === scales.at(-1)) return place(lines, height, box, leading, options)
  }
  return []
}

/** Sets paragraphs at their own size into a column as high as they need; `top` is where they begin. */
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

function measure(fonts: FontSet, paragraphs: Paragraph[]): Measured[] {
  return paragraphs
    .filter(({ text }) => text !== '')
    .map((paragraph) => {
      const weight = paragraph.weight ?? 'regular'
      return { paragraph, weight, ems: fonts.ems(paragraph.text, weight) }
    })
}

/** Rounding, in millimetres: a fiftieth of a printer's dot. */
const slack = 0.0025

function setLines(
  fonts: FontSet,
  paragraphs: Measured[],
  width: number,
  scale: number,
  leading: number,
  oneLine: boolean,
) {
  const lines: Line[] = []
  let y = 0
  paragraphs.forEach((measured, index) => {
    const { paragraph, weight, ems } = measured
    const size = paragraph.size * scale
    const em = size * mmPerPoint
    if (index > 0) y += (paragraph.before ?? 0) * scale
    for (const text of oneLine || ems * em <= width + slack ? [paragraph.text] : broken(measured, width / em)) {
      lines.push({ text, width: fonts.width(text, weight, size), size, paragraph, top: y })
      y += em * leading
    }
  })
  return { lines, height: y }

  function broken(measured: Measured, limit: number): string[] {
    const { paragraph, weight } = measured
    measured.pieces ??= piecesOf(fonts, paragraph.text, weight)
    return fillLines(measured.pieces, (part) => fonts.ems(part, weight), limit)
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
    const left = align === 'left' ? 0 : align === 'center' ? (box.width - width) / 2 : box.width - width
    return {
      kind: 'text',
      text,
      width,
      size,
      x: box.x + left,
      baseline: y + top + em * above,
      weight: paragraph.weight ?? 'regular',
      colour: paragraph.colour ?? ink,
    }
  })
}
