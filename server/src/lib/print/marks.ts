/** The elements of a printed page. */
import type { Code128, Qr } from './barcode.ts'

/**
 * Layouts produce lists of marks and know nothing of PDF; renderers (PDF, ZPL) know nothing of layouts. Positions and
 * lengths are millimetres from the top left corner, font sizes are points.
 */
export type Mark = TextMark | RectMark | FrameMark | Code128Mark | QrMark | ImageMark

export type Weight = 'regular' | 'bold'

/** `rrggbb`, without the hash. */
export type Colour = string

export const ink: Colour = '000000'
export const paper: Colour = 'ffffff'

/** A measured line of text: `x` is its left end, `baseline` the line on which the letters stand. */
export interface TextMark {
  kind: 'text'
  text: string
  x: number
  baseline: number
  width: number
  size: number
  weight: Weight
  colour: Colour
}

export interface RectMark {
  kind: 'rect'
  x: number
  y: number
  width: number
  height: number
  colour: Colour
}

/** An outline, centred on the edges of the box. */
export interface FrameMark {
  kind: 'frame'
  x: number
  y: number
  width: number
  height: number
  line: number
  radius: number
  colour: Colour
}

/**
 * Bars only; the layout must leave the quiet zones blank. `x` is the left edge of the first bar, `module` the width of
 * the narrowest one.
 */
export interface Code128Mark {
  kind: 'code128'
  value: string
  symbol: Code128
  /** GS1-128: begins with FNC1, and `value` includes the application identifier. */
  gs1?: true
  x: number
  y: number
  module: number
  width: number
  height: number
}

/** Modules only; `size` is the length of a side without the quiet zone. */
export interface QrMark {
  kind: 'qr'
  value: string
  symbol: Qr
  x: number
  y: number
  size: number
}

/** A PNG or JPEG, scaled to fit the box; aligned left and in the middle. */
export interface ImageMark {
  kind: 'image'
  data: Uint8Array
  x: number
  y: number
  width: number
  height: number
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const mmPerPoint = 25.4 / 72
/** How far the tallest glyphs reach above and below the baseline, in ems (the design box of the Chinese face). */
export const ascentEm = 0.88
export const descentEm = 0.24

/** The area that a mark may print on. Tests and previews check it against the edges of the page. */
export function inkBounds(mark: Mark): Box {
  if (mark.kind === 'text') {
    const em = mark.size * mmPerPoint
    return { x: mark.x, y: mark.baseline - em * ascentEm, width: mark.width, height: em * (ascentEm + descentEm) }
  }
  if (mark.kind === 'qr') return { x: mark.x, y: mark.y, width: mark.size, height: mark.size }
  if (mark.kind === 'frame') {
    const half = mark.line / 2
    return { x: mark.x - half, y: mark.y - half, width: mark.width + mark.line, height: mark.height + mark.line }
  }
  return { x: mark.x, y: mark.y, width: mark.width, height: mark.height }
}
