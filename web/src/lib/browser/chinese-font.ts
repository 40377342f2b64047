import stylesheet from '@fontsource-variable/noto-sans-sc/wght.css?url'

/** Two characters that only fonts for simplified Chinese have: Japanese and traditional Chinese fonts lack them. */
const simplified = ['们', '单'] as const
const fontPx = 16

/**
 * Loads Noto Sans SC on a device without a Chinese font. The font is split by Unicode range: a page downloads only the
 * pieces that its texts need, about twelve (700 kB) for a Chinese page. Nearly all devices have a Chinese font of their
 * own (decision 93).
 */
export function loadChineseFontWhereMissing(): void {
  if (document.querySelector(`link[href="${stylesheet}"]`)) return
  if (hasChineseFont()) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = stylesheet
  document.head.append(link)
}

/**
 * Chinese characters are as wide as they are high. Missing ones are boxes, which are narrower, or which look the same
 * in a Japanese font. The boxes of Firefox differ, because they contain the code point.
 */
function hasChineseFont(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = fontPx + 4
  const context = canvas.getContext('2d')
  if (!context) return true
  context.font = `${fontPx}px sans-serif`
  const pictures = simplified.map((character) => {
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.fillText(character, 2, fontPx)
    return canvas.toDataURL()
  })
  const isFullWidth = simplified.every((character) => Math.round(context.measureText(character).width) === fontPx)
  return isFullWidth && pictures[0] !== pictures[1]
}
