/** Reads email, phone, name and company of a pasted address, and fields with a label. */
import { findHomePostcode } from './find-places.ts'
import { han, marks, type PastedText, phoneMark } from './pasted-text.ts'
import { trimPart } from './rules-parts.ts'
import { companyWords, familyNames, labels, personWords, streetWords } from './rules-words.ts'

/** Reads the email address, with or without a label. */
export function readEmail(text: PastedText): void {
  text.parts.forEach((part, index) => {
    const match = /(?:(?:e-?mail|邮箱|电邮)\s*[:：]?\s*)?([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/i.exec(part)
    if (!match) return
    text.set('email', (match[1] as string).toLowerCase(), 1)
    text.take(index, match[0])
  })
  text.tidy()
}

/** Reads fields that have a label, such as "Name: …" or "收件人：…". */
export function readLabels(text: PastedText): void {
  text.parts = text.parts.map((part) => {
    for (const [field, words] of labels) {
      // Without the colon, a person whose name begins with a label word would lose that word.
      const match = new RegExp(`^(?:${words})\\.?\\s*[:：]\\s*(.*)$`, 'i').exec(part)
      if (!match) continue
      const value = match[1] ?? ''
      if (field === 'contactName' || field === 'company') {
        if (field === 'company') {
          text.set(field, value, 0.95)
          return ''
        }
        // "Contact: 012-345 6789" contains no name.
        if (/^[(+]*\d/.test(value)) return value
        // Text after a Chinese name belongs to another field, even without a comma.
        const end = han.test(value) ? value.indexOf(' ') : value.search(/\s[(+]*\d{2}/)
        const name = end < 0 ? value : value.slice(0, end)
        text.set(field, name, 0.95)
        return value.slice(name.length)
      }
      if (field === 'city') {
        text.set(field, value, 0.95)
        return ''
      }
      return value
    }
    return part
  })
  text.tidy()
}

/** Reads the telephone number. A second number becomes a remark. May also determine the country. */
export function readPhone(text: PastedText): void {
  for (let index = 0; index < text.parts.length; index += 1) {
    const number = findPhone(text, text.parts[index] ?? '')
    if (!number) continue
    const first = !text.fields.phone
    text.splitAround(index, number.text)
    if (!first) {
      text.remarks.push(trimPart(number.text))
      continue
    }
    text.parts.splice(index + 1, 0, phoneMark)
    text.set('phone', number.e164, number.country === text.country ? 1 : 0.8)
    // The owner of a foreign number is likely to live in its country.
    const abroad = number.country && number.country !== text.country && number.country !== text.gazetteer.home
    if (!text.fields.country && abroad && findHomePostcode(text) === null) {
      text.country = number.country as string
      text.set('country', text.country, 0.6)
    }
  }
  text.tidy()
}

/**
 * The first telephone number of a part: the shortest run of digit groups that is a valid number. After a plus it is
 * the longest, because the beginning of a mobile number may be a valid landline of the same country.
 */
function findPhone(
  { gazetteer, country }: PastedText,
  part: string,
): { text: string; e164: string; country: string | null } | null {
  for (const match of part.matchAll(/(?<![\w-])\(?\+?\d[\d\s().-]{6,}\d(?!\w)/g)) {
    const groups = [...match[0].matchAll(/[^\s]+/g)]
    for (const [from, first] of groups.entries()) {
      const ends = groups.slice(from)
      for (const last of first[0].startsWith('+') ? ends.reverse() : ends) {
        const text = match[0].slice(first.index, last.index + last[0].length)
        const digits = text.replace(/[^\d+]/g, '')
        if (digits.length < 8) continue
        const number =
          gazetteer.phone(digits, country) ??
          // People write "60123456789" without its plus.
          (digits.startsWith('+') ? null : gazetteer.phone(`+${digits}`, country))
        if (number) return { ...number, text }
      }
    }
  }
  return null
}

/** Reads company and contact name. Must run after the places, or a city could be taken for a name. */
export function readPeople(text: PastedText): void {
  const company = text.parts.findIndex((part) => companyWords.test(part) && !/^\d/.test(part))
  if (company >= 0 && !text.fields.company) {
    const name = (text.parts[company] as string).replace(/^c\/o\s+/i, '')
    text.set('company', name, /\d/.test(name) || streetWords.test(name) ? 0.6 : 0.9)
    text.parts.splice(company, 1)
  }
  if (text.fields.contactName) return
  const [best] = text.parts
    .map((part, index) => ({ index, confidence: personConfidence(text, index, part) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence || a.index - b.index)
  if (!best) return
  text.set('contactName', text.parts[best.index] as string, best.confidence)
  text.parts.splice(best.index, 1)
}

/** The confidence that a part is a person's name; 0: it is not. */
function personConfidence(text: PastedText, index: number, part: string): number {
  if (marks.includes(part) || /\d/.test(part) || part.length > 60 || part.split(' ').length > 8) return 0
  if (personWords.test(`${part} `)) return 0.95
  if (streetWords.test(part)) return 0
  if (/^[\u3400-\u9fff·]{2,4}$/.test(part)) return 0.9
  const first = text.parts.findIndex((each) => !marks.includes(each)) === index
  const nextToPhone = text.parts[index - 1] === phoneMark || text.parts[index + 1] === phoneMark
  if (!first && !nextToPhone) return 0
  const words = part.split(' ').length
  if (familyNames.test(part) && words > 1 && words < 6) return nextToPhone ? 0.9 : 0.7
  return nextToPhone ? 0.65 : 0.5
}
