import type { Code128, Qr } from './barcode.ts'

/**
 * What a printed page is made of. A layout answers a list of marks and knows nothing of PDF; a renderer (PDF today, ZPL
 * as well as anything else) knows nothing of the layout. Positions and lengths are millimetres from the top left
 * corner, font sizes are points.
 */
export type Mark = TextMark | RectMark | FrameMark | Code128Mark | QrMark | ImageMark

export type Weight = 'regular' | 'bold'

/** `rrggbb`, without the hash. */
export type Colour = string

export const ink: Colour = '000000'
export const paper: Colour = 'ffffff'

/**
 * One line of text, already measured: `x` is its left end, `baseline` where the letters stand, `width` what it takes.
 */
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

/** An outline; the line lies centred on the edge. */
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
 * Bars only, `x` is the first bar's left edge: the quiet zones are the layout's duty. `module` is the width of the
 * narrowest bar.
 */
export interface Code128Mark {
  kind: 'code128'
  value: string
  symbol: Code128
  /** GS1-128: begins with FNC1, and `value` with its application identifier. */
  gs1?: true
  x: number
  y: number
  module: number
  width: number
  height: number
}

/** Modules only, `size` a side without the quiet zone. */
export interface QrMark {
  kind: 'qr'
  value: string
  symbol: Qr
  x: number
  y: number
  size: number
}

/** A PNG or JPEG, as large as fits the box, standing left and centred upright in it. */
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
/** How far above and below the baseline the tallest glyphs reach, in ems (the Chinese face's design box). */
export const ascentEm = 0.88
export const descentEm = 0.24

/** The paper that a mark may ink: what tests and previews hold against the page's edges. */
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
