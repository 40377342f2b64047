/** One row of a spreadsheet held against everything that a parcel must be: a parcel and its price, or every problem by cell with what is meant. */
import { hash as digest } from 'node:crypto'
import { cityStates, hasPostcode } from '@waybill/contract/address-forms'
import { type Party, party } from '@waybill/contract/addresses'
import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/bulk'
import {
  type ContentType,
  contentTypeLabels,
  customsReasonLabels,
  type DeliveryMode,
  deliveryModeLabels,
  deliveryModeNames,
  type Scope,
  type ServiceType,
  scopeLabels,
  serviceTypeLabels,
} from '@waybill/contract/enums'
import type { ParcelInput, ShippedAnyway } from '@waybill/contract/parcels'
import { safeParse } from 'zod/mini'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { countryName, everyCountry } from '../../lib/countries.ts'
import { phoneOf } from '../../lib/phone.ts'
import type { CellMark } from '../../lib/sheet-read.ts'
import { contradictionsOf, sendersByLabel } from '../addresses/service.ts'
import { type PricingAccount, pricingAccount } from '../pricing/service.ts'
import {
  cityFits,
  counterStations,
  hasPostcodes,
  lookupPostcode,
  type Station,
  stateNamed,
  stationsById,
} from '../stations/service.ts'
import { readCustoms } from './bulk-customs.ts'
import { columnOf, problemOf, type Refused, ruleProblems } from './bulk-rules.ts'
import { type Choices, choicesOf, plainName, readChoice, readNumber, type Units } from './bulk-values.ts'
import { insistedOn } from './contradictions.ts'
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
  reasons: Choices
  senders: Choices
  /** By the names in `stations` and `senders`. */
  stationsById: ReadonlyMap<string, Station>
  sendersByLabel: ReadonlyMap<string, Party>
  /** Prices that were asked for already, by what they depend on: many rows cost the same. */
  prices: Map<string, PriceAnswer>
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
  const stations = await stationsById(
    deps.db,
    items.map(({ id }) => id),
  )
  const book = new Map(
    [...(await sendersByLabel(deps, accountId))].flatMap(([label, address]) => {
      const parsed = safeParse(party, address)
      return parsed.success ? [[label, parsed.data] as const] : []
    }),
  )
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
    reasons: choicesOf(customsReasonLabels),
    senders: choicesOf(Object.fromEntries([...book.keys()].map((label) => [label, [label, label] as const]))),
    stationsById: stations,
    sendersByLabel: book,
    prices: new Map(),
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

/** `insisted`: of the contradictions that the sender insists on those that are still there. */
export type Checked = {
  input: ParcelInput | null
  problems: KeptProblem[]
  hash: string | null
  insisted: ShippedAnyway[] | null
}

/** What the sender insists on: before, and now. */
export type Insisting = {
  before: ShippedAnyway[] | null
  now: readonly ShippedAnyway['field'][]
  caller: CustomerCaller
}

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
  insisting?: Insisting,
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
  const senderLabel = choice('senderLabel', setting.senders, '', 'sender_unknown')
  const sender = setting.sendersByLabel.get(senderLabel) ?? setting.sender

  const place = readPlace(at, country, tell)
  const receiver = {
    contactName: required('receiverName'),
    company: at('company') || null,
    phone: readPhone(at('phone'), country, tell, marks?.has('phone') ?? false),
    email: readEmail(at('email'), tell),
    line1: required('line1'),
    line2: at('line2') || null,
    ...place.said,
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
  const { customs, items: customsItems } = abroad
    ? readCustoms({ at, number, tell, choice }, setting, {
        needed: serviceType !== 'document',
        weightUnits: setting.weightUnits,
        gramsPer: gramsPer(setting.deps),
        moneyUnits,
      })
    : { customs: null, items: [] }
  if (customs?.reason === 'other') customs.reasonText = at('contentDescription').slice(0, 80) || null

  const insisted =
    insisting && (insisting.before !== null || insisting.now.length > 0)
      ? insistedOn(setting.deps, insisting.caller, { sender, receiver }, insisting.now, insisting.before)
      : null
  for (const { field, tellIt } of [...place.contradictions, ...senderContradictions(sender, tell)]) {
    const said = insisted?.some((one) => one.field === field)
    if (!said) tellIt()
    else if (!problems.some(({ code }) => code === 'insisted')) {
      problems.push({ column: columnOf(field, []), code: 'insisted', mild: true })
    }
  }
  const grams = weight === null ? null : Math.max(1, Math.round(weight * gramsPer(setting.deps)))

  const input: ParcelInput = {
    reference: at('reference') || null,
    scope,
    serviceType,
    deliveryMode,
    carrier: null,
    sender,
    receiver,
    dropOffStationId: null,
    selfCollectionStationId: deliveryMode[2] === 'P' ? station : null,
    contentType,
    contentDescription: at('contentDescription') || null,
    declaredValueMinor: minor(declared),
    insuredValueMinor: minor(insured),
    collectionMode: null,
    codAmountMinor: minor(cod),
    customs,
    photoIds: [],
    unfinished: null,
    shipAnyway: [],
    weightGrams: grams,
    dimensions: given.length === 3 ? { lengthMm: mm[0] ?? 1, widthMm: mm[1] ?? 1, heightMm: mm[2] ?? 1 } : null,
  }
  // What the form would refuse is refused here, by the same rules; what is said of a cell already is not said twice.
  const refused: Refused = ruleProblems(setting, input, customsItems)
  const wrong = new Set(problems.flatMap(({ column, mild }) => (mild ? [] : [column])))
  // Town and state come from the postcode: until it is right they don't miss.
  const waiting = wrong.has('postcode') ? ['city', 'state'] : []
  for (const problem of refused.problems) {
    const follows = problem.code === 'rule.required' && waiting.includes(problem.column ?? '')
    if (!follows && !wrong.has(problem.column)) problems.push(problem)
  }
  const blocked = problems.some(({ mild }) => !mild)
  return { input: blocked ? null : refused.input, problems, hash: hashOf(input), insisted }
}

const moneyUnits: Units = { rm: 1, myr: 1 }

export type Tell = (column: BulkField, code: string, suggestion?: string | null, vars?: KeptProblem['vars']) => void
/** A contradiction of an address, and how it is told where nobody insists on it. */
type Contradiction = { field: ShippedAnyway['field']; tellIt: () => void }

const senderFields = { state: 'sender.state', city: 'sender.city' } as const

function senderContradictions(sender: Party | null, tell: Tell): Contradiction[] {
  if (!sender) return []
  return contradictionsOf(sender).flatMap(({ field }): Contradiction[] =>
    field === 'postcode'
      ? []
      : [
          {
            field: senderFields[field],
            tellIt: () => tell('senderLabel', 'sender_mismatch', null, { postcode: sender.postcode }),
          },
        ],
  )
}

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

type Place = { said: { postcode: string; city: string; state: string }; contradictions: Contradiction[] }

/** Postcode, city and state: what is empty and can be only one thing is filled in, what contradicts the postcode is pointed out with what fits. */
function readPlace(at: (field: BulkField) => string, country: string, tell: Tell): Place {
  const written = at('postcode')
  const rest = { city: at('city'), state: at('state') }
  const contradictions: Contradiction[] = []
  if (!hasPostcodes(country)) {
    const only = cityStates[country] ?? ''
    const said = { postcode: written, city: rest.city || only, state: rest.state || only }
    if (said.city === '') tell('city', 'required')
    if (written === '' && hasPostcode(country)) tell('postcode', 'required')
    return { said, contradictions }
  }
  if (written === '') {
    tell('postcode', 'required')
    return { said: { postcode: '', ...rest }, contradictions }
  }
  const place = lookupPostcode(written, country)
  if (!place) {
    const padded = /^\d{3,4}$/.test(written) ? written.padStart(5, '0') : written.replace(/\D/g, '')
    const known = padded !== written && lookupPostcode(padded, country) ? padded : null
    tell('postcode', known && /^\d{3,4}$/.test(written) ? 'postcode_lost_zero' : 'postcode_unknown', known)
    return { said: { postcode: written.slice(0, 12), ...rest }, contradictions }
  }
  const [first] = place.cities
  let { city } = rest
  if (city === '') {
    if (place.cities.length === 1 && first) city = first
    else tell('city', 'city_missing', first)
  } else if (!place.cities.includes(city) && !cityFits(city, place.state)) {
    const vars = { postcode: written, cities: place.cities.slice(0, 3).join(', ') }
    contradictions.push({ field: 'receiver.city', tellIt: () => tell('city', 'city_mismatch', first, vars) })
  }
  const state = rest.state === '' ? place.state : (stateNamed(rest.state) ?? rest.state)
  if (state !== place.state) {
    const vars = { postcode: written, state: place.state }
    contradictions.push({
      field: 'receiver.state',
      tellIt: () => tell('state', 'state_mismatch', place.state, vars),
    })
  }
  return { said: { postcode: written, city, state }, contradictions }
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
  return digest('sha256', JSON.stringify(said), 'base64url').slice(0, 22)
}

export type Priced = { row: ParcelRow; price: Awaited<ReturnType<typeof priceColumns>> }
type PriceAnswer = Priced['price'] | KeptProblem

const mostPrices = 20_000

/** The columns of the parcel that a row makes, with its price of today; or why it has none, as a problem. */
export async function priceRow(setting: Setting, input: ParcelInput): Promise<Priced | KeptProblem> {
  const row = columnsOf(setting.deps, input) as unknown as ParcelRow
  const { scope, serviceType, deliveryMode, sender, receiver, weightGrams, dimensions: size } = input
  const key = [
    ...[scope, serviceType, deliveryMode, sender?.country, sender?.postcode, receiver?.country, receiver?.postcode],
    ...[weightGrams, size?.lengthMm, size?.widthMm, size?.heightMm, row.insured_value_minor, row.cod_amount_minor],
  ].join('|')
  let answer = setting.prices.get(key)
  if (!answer) {
    answer = await priceOf(setting, row)
    if (setting.prices.size < mostPrices) setting.prices.set(key, answer)
  }
  return 'price' in answer ? { row, price: answer } : answer
}

async function priceOf(setting: Setting, row: ParcelRow): Promise<PriceAnswer> {
  try {
    return await priceColumns(setting.deps, row, setting.account)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal') throw error
    const [problem] = error.extra.fields ?? []
    if (!problem) throw error
    return problemOf(problem, [])
  }
}

export const longestCell = bulkLimits.cell
