/** What typed text is made of, as far as printing cares: which characters print at all, and which are Chinese. */

/**
 * What can be printed of a text that people typed: composed letters (NFC), line breaks and control characters as one
 * blank, and nothing of the invisible characters (zero width, direction marks, variation selectors) that would print as
 * boxes.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

export interface Token {
  word: string
  chinese: boolean
}

/**
 * Cuts a line into Chinese characters and Latin words (each with the blanks after it), the units that are shaped and
 * remembered.
 */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let start = 0
  let blank = false
  let afterHan = false
  const close = (end: number) => {
    if (end > start) found.push({ word: text.slice(start, end), chinese: false })
    start = end
    blank = false
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isHan(code) || (isSharedPunctuation(code) && (afterHan || isHan(text.charCodeAt(i + 1))))) {
      close(i)
      const end = i + (isHighSurrogate(code) ? 2 : 1)
      found.push({ word: text.slice(i, end), chinese: true })
      start = end
      i = end - 1
      afterHan = true
      continue
    }
    afterHan = false
    const isBlank = code === 0x20 || code === 0xa0
    if (blank && !isBlank) close(i)
    blank = isBlank
  }
  close(text.length)
  return found
}

/**
 * Chinese and Japanese characters, their punctuation and full-width forms, and the rarer characters beyond the basic
 * plane.
 */
function isHan(code: number): boolean {
  if (code < 0x2e80) return false
  return (
    code <= 0x9fff ||
    (code >= 0xd840 && code <= 0xd887) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe4f) ||
    (code >= 0xff00 && code <= 0xffef)
  )
}

/** Quotes, dashes and dots that Chinese sets full width and Latin sets narrow: the neighbour decides. */
export function isSharedPunctuation(code: number): boolean {
  return (
    code === 0xb7 ||
    code === 0x2014 ||
    code === 0x2018 ||
    code === 0x2019 ||
    code === 0x201c ||
    code === 0x201d ||
    code === 0x2026
  )
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
