/** The allowed values in cells of stations, coverage and zones, in both languages. */
import { serviceCodeLabels, stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { scopeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { findCountryCode, listCountries } from '../../../lib/countries.ts'
import { createChoices, editDistance } from '../../../lib/sheet/cell-values.ts'
import type { CellReader } from '../../sheet-imports/cell-reader.ts'
import { hasPostcodes } from '../postcodes.ts'

export const stationTypes = createChoices(stationTypeLabels)
export const serviceCodes = createChoices(serviceCodeLabels)
export const scopes = createChoices(scopeLabels)
export const openLabels = { true: ['Open', '营业'], false: ['Closed', '已关闭'] } as const
export const openStates = createChoices(openLabels, { yes: 'true', no: 'false', 是: 'true', 否: 'false' })

/** The code of a country that a cell names, in either language or by its code; null with a problem. */
export function readCountryCell(cells: CellReader, home: string): string | null {
  const text = cells.at('country')
  if (text === '') return home
  const isCode = listCountries().some((entry) => entry.endsWith(`|${text.toLowerCase()}`))
  const code = findCountryCode(text) ?? (isCode ? text.toLowerCase() : null)
  if (code === null) cells.addProblem('country', 'countryUnknown')
  return code
}

/** The end of a range, with the leading zero that a spreadsheet drops from a number. */
export function readRangeEnd(text: string, country: string): string {
  return hasPostcodes(country) && /^\d{3,4}$/.test(text) ? text.padStart(5, '0') : text.toUpperCase()
}

/** The maximum number of codes that get a suggestion: each is compared with thousands of codes. */
const maxSuggestions = 20

/** Suggests the most similar of these codes, for the first few unknown ones. */
export function codeSuggestions(codes: Iterable<string>): (code: string) => { suggestion?: string } {
  const candidates = [...codes]
  let count = 0
  return (code) => {
    if (++count > maxSuggestions) return {}
    const suggestion = candidates.find((candidate) => editDistance(code, candidate, 1) === 1)
    return suggestion === undefined ? {} : { suggestion }
  }
}
