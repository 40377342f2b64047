/**
 * One row of a spreadsheet held against everything that a parcel must be: a parcel and its price, or every problem by
 * cell with what is meant.
 */
import { hash as digest } from 'node:crypto'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { ContentType, DeliveryMode, Scope, ServiceType } from '@waybill/contract/ground/enums'
import { type BulkField, bulkFields } from '@waybill/contract/parcels/bulk'
import type { ParcelInput, ShippedAnyway } from '@waybill/contract/parcels/parcels'
import type { CustomerCaller } from '../../../http/caller.ts'
import type { CellMark } from '../../../lib/sheet/read.ts'
import type { KeptProblem } from '../bulk/queries.ts'
import { overriddenContradictions } from '../cart/contradictions.ts'
import { type Choices, plainName, readChoice, readNumber, type Units } from './cells.ts'
import { readCustoms } from './cells-customs.ts'
import { cellProblem, checkPlace, readEmail, readPhone, senderContradictions, type Tell } from './cells-place.ts'
import { gramsPer, mmPer, type Setting } from './context.ts'
import { columnOfField, type Refused, ruleProblems } from './contract-problems.ts'

const lengths = Object.entries({
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
} satisfies Partial<Record<BulkField, number>>) as [BulkField, number][]

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
  const tell: Tell = (column, code, suggestion, vars) => {
    problems.push(cellProblem(column, code, suggestion, vars))
  }
  for (const [column, mark] of marks ?? []) problems.push({ column, ...markProblems[mark] })
  for (const [field, max] of lengths) {
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

  const place = checkPlace(setting, at('postcode'), at('city'), at('state'), country)
  problems.push(...place.problems)
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
  const declared = number('declaredValue', setting.moneyUnits, 0, 10_000_000)
  const insured = number('insuredValue', setting.moneyUnits, 0, 10_000_000)
  const cod = number('codAmount', setting.moneyUnits, 0, 10_000_000)
  if (insured !== null && declared !== null && insured > declared)
    tell('insuredValue', 'over_declared', String(declared))
  const minor = (value: number | null) => (value === null ? null : Math.round(value * 100))
  const { customs, items: customsItems } = abroad
    ? readCustoms({ at, number, tell, choice }, setting, {
        needed: serviceType !== 'document',
        gramsPer: gramsPer(setting.deps),
      })
    : { customs: null, items: [] }
  if (customs?.reason === 'other') customs.reasonText = at('contentDescription').slice(0, 80) || null

  const insisted =
    insisting && (insisting.before !== null || insisting.now.length > 0)
      ? overriddenContradictions(setting.deps, insisting.caller, { sender, receiver }, insisting.now, insisting.before)
      : null
  for (const { field, problem } of [...place.contradictions, ...senderContradictions(sender)]) {
    const said = insisted?.some((one) => one.field === field)
    if (!said) problems.push(problem)
    else if (!problems.some(({ code }) => code === 'insisted')) {
      problems.push({ column: columnOfField(field, []), code: 'insisted', mild: true })
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
  if (refused.problems.length > 0) {
    const wrong = new Set(problems.flatMap(({ column, mild }) => (mild ? [] : [column])))
    // Town and state come from the postcode: until it is right they don't miss.
    const waiting = wrong.has('postcode') ? ['city', 'state'] : []
    for (const problem of refused.problems) {
      const follows = problem.code === 'rule.required' && waiting.includes(problem.column ?? '')
      if (!follows && !wrong.has(problem.column)) problems.push(problem)
    }
  }
  const blocked = problems.some(({ mild }) => !mild)
  return { input: blocked ? null : refused.input, problems, hash: hashOf(input), insisted }
}

/** The same parcel again has the same; who sends it and what it costs do not count. */
function hashOf(input: ParcelInput): string {
  const { receiver, dimensions: size } = input
  const said = [
    plainName(input.reference ?? ''),
    plainName(receiver?.contactName ?? ''),
    plainName(receiver?.phone ?? ''),
    plainName(receiver?.line1 ?? ''),
    plainName(receiver?.line2 ?? ''),
    receiver?.postcode,
    receiver?.country,
    input.serviceType,
    input.deliveryMode,
    input.weightGrams,
    input.codAmountMinor,
    size?.lengthMm,
    size?.widthMm,
    size?.heightMm,
    plainName(input.contentDescription ?? ''),
    plainName(receiver?.remarks ?? ''),
  ]
  return digest('sha256', JSON.stringify(said), 'base64url').slice(0, 22)
}
