/** Renders marks for label printers. */
import { loadSharp } from '../packages/pictures.ts'
import type { FontSet } from './fonts.ts'
import { type Bitmap, emptyBitmap, setDot, textBitmap, trimBitmap } from './glyph-bitmap.ts'
import { type Code128Mark, type ImageMark, type Mark, paper, type QrMark } from './marks.ts'

/**
 * ZPL II at 203 dpi (8 dots per millimetre). Barcodes use the printer's own commands (^BC, ^BQ), which print on whole
 * dots. Text is sent as graphics, because printers do not have our typefaces, and mostly no Chinese at all.
 */
export const dotsPerMm = 8

const dots = (mm: number) => Math.round(mm * dotsPerMm)

/** One label of the given size. */
export async function zplLabel(
  fonts: FontSet,
  label: { widthMm: number; heightMm: number; marks: readonly Mark[] },
): Promise<string> {
  const fields: string[] = []
  for (const mark of label.marks) fields.push(await buildField(fonts, mark))
  return [
    '^XA',
    '^CI28',
    `^PW${dots(label.widthMm)}`,
    `^LL${dots(label.heightMm)}`,
    '^LH0,0',
    ...fields.filter(Boolean),
    '^XZ',
    '',
  ].join('\n')
}

async function buildField(fonts: FontSet, mark: Mark): Promise<string> {
  switch (mark.kind) {
    case 'rect': {
      const [width, height] = [Math.max(dots(mark.width), 1), Math.max(dots(mark.height), 1)]
      const colour = mark.colour === paper ? 'W' : 'B'
      return `^FO${dots(mark.x)},${dots(mark.y)}^GB${width},${height},${Math.min(width, height)},${colour}^FS`
    }
    case 'frame': {
      const line = Math.max(dots(mark.line), 1)
      const half = mark.line / 2
      return [
        `^FO${dots(mark.x - half)},${dots(mark.y - half)}`,
        `^GB${dots(mark.width + mark.line)},${dots(mark.height + mark.line)},${line}^FS`,
      ].join('')
    }
    case 'text': {
      const { bitmap, baseline } = textBitmap(fonts, mark.text, mark.weight, mark.size, dotsPerMm)
      return graphic(bitmap, dots(mark.x), dots(mark.baseline) - baseline, mark.colour === paper)
    }
    case 'code128':
      return code128Field(mark)
    case 'qr':
      return qrField(mark)
    case 'image': {
      const bitmap = await imageBitmap(mark)
      return bitmap ? graphic(bitmap, dots(mark.x), dots(mark.y), false) : ''
    }
  }
}

/** `reversed`: white on black (the printer inverts what is below). */
function graphic(bitmap: Bitmap, x: number, y: number, reversed: boolean): string {
  const cut = trimBitmap(bitmap)
  if (!cut) return ''
  const { data, bytesPerRow } = cut.bitmap
  return [
    `^FO${Math.max(x, 0)},${Math.max(y + cut.top, 0)}${reversed ? '^FR' : ''}`,
    `^GFA,${data.length},${data.length},${bytesPerRow},${compress(cut.bitmap)}^FS`,
  ].join('')
}

/** A repeat count: G to Y for 1 to 19, g to z for multiples of 20 up to 400. */
function times(count: number): string {
  let rest = count
  let text = ''
  while (rest >= 400) {
    text += 'z'
    rest -= 400
  }
  if (rest >= 20) text += String.fromCharCode('g'.charCodeAt(0) + Math.floor(rest / 20) - 1)
  if (rest % 20 > 0) text += String.fromCharCode('G'.charCodeAt(0) + (rest % 20) - 1)
  return text
}

/** ZPL's compression: repeated digits, `,` for blank to the end of the row, `:` for a row like the one above. */
function compress({ data, bytesPerRow, height }: Bitmap): string {
  let text = ''
  let above = ''
  for (let row = 0; row < height; row++) {
    const hex = Buffer.from(data.subarray(row * bytesPerRow, (row + 1) * bytesPerRow))
      .toString('hex')
      .toUpperCase()
    if (hex === above) {
      text += ':'
      continue
    }
    above = hex
    const inked = hex.replace(/0+$/, '')
    text += inked.replace(/(.)\1{2,}/g, (run, figure: string) => `${times(run.length)}${figure}`)
    if (inked.length < hex.length) text += ','
  }
  return text
}

/**
 * The data of a ^BC field with explicit code sets, so that the bars take exactly the space of the layout: B for
 * letters, C for pairs of digits. Other text is sent in set B unchanged.
 */
export function code128Data(value: string, gs1: boolean): string {
  if (gs1) return `>;>8${value}`
  const [, letters = '', figures = ''] = /^([^0-9>^~]*)(\d*)$/.exec(value) ?? []
  if (figures.length < 4 || letters.length + figures.length !== value.length) {
    return `>:${value.replace(/>/g, '>0')}`
  }
  if (letters === '' && figures.length % 2 === 0) return `>;${figures}`
  const single = figures.length % 2
  return `>:${letters}${figures.slice(0, single)}>5${figures.slice(single)}`
}

function code128Field({ value, symbol, x, y, module, width, height, gs1 }: Code128Mark): string {
  // Whole dots, never wider than in the layout, so that the quiet zone is kept.
  const narrow = Math.max(1, Math.floor(module * dotsPerMm + 0.01))
  const spare = Math.max(0, dots(width) - symbol.modules * narrow)
  return [
    `^FO${dots(x) + Math.floor(spare / 2)},${dots(y)}^BY${narrow},3,${dots(height)}`,
    `^BCN,${dots(height)},N,N,N^FD${code128Data(value, gs1 ?? false)}^FS`,
  ].join('')
}

function qrField({ value, symbol, x, y, size }: QrMark): string {
  const module = Math.max(1, Math.min(10, Math.floor((size / symbol.modules) * dotsPerMm + 0.01)))
  // ^BQ starts lower by the height of ^BY, which is at least one dot.
  return `^FO${dots(x)},${dots(y)}^BY2,2,1^BQN,2,${module}^FH\\^FDMA,${escapeHex(value)}^FS`
}

function escapeHex(text: string): string {
  return text.replace(/[\\^~]/g, (char) => `\\${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Artwork in black and white; null if it is unreadable: a label without its logo is still usable. */
async function imageBitmap({ data, width, height }: ImageMark): Promise<Bitmap | null> {
  try {
    const sharp = await loadSharp()
    const { data: grey, info } = await sharp(data)
      .flatten({ background: '#ffffff' })
      .resize({ width: dots(width), height: dots(height), fit: 'contain', position: 'left', background: '#ffffff' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const bitmap = emptyBitmap(info.width, info.height)
    for (let at = 0; at < info.width * info.height; at++) {
      if ((grey[at * info.channels] as number) < 128) setDot(bitmap, at % info.width, Math.floor(at / info.width))
    }
    return bitmap
  } catch {
    return null
  }
}
