import type { ParsedAddress, ParsedField } from '@waybill/contract/addresses/addresses'
import { cityStateOf, fitsPostcode, hasPostcode } from '@waybill/contract/ground/address-forms'
import { lookup } from '@waybill/contract/ground/enums'
import { around, partsOf, trimmed } from './rules-pasted-parts.ts'
import {
  chineseCities,
  chineseStates,
  cityAbbreviations,
  companyWords,
  countryNames,
  familyNames,
  labels,
  otherTownNames,
  personWords,
  streetPrefix,
  streetWords,
} from './rules-words.ts'

/**
 * What is known of places and telephone numbers; handed in, so that reading a text stays pure. Countries are alpha-2 in
 * lower case.
 */
export type Gazetteer = {
  /** Where an address is when nothing says otherwise. */
  home: string
  /** Null for a postcode that doesn't exist in the home country. */
  postcode: (digits: string) => { state: string; cities: readonly string[] } | null
  state: (name: string) => string | null
  country: (name: string) => string | null
  /** The E.164 number and its country; null when the digits are none. */
  phone: (digits: string, country: string) => { e164: string; country: string | null } | null
}

/** Where the phone and the postcode stood: what is beside them means more. */
const phoneMark = '\u0001'
const postcodeMark = '\u0002'
const marks: readonly string[] = [phoneMark, postcodeMark]

const han = /[\u3400-\u9fff]/
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * An address pasted as free text (English, Malay or Chinese; abroad with its country's name) as fields, each with how
 * sure it is: 1 can be nothing else, 0.9 fits what is known, 0.6 is likely, below that a guess. What was not found is
 * left out.
 */
export function parseAddressText(text: string, known: Gazetteer): ParsedAddress {
  const reading = new Reading(text, known)
  reading.email()
  reading.labelled()
  reading.country()
  reading.phone()
  reading.places()
  reading.people()
  reading.street()
  return reading.found
}

class Reading {
  readonly found: ParsedAddress = {}
  readonly #known: Gazetteer
  /** What is not understood yet, in the order of the text. */
  #parts: string[]
  /** What is for the rider, and no part of the address. */
  #remarks: string[]
  #country: string

  constructor(text: string, known: Gazetteer) {
    this.#known = known
    this.#country = known.home
    const { parts, remarks } = partsOf(text)
    this.#parts = parts
    this.#remarks = remarks
  }

  #tidy(): void {
    this.#parts = this.#parts.map(trimmed).filter(Boolean)
  }

  #set(field: ParsedField, value: string, confidence: number): void {
    const trimmed = value.trim().replace(/\s+/g, ' ')
    if (trimmed !== '' && !this.found[field]) this.found[field] = { value: trimmed, confidence }
  }

  /** Takes a match out of what is left. */
  #take(index: number, matched: string): void {
    const part = this.#parts[index] ?? ''
    this.#parts[index] = part.replace(matched, ' ')
  }

  /** Takes the postcode out: what is on its two sides is apart, and remembers that it was beside it. */
  #splitAt(index: number, digits: string): void {
    const part = this.#parts[index] ?? ''
    const at = part.indexOf(digits)
    this.#parts.splice(index, 1, part.slice(0, at).trim(), postcodeMark, part.slice(at + digits.length).trim())
  }

  /** The same for what stands between two things: they are apart then. */
  #takeBetween(index: number, matched: string): void {
    this.#parts.splice(index, 1, ...around(this.#parts[index] ?? '', matched))
  }

  email(): void {
    this.#parts.forEach((part, index) => {
      const match = /(?:(?:e-?mail|邮箱|电邮)\s*[:：]?\s*)?([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/i.exec(part)
      if (!match) return
      this.#set('email', (match[1] as string).toLowerCase(), 1)
      this.#take(index, match[0])
    })
    this.#tidy()
  }

  labelled(): void {
    this.#parts = this.#parts.map((part) => {
      for (const [field, words] of labels) {
        // Chinese labels need no colon; English ones do, or "Name" could be somebody's.
        const match = new RegExp(`^(?:${words})\\.?\\s*[:：]\\s*(.*)$`, 'i').exec(part)
        if (!match) continue
        const value = match[1] ?? ''
        if (field === 'contactName' || field === 'company') {
          // What follows a Chinese name without a comma belongs to something else.
          if (field === 'company') {
            this.#set(field, value, 0.95)
            return ''
          }
          const end = han.test(value) ? value.indexOf(' ') : value.search(/\s[(+]*\d{2}/)
          const name = end < 0 ? value : value.slice(0, end)
          this.#set(field, name, 0.95)
          return value.slice(name.length)
        }
        if (field === 'city') {
          this.#set(field, value, 0.95)
          return ''
        }
        return value
      }
      return part
    })
    this.#tidy()
  }

  /** Named at the end, or before all else in Chinese. */
  country(): void {
    const { country: listed } = this.#known
    const codeOf = (name: string) => lookup(countryNames, name.toLowerCase()) ?? listed(name)
    for (const index of [...this.#parts.keys()].reverse()) {
      const part = this.#parts[index] as string
      const whole = part.replace(/[\d\s.-]+$/, '').trim()
      const words = part.split(' ')
      const tails = words.map((_, from) => words.slice(from).join(' ').replace(/[.]$/, ''))
      // "Jalan Scotland", "Masjid India": at the end of a part it may be a street of the home country.
      const candidates = this.#homePostcode() ? [whole] : [whole, ...tails]
      const name = candidates.find((candidate) => candidate.length > 1 && codeOf(candidate) !== null)
      const chinese = Object.keys(countryNames).find(
        (each) => han.test(each) && new RegExp(`(?:^|\\s)${each}`).test(part),
      )
      const named = chinese ?? name
      if (named === undefined) continue
      // A town may be called like a country only in its own country.
      if (index === 0 && this.#parts.length > 1 && chinese === undefined) continue
      this.#country = codeOf(named) as string
      this.#set('country', this.#country, 0.95)
      this.#take(index, named)
      break
    }
    this.#tidy()
  }

  phone(): void {
    for (let index = 0; index < this.#parts.length; index += 1) {
      const number = this.#phoneIn(this.#parts[index] ?? '')
      if (!number) continue
      const first = !this.found.phone
      this.#takeBetween(index, number.text)
      if (!first) {
        // One more number helps the rider.
        this.#remarks.push(trimmed(number.text))
        continue
      }
      this.#parts.splice(index + 1, 0, phoneMark)
      this.#set('phone', number.e164, number.country === this.#country ? 1 : 0.8)
      // Whoever's number is abroad is likely to be there.
      const abroad = number.country && number.country !== this.#country && number.country !== this.#known.home
      if (!this.found.country && abroad && this.#homePostcode() === null) {
        this.#country = number.country as string
        this.#set('country', this.#country, 0.6)
      }
    }
    this.#tidy()
  }

  /**
   * The first telephone number of a part: the shortest run of groups of digits that is one, without what is beside it.
   */
  #phoneIn(part: string): { text: string; e164: string; country: string | null } | null {
    for (const match of part.matchAll(/(?<![\w-])\(?\+?\d[\d\s().-]{6,}\d(?!\w)/g)) {
      const groups = [...match[0].matchAll(/[^\s]+/g)]
      for (const [from, first] of groups.entries()) {
        for (const last of groups.slice(from)) {
          const text = match[0].slice(first.index, last.index + last[0].length)
          const digits = text.replace(/[^\d+]/g, '')
          if (digits.length < 8) continue
          const number =
            this.#known.phone(digits, this.#country) ??
            // "60123456789" is written without its plus, too.
            (digits.startsWith('+') ? null : this.#known.phone(`+${digits}`, this.#country))
          if (number) return { ...number, text }
        }
      }
    }
    return null
  }

  /**
   * The postcode of the home country that stands in the text: one whose town or state is named too is surest, else the
   * last one.
   */
  #homePostcode() {
    const rest = this.#parts.join(' , ').toLowerCase()
    const found = this.#parts.flatMap((part, index) =>
      [...part.matchAll(/(?<![\d#/-])\d{5}(?![\d/-])/g)].flatMap(([digits]) => {
        const listed = this.#known.postcode(digits)
        if (!listed) return []
        const place = { ...listed, cities: listed.cities.flatMap((name) => [name, ...(otherTownNames[name] ?? [])]) }
        const city =
          place.cities.find((name) => rest.includes(name.toLowerCase())) ??
          this.#chineseCity(place.cities) ??
          this.#shortCity(place.cities)
        const state = this.#stateIn(place.state)
        return [{ index, digits, place, city: city ?? null, state, score: (city ? 2 : 0) + (state ? 1 : 0) }]
      }),
    )
    const best = found.reduce<(typeof found)[number] | null>(
      (before, each) => (before && before.score > each.score ? before : each),
      null,
    )
    const rivals = found.filter(({ score, digits }) => score === best?.score && digits !== best.digits)
    return best && { ...best, alone: rivals.length === 0 }
  }

  /** "KL", "PJ": as a part of its own, or at the end of one. */
  #shortCity(cities: readonly string[]): string | undefined {
    return cities.find((name) =>
      this.#parts.some(
        (part) => cityAbbreviations[part.split(' ').at(-1)?.replace(/\.$/, '').toLowerCase() ?? ''] === name,
      ),
    )
  }

  #chineseCity(cities: readonly string[]): string | undefined {
    const written = Object.entries(chineseCities).find(([name]) => this.#parts.some((part) => part.includes(name)))
    return written && cities.includes(written[1]) ? written[1] : undefined
  }

  /** Whether the text names this state, by any of its names. */
  #stateIn(state: string): boolean {
    return this.#parts.some(
      (part) =>
        this.#endings(part).some((tail) => this.#known.state(tail) === state) ||
        Object.entries(chineseStates).some(([name, value]) => value === state && part.includes(name)),
    )
  }

  #endings(part: string): string[] {
    const words = part.replace(/\d{5}/g, ' ').replace(/\.$/, '').trim().split(/\s+/)
    return words.flatMap((_, from) => words.slice(from).map((__, to) => words.slice(from, from + to + 1).join(' ')))
  }

  places(): void {
    if (this.#country === this.#known.home) this.#placesAtHome()
    else this.#placesAbroad()
    this.#tidy()
    if (!this.found.country) this.#set('country', this.#country, this.found.postcode ? 0.9 : 0.4)
  }

  #placesAtHome(): void {
    const best = this.#homePostcode()
    if (best) {
      this.#set('postcode', best.digits, !best.alone ? 0.6 : best.score > 0 ? 1 : 0.8)
      this.#splitAt(best.index, best.digits)
      // What somebody wrote counts, also where it contradicts the postcode: the form says so.
      const written = this.#writtenState(best.place.state, best.index)
      this.#set('state', written ?? best.place.state, written === best.place.state ? 1 : written ? 0.5 : 0.9)
      const [only] = this.#known.postcode(best.digits)?.cities.length === 1 ? best.place.cities : []
      this.#cityBeside(this.#parts[best.index + 2] ? best.index + 2 : best.index, best.place.cities)
      if (best.city) this.#set('city', best.city, 1)
      else if (only && (!written || written === best.place.state)) this.#set('city', only, 0.8)
    } else {
      const digits = this.#parts.findIndex((part) => /(?<!\d)\d{5}$/.test(part) || /^\d{5}\s+\D/.test(part))
      const match = digits < 0 ? null : /(?<!\d)\d{5}(?!\d)/.exec(this.#parts[digits] as string)
      if (match) {
        // It doesn't exist, which the form will say.
        this.#set('postcode', match[0], 0.2)
        this.#take(digits, match[0])
      }
      const state = this.#writtenState(null, digits)
      if (state) this.#set('state', state, 0.9)
      const city = Object.entries(chineseCities).find(([name]) => this.#parts.some((part) => part.includes(name)))
      if (city) this.#set('city', city[1], 0.9)
      else if (digits >= 0) this.#cityBeside(digits, [])
    }
    const city = this.found.city?.value
    const names = this.#stateNames(this.found.state?.value)
    const short = Object.entries(cityAbbreviations).filter(([, name]) => name === city || names.includes(name))
    const both = city ? names.map((name) => `${city} ${name}`) : []
    this.#strike([...both, ...names, city, ...short.map(([name]) => name)])
  }

  /** `expected`: the state of the postcode, which counts wherever it is named; another one only where states stand. */
  #writtenState(expected: string | null, postcodeAt: number): string | null {
    if (expected && this.#stateIn(expected)) return expected
    for (const [index, part] of [...this.#parts.entries()].reverse()) {
      const whole = this.#known.state(part.replace(/\d{5}|\.$/g, ' ').trim())
      if (whole) return whole
      const tail = this.#endings(part)
        .filter((words) => part.endsWith(words) && index >= postcodeAt)
        .map((words) => this.#known.state(words))
        .find((state) => state !== null)
      if (tail) return tail
      const chinese = Object.entries(chineseStates).find(([name]) => part.includes(name))
      if (chinese) return chinese[1]
    }
    return null
  }

  #stateNames(state: string | undefined): string[] {
    if (!state) return []
    const written = this.#parts.flatMap((part) =>
      this.#endings(part).filter((words) => this.#known.state(words) === state),
    )
    return [...written.sort((a, b) => b.length - a.length), state]
  }

  /**
   * What stands beside the postcode and is neither street nor state is the town, whether or not the data lists it
   * there.
   */
  #cityBeside(index: number, cities: readonly string[]): void {
    const part = (this.#parts[index] ?? '').replace(/\s+/g, ' ').trim()
    const listedFirst = cities
      .filter((name) => `${part} `.toLowerCase().startsWith(`${name.toLowerCase()} `))
      .sort((a, b) => b.length - a.length)[0]
    if (listedFirst) {
      this.#set('city', listedFirst, 1)
      return
    }
    const names = this.#stateNames(this.found.state?.value)
    const without = names.reduce(
      (rest, name) => rest.replace(new RegExp(`(?:^|\\s)${escaped(name)}\\.?$`, 'i'), ''),
      part,
    )
    const town = (without === '' ? part : without).replace(/\.$/, '').trim()
    if (town === '' || han.test(town) || /\d/.test(town) || streetWords.test(town)) return
    const listed = cities.find((name) => name.toLowerCase() === town.toLowerCase())
    const short = cityAbbreviations[town.toLowerCase()]
    const known = listed ?? (short && cities.includes(short) ? short : undefined)
    this.#set('city', known ?? town, known ? 1 : 0.6)
  }

  /** Takes the town's and the state's names off the ends of what is left, where they stand for themselves. */
  #strike(names: readonly (string | undefined)[]): void {
    const chinese = Object.entries({ ...chineseStates, ...chineseCities })
    for (const name of names) {
      if (!name) continue
      // "Johor" begins "Johor Bahru": a state is struck off the end alone.
      const own = name === this.found.city?.value || name in cityAbbreviations
      const leading = new RegExp(`^${escaped(name)}\\b`, 'i')
      const latin = new RegExp(`(?:^|[\\s.])${escaped(name)}\\.?$|^${escaped(name)}$`, 'i')
      this.#parts = this.#parts.map((part) => {
        const beside = this.#parts[this.#parts.indexOf(part) - 1] === postcodeMark
        const rest = part
          .trim()
          .replace(latin, ' ')
          .replace(beside && own ? leading : '', '')
        // "Jalan Ampang" in Ampang, "Kg Parit Jawa" in Parit Jawa.
        return streetPrefix.test(rest.trim()) ? part : rest
      })
      const spelt = chinese
        .filter(([, value]) => value === name)
        .map(([key]) => key)
        .sort((a, b) => b.length - a.length)
      for (const key of spelt) {
        const index = this.#parts.findIndex((part) => part.trim().startsWith(key) || part.trim() === key)
        if (index >= 0)
          this.#parts[index] = (this.#parts[index] as string).trim().replace(new RegExp(`^${key}[市州省]?`), '')
      }
    }
  }

  #placesAbroad(): void {
    const country = this.#country
    const city = cityStateOf(country)
    const at = hasPostcode(country) ? this.#foreignPostcode(country) : null
    if (at) {
      this.#set('postcode', at.digits, at.sure ? 0.9 : 0.5)
      this.#take(at.index, at.digits)
      this.#tidyKeeping()
    }
    if (city) {
      this.#set('city', city, 1)
      if (this.found.country) this.#set('state', city, 0.9)
      this.#parts = this.#parts.map((part) => part.replace(new RegExp(`^${escaped(city)}$`, 'i'), ''))
      return
    }
    if (country === 'cn' && this.#chinesePlaces()) return
    if (!at) {
      this.#cityAtEnd(this.#parts.length - 1)
      return
    }
    // "CA 94105": letters beside the postcode are the state, the part before is the town; else the town stands beside
    // it.
    const beside = (this.#parts[at.index] ?? '').trim()
    const state = /(?:^|\s)([A-Z]{2,3})$/.exec(beside)
    if (state && ['us', 'ca', 'au'].includes(country)) {
      this.#set('state', state[1] as string, 0.9)
      const rest = beside.slice(0, state.index).trim()
      this.#parts[at.index] = rest
      this.#cityAtEnd(rest === '' ? at.index - 1 : at.index)
    } else this.#cityAtEnd(beside === '' ? at.index - 1 : at.index)
  }

  #tidyKeeping(): void {
    this.#parts = this.#parts.map((part) => part.replace(/\s+/g, ' ').trim())
  }

  #cityAtEnd(index: number): void {
    const part = (this.#parts[index] ?? '').trim()
    if (index < 1 || part === '' || /\d/.test(part)) return
    this.#set('city', part, 0.6)
    this.#parts[index] = ''
  }

  #foreignPostcode(country: string): { index: number; digits: string; sure: boolean } | null {
    const written =
      /(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|\d{3}-\d{4}|\d{5}-\d{4}|\d{4}\s?[A-Z]{2}|[A-Z]{2}\d{4}|\d{3}\s\d{3}|\d{3,7})(?![\w-])/gi
    const candidates = this.#parts.flatMap((part, index) =>
      [...part.matchAll(written)]
        .filter((match) => !/[\w#-]/.test(part[match.index - 1] ?? ' '))
        .map((match) => ({ index, digits: match[0], sure: fitsPostcode(match[0], country) }))
        .filter(({ digits }) => fitsPostcode(digits, country)),
    )
    return candidates.at(-1) ?? null
  }

  /** 广东省深圳市南山区…: province and town end with their words. */
  #chinesePlaces(): boolean {
    const index = this.#parts.findIndex((part) =>
      /^(?:[\u3400-\u9fff]{2,8}(?:省|自治区))?[\u3400-\u9fff]{2,8}?市/.test(part),
    )
    const match = /^((?:[\u3400-\u9fff]{2,8}?(?:省|自治区))?)([\u3400-\u9fff]{2,8}?市)/.exec(this.#parts[index] ?? '')
    if (!match) return false
    this.#set('state', match[1] || (match[2] as string), 0.9)
    this.#set('city', match[2] as string, 0.9)
    this.#take(index, match[0])
    return true
  }

  people(): void {
    const company = this.#parts.findIndex((part) => companyWords.test(part) && !/^\d/.test(part))
    if (company >= 0 && !this.found.company) {
      const name = (this.#parts[company] as string).replace(/^c\/o\s+/i, '')
      this.#set('company', name, /\d/.test(name) || streetWords.test(name) ? 0.6 : 0.9)
      this.#parts.splice(company, 1)
    }
    if (this.found.contactName) return
    const [best] = this.#parts
      .map((part, index) => ({ index, sure: this.#personAt(index, part) }))
      .filter(({ sure }) => sure > 0)
      .sort((a, b) => b.sure - a.sure || a.index - b.index)
    // Somebody without a name is reached at the company.
    if (!best) return
    this.#set('contactName', this.#parts[best.index] as string, best.sure)
    this.#parts.splice(best.index, 1)
  }

  /** How sure it is that a part is somebody's name; 0: it is none. */
  #personAt(index: number, part: string): number {
    if (marks.includes(part) || /\d/.test(part) || part.length > 60 || part.split(' ').length > 8) return 0
    if (personWords.test(`${part} `)) return 0.95
    if (streetWords.test(part)) return 0
    if (/^[\u3400-\u9fff·]{2,4}$/.test(part)) return 0.9
    const first = this.#parts.findIndex((each) => !marks.includes(each)) === index
    const besidePhone = this.#parts[index - 1] === phoneMark || this.#parts[index + 1] === phoneMark
    if (!first && !besidePhone) return 0
    const words = part.split(' ').length
    if (familyNames.test(part) && words > 1 && words < 6) return besidePhone ? 0.9 : 0.7
    return besidePhone ? 0.65 : 0.5
  }

  street(): void {
    const at = this.#parts.indexOf(postcodeMark)
    const parts = this.#parts.filter((part) => !marks.includes(part))
    const joint = parts.some((part) => han.test(part)) ? ' ' : ', '
    const lines: string[] = []
    for (const part of parts) {
      const last = lines.at(-1)
      if (last !== undefined && (lines.length === 2 || `${last}${joint}${part}`.length <= 45)) {
        lines[lines.length - 1] = `${last}${joint}${part}`
      } else lines.push(part)
    }
    const sure = this.#streetSure(
      parts,
      at < 0 ? [] : this.#parts.slice(at + 1).filter((part) => !marks.includes(part)),
    )
    this.#set('line1', (lines[0] ?? '').slice(0, 120), sure)
    this.#set('line2', (lines[1] ?? '').slice(0, 120), Math.min(sure, 0.8))
    this.#set('remarks', this.#remarks.join('. ').slice(0, 200), 0.8)
  }

  /** How sure it is that what was left is the street, the whole of it and nothing else. */
  #streetSure(parts: readonly string[], behindPostcode: readonly string[]): number {
    const isStreet = (part: string) => streetWords.test(part) || /\d/.test(part)
    if (!parts.some(isStreet) || parts.join('').length > 240) return 0.5
    // Without a postcode nobody knows where the street ends and the town begins.
    const postcode = this.found.postcode?.confidence ?? 0
    const unread = parts.some((part) => /[()[\]{}<>@#=]|\d{8,}/.test(part.replace(/#\d/g, '')))
    const scattered = behindPostcode.length > 0 && behindPostcode.length < parts.length
    const nameInIt = !isStreet(parts[0] ?? '') && (this.found.contactName?.confidence ?? 0) < 0.75
    return postcode < 0.5 || unread || scattered || nameInIt ? 0.6 : 0.9
  }
}
