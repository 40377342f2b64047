/** Enough pixels to read a label, at a tenth of the size of a phone's photo. */
const longestSide = 1600

/**
 * Scales a photo to `longestSide` at most, upright, as JPEG. A file that the browser cannot draw is sent unchanged; the
 * server checks it and reports the error.
 */
export async function shrunkPhoto(file: File): Promise<Blob> {
  if (file.type === 'application/pdf') return file
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
    // A small picture may have sharp edges or transparency, which JPEG would spoil.
    if (scale === 1 && file.size < 500_000) return file
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const context = canvas.getContext('2d')
    if (!context) return file
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    return smaller && smaller.size < file.size ? smaller : file
  } catch {
    return file
  }
}
