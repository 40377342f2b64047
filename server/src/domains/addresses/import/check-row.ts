/** Checks one row of a spreadsheet of addresses. */
import { addressInput } from '@waybill/contract/addresses/addresses'
import { type AddressColumn, addressColumns } from '@waybill/contract/addresses/import'
import { cityStateName } from '@waybill/contract/ground/address-forms'
import { type AddressKind, addressKindLabels } from '@waybill/contract/ground/enums/enums'
import { validationRule } from '@waybill/contract/ground/validation'
import { safeParse } from 'zod/mini'
import { findCountryCode } from '../../../lib/countries.ts'
import { createChoices } from '../../../lib/sheet/cell-values.ts'
import type { TableRow } from '../../../lib/sheet/table.ts'
import { cellReader, type RowProblem } from '../../sheet-imports/cell-reader.ts'
import { hasPostcodes, lookupPostcode, restoreZero } from '../../stations/postcodes.ts'
import { findAddressProblems, type WrittenAddress } from '../check-address.ts'
import { countryNames } from '../parse/rules-words.ts'

export type AddressProblem = RowProblem<AddressColumn>

export type AddressRowResult =
  | { state: 'bad'; problems: AddressProblem[]; content: null }
  | { state: 'good' | 'contradiction'; problems: AddressProblem[]; content: WrittenAddress }

const isColumn = (name: unknown): name is AddressColumn => addressColumns.some((column) => column === name)

/** Kinds by their labels, also in Malay. */
const kinds = createChoices(addressKindLabels, { pengirim: 'sender', penerima: 'receiver', 'kedua-dua': 'both' })

function findCountry(text: string): string | null {
  const name = text.toLowerCase()
  const byCode = /^[a-z]{2}$/.test(name) ? name : null
  return countryNames[name] ?? findCountryCode(text) ?? byCode
}

/**
 * Reads a row as an address of the book. `home` is the country of a row that has none. An empty city or state is
 * filled in if the postcode has only one. A city or state that contradicts the postcode makes the row a
 * `contradiction`, which the user may still import.
 */
export function checkAddressRow(row: Pick<TableRow<AddressColumn>, 'cells' | 'marks'>, home: string): AddressRowResult {
  const { at, addProblem, choice, phone: readPhone, problems: cellProblems } = cellReader(addressColumns, row)
  const country = at('country') === '' ? home : findCountry(at('country'))
  if (country === null) addProblem('country', 'countryUnknown')
  const place = country ?? home
  const phone = readPhone('phone', place)
  const kind = choice<AddressKind>('kind', kinds, 'receiver')
  const postcode = restoreZero(at('postcode'), place)
  const listed = lookupPostcode(postcode, place)
  if (postcode !== '' && hasPostcodes(place) && !listed) addProblem('postcode', 'postcodeUnknown')
  const onlyCity = listed?.cities.length === 1 ? listed.cities[0] : cityStateName(place)
  const parsed = safeParse(
    addressInput,
    {
      contactName: at('contactName'),
      company: at('company'),
      phone: phone ?? '+60123456789',
      email: at('email') || null,
      line1: at('line1'),
      line2: at('line2'),
      postcode,
      city: at('city') || (onlyCity ?? ''),
      state: at('state') || (listed?.state ?? cityStateName(place) ?? ''),
      country: place,
      residential: at('company') === '',
      remarks: at('remarks'),
      label: at('label'),
      kind: kind ?? 'receiver',
    },
    { reportInput: true },
  )
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const { key, vars } = validationRule(issue)
      const [name] = issue.path
      if (isColumn(name)) addProblem(name, key, { vars })
    }
    return { state: 'bad', problems: [...cellProblems], content: null }
  }
  const { override: _, ...content } = parsed.data
  const broken = findAddressProblems(content)
  for (const { field } of broken.problems)
    if (isColumn(field.field)) addProblem(field.field, field.rule, field.vars ? { vars: field.vars } : {})
  if (cellProblems.length > 0) return { state: 'bad', problems: [...cellProblems], content: null }
  if (broken.contradictions.length === 0) return { state: 'good', problems: [], content }
  const contradictions = broken.contradictions.map(({ field, rule, vars }) => ({
    column: field,
    rule,
    ...(vars && { vars }),
  }))
  return { state: 'contradiction', problems: contradictions, content }
}
