// Validates one spreadsheet row. Returns a parcel, or the problems by cell, each with a suggestion where there is one.
import { hash as digest } from 'node:crypto'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { ContentType } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode, Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import { type BulkField, bulkFields } from '@waybill/contract/parcels/bulk'
import type { ParcelInput, ParcelOverride } from '@waybill/contract/parcels/parcels'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { CustomerCaller } from '../../../http/caller.ts'
import { plainName } from '../../../lib/sheet/cell-values.ts'
import type { CellMark } from '../../../lib/sheet/row.ts'
import { clip } from '../../../lib/text/clip.ts'
import { isWarning, type KeptProblem } from '../bulk/queries-rows.ts'
import { overriddenContradictions } from '../cart/contradictions.ts'
import { maxValueMinor } from '../cart/input.ts'
import { readCustoms } from './cells-customs.ts'
import { checkPlace, type RowContradiction, readEmailCell, readPhoneCell, senderContradictions } from './cells-place.ts'
import { type CellReader, cellReader } from './cells-reader.ts'
import { gramsPer, mmPer, type RowContext } from './context.ts'
import { findColumnOfField, ruleProblems } from './contract-problems.ts'
import { findUnits } from './header-units.ts'

const maxLengths = Object.entries({
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

/** `input` is null where a problem blocks the row. `overrides`: the overridden contradictions that still exist. */
export type RowResult = {
  input: ParcelInput | null
  problems: KeptProblem[]
  hash: string | null
  overrides: ParcelOverride[] | null
}

/** The contradictions that the sender overrides: those stored before, and those of this request. */
export type OverrideContext = {
  before: ParcelOverride[] | null
  now: readonly ParcelOverride['field'][]
  caller: CustomerCaller
}

/** Country, scope, service, delivery mode and contents; each has a default. */
function readService({ choice, addProblem }: CellReader, context: RowContext) {
  const country = choice('country', context.countries, context.home as string, 'country_unknown')
  const abroad = country !== context.home
  const scope = choice<Scope>('scope', context.scopes, abroad ? 'international' : 'domestic', 'scope_unknown')
  if ((scope === 'international') !== abroad)
    addProblem('scope', 'scope_mismatch', abroad ? 'international' : 'domestic')
  const serviceType = choice<ServiceType>('serviceType', context.services, 'e_parcel', 'service_unknown')
  const deliveryMode = choice<DeliveryMode>('deliveryMode', context.modes, 'D2D', 'mode_unknown')
  const contentType = choice<ContentType>(
    'contentType',
    context.contents,
    serviceType === 'document' ? 'document' : 'others',
    'content_unknown',
  )
  return { country, abroad, scope, serviceType, deliveryMode, contentType }
}

/** The station of self-collection; null unless the delivery mode ends at one. */
function readStation(
  { at, choice, addProblem }: CellReader,
  context: RowContext,
  deliveryMode: DeliveryMode,
): string | null {
  const toStation = endsAtStation(deliveryMode)
  if (at('collectionStation') === '') {
    if (toStation) addProblem('collectionStation', 'required')
    return null
  }
  const station = choice('collectionStation', context.stations, '', 'station_unknown') || null
  return toStation ? station : null
}

/** Weight in grams, dimensions in mm. Documents need no dimensions; a part of them is never enough. */
function readSize(
  { at, marked, number, required, addProblem }: CellReader,
  context: RowContext,
  serviceType: ServiceType,
) {
  const weight = required('weight') === '' ? null : number('weight', context.weightUnits, 0.001, 10_000)
  const sides = (['length', 'width', 'height'] as const).map((field) => ({
    field,
    value: number(field, context.lengthUnits, 0.1, 10_000),
  }))
  const filled = sides.filter(({ field }) => at(field) !== '')
  if (filled.length < 3 && (serviceType !== 'document' || filled.length > 0)) {
    for (const { field } of sides) if (at(field) === '' && !marked(field)) addProblem(field, 'required')
  }
  const mm = sides.map(({ value }) => (value === null ? 0 : Math.max(1, Math.round(value * mmPer(context.deps)))))
  return {
    weightGrams: weight === null ? null : Math.max(1, Math.round(weight * gramsPer(context.deps))),
    dimensions: filled.length === 3 ? { lengthMm: mm[0] ?? 1, widthMm: mm[1] ?? 1, heightMm: mm[2] ?? 1 } : null,
  }
}

/** Declared, insured and COD amounts in minor units. */
function readAmounts({ number, addProblem }: CellReader, { moneyUnits, minorPerUnit }: RowContext) {
  const amount = (field: BulkField) => number(field, moneyUnits, 0, maxValueMinor / minorPerUnit)
  const declared = amount('declaredValue')
  const insured = amount('insuredValue')
  const cod = amount('codAmount')
  if (insured !== null && declared !== null && insured > declared)
    addProblem('insuredValue', 'over_declared', String(declared))
  const minor = (value: number | null) => (value === null ? null : Math.round(value * minorPerUnit))
  return { declaredValueMinor: minor(declared), insuredValueMinor: minor(insured), codAmountMinor: minor(cod) }
}

/** Adds the contradictions of the addresses as problems; those that the sender overrides become one warning. */
function addContradictions(
  problems: KeptProblem[],
  contradictions: readonly RowContradiction[],
  overrides: readonly ParcelOverride[] | null,
): void {
  for (const { field, problem } of contradictions) {
    if (!overrides?.some((override) => override.field === field)) problems.push(problem)
    else if (!problems.some(({ code }) => code === 'overridden')) {
      problems.push({ column: findColumnOfField(field, []), code: 'overridden' })
    }
  }
}

/**
 * Adds the problems that the form would report, by the same rules. A cell that already has a problem gets no second
 * one.
 */
function addRuleProblems(problems: KeptProblem[], violations: readonly KeptProblem[]): void {
  if (violations.length === 0) return
  const blockedColumns = new Set(problems.flatMap((problem) => (isWarning(problem) ? [] : [problem.column])))
  // City and state follow from the postcode: until that is right, they do not count as missing.
  const dependent = blockedColumns.has('postcode') ? ['city', 'state'] : []
  for (const problem of violations) {
    const follows = problem.code === 'rule.required' && dependent.includes(problem.column ?? '')
    if (!follows && !blockedColumns.has(problem.column)) problems.push(problem)
  }
}

/** Labels of a total row below a table. */
const totalWords =
  /^(grand\s*total|sub\s*-?\s*total|totals?|sum|jumlah(\s+(besar|keseluruhan))?|合\s*计|总\s*计|小\s*计|汇\s*总|总和)\s*[:：]?$/i

/**
 * Whether a row is the total of those above: it has no receiver, phone or address, and is labelled so or has only
 * numbers. It is never dropped silently: the sender is asked to remove it.
 */
function isTotalRow(at: CellReader['at'], cells: readonly string[], context: RowContext): boolean {
  if (at('phone') !== '' || at('postcode') !== '') return false
  const texts = cells.filter((cell) => cell !== '')
  if (texts.some((text) => totalWords.test(text.trim()))) return at('line1') === '' || totalWords.test(at('line1'))
  if (texts.length === 0 || (at('weight') === '' && texts.length === 1)) return false
  return bulkFields.every((field, n) => {
    const number = findUnits(context, field) ? /^[\d.,\s]+\p{L}*$/u : /^[\d.,\s]+$/
    return !cells[n] || number.test(cells[n])
  })
}

/** Validates a row, except for its price. `marks` are the file's marks on cells, by field. */
export function checkRow(
  context: RowContext,
  cells: readonly string[],
  marks?: ReadonlyMap<BulkField, CellMark>,
  overrideContext?: OverrideContext,
): RowResult {
  const reader = cellReader(cells, marks)
  const { at, problems, required, addProblem, choice } = reader
  if (isTotalRow(at, cells, context)) {
    return { input: null, problems: [{ column: null, code: 'total_row' }], hash: null, overrides: null }
  }
  for (const [field, max] of maxLengths) {
    if (at(field).length > max) addProblem(field, 'too_long', null, { max })
  }
  const { country, abroad, scope, serviceType, deliveryMode, contentType } = readService(reader, context)
  const senderLabel = choice('senderLabel', context.senders, '', 'sender_unknown')
  const sender = context.sendersByLabel.get(senderLabel) ?? context.sender

  const place = checkPlace(context, at('postcode'), at('city'), at('state'), country, [at('line1'), at('line2')])
  problems.push(...place.problems)
  const receiver = {
    contactName: required('receiverName'),
    company: at('company') || null,
    phone: readPhoneCell(at('phone'), country, addProblem, reader.marked('phone')),
    email: readEmailCell(at('email'), addProblem),
    line1: required('line1'),
    line2: at('line2') || null,
    ...place.fields,
    country,
    residential: at('company') === '',
    remarks: at('remarks') || null,
  } satisfies Party

  const station = readStation(reader, context, deliveryMode)
  const size = readSize(reader, context, serviceType)
  const amounts = readAmounts(reader, context)
  const { customs, items } = abroad
    ? readCustoms(reader, context, { required: serviceType !== 'document', gramsPer: gramsPer(context.deps) })
    : { customs: null, items: [] }
  if (customs?.reason === 'other') customs.reasonText = clip(at('contentDescription'), 80) || null

  const overrides =
    overrideContext && (overrideContext.before !== null || overrideContext.now.length > 0)
      ? overriddenContradictions(
          context.deps,
          overrideContext.caller,
          { sender, receiver },
          overrideContext.now,
          overrideContext.before,
        )
      : null
  addContradictions(problems, [...place.contradictions, ...senderContradictions(sender)], overrides)

  const input: ParcelInput = {
    reference: at('reference') || null,
    scope,
    serviceType,
    deliveryMode,
    carrier: null,
    sender,
    receiver,
    dropOffStationId: null,
    selfCollectionStationId: station,
    contentType,
    contentDescription: at('contentDescription') || null,
    ...amounts,
    collectionMode: null,
    customs,
    photoIds: [],
    unfinished: null,
    override: [],
    ...size,
  }
  const violations = ruleProblems(context, input, items)
  addRuleProblems(problems, violations.problems)
  const blocked = !problems.every(isWarning)
  return { input: blocked ? null : violations.input, problems, hash: hashInput(input), overrides }
}

/** The fingerprint by which duplicates are found. It excludes the sender and the price. */
function hashInput(input: ParcelInput): string {
  const { receiver, dimensions: size } = input
  const contents = [
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
  return digest('sha256', JSON.stringify(contents), 'base64url').slice(0, 22)
}
