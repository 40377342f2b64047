/** The search for a number that a person typed or pasted. */
import { normalizeTrackingNumber, toStoredNumber } from '@waybill/contract/ground/tracking-number'

/**
 * The spellings under which a number, or its beginning, can be stored: as typed, in upper case without spaces (orders,
 * invoices, tickets), and without any separator (tracking numbers, which pages show in groups).
 */
export function numberSpellings(text: string): string[] {
  const typed = text.trim()
  return [...new Set([typed, toStoredNumber(typed), normalizeTrackingNumber(typed)])].filter(Boolean)
}
