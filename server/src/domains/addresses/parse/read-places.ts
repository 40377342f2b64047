/** Reads country, postcode, state and city of a pasted address. */
import { lookup } from '@waybill/contract/ground/enums/labels'
import { chineseStates } from '../../stations/state-names.ts'
import { findHomePostcode, findStateInText, stateNames } from './find-places.ts'
import { escapeRegExp, han, type PastedText, postcodeMark } from './pasted-text.ts'
import { readPlacesAbroad } from './read-places-abroad.ts'
import {
  chineseCities,
  cityAbbreviations,
  countryNames,
  officialTownNames,
  streetPrefix,
  streetWords,
} from './rules-words.ts'

/** Reads the country, which is named at the end, or first in Chinese. */
export function readCountry(text: PastedText): void {
  const findCode = (name: string) => lookup(countryNames, name.toLowerCase()) ?? text.gazetteer.country(name)
  for (const index of [...text.parts.keys()].reverse()) {
    const part = text.parts[index] as string
    const whole = part.replace(/[\d\s.-]+$/, '').trim()
    const words = part.split(' ')
    const tails = words.map((_, from) => words.slice(from).join(' ').replace(/[.]$/, ''))
    // "Jalan Scotland", "Masjid India": with a postcode of the home country, a country's name at the end may belong to
    // a street.
    const candidates = findHomePostcode(text) ? [whole] : [whole, ...tails]
    const name = candidates.find((candidate) => candidate.length > 1 && findCode(candidate) !== null)
    const chinese = Object.keys(countryNames).find(
      (each) => han.test(each) && new RegExp(`(?:^|\\s)${each}`).test(part),
    )
    const country = chinese ?? name
    if (country === undefined) continue
    // A country in English never comes first; there it is a name or a street.
    if (index === 0 && text.parts.length > 1 && chinese === undefined) continue
    text.country = findCode(country) as string
    text.set('country', text.country, 0.95)
    text.take(index, country)
    break
  }
  text.tidy()
}

/** Reads postcode, state and city. Without a country in the text it is the home country. */
export function readPlaces(text: PastedText): void {
  if (text.country === text.gazetteer.home) readPlacesAtHome(text)
  else readPlacesAbroad(text)
  text.tidy()
  if (!text.fields.country) text.set('country', text.country, text.fields.postcode ? 0.9 : 0.4)
}

function readPlacesAtHome(text: PastedText): void {
  const best = findHomePostcode(text)
  if (best) {
    text.set('postcode', best.digits, !best.alone ? 0.6 : best.score > 0 ? 1 : 0.8)
    text.splitAtPostcode(best.index, best.digits)
    // A state in the text is used even if it contradicts the postcode: the form then shows the contradiction.
    const stateInText = findStateInText(text, best.place.state, best.index, best.place.cities)
    // Some write the postcode twice, the second time after its label.
    text.parts = text.parts.map((part) => (part === best.digits ? '' : part))
    text.set('state', stateInText ?? best.place.state, stateInText === best.place.state ? 1 : stateInText ? 0.5 : 0.9)
    const [only] = text.gazetteer.postcode(best.digits)?.cities.length === 1 ? best.place.cities : []
    readCityBeside(text, text.parts[best.index + 2] ? best.index + 2 : best.index, best.place.cities)
    const chineseCity = best.city ? undefined : findLeadingChineseCity(text)
    if (best.city) text.set('city', best.city, 1)
    // It contradicts the postcode, so the form asks the user.
    else if (chineseCity) text.set('city', chineseCity, 0.5)
    else if (only && (!stateInText || stateInText === best.place.state)) text.set('city', only, 0.8)
  } else {
    const digits = text.parts.findIndex((part) => /(?<!\d)\d{5}$/.test(part) || /^\d{5}\s+\D/.test(part))
    const match = digits < 0 ? null : /(?<!\d)\d{5}(?!\d)/.exec(text.parts[digits] as string)
    if (match) {
      // This postcode does not exist; the form will say so.
      text.set('postcode', match[0], 0.2)
      text.take(digits, match[0])
    }
    const state = findStateInText(text, null, digits)
    if (state) text.set('state', state, 0.9)
    const city = Object.entries(chineseCities).find(([name]) => text.parts.some((part) => part.includes(name)))
    if (city) text.set('city', city[1], 0.9)
    else if (digits >= 0) readCityBeside(text, digits, [])
  }
  const city = text.fields.city?.value
  const names = stateNames(text, text.fields.state?.value)
  const short = Object.entries(cityAbbreviations).filter(([, name]) => name === city || names.includes(name))
  const both = city ? names.map((name) => `${city} ${name}`) : []
  const otherSpellings = Object.keys(officialTownNames).filter((name) => officialTownNames[name] === city)
  // "WP Labuan" before "Labuan", and "Kuala Terengganu" before "Terengganu". In Chinese the state is before the city.
  const longNames = names.filter((name) => name.length > (city?.length ?? 0))
  removeNames(text, [...both, ...longNames, city, ...otherSpellings, ...names, city, ...short.map(([name]) => name)])
}

/** The city at the beginning of a Chinese part, with or without its state. */
function findLeadingChineseCity(text: PastedText): string | undefined {
  const states = Object.keys(chineseStates).join('|')
  return Object.entries(chineseCities).find(([name]) => {
    const leading = new RegExp(`^(?:${states})?${name}`)
    return text.parts.some((part) => leading.test(part.trim()))
  })?.[1]
}

/** Text next to the postcode that is neither street nor state is the city, even if the gazetteer does not list it. */
function readCityBeside(text: PastedText, index: number, cities: readonly string[]): void {
  const part = (text.parts[index] ?? '').replace(/\s+/g, ' ').trim()
  const listedFirst = cities
    .filter((name) => `${part} `.toLowerCase().startsWith(`${name.toLowerCase()} `))
    .sort((a, b) => b.length - a.length)[0]
  if (listedFirst) {
    text.set('city', officialTownNames[listedFirst] ?? listedFirst, 1)
    return
  }
  const names = stateNames(text, text.fields.state?.value)
  const without = names.reduce(
    (rest, name) => rest.replace(new RegExp(`(?:^|\\s)${escapeRegExp(name)}\\.?$`, 'i'), ''),
    part,
  )
  const town = (without === '' ? part : without).replace(/\.$/, '').trim()
  if (town === '' || han.test(town) || /\d/.test(town) || streetWords.test(town)) return
  const listed = cities.find((name) => name.toLowerCase() === town.toLowerCase())
  const short = cityAbbreviations[town.toLowerCase()]
  const city = listed ?? (short && cities.includes(short) ? short : undefined)
  text.set('city', city ?? town, city ? 1 : 0.6)
}

/** Removes the names of city and state from the ends of the parts, so that the street does not repeat them. */
function removeNames(text: PastedText, names: readonly (string | undefined)[]): void {
  const chinese = Object.entries({ ...chineseStates, ...chineseCities })
  for (const name of names) {
    if (!name) continue
    // "Johor" begins "Johor Bahru", so a state is removed only from the end.
    const isCity = name === text.fields.city?.value || name in cityAbbreviations || name in officialTownNames
    const leading = new RegExp(`^${escapeRegExp(name)}\\b`, 'i')
    const latin = new RegExp(`(?:^|[\\s.])${escapeRegExp(name)}\\.?$|^${escapeRegExp(name)}$`, 'i')
    text.parts = text.parts.map((part, index) => {
      // "Anita Sarawak" at the beginning is a person.
      const isName = index === 0 && !/\d/.test(part) && !streetWords.test(part) && part.trim() !== name
      if (isName && !isCity && text.parts[1] !== postcodeMark && text.fields.postcode) return part
      const afterPostcode = text.parts[text.parts.indexOf(part) - 1] === postcodeMark
      const rest = part
        .trim()
        .replace(latin, ' ')
        .replace(afterPostcode && isCity ? leading : '', '')
      // "Jalan Ampang" in Ampang and "Kg Parit Jawa" in Parit Jawa must keep the name.
      return streetPrefix.test(rest.trim()) ? part : rest
    })
    const chineseNames = chinese
      .filter(([, value]) => value === name)
      .map(([key]) => key)
      .sort((a, b) => b.length - a.length)
    for (const key of chineseNames) {
      const index = text.parts.findIndex((part) => part.trim().startsWith(key) || part.trim() === key)
      if (index >= 0)
        text.parts[index] = (text.parts[index] as string).trim().replace(new RegExp(`^${key}[市州省]?`), '')
    }
  }
}
