/** Parses an address that was pasted as free text into the fields of a form. */
import type { ParsedAddress } from '@waybill/contract/addresses/addresses'
import { type Gazetteer, han, marks, PastedText, postcodeMark } from './pasted-text.ts'
import { readEmail, readLabels, readPeople, readPhone } from './read-contact.ts'
import { readCountry, readPlaces } from './read-places.ts'
import { streetWords } from './rules-words.ts'

/**
 * Parses a pasted address (English, Malay or Chinese; foreign ones with their country's name). Each field has a
 * confidence: 1 is certain, 0.9 agrees with the gazetteer, 0.6 is likely, less is a guess. Fields that were not found
 * are omitted.
 *
 * Each step removes what it understood; the street is what is left at the end. So the order of the steps matters.
 */
export function parseAddressText(input: string, gazetteer: Gazetteer): ParsedAddress {
  const text = new PastedText(input, gazetteer)
  readEmail(text)
  readLabels(text)
  readCountry(text)
  readPhone(text)
  readPlaces(text)
  readPeople(text)
  readStreet(text)
  return text.fields
}

/** Joins the remaining parts into two lines. Remarks go into a separate field. */
function readStreet(text: PastedText): void {
  const postcodeAt = text.parts.indexOf(postcodeMark)
  const parts = text.parts.filter((part) => !marks.includes(part))
  const afterPostcode = postcodeAt < 0 ? [] : text.parts.slice(postcodeAt + 1).filter((part) => !marks.includes(part))
  const joint = parts.some((part) => han.test(part)) ? ' ' : ', '
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && (lines.length === 2 || `${last}${joint}${part}`.length <= 45)) {
      lines[lines.length - 1] = `${last}${joint}${part}`
    } else lines.push(part)
  }
  const confidence = streetConfidence(text, parts, afterPostcode)
  text.set('line1', (lines[0] ?? '').slice(0, 120), confidence)
  text.set('line2', (lines[1] ?? '').slice(0, 120), Math.min(confidence, 0.8))
  text.set('remarks', text.remarks.join('. ').slice(0, 200), 0.8)
}

/** The confidence that the remaining parts are the whole street and nothing else. */
function streetConfidence(text: PastedText, parts: readonly string[], afterPostcode: readonly string[]): number {
  const isStreet = (part: string) => streetWords.test(part) || /\d/.test(part)
  if (!parts.some(isStreet) || parts.join('').length > 240) return 0.5
  // Without a postcode it is unclear where the street ends and the city begins.
  const postcode = text.fields.postcode?.confidence ?? 0
  const unread = parts.some((part) => /[()[\]{}<>@#=]|\d{8,}/.test(part.replace(/#\d/g, '')))
  const scattered = afterPostcode.length > 0 && afterPostcode.length < parts.length
  const nameInIt = !isStreet(parts[0] ?? '') && (text.fields.contactName?.confidence ?? 0) < 0.75
  return postcode < 0.5 || unread || scattered || nameInIt ? 0.6 : 0.9
}
