import stylesheet from '@fontsource-variable/noto-sans-sc/wght.css?url'

/** Noto Sans SC in a hundred pieces by unicode range: a page loads only those that its texts need. A link, so that no text waits for it. */
export function loadChineseFont(): void {
  if (document.querySelector(`link[href="${stylesheet}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = stylesheet
  document.head.append(link)
}
