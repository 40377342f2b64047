import stylesheet from '@fontsource-variable/noto-sans-sc/wght.css?url'

/**
 * Noto Sans SC in a hundred pieces by unicode range: a page loads only those that its texts need. A link, so that no
 * text waits for it.
 */
export function loadChineseFont(): void {
  if (document.querySelector(`link[href="${stylesheet}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = stylesheet
  document.head.append(link)
}

/**
 * Loads it for the Chinese names and addresses of an English page as well, on a machine without a Chinese font: there
 * two characters look the same, an empty box. Once the page has nothing else to do.
 */
export function loadChineseFontWhereMissing(): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2_000))
  idle(() => {
    if (looksOf('中') === looksOf('国')) loadChineseFont()
  })
}

function looksOf(character: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 20
  const context = canvas.getContext('2d')
  if (!context) return character
  context.font = '16px sans-serif'
  context.fillText(character, 2, 16)
  return canvas.toDataURL()
}
