/** Reads postcode, state and city of a pasted address in a foreign country. */
import { cityStateName, fitsPostcode, hasPostcode } from '@waybill/contract/ground/address-forms'
import { escapeRegExp, type PastedText } from './pasted-text.ts'

/** Reads the places of `text.country`. Without a postcode the city is a guess. */
export function readPlacesAbroad(text: PastedText): void {
  const country = text.country
  const city = cityStateName(country)
  const postcode = hasPostcode(country) ? findForeignPostcode(text, country) : null
  if (postcode) {
    text.set('postcode', postcode.digits, 0.9)
    const [, name] =
      new RegExp(`${postcode.digits}\\s*([\\u3400-\\u9fff]{2,4})$`).exec(text.parts[postcode.index] ?? '') ?? []
    text.take(postcode.index, postcode.digits)
    // A Chinese name may follow the postcode without a comma.
    if (name) {
      text.take(postcode.index, name)
      text.parts.splice(postcode.index + 1, 0, name)
    }
    text.parts = text.parts.map((part) => part.replace(/\s+/g, ' ').trim())
  }
  if (city) {
    text.set('city', city, 1)
    if (text.fields.country) text.set('state', city, 0.9)
    text.parts = text.parts.map((part) => part.replace(new RegExp(`^${escapeRegExp(city)}$`, 'i'), ''))
    return
  }
  if (country === 'cn' && readChinesePlaces(text)) return
  if (!postcode) {
    readCityAtEnd(text, text.parts.length - 1)
    return
  }
  // "San Francisco, CA 94105": letters next to the postcode are the state, and the city is before them. Elsewhere the
  // city itself is next to the postcode.
  const partWithPostcode = (text.parts[postcode.index] ?? '').trim()
  const state = /(?:^|\s)([A-Z]{2,3})$/.exec(partWithPostcode)
  if (state && ['us', 'ca', 'au'].includes(country)) {
    text.set('state', state[1] as string, 0.9)
    const rest = partWithPostcode.slice(0, state.index).trim()
    text.parts[postcode.index] = rest
    readCityAtEnd(text, rest === '' ? postcode.index - 1 : postcode.index)
  } else readCityAtEnd(text, partWithPostcode === '' ? postcode.index - 1 : postcode.index)
}

function readCityAtEnd(text: PastedText, index: number): void {
  const part = (text.parts[index] ?? '').trim()
  if (index < 1 || part === '' || /\d/.test(part)) return
  text.set('city', part, 0.6)
  text.parts[index] = ''
}

const postcodeForms = [
  String.raw`[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}`,
  String.raw`[A-Z]\d[A-Z]\s?\d[A-Z]\d`,
  String.raw`\d{3}-\d{4}`,
  String.raw`\d{5}-\d{4}`,
  String.raw`\d{4}\s?[A-Z]{2}`,
  String.raw`[A-Z]{2}\d{4}`,
  String.raw`\d{3}\s\d{3}`,
  String.raw`\d{3,7}`,
]
const foreignPostcode = new RegExp(String.raw`(?:${postcodeForms.join('|')})(?![\w-])`, 'gi')

/** The last text that has the form of a postcode of this country. */
function findForeignPostcode(text: PastedText, country: string): { index: number; digits: string } | null {
  const candidates = text.parts.flatMap((part, index) =>
    [...part.matchAll(foreignPostcode)]
      .filter((match) => !/[\w#-]/.test(part[match.index - 1] ?? ' '))
      .map((match) => ({ index, digits: match[0] }))
      .filter(({ digits }) => fitsPostcode(digits, country)),
  )
  return candidates.at(-1) ?? null
}

/** 广东省深圳市南山区…: province and city end with characters that mark them. Returns whether it found them. */
function readChinesePlaces(text: PastedText): boolean {
  const index = text.parts.findIndex((part) =>
    /^(?:[\u3400-\u9fff]{2,8}(?:省|自治区))?[\u3400-\u9fff]{2,8}?市/.test(part),
  )
  const match = /^((?:[\u3400-\u9fff]{2,8}?(?:省|自治区))?)([\u3400-\u9fff]{2,8}?市)/.exec(text.parts[index] ?? '')
  if (!match) return false
  text.set('state', match[1] || (match[2] as string), 0.9)
  text.set('city', match[2] as string, 0.9)
  text.take(index, match[0])
  return true
}
