/** The baseline of P6: the bare PDF library draws labels whose layout is already computed. */
import { createRequire } from 'node:module'
import bwipjs from 'bwip-js'
import PDFDocument from 'pdfkit'
import QRCode from 'qrcode'
import type { layoutNote } from '../server/src/domains/parcels/labels/layout.ts'

export type Page = ReturnType<typeof layoutNote>

const { resolve } = createRequire(import.meta.url)
const fonts = {
  lr: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  lb: resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
  hr: resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  hb: resolve('@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf'),
}
const mm = 72 / 25.4
const chinese = /[⺀-鿿＀-￯、]/

/** Draws the pages and returns the number of bytes. */
export async function barePages(pages: readonly Page[]): Promise<number> {
  const document = new PDFDocument({ autoFirstPage: false, font: '', size: [105 * mm, 148 * mm], margin: 0 })
  let bytes = 0
  const finished = new Promise<void>((end) => {
    document.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    document.on('end', () => end())
  })
  for (const [name, file] of Object.entries(fonts)) document.registerFont(name, file)
  for (const marks of pages) {
    document.addPage()
    for (const mark of marks) drawMark(document, mark)
  }
  document.end()
  await finished
  return bytes
}

function drawMark(document: PDFKit.PDFDocument, mark: Page[number]): void {
  document.fillColor('colour' in mark && mark.colour ? `#${mark.colour}` : '#000000')
  switch (mark.kind) {
    case 'text':
      document
        .font((chinese.test(mark.text) ? 'h' : 'l') + (mark.weight === 'bold' ? 'b' : 'r'))
        .fontSize(mark.size)
        .text(mark.text, mark.x * mm, mark.baseline * mm, { lineBreak: false, baseline: 'alphabetic' })
      return
    case 'rect':
      document.rect(mark.x * mm, mark.y * mm, mark.width * mm, mark.height * mm).fill()
      return
    case 'frame':
      document
        .lineWidth(mark.line * mm)
        .rect(mark.x * mm, mark.y * mm, mark.width * mm, mark.height * mm)
        .stroke()
      return
    case 'code128': {
      const [symbol] = bwipjs.raw('code128', mark.value, '') as { sbs: number[] }[]
      let x = mark.x
      for (const [index, width] of (symbol?.sbs ?? []).entries()) {
        if (index % 2 === 0) document.rect(x * mm, mark.y * mm, width * mark.module * mm, mark.height * mm)
        x += width * mark.module
      }
      document.fill()
      return
    }
    case 'qr': {
      const { size, data } = QRCode.create(mark.value, { errorCorrectionLevel: 'M' }).modules
      const unit = (mark.size / size) * mm
      for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) {
          if (!data[y * size + x]) continue
          const start = x
          while (x + 1 < size && data[y * size + x + 1]) x += 1
          document.rect(mark.x * mm + start * unit, mark.y * mm + y * unit, (x - start + 1) * unit, unit)
        }
      }
      document.fill()
    }
  }
}
