/** The content of uploaded files, checked and re-encoded. */
import {
  imageMediaTypes,
  logoPixels,
  longestSidePixels,
  maxPixels,
  pdfMediaType,
} from '@waybill/contract/attachments/attachments'
import type { Sharp } from 'sharp'
import { AppError } from '../../http/errors.ts'
import { loadSharp } from '../../lib/packages/pictures.ts'
import { detectMediaType } from './rules.ts'

/** The stored form of a file. Images are never stored as uploaded. */
export type Content = {
  bytes: Buffer
  mediaType: string
  extension: string
  width: number | null
  height: number | null
}

/** Images decoded at once in this process: each takes up to 200 MB and a thread that passwords and files need, too. */
const maxPictures = 2
/** Time limit per image in seconds. The largest accepted one needs two. */
const longestSeconds = 20

let unpacking = 0
const queue: (() => void)[] = []

/** Runs the work as soon as a slot is free. */
async function runLimited<T>(work: () => Promise<T>): Promise<T> {
  if (unpacking >= maxPictures) await new Promise<void>((resolve) => queue.push(resolve))
  else unpacking++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else unpacking--
  }
}

/**
 * Checks a file by its content and returns its stored form. Images are re-encoded: upright, at most `longestSidePixels`
 * long or cropped to a square of `square` pixels, without the camera's metadata (place, time, owner) and anything else
 * hidden in the file. `logo`: as PNG, at most `logoPixels` long. Throws unsupported_media (also for a PDF that the
 * purpose does not allow), too_large (too many pixels).
 */
export async function readContent(
  bytes: Buffer,
  { pdf, square = null, logo = false }: { pdf: boolean; square?: number | null; logo?: boolean },
): Promise<Content> {
  const mediaType = detectMediaType(bytes)
  if (mediaType === pdfMediaType && pdf) return { bytes, mediaType, extension: 'pdf', width: null, height: null }
  if (!mediaType || !(imageMediaTypes as readonly string[]).includes(mediaType)) throw new AppError('unsupported_media')
  return runLimited(() => reencode(bytes, mediaType.slice('image/'.length), { square, logo }))
}

async function reencode(
  bytes: Buffer,
  format: string,
  { square, logo }: { square: number | null; logo: boolean },
): Promise<Content> {
  try {
    const sharp = await loadSharp()
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: false })
    const { width, height, format: actualFormat } = await picture.metadata()
    if (actualFormat !== format) throw new AppError('unsupported_media')
    if (width * height > maxPixels) throw new AppError('too_large')
    const side = logo ? logoPixels : longestSidePixels
    const upright = picture
      .rotate()
      .resize(
        square
          ? { width: square, height: square, fit: 'cover', position: 'attention' }
          : { width: side, height: side, fit: 'inside', withoutEnlargement: true },
      )
    const { data, info } = await encode(upright, logo ? 'png' : format)
      .timeout({ seconds: longestSeconds })
      .toBuffer({ resolveWithObject: true })
    return {
      bytes: data,
      mediaType: `image/${info.format}`,
      extension: info.format === 'jpeg' ? 'jpg' : info.format,
      width: info.width,
      height: info.height,
    }
  } catch (error) {
    // A file that sharp cannot decode is not an image, whatever its first bytes are.
    throw error instanceof AppError ? error : new AppError('unsupported_media')
  }
}

/** A GIF is stored as a PNG of its first frame, because animation is not needed anywhere. */
function encode(picture: Sharp, format: string): Sharp {
  if (format === 'jpeg') return picture.jpeg({ quality: 82, mozjpeg: false })
  if (format === 'webp') return picture.webp({ quality: 82 })
  return picture.png({ compressionLevel: 8 })
}

/** The longest side of a printed photo: 200 dpi at the width of half a page. */
const printedPixels = 800

/** A picture as a JPEG for print. PDFs cannot hold WebP. */
export async function printablePhoto(bytes: Buffer): Promise<Buffer> {
  const size = { width: printedPixels, height: printedPixels, fit: 'inside', withoutEnlargement: true } as const
  const sharp = await loadSharp()
  return runLimited(() => sharp(bytes).rotate().resize(size).flatten({ background: 'white' }).jpeg().toBuffer())
}

/** A signature, an SVG path in a 600 x 200 box, as a PNG for print. */
export async function drawSignature(path: string): Promise<Buffer> {
  const line = 'fill="none" stroke="black" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
  // Paths contain no other letters (contract); this prevents markup injection through a quote that ends the attribute.
  const d = path.replace(/[^ML0-9., -]/g, '')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200" width="600" height="200">
    <path d="${d}" ${line}/></svg>`
  const sharp = await loadSharp()
  return runLimited(() => sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer())
}
