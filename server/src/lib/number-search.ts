/** The search for a number that a person typed or pasted. */
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'

/**
 * The spellings under which a number, or its beginning, can be stored: as typed, in upper case without spaces (orders,
 * invoices, tickets), and without any separator (tracking numbers, which pages show in groups).
 */
export function numberSpellings(text: string): string[] {
  const typed = text.trim()
  const plain = typed.normalize('NFKC').toUpperCase().replace(/\s+/g, '')
  return [...new Set([typed, plain, normalizeTrackingNumber(typed)])].filter(Boolean)
}
