import { imageMediaTypes, longestSidePixels, mostPixels, pdfMediaType } from '@waybill/contract/attachments/attachments'
import sharp, { type Sharp } from 'sharp'
import { AppError } from '../../http/errors.ts'
import { detectMediaType } from './rules.ts'

/** A file as it is kept: never the bytes of an image as they came. */
export type Content = {
  bytes: Buffer
  mediaType: string
  extension: string
  width: number | null
  height: number | null
}

// One thread a picture: uploads must not take the processor from those who work.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Pictures unpacked at once by this process: each takes a thread that passwords and files need too, and up to 200 MB.
 */
const mostPictures = 2
/** The largest picture that is taken needs two. */
const longestSeconds = 20

let unpacking = 0
const queue: (() => void)[] = []

/** Runs the work when fewer than `mostPictures` are being unpacked. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (unpacking >= mostPictures) await new Promise<void>((resolve) => queue.push(resolve))
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
 * What a file is, by its content. Images are unpacked and made anew: turned the right way up, at most
 * `longestSidePixels` long, without the camera's data (place, time, owner), and without whatever else was hidden in the
 * file. Throws unsupported_media, too_large (too many pixels), for a PDF where none is wanted unsupported_media as
 * well.
 */
export async function readContent(given: Buffer, { pdf }: { pdf: boolean }): Promise<Content> {
  const mediaType = detectMediaType(given)
  if (mediaType === pdfMediaType && pdf) return { bytes: given, mediaType, extension: 'pdf', width: null, height: null }
  if (!mediaType || !(imageMediaTypes as readonly string[]).includes(mediaType)) throw new AppError('unsupported_media')
  return inTurn(() => madeAnew(given, mediaType.slice('image/'.length)))
}

async function madeAnew(given: Buffer, format: string): Promise<Content> {
  try {
    const picture = sharp(given, { failOn: 'error', limitInputPixels: false })
    const { width, height, format: found } = await picture.metadata()
    if (found !== format) throw new AppError('unsupported_media')
    if (width * height > mostPixels) throw new AppError('too_large')
    const upright = picture
      .rotate()
      .resize({ width: longestSidePixels, height: longestSidePixels, fit: 'inside', withoutEnlargement: true })
    const { data, info } = await encoded(upright, format)
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
    // What sharp can't unpack is no picture, whatever its first bytes say.
    throw error instanceof AppError ? error : new AppError('unsupported_media')
  }
}

/** A GIF keeps its first picture, as a PNG: nothing that we show needs to move. */
function encoded(picture: Sharp, format: string): Sharp {
  if (format === 'jpeg') return picture.jpeg({ quality: 82, mozjpeg: false })
  if (format === 'webp') return picture.webp({ quality: 82 })
  return picture.png({ compressionLevel: 8 })
}
