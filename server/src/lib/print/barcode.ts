/** Barcodes. */
import { lazyPackage } from '../packages/lazy-package.ts'

const bwip = lazyPackage<typeof import('bwip-js')>('bwip-js')
const qrcode = lazyPackage<typeof import('qrcode')>('qrcode')

/** Code 128 (ISO/IEC 15417) and QR (ISO/IEC 18004) as plain geometry in modules, for any renderer. */

/** A bar: `x` and `width` in modules from the first bar. */
export interface Bar {
  x: number
  width: number
}

export interface Code128 {
  bars: Bar[]
  /** Without quiet zones. */
  modules: number
}

/** A dark rectangle of a QR code, in modules from its top left corner. */
export interface QrRun {
  x: number
  y: number
  width: number
  height: number
}

export interface Qr {
  runs: QrRun[]
  /** Modules per side, without the quiet zone. */
  modules: number
}

/** ISO/IEC 15417: ten blank modules on either side. */
export const code128QuietModules = 10
/** ISO/IEC 18004: four blank modules on every side. */
export const qrQuietModules = 4

/** Encodes ASCII text with the shortest combination of code sets. Throws for other text. */
export function encodeCode128(text: string): Code128 {
  return readBars(bwip().raw('code128', text, ''))
}

/** GS1-128: Code 128 that begins with FNC1, an application identifier (`00` for an SSCC) and its value. */
export function encodeGs1128(identifier: string, value: string): Code128 {
  return readBars(bwip().raw('gs1-128', `(${identifier})${value}`, ''))
}

function readBars(symbols: unknown): Code128 {
  const [symbol] = symbols as ({ sbs?: number[] } | undefined)[]
  if (!symbol?.sbs) throw new Error('The barcode library answered no bars.')
  const bars: Bar[] = []
  let x = 0
  // Widths alternate bar, space, bar, …
  symbol.sbs.forEach((width, index) => {
    if (index % 2 === 0) bars.push({ x, width })
    x += width
  })
  return { bars, modules: x }
}

/** Encodes text (UTF-8) at error correction M. Neighbouring dark modules are joined to rectangles, across rows too. */
export function encodeQr(text: string): Qr {
  const { modules } = qrcode().create(text, { errorCorrectionLevel: 'M' })
  const { size, data } = modules
  const runs: QrRun[] = []
  let above = new Map<number, QrRun>()
  for (let y = 0; y < size; y++) {
    const here = new Map<number, QrRun>()
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue
      const start = x
      while (x + 1 < size && data[y * size + x + 1]) x++
      const width = x - start + 1
      const key = start * size + width
      const taller = above.get(key)
      if (taller) taller.height++
      else runs.push({ x: start, y, width, height: 1 })
      here.set(key, taller ?? (runs.at(-1) as QrRun))
    }
    above = here
  }
  return { runs, modules: size }
}
