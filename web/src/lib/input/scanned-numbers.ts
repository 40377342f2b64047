import { normalizeTrackingNumber, readTrackingNumber } from '@waybill/contract/ground/tracking-number'

/** Scanners may put the kind of barcode before it: `]C1` for Code 128, `]Q3` for a QR code, and so on. */
const aimPrefix = /\][A-Za-z][0-9A-Za-z]/
/** What a scanner sends beside the number: group separators, carriage returns, zero-width blanks, tabs. */
const notPrinted = /[\p{Cc}\p{Cf}]+/u
/** Lengths that a number can have: ours, DHL's, Yunda's, a post's. */
const mostCharacters = 17
const leastCharacters = 10

/**
 * The numbers in what a scanner or a hand put into a field. Usually one: a barcode holds the number, a QR code the
 * address of the tracking page. Numbers that have run together are split where that can be done in one way only;
 * anything else stays one text, which the server then refuses aloud. `prefix` is the deployment's.
 */
export function scannedNumbers(input: string, prefix: string): string[] {
  return (
    input
      .normalize('NFKC')
      // A second address begins where the first one ends.
      .split(/(?=https?:\/\/)/i)
      .flatMap((part) => part.split(aimPrefix))
      .flatMap((part) => part.split(notPrinted))
      .flatMap((part) => part.split(/[,;|]/))
      .map(numberOfAddress)
      .flatMap((part) => splitNumbers(part, prefix))
      .filter((part) => part !== '')
  )
}

/** The number in the address of the tracking page; any other text as it is. */
function numberOfAddress(part: string): string {
  const text = part.trim()
  if (!/^https?:\/\//i.test(text)) return text
  return (URL.canParse(text) && new URL(text).searchParams.get('no')?.trim()) || text
}

function splitNumbers(text: string, prefix: string): string[] {
  const wholeNumber = normalizeTrackingNumber(text)
  if (isNumber(wholeNumber, prefix)) return [wholeNumber]
  // Digits alone show no seam, and may be a number of another kind, such as a gunny's.
  if (wholeNumber.length < leastCharacters * 2 || /^\d+$/.test(wholeNumber)) return [text]
  const ways = splits(wholeNumber, prefix)
  return ways.length === 1 ? (ways[0] ?? [text]) : [text]
}

/** Ours with any digits, since the prefix marks where it begins; of others only what their check digits allow. */
function isNumber(text: string, prefix: string): boolean {
  if (text.startsWith(prefix) && /^\d{11}$/.test(text.slice(prefix.length))) return true
  return ['own', 'dhl', 'yunda', 's10'].includes(readTrackingNumber(text, prefix).kind)
}

/** The ways to cut a text into numbers, at most two: with a second one it is not known what was scanned. */
function splits(text: string, prefix: string): string[][] {
  if (text === '') return [[]]
  const ways: string[][] = []
  for (let length = leastCharacters; length <= Math.min(mostCharacters, text.length); length++) {
    const first = text.slice(0, length)
    if (!isNumber(first, prefix)) continue
    for (const rest of splits(text.slice(length), prefix)) ways.push([first, ...rest])
    if (ways.length > 1) return ways.slice(0, 2)
  }
  return ways
}
