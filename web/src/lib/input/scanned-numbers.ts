import { normalizeTrackingNumber, readTrackingNumber } from '@waybill/contract/ground/tracking-number'

/** The barcode type that a scanner may send first: `]C1` for Code 128, `]Q3` for a QR code, and so on. */
const aimPrefix = /\][A-Za-z][0-9A-Za-z]/
/** Invisible characters that scanners add: group separators, carriage returns, zero-width spaces, tabs. */
const notPrinted = /[\p{Cc}\p{Cf}]+/u
/** The lengths of valid numbers: ours, DHL's, Yunda's and postal ones. */
const maxCharacters = 17
const leastCharacters = 10

/**
 * The numbers in the text of a scan field. Usually one: a barcode contains the number, a QR code the URL of the
 * tracking page. Numbers that were scanned without a separator are split if there is only one way to do so. Any other
 * text is returned unchanged, and the server then refuses it. `prefix` is the deployment's.
 */
export function scannedNumbers(input: string, prefix: string): string[] {
  return (
    input
      .normalize('NFKC')
      // A second URL starts where the first one ends.
      .split(/(?=https?:\/\/)/i)
      .flatMap((part) => part.split(aimPrefix))
      .flatMap((part) => part.split(notPrinted))
      .flatMap((part) => part.split(/[,;|]/))
      .map(numberOfAddress)
      .flatMap((part) => splitNumbers(part, prefix))
      .filter((part) => part !== '')
  )
}

/** The number in a URL of the tracking page; any other text unchanged. */
function numberOfAddress(part: string): string {
  const text = part.trim()
  if (!/^https?:\/\//i.test(text)) return text
  return (URL.canParse(text) && new URL(text).searchParams.get('no')?.trim()) || text
}

function splitNumbers(text: string, prefix: string): string[] {
  const wholeNumber = normalizeTrackingNumber(text)
  if (isNumber(wholeNumber, prefix)) return [wholeNumber]
  // Digits only: the text cannot be split safely, and may be another kind of number, such as a gunny number.
  if (wholeNumber.length < leastCharacters * 2 || /^\d+$/.test(wholeNumber)) return [text]
  const ways = splits(wholeNumber, prefix)
  return ways.length === 1 ? (ways[0] ?? [text]) : [text]
}

/**
 * Our numbers with any digits, because the prefix marks the start. Other carriers' numbers only with a valid check
 * digit.
 */
function isNumber(text: string, prefix: string): boolean {
  if (text.startsWith(prefix) && /^\d{11}$/.test(text.slice(prefix.length))) return true
  return ['own', 'dhl', 'yunda', 's10'].includes(readTrackingNumber(text, prefix).kind)
}

/** The ways to split a text into numbers, at most two: with a second way the scan is ambiguous. */
function splits(text: string, prefix: string): string[][] {
  if (text === '') return [[]]
  const ways: string[][] = []
  for (let length = leastCharacters; length <= Math.min(maxCharacters, text.length); length++) {
    const first = text.slice(0, length)
    if (!isNumber(first, prefix)) continue
    for (const rest of splits(text.slice(length), prefix)) ways.push([first, ...rest])
    if (ways.length > 1) return ways.slice(0, 2)
  }
  return ways
}
