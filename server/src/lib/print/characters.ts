/** Which characters of typed text can be printed, and which are Chinese. */
import { dashErased } from '../text/erased.ts'
import { coveredRanges } from './covered-ranges.ts'

const covered = coveredRanges
  .trim()
  .replace(/[\da-f]+/g, '\\u{$&}')
  .replace(/\s+/g, '')
/** Emoji that the print fonts lack. They are left out, because a delivery does not depend on them. */
const emoji = new RegExp(`(?![${covered}])[\\p{Extended_Pictographic}\\p{EMod}\\p{RI}\\u20e3]`, 'gu')
const uncovered = new RegExp(`[^${covered}]`, 'gu')
/** Most texts, and all that need no further check. */
const usual = /^[\x20-\x7e\u4e00-\u9fa5]*$/

/**
 * The printable form of typed text: composed letters (NFC), one space for line breaks and control characters, no emoji,
 * and no invisible characters (zero width, direction marks, variation selectors), which would print as boxes.
 */
export function printable(text: string): string {
  return dashErased(text)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(emoji, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** The characters of a text that the print fonts do not have, each once; empty if there are none. */
export function findUnprintable(text: string): string {
  if (usual.test(text)) return ''
  return [...new Set(printable(text).match(uncovered))].join('')
}

export interface Token {
  word: string
  chinese: boolean
}

/**
 * Splits a line into Chinese characters and Latin words with the spaces after them: the units that are shaped and
 * cached.
 */
export function tokens(text: string): Token[] {
  const list: Token[] = []
  let start = 0
  let blank = false
  let afterHan = false
  const close = (end: number) => {
    if (end > start) list.push({ word: text.slice(start, end), chinese: false })
    start = end
    blank = false
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isHan(code) || (isSharedPunctuation(code) && (afterHan || isHan(text.charCodeAt(i + 1))))) {
      close(i)
      const end = i + (isHighSurrogate(code) ? 2 : 1)
      list.push({ word: text.slice(i, end), chinese: true })
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
  return list
}

/**
 * Chinese and Japanese characters, their punctuation and full-width forms, and the rare characters beyond the basic
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

/** Quotes, dashes and dots that are full width in Chinese and narrow in Latin: the neighbouring text decides. */
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
