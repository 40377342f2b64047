// Checks what a sender filled in against the settings, and turns it into columns.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { CollectionMode } from '@waybill/contract/ground/enums/enums'
import type { Label } from '@waybill/contract/ground/enums/labels'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import { formatMoney, formatWeight } from '@waybill/contract/ground/format'
import { volumetricGrams } from '@waybill/contract/ground/measures'
import { customsTotal } from '@waybill/contract/parcels/customs'
import type { ParcelInput } from '@waybill/contract/parcels/parcels'
import { findNearestCash } from '@waybill/contract/payments/coins'
import { endsAtStation, isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { inBothLanguages } from '../../../lib/i18n.ts'
import { isPhone } from '../../../lib/phone.ts'
import { findContradictions } from '../../addresses/contradictions.ts'
import { findUnprintableFields } from '../../addresses/printed-fields.ts'
import { findExceededLimit, listSizeLimits, type SizeLimit } from '../../pricing/size-limits.ts'
import { lookupPostcode } from '../../stations/postcodes.ts'
import type { Station } from '../../stations/queries.ts'
import { offersService } from '../../stations/rules.ts'
import { findStationsById } from '../../stations/service.ts'
import type { ParcelChanges } from '../queries.ts'
import { findProhibited } from './rules-prohibited.ts'

/** A problem of a field, and the error code of a request that has only this kind of problem. */
type Problem = { code: ErrorCode; field: FieldProblem }

/** Only what no service could carry; the choice of services reports the limits of each. */
function weightProblems(
  { settings }: Deps,
  input: ParcelInput,
  limits: readonly SizeLimit[],
): { problems: Problem[]; limit: number | null } {
  const exceeded = findExceededLimit(limits, input)
  if (!exceeded) return { problems: [], limit: null }
  const labels = {
    max: inBothLanguages((locale) => formatWeight(exceeded.limitGrams, settings.get('units.weight'), locale)),
  }
  const field =
    exceeded.of === 'weight'
      ? { field: 'weightGrams', rule: 'max', labels }
      : { field: 'dimensions', rule: 'tooLarge', labels }
  return { problems: [{ code: 'weight_over_limit', field }], limit: exceeded.limitGrams }
}

function partyProblems(
  deps: Deps,
  name: 'sender' | 'receiver',
  party: Party | null,
  scope: ParcelInput['scope'],
): Problem[] {
  if (!party) return []
  const problems: Problem[] = []
  const home = deps.settings.get('countryCode')
  const abroad = party.country !== home
  if (abroad && (scope === 'domestic' || name === 'sender')) {
    problems.push({ code: 'validation', field: { field: `${name}.country`, rule: 'enum' } })
  }
  if (!isPhone(party.phone, party.country)) {
    problems.push({ code: 'phone_invalid', field: { field: `${name}.phone`, rule: 'phone' } })
  }
  if (!abroad && name === 'receiver' && scope === 'international') {
    problems.push({ code: 'validation', field: { field: 'receiver.country', rule: 'notAbroad' } })
  }
  if (!abroad && !lookupPostcode(party.postcode, party.country)) {
    problems.push({ code: 'postcode_unknown', field: { field: `${name}.postcode`, rule: 'postcodeUnknown' } })
  }
  for (const problem of findUnprintableFields(party)) {
    problems.push({ code: 'validation', field: { ...problem, field: `${name}.${problem.field}` } })
  }
  return problems
}

type Stations = ReadonlyMap<string, Station>

function stationFields({ dropOffStationId, selfCollectionStationId }: ParcelInput) {
  return [
    { field: 'dropOffStationId', id: dropOffStationId, service: 'drop_off' },
    { field: 'selfCollectionStationId', id: selfCollectionStationId, service: 'self_collection' },
  ] as const
}

function stationProblems(input: ParcelInput, stations: Stations): Problem[] {
  return stationFields(input).flatMap(({ field, id, service }): Problem[] => {
    if (id === null) return []
    const station = stations.get(id)
    const fits = station?.active && offersService(station.serviceCodes, service, input.serviceType)
    return fits ? [] : [{ code: 'validation', field: { field, rule: 'stationCannot' } }]
  })
}

const getCustoms = ({ scope, customs }: ParcelInput) => (scope === 'international' ? customs : null)

/** The declared value; without one, the sum of the customs items. Null: nothing is declared. */
function getDeclaredValue(input: ParcelInput): number | null {
  const customs = getCustoms(input)
  return input.declaredValueMinor ?? (customs ? customsTotal(customs) : null)
}

/** Insurance covers at most the declared value, also of a draft: without one it covers nothing. */
function valueProblems(deps: Deps, input: ParcelInput): Problem[] {
  const problems: Problem[] = []
  if (input.contentType !== null && !deps.settings.get('contentTypes').includes(input.contentType)) {
    problems.push({ code: 'validation', field: { field: 'contentType', rule: 'enum' } })
  }
  const insured = input.insuredValueMinor ?? 0
  const declared = getDeclaredValue(input)
  if (insured > 0 && declared === null) {
    problems.push({ code: 'validation', field: { field: 'declaredValueMinor', rule: 'required' } })
  } else if (declared !== null && insured > declared) {
    problems.push({ code: 'validation', field: { field: 'insuredValueMinor', rule: 'overDeclared' } })
  }
  return problems
}

/** Finds prohibited contents in the description and in the customs items; the message names the rule. */
function contentProblems(deps: Deps, input: ParcelInput): Problem[] {
  const rules = deps.settings.get('contents.prohibited')
  const texts: [field: string, text: string | null][] = [
    ['contentDescription', input.contentDescription],
    ...(input.customs?.items ?? []).map(({ description }, index): [string, string] => [
      `customs.items.${index}.description`,
      description,
    ]),
  ]
  return texts.flatMap(([field, text]): Problem[] => {
    const match = text === null ? null : findProhibited(text, input.scope, rules)
    if (!match) return []
    const { name } = match.rule
    const labels = { name: [name.en, name.cn_zh] as const }
    return [{ code: 'prohibited_content', field: { field, rule: 'prohibited', vars: { word: match.word }, labels } }]
  })
}

/** COD is collected at the door, or at the self-collection station, in coins; never abroad. */
function collectionProblems(deps: Deps, input: ParcelInput): Problem[] {
  const { scope, collectionMode, codAmountMinor, deliveryMode } = input
  const hasCod = collectionMode !== null || (codAmountMinor ?? 0) > 0
  if (hasCod && scope === 'international') {
    return [{ code: 'validation', field: { field: 'codAmountMinor', rule: 'codAbroad' } }]
  }
  const problems: Problem[] = []
  const nearest = findNearestCash(codAmountMinor ?? 0, deps.settings.get('currency'))
  if (nearest) problems.push({ code: 'validation', field: { field: 'codAmountMinor', rule: 'coins', vars: nearest } })
  const fits = collectionMode === null || deliveryMode === null || collectionMode === collectionModeFor(deliveryMode)
  if (!fits) problems.push({ code: 'validation', field: { field: 'collectionMode', rule: 'collectionMode' } })
  return problems
}

/** The highest value of a parcel, and of an amount in a cell. */
export const maxValueMinor = 1_000_000_000

/** The items of a declaration must add up to the declared value, and weigh no more than the parcel. */
function customsProblems(deps: Deps, input: ParcelInput): Problem[] {
  const { scope, customs, declaredValueMinor: declared, weightGrams, deliveryMode } = input
  if (scope !== 'international') return []
  const problems: Problem[] = []
  const refuse = (field: string, rule: string, labels: Record<string, Label> = {}) =>
    problems.push({ code: 'validation', field: { field, rule, labels } })
  // We have no stations abroad.
  if (endsAtStation(deliveryMode)) refuse('deliveryMode', 'noStationAbroad')
  if (!customs) return problems
  const total = customsTotal(customs)
  const money = (amount: number) =>
    inBothLanguages((locale) => formatMoney(amount, deps.settings.get('currency'), locale))
  if (total > maxValueMinor) refuse('customs.items', 'max', { max: money(maxValueMinor) })
  else if (declared !== null && declared !== total) refuse('declaredValueMinor', 'customsSum', { total: money(total) })
  const net = customs.items.reduce((sum, item) => sum + (item.netWeightGrams ?? 0), 0)
  if (weightGrams !== null && net > weightGrams) {
    const unit = deps.settings.get('units.weight')
    refuse('customs.items', 'netOverGross', {
      max: inBothLanguages((locale) => formatWeight(weightGrams, unit, locale)),
    })
  }
  return problems
}

/** What a parcel is checked with: the limits of all services, and the stations that it refers to. */
type CheckedWith = { limits: readonly SizeLimit[]; stations: Stations }

/** All rules that a parcel breaks. Missing fields do not count as problems. */
function listProblems(deps: Deps, input: ParcelInput, { limits, stations }: CheckedWith): Problem[] {
  return [
    ...weightProblems(deps, input, limits).problems,
    ...valueProblems(deps, input),
    ...contentProblems(deps, input),
    ...collectionProblems(deps, input),
    ...customsProblems(deps, input),
    ...partyProblems(deps, 'sender', input.sender, input.scope),
    ...partyProblems(deps, 'receiver', input.receiver, input.scope),
    ...stationProblems(input, stations),
  ]
}

/** The fields that break a rule, for callers that check many parcels and have loaded limits and stations. */
export function inputProblems(deps: Deps, input: ParcelInput, checkedWith: CheckedWith): FieldProblem[] {
  return listProblems(deps, input, checkedWith).map(({ field }) => field)
}

/**
 * Checks a sender's input against the settings; missing fields do not count as problems. Throws 422 with every field:
 * weight_over_limit, prohibited_content, postcode_unknown or phone_invalid if all problems are of that kind, else
 * validation.
 */
export async function checkInput(deps: Deps, db: DbOrTx, input: ParcelInput): Promise<void> {
  const ids = stationFields(input).flatMap(({ id }) => id ?? [])
  const stations: Stations = ids.length > 0 ? await findStationsById(db, ids) : new Map()
  const limits = await listSizeLimits(deps)
  const problems = listProblems(deps, input, { limits, stations })
  if (problems.length === 0) return
  const [first] = problems
  const code = problems.every((problem) => problem.code === first?.code) ? (first?.code ?? 'validation') : 'validation'
  const unit = deps.settings.get('units.weight')
  const { limit } = weightProblems(deps, input, limits)
  throw new AppError(code, {
    fields: problems.map(({ field }) => field),
    ...(limit !== null && code === 'weight_over_limit'
      ? {
          text: 'weight_over_limit_known',
          labels: { limit: inBothLanguages((locale) => formatWeight(limit, unit, locale)) },
          details: { limitGrams: limit },
        }
      : {}),
  })
}

/**
 * Checks the corrected receiver of a parcel in transit. City and state must match the postcode. Throws validation with
 * every field.
 */
export function checkReceiver(deps: Deps, receiver: Party, scope: ParcelInput['scope']): void {
  const problems = partyProblems(deps, 'receiver', receiver, scope).map(({ field }) => field)
  const contradictions = findContradictions(receiver).map(({ field, rule, vars }) => ({
    field: `receiver.${field}`,
    rule,
    ...(vars ? { vars } : {}),
  }))
  if (problems.length + contradictions.length > 0) throw validationError(...problems, ...contradictions)
}

/** How cash on delivery is collected with this delivery mode. */
export function collectionModeFor(mode: DeliveryMode): CollectionMode {
  return endsAtStation(mode) ? 'in_store' : 'cod'
}

/** The collection mode; null without cash on delivery. A draft without a delivery mode collects at the door. */
function getCollectionMode({ collectionMode, codAmountMinor, deliveryMode }: ParcelInput): CollectionMode | null {
  if (collectionMode === null && !codAmountMinor) return null
  return collectionMode ?? collectionModeFor(deliveryMode ?? 'D2D')
}

/** The unfinished parties, except those that are complete now. */
function getUnfinished({ sender, receiver, unfinished }: ParcelInput): ParcelInput['unfinished'] {
  const parties = {
    sender: sender ? null : (unfinished?.sender ?? null),
    receiver: receiver ? null : (unfinished?.receiver ?? null),
  }
  return parties.sender || parties.receiver ? parties : null
}

/** Converts the sender's input to columns. Price and order are reset, because they were for the previous contents. */
export function contentColumns(deps: Deps, input: ParcelInput) {
  const size = input.dimensions
  return {
    reference: input.reference,
    scope: input.scope,
    service_type: input.serviceType,
    service_code: null,
    delivery_mode: input.deliveryMode,
    carrier: input.carrier,
    sender: input.sender,
    receiver: input.receiver,
    // A station that does not apply to the mode would be printed on the consignment note.
    drop_off_station_id: isPickedUp(input.deliveryMode) ? null : input.dropOffStationId,
    self_collection_station_id:
      input.deliveryMode && !endsAtStation(input.deliveryMode) ? null : input.selfCollectionStationId,
    content_type: input.contentType,
    content_description: input.contentDescription,
    declared_value_minor: getDeclaredValue(input),
    insured_value_minor: input.insuredValueMinor,
    collection_mode: getCollectionMode(input),
    // Zero means no cash on delivery.
    cod_amount_minor: input.codAmountMinor || null,
    customs: getCustoms(input),
    photo_ids: input.photoIds.length > 0 ? input.photoIds : null,
    unfinished: getUnfinished(input),
    weight_grams: input.weightGrams,
    length_mm: size?.lengthMm ?? null,
    width_mm: size?.widthMm ?? null,
    height_mm: size?.heightMm ?? null,
    volumetric_grams: size ? volumetricGrams(size, deps.settings.get('weight.divisor')) : null,
    chargeable_grams: null,
    price: null,
    price_minor: null,
    pickup_fee_minor: null,
    pickup_tax_minor: null,
    currency: deps.settings.get('currency'),
    order_id: null,
    expected_date: null,
  } satisfies ParcelChanges
}
