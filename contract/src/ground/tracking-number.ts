/**
 * Tracking numbers: a prefix of two to four letters, ten digits, one ISO 7064 MOD 11,10 check digit over the digits
 * (docs/rules/parcels.md; the standard's published example is 79462 -> 3).
 */

/** ISO 7064 MOD 11,10 check digit of a string of digits. */
export function checkDigit(digits: string): number {
  let product = 10
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10
}

/** The Universal Postal Union's tracking page for the numbers of all postal operators. */
export const postalTracking = 'https://globaltracktrace.ptc.post/gtt.web/'

/**
 * Separators between several numbers, in full width too. A space separates only before the letters of the next number,
 * because people group digits with spaces.
 */
export const numberSeparators = /[\n,;\t，；、]+|\s+(?=[a-z]{2,}(?:[\s.-]*\d){8})/i

/** Upper case and half-width, without the spaces, dots and dashes that people type. */
export function normalizeTrackingNumber(input: string): string {
  return input
    .normalize('NFKC')
    .replace(/[\s.\-–—]/g, '')
    .toUpperCase()
}

export type NumberReading =
  | { kind: 'own'; number: string }
  | { kind: 'slip'; number: string; suggestion: string | null }
  | { kind: 'dhl' | 'yunda' | 's10'; number: string }
  | { kind: 'unknown'; number: string }

/** Finds the swap of two neighbouring digits that makes the number valid; null unless exactly one swap does. */
function suggestionFor(prefix: string, digits: string): string | null {
  const swaps: string[] = []
  for (let i = 0; i < digits.length - 1; i++) {
    if (digits[i] === digits[i + 1]) continue
    const swapped = `${digits.slice(0, i)}${digits[i + 1]}${digits[i]}${digits.slice(i + 2)}`
    if (checkDigit(swapped.slice(0, -1)) === Number(swapped.at(-1))) swaps.push(`${prefix}${swapped}`)
  }
  return swaps.length === 1 ? (swaps[0] ?? null) : null
}

/** The check digit of UPU S10: weights 8 6 4 2 3 5 9 7, eleven minus the remainder, 10 -> 0, 11 -> 5. */
function s10CheckDigit(digits: string): number {
  const weights = [8, 6, 4, 2, 3, 5, 9, 7]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  const check = 11 - (sum % 11)
  return check === 10 ? 0 : check === 11 ? 5 : check
}

/** Determines from its format whose number this can be, before any lookup. `prefix` is the deployment's setting. */
export function readTrackingNumber(input: string, prefix: string): NumberReading {
  const number = normalizeTrackingNumber(input)
  const own = number.startsWith(prefix) ? number.slice(prefix.length) : null
  if (own !== null && /^\d{11}$/.test(own)) {
    if (checkDigit(own.slice(0, 10)) === Number(own[10])) return { kind: 'own', number }
    return { kind: 'slip', number, suggestion: suggestionFor(prefix, own) }
  }
  if (own !== null && /^\d{8,13}$/.test(own)) return { kind: 'slip', number, suggestion: null }
  if (/^\d{10}$/.test(number)) {
    return Number(number.slice(0, 9)) % 7 === Number(number[9])
      ? { kind: 'dhl', number }
      : { kind: 'slip', number, suggestion: null }
  }
  if (/^(\d{13}|\d{15})$/.test(number)) return { kind: 'yunda', number }
  if (/^[A-Z]{2}\d{9}[A-Z]{2}$/.test(number)) {
    const right = s10CheckDigit(number.slice(2, 10)) === Number(number[10])
    return right ? { kind: 's10', number } : { kind: 'slip', number, suggestion: null }
  }
  return { kind: 'unknown', number }
}

/** `WB12345678901` -> `WB 1234 5678 901`, in groups that can be read out. */
export function groupTrackingNumber(number: string): string {
  const match = /^([A-Z]*)(\d+)$/.exec(number)
  if (!match) return number
  const groups = (match[2] ?? '').match(/\d{1,4}/g) ?? []
  return [match[1], ...groups].filter(Boolean).join(' ')
}

/** A text with its tracking and gunny numbers in groups of four, as on every screen, which no line separates. */
export function groupNumbersIn(text: string): string {
  return text.replace(/\b[A-Z]{2,4}\d{9,}\b/g, (number) => groupTrackingNumber(number).replaceAll(' ', '\u00a0'))
}

/** A number of an order, invoice or ticket as it is stored: in upper case, without spaces. */
export const toStoredNumber = (text: string) => text.normalize('NFKC').toUpperCase().replace(/\s+/g, '')
