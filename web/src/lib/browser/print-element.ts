const pxPerMm = 96 / 25.4

/**
 * Prints one element on roll paper: as wide as given, as long as the element. The element is a direct child of `body`,
 * laid out but invisible, and its print styles show it. Resolves when the print dialog closes.
 */
export async function printElement(element: HTMLElement, widthMm: number): Promise<void> {
  const heightMm = Math.ceil(element.getBoundingClientRect().height / pxPerMm) + 1
  element.dataset.printed = ''
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    @page { size: ${widthMm}mm ${heightMm}mm; margin: 0 }
    @media print {
      html, body {
        height: auto !important; min-height: 0 !important; margin: 0 !important; background: #fff !important
      }
      body > :not([data-printed]) { display: none !important }
    }`)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  try {
    const dialogClosing = new Promise((resolve) => window.addEventListener('afterprint', resolve, { once: true }))
    window.print()
    await dialogClosing
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    delete element.dataset.printed
  }
}
