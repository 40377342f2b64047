/** Renders marks to PDF. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { lazyPackage } from '../packages/lazy-package.ts'
import { type FontSet, loadFonts } from './fonts.ts'
import { type FrameMark, type ImageMark, type Mark, mmPerPoint } from './marks.ts'
import { DocumentFonts } from './pdf-fonts.ts'

const pdfkit = lazyPackage<typeof import('pdfkit')>('pdfkit')

/** Renders page by page as a stream, and lets other work of the process run in between. */

export interface PdfInfo {
  title: string
  author?: string
  /** BCP 47 tag of the document's language. */
  language: string
  createdAt: Date
}

export interface PdfPage {
  widthMm: number
  heightMm: number
  marks: Iterable<Mark>
}

/** Images that are already in the document. Weak: a long document must not keep every photo in memory. */
type DrawnImages = WeakMap<Uint8Array, PDFKit.Mixins.ImageSrc | null>

/** The longest time, plus one page, that drawing blocks other work. */
const maxBusyMs = 8
/** The approximate size of the chunks that are passed on. */
const chunkBytes = 64 * 1024

/**
 * A PDF that is drawn while it is read: only a few pages are in memory, and when the reader stops, drawing stops and
 * the iterator is closed. An error of the source destroys the stream, and so does a source without pages, because a
 * PDF needs at least one.
 */
export function pdfStream(info: PdfInfo, pages: AsyncIterable<PdfPage> | Iterable<PdfPage>): Readable {
  return Readable.from(pdfChunks(info, pages), { objectMode: false, highWaterMark: chunkBytes })
}

async function* pdfChunks(
  info: PdfInfo,
  pages: AsyncIterable<PdfPage> | Iterable<PdfPage>,
): AsyncGenerator<Uint8Array> {
  const fonts = await loadFonts()
  const document = openDocument(info)
  const documentFonts = new DocumentFonts(document)
  const images: DrawnImages = new WeakMap()
  let busySince = performance.now()
  const rest = async () => {
    if (performance.now() - busySince < maxBusyMs) return
    await setImmediate()
    busySince = performance.now()
  }

  await setImmediate()
  for await (const page of pages) {
    await rest()
    document.addPage({ size: [points(page.widthMm), points(page.heightMm)], margin: 0 })
    drawMarks(document, page.marks, fonts, documentFonts, images)
    if (document.readableLength >= chunkBytes) yield document.read()
    await rest()
  }
  if (!document.page) throw new Error('No page to draw.')
  for (const _ of documentFonts.finish()) {
    await setImmediate()
    if (document.readableLength >= chunkBytes) yield document.read()
  }
  document.end()
  for await (const chunk of document) yield chunk as Uint8Array
}

function openDocument({ title, author, language, createdAt }: PdfInfo): PDFKit.PDFDocument {
  const PDFDocument = pdfkit()
  return new PDFDocument({
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    // Empty, or pdfkit would load Helvetica.
    font: '',
    info: { Title: title, ...(author && { Author: author }), Creator: 'Waybill', CreationDate: createdAt },
  })
}

/**
 * Draws marks on the current page. Operators are collected and written at once, which pdfkit's own drawing calls do not
 * do.
 */
function drawMarks(
  document: PDFKit.PDFDocument,
  marks: Iterable<Mark>,
  fonts: FontSet,
  documentFonts: DocumentFonts,
  images: DrawnImages,
): void {
  let content = ''
  let colour = ''
  for (const mark of marks) {
    if (mark.kind === 'image') {
      drawImage(document, mark, images)
      continue
    }
    const markColour = 'colour' in mark ? mark.colour : '000000'
    if (markColour !== colour) content += setColour(markColour)
    colour = markColour
    content += `${operators(mark, fonts, documentFonts)}\n`
  }
  if (content) (document as unknown as { addContent(content: string): void }).addContent(content)
}

/** pdfkit flips each page (y grows downwards); text is flipped back by its own matrix. */
function operators(mark: Exclude<Mark, ImageMark>, fonts: FontSet, documentFonts: DocumentFonts): string {
  switch (mark.kind) {
    case 'text': {
      const textOperators = documentFonts.show(fonts.shape(mark.text, mark.weight).runs, round(mark.size))
      return `BT 1 0 0 -1 ${pt(mark.x)} ${pt(mark.baseline)} Tm ${textOperators} ET`
    }
    case 'rect':
      return `${rect(mark.x, mark.y, mark.width, mark.height)} f`
    case 'frame':
      return framePath(mark)
    case 'code128': {
      const { x, y, module, height, symbol } = mark
      return inUnits(
        x,
        y,
        module,
        height,
        symbol.bars.map((bar) => `${bar.x} 0 ${bar.width} 1 re`),
      )
    }
    case 'qr': {
      const { x, y, size, symbol } = mark
      const module = size / symbol.modules
      return inUnits(
        x,
        y,
        module,
        module,
        symbol.runs.map((run) => `${run.x} ${run.y} ${run.width} ${run.height} re`),
      )
    }
  }
}

/** Fills rectangles in units of a symbol's modules: whole numbers keep the file small. */
function inUnits(x: number, y: number, unitX: number, unitY: number, rects: string[]): string {
  return `q ${fine(unitX)} 0 0 ${fine(unitY)} ${pt(x)} ${pt(y)} cm\n${rects.join('\n')} f Q`
}

function rect(x: number, y: number, width: number, height: number): string {
  return `${pt(x)} ${pt(y)} ${pt(width)} ${pt(height)} re`
}

function setColour(colour: string): string {
  const [r, g, b] = [0, 2, 4].map((at) => round(Number.parseInt(colour.slice(at, at + 2), 16) / 255))
  return r === g && g === b ? `${r} g ${r} G\n` : `${r} ${g} ${b} rg ${r} ${g} ${b} RG\n`
}

/** The distance of a Bézier handle for a quarter of a circle. */
const quarter = 0.5523

function framePath({ x, y, width, height, line, radius }: FrameMark): string {
  if (radius === 0) return `${pt(line)} w ${rect(x, y, width, height)} S`
  const right = x + width
  const bottom = y + height
  const handle = radius * (1 - quarter)
  const to = (...at: number[]) => at.map(pt).join(' ')
  return [
    `${pt(line)} w ${to(x + radius, y)} m ${to(right - radius, y)} l`,
    `${to(right - handle, y, right, y + handle, right, y + radius)} c ${to(right, bottom - radius)} l`,
    `${to(right, bottom - handle, right - handle, bottom, right - radius, bottom)} c ${to(x + radius, bottom)} l`,
    `${to(x + handle, bottom, x, bottom - handle, x, bottom - radius)} c ${to(x, y + radius)} l`,
    `${to(x, y + handle, x + handle, y, x + radius, y)} c s`,
  ].join('\n')
}

/**
 * Embeds an image once, however many pages show it. An unreadable image is omitted: a label without its logo is still
 * usable.
 */
function drawImage(document: PDFKit.PDFDocument, mark: ImageMark, images: DrawnImages): void {
  let image = images.get(mark.data)
  if (image === undefined) {
    image = openImage(document, mark.data)
    images.set(mark.data, image)
  }
  if (image === null) return
  const box: [number, number] = [points(mark.width), points(mark.height)]
  document.image(image, points(mark.x), points(mark.y), { fit: box, valign: 'center' })
}

function openImage(document: PDFKit.PDFDocument, data: Uint8Array): PDFKit.Mixins.ImageSrc | null {
  try {
    const opener = document as unknown as { openImage(source: Uint8Array): PDFKit.Mixins.ImageSrc }
    return opener.openImage(data)
  } catch {
    return null
  }
}

function points(mm: number): number {
  return mm / mmPerPoint
}

function pt(mm: number): string {
  return String(round(mm / mmPerPoint))
}

/** Rounded less, because the value is multiplied: a symbol has up to 200 modules. */
function fine(mm: number): number {
  return Math.round((mm / mmPerPoint) * 1e5) / 1e5
}

/** A thousandth of a point is a third of a micrometre. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
