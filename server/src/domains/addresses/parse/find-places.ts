/** Finds the names of places in a pasted address. Nothing here changes the text. */

import { chineseStates } from '../../stations/state-names.ts'
import type { PastedText } from './pasted-text.ts'
import { chineseCities, cityAbbreviations, officialTownNames, otherTownNames } from './rules-words.ts'

/**
 * The best candidate for a postcode of the home country: one whose city or state is also named, else the last one.
 * `alone`: no other candidate scores the same.
 */
export function findHomePostcode(text: PastedText) {
  const rest = text.parts.join(' , ').toLowerCase()
  const candidates = text.parts.flatMap((part, index) =>
    [...part.matchAll(/(?<![\d#/-])\d{5}(?![\d/-])/g)].flatMap(([digits]) => {
      const listed = text.gazetteer.postcode(digits)
      if (!listed) return []
      const place = { ...listed, cities: listed.cities.flatMap((name) => [name, ...(otherTownNames[name] ?? [])]) }
      const city =
        place.cities.find((name) => rest.includes(name.toLowerCase())) ??
        findChineseCity(text, place.cities) ??
        findAbbreviatedCity(text, place.cities)
      const state = namesState(text, place.state)
      const town = city && (officialTownNames[city] ?? city)
      return [{ index, digits, place, city: town ?? null, state, score: (city ? 2 : 0) + (state ? 1 : 0) }]
    }),
  )
  const best = candidates.reduce<(typeof candidates)[number] | null>(
    (before, each) => (before && (before.score > each.score || before.digits === each.digits) ? before : each),
    null,
  )
  const rivals = candidates.filter(({ score, digits }) => score === best?.score && digits !== best.digits)
  return best && { ...best, alone: rivals.length === 0 }
}

/** Finds "KL", "PJ" as a separate part, or at the end of a part. */
function findAbbreviatedCity(text: PastedText, cities: readonly string[]): string | undefined {
  return cities.find((name) =>
    text.parts.some(
      (part) => cityAbbreviations[part.split(' ').at(-1)?.replace(/\.$/, '').toLowerCase() ?? ''] === name,
    ),
  )
}

function findChineseCity(text: PastedText, cities: readonly string[]): string | undefined {
  const [, city] = Object.entries(chineseCities).find(([name]) => text.parts.some((part) => part.includes(name))) ?? []
  return city && cities.includes(city) ? city : undefined
}

/** Whether the text names this state, by any of its names. */
function namesState(text: PastedText, state: string): boolean {
  return text.parts.some(
    (part) =>
      phrases(part).some((tail) => text.gazetteer.state(tail) === state) ||
      Object.entries(chineseStates).some(([name, value]) => value === state && part.includes(name)),
  )
}

/**
 * The state that the text names. `expected`, the state of the postcode, may be named anywhere. Any other state must be
 * a whole part or at the end of one, at or after the postcode, because streets are named after states.
 */
export function findStateInText(
  text: PastedText,
  expected: string | null,
  postcodeAt: number,
  cities: readonly string[] = [],
): string | null {
  if (expected && namesState(text, expected)) return findOtherState(text, expected, postcodeAt, cities) ?? expected
  for (const [index, part] of [...text.parts.entries()].reverse()) {
    const whole = text.gazetteer.state(part.replace(/\d{5}|\.$/g, ' ').trim())
    if (whole) return whole
    const tail = phrases(part)
      .filter((words) => part.endsWith(words) && index >= postcodeAt)
      .map((words) => text.gazetteer.state(words))
      .find((state) => state !== null)
    if (tail) return tail
    const chinese = Object.entries(chineseStates).find(([name]) => part.includes(name))
    if (chinese) return chinese[1]
  }
  return null
}

/**
 * A different state than expected, as a separate part after the postcode, if the expected one is only part of the
 * city's name: "50450 Kuala Lumpur, Selangor", "20000 Kuala Terengganu, Kelantan".
 */
function findOtherState(
  text: PastedText,
  expected: string,
  postcodeAt: number,
  cities: readonly string[],
): string | null {
  if (!cities.some((city) => city.includes(expected))) return null
  const mentions = text.parts.filter((part) => phrases(part).some((words) => text.gazetteer.state(words) === expected))
  if (mentions.length > 1) return null
  const states = text.parts.slice(postcodeAt + 1).map((part) => text.gazetteer.state(part.replace(/\.$/, '').trim()))
  return states.find((state) => state !== null && state !== expected) ?? null
}

/** Every spelling of a state, longest first, and the state itself. */
export function stateNames(text: PastedText, state: string | undefined): string[] {
  if (!state) return []
  const names = text.parts.flatMap((part) => phrases(part).filter((words) => text.gazetteer.state(words) === state))
  return [...names.sort((a, b) => b.length - a.length), state]
}

/** Every sequence of neighbouring words of a part, without its postcode. */
function phrases(part: string): string[] {
  const words = part.replace(/\d{5}/g, ' ').replace(/\.$/, '').trim().split(/\s+/)
  return words.flatMap((_, from) => words.slice(from).map((__, to) => words.slice(from, from + to + 1).join(' ')))
}
