/** Reads a finished PDF as printed: sizes, words, pixels and the content of barcodes. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

export interface PaperPage {
  widthPt: number
  heightPt: number
  text: string
  /** Grey values, 0 black to 255 white, row by row. */
  raster(dpi: number): Promise<Raster>
}

export interface Raster {
  width: number
  height: number
  dpi: number
  grey: Uint8Array
}

export interface Paper {
  pages: PaperPage[]
  bytes: Buffer
}

const require = createRequire(import.meta.url)
let library: Promise<PDFiumLibrary> | undefined
let scanner: Promise<unknown> | undefined

/** Opens a PDF with the engine of a viewer. A stream is read to its end first. */
export async function openPaper(pdf: Readable | Buffer): Promise<Paper> {
  library ??= PDFiumLibrary.init()
  const bytes = Buffer.isBuffer(pdf) ? pdf : await buffer(pdf)
  const document = await (await library).loadDocument(bytes)
  const pages = [...document.pages()].map((page): PaperPage => {
    const { originalWidth, originalHeight } = page.getOriginalSize()
    return {
      widthPt: originalWidth,
      heightPt: originalHeight,
      text: page.getText().replaceAll('\r\n', '\n'),
      raster: async (dpi) => {
        const { width, height, data } = await page.render({ scale: dpi / 72, colorSpace: 'Gray', render: 'bitmap' })
        return { width, height, dpi, grey: data }
      },
    }
  })
  return { pages, bytes }
}

/** The barcodes that a scanner finds: format and text, sorted by format. */
export async function scan({ width, height, grey }: Raster): Promise<{ format: string; text: string }[]> {
  scanner ??= prepareScanner()
  await scanner
  const data = new Uint8ClampedArray(width * height * 4)
  for (const [index, value] of grey.entries()) data.set([value, value, value, 255], index * 4)
  // Node has no ImageData, and the decoder needs only these fields of it.
  const image = { data, width, height, colorSpace: 'srgb' } as unknown as Parameters<typeof readBarcodes>[0]
  const codes = await readBarcodes(image, { formats: ['Code128', 'QRCode'], tryHarder: true })
  return codes
    .map(({ format, text }) => ({ format: String(format), text }))
    .sort((a, b) => a.format.localeCompare(b.format))
}

/** Loads the decoder's WebAssembly file from its package instead of the network. */
async function prepareScanner(): Promise<void> {
  const file = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
}

/** The darkest value among the pixels whose centre lies in a rectangle given in millimetres. */
export function darkest(
  { width, height, grey, dpi }: Raster,
  area: { x: number; y: number; width: number; height: number },
): number {
  const perMm = dpi / 25.4
  const first = (mm: number) => Math.max(0, Math.ceil(mm * perMm - 0.5))
  const last = (mm: number, limit: number) => Math.min(limit - 1, Math.floor(mm * perMm - 0.5))
  let dark = 255
  for (let y = first(area.y); y <= last(area.y + area.height, height); y++) {
    for (let x = first(area.x); x <= last(area.x + area.width, width); x++)
      dark = Math.min(dark, grey[y * width + x] as number)
  }
  return dark
}
