/** The state of parsing a pasted address: the fields so far, and the parts of the text that are not yet understood. */
import type { ParsedAddress, ParsedField } from '@waybill/contract/addresses/addresses'
import { splitAround, splitPastedText, trimPart } from './rules-parts.ts'

/**
 * Known places and telephone numbers, passed as an argument so that parsing stays pure. Countries are alpha-2, lower
 * case.
 */
export type Gazetteer = {
  /** The country of an address that does not name one. */
  home: string
  /** Null for a postcode that does not exist in the home country. */
  postcode: (digits: string) => { state: string; cities: readonly string[] } | null
  state: (name: string) => string | null
  country: (name: string) => string | null
  /** The E.164 number and its country; null if the digits are not a telephone number. */
  phone: (digits: string, country: string) => { e164: string; country: string | null } | null
}

/** Placeholders for the removed phone and postcode: they make it easier to classify the neighbouring text. */
export const phoneMark = '\u0001'
export const postcodeMark = '\u0002'
export const marks: readonly string[] = [phoneMark, postcodeMark]

export const han = /[\u3400-\u9fff]/
export const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export class PastedText {
  readonly fields: ParsedAddress = {}
  readonly gazetteer: Gazetteer
  /** Parts that are not yet understood, in the order of the text. */
  parts: string[]
  /** Notes for the rider, which are not part of the address. */
  readonly remarks: string[]
  country: string

  constructor(text: string, gazetteer: Gazetteer) {
    this.gazetteer = gazetteer
    this.country = gazetteer.home
    const { parts, remarks } = splitPastedText(text)
    this.parts = parts
    this.remarks = remarks
  }

  tidy(): void {
    this.parts = this.parts.map(trimPart).filter(Boolean)
  }

  /** Sets a field unless it is set already. `confidence`: see `parseAddressText`. */
  set(field: ParsedField, text: string, confidence: number): void {
    const value = text.trim().replace(/\s+/g, ' ')
    if (value !== '' && !this.fields[field]) this.fields[field] = { value, confidence }
  }

  /** Removes a match from its part. */
  take(index: number, match: string): void {
    this.parts[index] = (this.parts[index] ?? '').replace(match, ' ')
  }

  /** Removes the postcode and leaves its mark, with the text on either side as separate parts. */
  splitAtPostcode(index: number, digits: string): void {
    const part = this.parts[index] ?? ''
    const at = part.indexOf(digits)
    this.parts.splice(index, 1, part.slice(0, at).trim(), postcodeMark, part.slice(at + digits.length).trim())
  }

  /** Removes a match and splits its part there. */
  splitAround(index: number, match: string): void {
    this.parts.splice(index, 1, ...splitAround(this.parts[index] ?? '', match))
  }
}
