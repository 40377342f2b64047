import { writeFileSync } from 'node:fs'
import { PDFiumLibrary } from '@hyzyla/pdfium'

/** A film that Chromium plays instead of the input of a camera (`--use-file-for-fake-video-capture`). */

const frame = { width: 1280, height: 720, perSecond: 5 }
/** The label as a 203 dpi printer draws it. */
const scale = 203 / 72

type Grey = { width: number; height: number; grey: Uint8Array }

/** The first page of a PDF in grey values. */
export async function renderPicture(pdf: Buffer): Promise<Grey> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const { width, height, data } = await document.getPage(0).render({ scale, colorSpace: 'Gray', render: 'bitmap' })
  const picture = { width, height, grey: Uint8Array.from(data) }
  document.destroy()
  library.destroy()
  return picture
}

/**
 * Shows each picture for some seconds, with empty frames in between. Position and brightness vary slightly, as with a
 * real hand and lamp.
 */
export function writeFilm(file: string, pictures: readonly Grey[], secondsEach: number): void {
  const header = `YUV4MPEG2 W${frame.width} H${frame.height} F${frame.perSecond}:1 Ip A1:1 C420jpeg\n`
  const frames = pictures.flatMap((picture) => [
    ...Array.from({ length: secondsEach * frame.perSecond }, (_, n) => drawFrame(picture, n)),
    ...Array.from({ length: 3 * frame.perSecond }, () => drawFrame(null, 0)),
  ])
  writeFileSync(file, Buffer.concat([Buffer.from(header), ...frames]))
}

function drawFrame(picture: Grey | null, n: number): Buffer {
  const luma = Buffer.alloc(frame.width * frame.height, 70)
  if (picture) {
    const offset = Math.floor((frame.width - picture.width) / 2) + (n % 3) * 4
    const top = (n % 2) * 6
    for (let y = 0; y < Math.min(picture.height, frame.height - top); y += 1) {
      for (let x = 0; x < picture.width; x += 1) {
        const column = offset + x
        if (column < 0 || column >= frame.width) continue
        const light = 0.75 + (0.2 * x) / picture.width
        luma[(top + y) * frame.width + column] = 25 + (picture.grey[y * picture.width + x] ?? 0) * 0.8 * light
      }
    }
  }
  return Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((frame.width * frame.height) / 2, 128)])
}
