import stylesheet from '@fontsource-variable/noto-sans-sc/wght.css?url'

/** Two characters that only fonts for simplified Chinese have: Japanese and traditional Chinese fonts lack them. */
const simplified = ['们', '单'] as const

/**
 * Loads Noto Sans SC on a device without a Chinese font, where different characters would all look like an empty box.
 * The font is split by Unicode range: a page downloads only the pieces that its texts need, about twelve (700 kB) for a
 * Chinese page. Nearly all devices have a Chinese font of their own (decision 93).
 */
export function loadChineseFontWhereMissing(): void {
  if (document.querySelector(`link[href="${stylesheet}"]`)) return
  const [one, other] = simplified.map(renderCharacter)
  if (one !== other) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = stylesheet
  document.head.append(link)
}

function renderCharacter(character: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 20
  const context = canvas.getContext('2d')
  if (!context) return character
  context.font = '16px sans-serif'
  context.fillText(character, 2, 16)
  return canvas.toDataURL()
}
