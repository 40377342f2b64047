/** Long enough to read a label on; a tenth of what a phone's camera makes. */
const longestSide = 1600

/**
 * A photo as it is sent: at most `longestSide` long, upright, a JPEG. What the browser can't draw is sent as it is: the
 * server looks at it anyway and says what it is not.
 */
export async function shrunkPhoto(file: File): Promise<Blob> {
  if (file.type === 'application/pdf') return file
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
    // A small picture may have sharp edges or nothing behind it, which a JPEG spoils.
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
