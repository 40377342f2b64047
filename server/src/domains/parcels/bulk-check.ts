/** One row of a spreadsheet held against everything that a parcel must be: a parcel and its price, or every problem by cell with what is meant. */
import { createHash } from 'node:crypto'
import type { Party } from '@waybill/contract/addresses'
import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/bulk'
import {
  type ContentType,
  contentTypeLabels,
  type DeliveryMode,
  deliveryModeLabels,
  deliveryModeNames,
  type Scope,
  type ServiceType,
  scopeLabels,
  serviceTypeLabels,
} from '@waybill/contract/enums'
import type { ParcelInput } from '@waybill/contract/parcels'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { countryName, everyCountry } from '../../lib/countries.ts'
import { phoneOf } from '../../lib/phone.ts'
import type { CellMark } from '../../lib/sheet-read.ts'
import { type PricingAccount, pricingAccount } from '../pricing/service.ts'
import { cityFits, counterStations, hasPostcodes, lookupPostcode, stateNamed } from '../stations/service.ts'
import { type Choices, choicesOf, plainName, readChoice, readNumber, type Units } from './bulk-values.ts'
import { columnsOf } from './input.ts'
import { priceColumns } from './prices.ts'
import type { ParcelRow } from './queries.ts'
import type { KeptProblem } from './queries-bulk.ts'

/** What every row of a batch is held against; made once a batch. */
export type Setting = {
  deps: Deps
  sender: Party | null
  account: PricingAccount
  home: string
  weightUnits: Units
  lengthUnits: Units
  services: Choices
  modes: Choices
  contents: Choices
  scopes: Choices
  countries: Choices
  stations: Choices
}

const pound = 453.592_37
const weightUnits = {
  kg: {
    kg: 1000,
    kgs: 1000,
    kilo: 1000,
    公斤: 1000,
    千克: 1000,
    g: 1,
    gm: 1,
    gram: 1,
    克: 1,
    lb: pound,
    lbs: pound,
    磅: pound,
  },
} as const
const lengthUnits = {
  cm: 10,
  厘米: 10,
  公分: 10,
  mm: 1,
  毫米: 1,
  m: 1000,
  米: 1000,
  in: 25.4,
  inch: 25.4,
  英寸: 25.4,
} as const

/** Units of cells as factors of the column's own: a plain number is in the deployment's unit. */
function inUnit(units: Units, own: number): Units {
  return Object.fromEntries(Object.entries(units).map(([name, factor]) => [name, factor / own]))
}

export async function settingOf(deps: Deps, accountId: AccountId, sender: Party | null): Promise<Setting> {
  const { settings } = deps
  const { items } = await counterStations(deps, 'self_collection', {})
  const countries = Object.fromEntries(
    everyCountry.map((entry) => {
      const code = entry.slice(entry.lastIndexOf('|') + 1)
      return [code, [countryName(code, 'en'), countryName(code, 'cn_zh')] as const]
    }),
  )
  return {
    deps,
    sender,
    account: await pricingAccount(deps.db, accountId),
    home: settings.get('countryCode'),
    weightUnits: inUnit(weightUnits.kg, gramsPer(deps)),
    lengthUnits: inUnit(lengthUnits, mmPer(deps)),
    services: choicesOf(serviceTypeLabels, {
      parcel: 'e_parcel',
      express: 'semi_express',
      documents: 'document',
      doc: 'document',
    }),
    modes: choicesOf(deliveryModeLabels, {
      ...Object.fromEntries(Object.entries(deliveryModeNames).map(([mode, name]) => [name, mode])),
    }),
    contents: choicesOf(contentTypeLabels),
    scopes: choicesOf(scopeLabels),
    countries: choicesOf(countries),
    stations: choicesOf(Object.fromEntries(items.map(({ id, code, name }) => [id, [code, name] as const]))),
  }
}

const gramsPer = ({ settings }: Deps) => (settings.get('units.weight') === 'lb' ? pound : 1000)
const mmPer = ({ settings }: Deps) => (settings.get('units.dimension') === 'in' ? 25.4 : 10)

const lengths: Partial<Record<BulkField, number>> = {
  reference: 60,
  receiverName: 120,
  company: 120,
  email: 320,
  line1: 120,
  line2: 120,
  postcode: 12,
  city: 80,
  state: 80,
  contentDescription: 120,
  remarks: 200,
}

const indexOf = Object.fromEntries(bulkFields.map((field, n) => [field, n])) as Record<BulkField, number>

export type Checked = { input: ParcelInput | null; problems: KeptProblem[]; hash: string | null }

const markProblems: Record<CellMark, Pick<KeptProblem, 'code' | 'mild'>> = {
  formula_empty: { code: 'formula_empty' },
  formula_error: { code: 'formula_error' },
  merged: { code: 'merged', mild: true },
}

/** What a row says, without its price. `marks` are what the reader saw beside the values, by field. */
export function checkRow(
  setting: Setting,
  cells: readonly string[],
  marks?: ReadonlyMap<BulkField, CellMark>,
): Checked {
  const problems: KeptProblem[] = []
  const at = (field: BulkField) => cells[indexOf[field]] ?? ''
  const tell = (column: BulkField, code: string, suggestion?: string | null, vars?: KeptProblem['vars']) => {
    problems.push({ column, code, ...(suggestion ? { suggestion } : {}), ...(vars ? { vars } : {}) })
  }
  for (const [column, mark] of marks ?? []) problems.push({ column, ...markProblems[mark] })
  for (const [field, max] of Object.entries(lengths) as [BulkField, number][]) {
    if (at(field).length > max) tell(field, 'too_long', null, { max })
  }
  const choice = <V extends string>(field: BulkField, choices: Choices, otherwise: V, code: string): V => {
    const text = at(field)
    if (text === '') return otherwise
    const { value, suggestion } = readChoice(text, choices)
    if (value !== null) return value as V
    tell(field, code, suggestion)
    return otherwise
  }
  const required = (field: BulkField) => {
    const text = at(field)
    if (text === '' && !marks?.has(field)) tell(field, 'required')
    return text
  }
  const number = (field: BulkField, units: Units, least: number, most: number): number | null => {
    const text = at(field)
    if (text === '') return null
    const read = readNumber(text, units)
    if (read.kind === 'unclear') {
      tell(field, read.code, read.suggestion)
      return null
    }
    if (read.value < least || read.value > most) {
      tell(field, 'out_of_range', null, { min: least, max: most })
      return null
    }
    return read.value
  }

  const country = choice('country', setting.countries, setting.home as string, 'country_unknown')
  const abroad = country !== setting.home
  const scope = choice<Scope>('scope', setting.scopes, abroad ? 'international' : 'domestic', 'scope_unknown')
  if ((scope === 'international') !== abroad) tell('scope', 'scope_mismatch', abroad ? 'international' : 'domestic')
  const serviceType = choice<ServiceType>('serviceType', setting.services, 'e_parcel', 'service_unknown')
  const deliveryMode = choice<DeliveryMode>('deliveryMode', setting.modes, 'D2D', 'mode_unknown')
  const contentType = choice<ContentType>(
    'contentType',
    setting.contents,
    serviceType === 'document' ? 'document' : 'others',
    'content_unknown',
  )
  if (abroad && serviceType !== 'document') tell('country', 'customs_needed')

  const receiver = {
    contactName: required('receiverName'),
    company: at('company') || null,
    phone: readPhone(at('phone'), country, tell, marks?.has('phone') ?? false),
    email: readEmail(at('email'), tell),
    line1: required('line1'),
    line2: at('line2') || null,
    ...readPlace(at, country, tell),
    country,
    residential: at('company') === '',
    remarks: at('remarks') || null,
  } satisfies Party

  const station =
    at('collectionStation') === '' ? null : choice('collectionStation', setting.stations, '', 'station_unknown') || null
  if (deliveryMode[2] === 'P' && at('collectionStation') === '') tell('collectionStation', 'required')

  const weight = required('weight') === '' ? null : number('weight', setting.weightUnits, 0.001, 10_000)
  const sides = (['length', 'width', 'height'] as const).map((field) => ({
    field,
    value: number(field, setting.lengthUnits, 0.1, 10_000),
  }))
  const given = sides.filter(({ field }) => at(field) !== '')
  if (given.length < 3 && (serviceType !== 'document' || given.length > 0)) {
    for (const { field } of sides) if (at(field) === '' && !marks?.has(field)) tell(field, 'required')
  }
  const mm = sides.map(({ value }) => (value === null ? 0 : Math.max(1, Math.round(value * mmPer(setting.deps)))))
  const declared = number('declaredValue', moneyUnits, 0, 10_000_000)
  const insured = number('insuredValue', moneyUnits, 0, 10_000_000)
  const cod = number('codAmount', moneyUnits, 0, 10_000_000)
  if (insured !== null && declared !== null && insured > declared)
    tell('insuredValue', 'over_declared', String(declared))
  const minor = (value: number | null) => (value === null ? null : Math.round(value * 100))
  const grams = weight === null ? null : Math.max(1, Math.round(weight * gramsPer(setting.deps)))

  const blocked = problems.some(({ mild }) => !mild)
  const input: ParcelInput = {
    reference: at('reference') || null,
    scope,
    serviceType,
    deliveryMode,
    carrier: null,
    sender: setting.sender,
    receiver,
    dropOffStationId: null,
    selfCollectionStationId: deliveryMode[2] === 'P' ? station : null,
    contentType,
    contentDescription: at('contentDescription') || null,
    declaredValueMinor: minor(declared),
    insuredValueMinor: minor(insured),
    collectionMode: null,
    codAmountMinor: minor(cod),
    customs: null,
    photoIds: [],
    unfinished: null,
    shipAnyway: [],
    weightGrams: grams,
    dimensions: given.length === 3 ? { lengthMm: mm[0] ?? 1, widthMm: mm[1] ?? 1, heightMm: mm[2] ?? 1 } : null,
  }
  return { input: blocked ? null : input, problems, hash: hashOf(input) }
}

const moneyUnits: Units = { rm: 1, myr: 1 }

type Tell = (column: BulkField, code: string, suggestion?: string | null, vars?: KeptProblem['vars']) => void

/** E.164; a number that a spreadsheet took its zero from is pointed out with what it was. */
function readPhone(text: string, country: string, tell: Tell, marked: boolean): string {
  if (text === '') {
    if (!marked) tell('phone', 'required')
    return ''
  }
  const phone = phoneOf(text, country)
  if (phone === null) tell('phone', 'phone_invalid', phoneOf(`+${text.replace(/\D/g, '')}`, country))
  else if (/^[^+\d]*[1-9]/.test(text) && !text.replace(/\D/g, '').startsWith(phone.slice(1, 3)))
    tell('phone', 'phone_lost_zero', phone)
  return phone ?? text.slice(0, 40)
}

function readEmail(text: string, tell: Tell): string | null {
  // Too long is said already.
  if (text === '' || text.length > 320) return null
  const email = text.toLowerCase()
  if (!/^[^\s@,;<>]+@[^\s@,;<>]+\.[a-z\d-]{2,}$/.test(email)) {
    const found = /[^\s@,;<>]+@[^\s@,;<>]+\.[a-z\d-]{2,}/.exec(email.replace(/，|,(?=[a-z]+$)/g, '.'))
    tell('email', 'email_invalid', found?.[0] ?? null)
  }
  return email
}

/** Postcode, city and state: what is empty and can be only one thing is filled in, what contradicts the postcode is pointed out with what fits. */
function readPlace(
  at: (field: BulkField) => string,
  country: string,
  tell: Tell,
): { postcode: string; city: string; state: string } {
  const written = at('postcode')
  const rest = { city: at('city'), state: at('state') }
  if (!hasPostcodes(country)) {
    if (rest.city === '') tell('city', 'required')
    return { postcode: written, ...rest }
  }
  if (written === '') {
    tell('postcode', 'required')
    return { postcode: '', ...rest }
  }
  const place = lookupPostcode(written, country)
  if (!place) {
    const padded = /^\d{3,4}$/.test(written) ? written.padStart(5, '0') : written.replace(/\D/g, '')
    const known = padded !== written && lookupPostcode(padded, country) ? padded : null
    tell('postcode', known && /^\d{3,4}$/.test(written) ? 'postcode_lost_zero' : 'postcode_unknown', known)
    return { postcode: written.slice(0, 12), ...rest }
  }
  const [first] = place.cities
  let { city } = rest
  if (city === '') {
    if (place.cities.length === 1 && first) city = first
    else tell('city', 'city_missing', first)
  } else if (!place.cities.includes(city) && !cityFits(city, place.state)) {
    tell('city', 'city_mismatch', first, { postcode: written, cities: place.cities.slice(0, 3).join(', ') })
  }
  const state = rest.state === '' ? place.state : stateNamed(rest.state)
  if (state !== place.state) tell('state', 'state_mismatch', place.state, { postcode: written, state: place.state })
  return { postcode: written, city, state: place.state }
}

/** The same parcel again has the same; who sends it and what it costs do not count. */
function hashOf(input: ParcelInput): string {
  const { receiver, dimensions: size } = input
  const said = [
    ...[input.reference, receiver?.contactName, receiver?.phone, receiver?.line1, receiver?.line2].map((text) =>
      plainName(text ?? ''),
    ),
    ...[
      receiver?.postcode,
      receiver?.country,
      input.serviceType,
      input.deliveryMode,
      input.weightGrams,
      input.codAmountMinor,
    ],
    ...[
      size?.lengthMm,
      size?.widthMm,
      size?.heightMm,
      plainName(input.contentDescription ?? ''),
      plainName(receiver?.remarks ?? ''),
    ],
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
}

/** A field of the contract's parcel -> the column that says it. */
const columnOfField: Record<string, BulkField | null> = {
  weightGrams: 'weight',
  dimensions: 'length',
  'receiver.postcode': 'postcode',
  'receiver.country': 'country',
  'receiver.phone': 'phone',
  'receiver.city': 'city',
  'receiver.state': 'state',
  serviceType: 'serviceType',
  deliveryMode: 'deliveryMode',
  insuredValueMinor: 'insuredValue',
  declaredValueMinor: 'declaredValue',
  codAmountMinor: 'codAmount',
  selfCollectionStationId: 'collectionStation',
}

export type Priced = { row: ParcelRow; price: Awaited<ReturnType<typeof priceColumns>> }

/** The columns of the parcel that a row makes, with its price of today; or why it has none, as a problem. */
export async function priceRow(setting: Setting, input: ParcelInput): Promise<Priced | KeptProblem> {
  const row = columnsOf(setting.deps, input) as unknown as ParcelRow
  try {
    return { row, price: await priceColumns(setting.deps, row, setting.account) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal') throw error
    const [problem] = error.extra.fields ?? []
    if (!problem) throw error
    const vars = Object.fromEntries(
      Object.entries(problem.vars ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
    ) as Record<string, string | number>
    // Words of the contract's own rules, about the column.
    return {
      column: columnOfField[problem.field] ?? null,
      code: `rule.${problem.rule}`,
      vars: { ...vars, field: problem.field },
    }
  }
}

export const longestCell = bulkLimits.cell
