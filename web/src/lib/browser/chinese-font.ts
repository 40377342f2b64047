import stylesheet from '@fontsource-variable/noto-sans-sc/wght.css?url'

/**
 * Loads Noto Sans SC, split by unicode range: a page downloads only the pieces that its texts need. Text renders before
 * the font arrives.
 */
export function loadChineseFont(): void {
  if (document.querySelector(`link[href="${stylesheet}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = stylesheet
  document.head.append(link)
}

/**
 * Loads the font also for Chinese names on an English page. On a machine without a Chinese font, different characters
 * would all look like an empty box. Waits until the page is idle.
 */
export function loadChineseFontWhereMissing(): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2_000))
  idle(() => {
    if (renderCharacter('中') === renderCharacter('国')) loadChineseFont()
  })
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
