/** Collects what is drawn on a page. */
import { printable } from './characters.ts'
import type { FontSet } from './fonts.ts'
import { type Box, type Colour, ink, type Mark } from './marks.ts'
import { type FitOptions, fitText, type Paragraph } from './typeset.ts'

export interface CaptionedText {
  caption: string
  value: string
}

/** The marks of one page or label. */
export class Drawing {
  readonly #fonts: FontSet
  readonly marks: Mark[] = []
  /** The thickness of rules in millimetres. */
  readonly #line: number

  constructor(fonts: FontSet, line: number) {
    this.#fonts = fonts
    this.#line = line
  }

  add(mark: Mark): void {
    this.marks.push(mark)
  }

  /** Fits typed text into a box: see `fitText`. */
  text(paragraphs: Paragraph[], box: Box, options?: FitOptions): void {
    this.marks.push(
      ...fitText(
        this.#fonts,
        paragraphs.map((each) => ({ ...each, text: printable(each.text) })),
        box,
        options,
      ),
    )
  }

  /** A line, centred on the edge that it marks. */
  rule(x: number, y: number, length: number, direction: 'across' | 'down', colour: Colour = ink): void {
    const line = this.#line
    const [width, height] = direction === 'across' ? [length, line] : [line, length]
    this.add({
      kind: 'rect',
      x: direction === 'down' ? x - line / 2 : x,
      y: direction === 'across' ? y - line / 2 : y,
      width,
      height,
      colour,
    })
  }

  /** A filled box. */
  block(box: Box, colour: Colour = ink): void {
    this.add({ kind: 'rect', ...box, colour })
  }

  /** A small caption above its value; nothing without a value. */
  captioned(
    { caption, value }: CaptionedText,
    box: Box,
    size: number,
    options: { weight?: Paragraph['weight']; oneLine?: boolean } = {},
  ): void {
    if (!value) return
    const captionHeight = 2.7
    this.text([{ text: caption, size: 6 }], { ...box, height: captionHeight }, { oneLine: true })
    const rest = { ...box, y: box.y + captionHeight, height: box.height - captionHeight }
    this.text([{ text: value, size, weight: options.weight }], rest, { leading: 1.14, oneLine: options.oneLine })
  }
}

/** The box without its margin. */
export function inset(box: Box, horizontal: number, vertical = horizontal): Box {
  return {
    x: box.x + horizontal,
    y: box.y + vertical,
    width: box.width - 2 * horizontal,
    height: box.height - 2 * vertical,
  }
}

/** Splits the box into columns from the left; the last one gets the remaining width. */
export function columns(box: Box, ...widths: number[]): Box[] {
  let x = box.x
  const rest = box.width - widths.reduce((sum, width) => sum + width, 0)
  return [...widths, rest].map((width) => {
    const column = { ...box, x, width }
    x += width
    return column
  })
}
