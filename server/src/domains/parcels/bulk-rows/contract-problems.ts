// Checks a row by the rules of the parcel form, the contract's and the deployment's, and maps the violations to cells.
import { type Party, party } from '@waybill/contract/addresses/addresses'
import { countryChecks } from '@waybill/contract/ground/address-forms'
import { lookup } from '@waybill/contract/ground/enums/labels'
import { dimensions } from '@waybill/contract/ground/measures'
import { type Issue, validationRule } from '@waybill/contract/ground/validation'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { type ParcelInput, parcelInput } from '@waybill/contract/parcels/parcels'
import { type core, object, omit, safeParse, string } from 'zod/mini'
import type { Deps } from '../../../deps.ts'
import type { FieldProblem } from '../../../http/errors.ts'
import type { SizeLimit } from '../../pricing/size-limits.ts'
import type { Station } from '../../stations/queries.ts'
import type { KeptProblem } from '../bulk/queries-rows.ts'
import { inputProblems } from '../cart/input.ts'

/** Maps a field of the contract's parcel to its column. */
const columns: Readonly<Record<string, BulkField>> = {
  reference: 'reference',
  scope: 'scope',
  serviceType: 'serviceType',
  deliveryMode: 'deliveryMode',
  contentType: 'contentType',
  contentDescription: 'contentDescription',
  weightGrams: 'weight',
  dimensions: 'length',
  'dimensions.lengthMm': 'length',
  'dimensions.widthMm': 'width',
  'dimensions.heightMm': 'height',
  declaredValueMinor: 'declaredValue',
  insuredValueMinor: 'insuredValue',
  codAmountMinor: 'codAmount',
  collectionMode: 'codAmount',
  selfCollectionStationId: 'collectionStation',
  'customs.items': 'item1Description',
  customs: 'item1Description',
  'customs.reason': 'customsReason',
  'customs.reasonText': 'contentDescription',
  'receiver.contactName': 'receiverName',
}

const itemParts = {
  description: 'Description',
  hsCode: 'HsCode',
  quantity: 'Quantity',
  unitValueMinor: 'UnitValue',
  netWeightGrams: 'Weight',
  originCountry: 'Origin',
} as const

const receiverColumns = new Set<string>([
  'company',
  'phone',
  'email',
  'line1',
  'line2',
  'postcode',
  'city',
  'state',
  'country',
  'remarks',
] satisfies BulkField[])

/** The column of a field; `items` are the column numbers of the customs items. Null: the whole row. */
export function findColumnOfField(field: string, items: readonly number[]): BulkField | null {
  const column = lookup(columns, field)
  if (column) return column
  const [side = '', name = '', index = '', part = ''] = [field.split('.')[0], ...field.split('.').slice(1)]
  if (side === 'receiver' && receiverColumns.has(name)) return name as BulkField
  if (side === 'sender') return 'senderLabel'
  const item = items[Number(index === '' ? Number.NaN : name === 'items' ? index : Number.NaN)]
  if (side === 'customs' && item !== undefined && part in itemParts) {
    return `item${item}${itemParts[part as keyof typeof itemParts]}` as BulkField
  }
  return null
}

/** What a cell can be changed to by one click. */
function findSuggestion(rule: string, { nearest }: Record<string, string | number>): { suggestion?: string } {
  if (rule === 'coins') return { suggestion: String(nearest) }
  return rule === 'noStationAbroad' ? { suggestion: 'D2D' } : {}
}

/** Converts a problem of a field to a problem of its cell, with the message of the contract's rule. */
export function toCellProblem({ field, rule, vars, labels }: FieldProblem, items: readonly number[]): KeptProblem {
  const plain = Object.fromEntries(
    Object.entries(vars ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  ) as Record<string, string | number>
  return {
    column: findColumnOfField(field, items),
    code: `rule.${rule}`,
    vars: { ...plain, field },
    ...(labels ? { labels } : {}),
    ...findSuggestion(rule, plain),
  }
}

/** The fields of a row. Many rows share a sender, which is checked once (`senderProblems`). */
const rowInput = omit(parcelInput, { sender: true, photoIds: true, unfinished: true, override: true })

const problemsBySender = new WeakMap<Party, FieldProblem[]>()

function senderProblems(sender: Party): FieldProblem[] {
  const cached = problemsBySender.get(sender)
  if (cached) return cached
  const parsed = safeParse(party, sender, { reportInput: true })
  const problems = parsed.success ? [] : sectionFields(parsed.error.issues, 'sender')
  problemsBySender.set(sender, problems)
  return problems
}

const sectionFields = (issues: readonly Issue[], above: string): FieldProblem[] =>
  issues.map((issue) => {
    const { key, vars } = validationRule(issue)
    return { field: [above, ...issue.path.map(String)].filter(Boolean).join('.'), rule: key, vars }
  })

/** A value as the contract parses it, with its violations. */
type Read = { value: unknown; problems: readonly FieldProblem[] }
type Reading = (value: unknown) => Read

/** The maximum number of cached values of one field. */
const maxCached = 2000

const noProblems: readonly FieldProblem[] = []

/** Applies the contract's rules of one field, once to each value. */
function fieldReading(schema: core.$ZodType, field: string): Reading {
  const cache = new Map<unknown, Read>()
  let last: unknown
  let lastRead: Read | null = null
  return (value) => {
    // Most rows have the same value as the row above.
    if (lastRead && value === last) return lastRead
    let result = cache.get(value)
    if (!result) {
      const parsed = safeParse(schema, value, { reportInput: true })
      result = parsed.success
        ? { value: parsed.data, problems: noProblems }
        : { value, problems: sectionFields(parsed.error.issues, field) }
      if (typeof value === 'object' && value !== null) return result
      if (cache.size < maxCached) cache.set(value, result)
    }
    last = value
    lastRead = result
    return result
  }
}

/** The rules of a form, field by field. `inner` reads nested forms; null leaves the field to its own rules. */
function formReading(
  shape: Readonly<Record<string, core.$ZodType>>,
  above: string,
  inner: Readonly<Record<string, Reading>> = {},
): Reading {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    whole: fieldReading(schema, above + name),
    parts: inner[name],
  }))
  return (form) => {
    const input = form as Record<string, unknown>
    // Parsing rarely changes a form, so it is copied only then.
    let value = input
    let problems = noProblems
    for (const { name, whole, parts } of fields) {
      const result = parts && input[name] !== null ? parts(input[name]) : whole(input[name])
      if (result.value !== input[name]) {
        if (value === input) value = { ...input }
        value[name] = result.value
      }
      if (result.problems.length > 0) problems = [...problems, ...result.problems]
    }
    return { value, problems }
  }
}

/** The rules that depend on the country, which read these three fields. */
const placeChecks = object({ postcode: string(), state: string(), country: string() }).check(...countryChecks)

function partyReading(above: string): Reading {
  const fields = formReading(party.shape, above)
  const places = new Map<string, readonly FieldProblem[]>()
  return (input) => {
    const { value, problems } = fields(input)
    const { postcode, state, country } = value as Party
    const place = `${country}|${postcode}|${state}`
    let more = places.get(place)
    if (!more) {
      const parsed = safeParse(placeChecks, { postcode, state, country }, { reportInput: true })
      more = parsed.success ? [] : sectionFields(parsed.error.issues, above.slice(0, -1))
      if (places.size < maxCached) places.set(place, more)
    }
    return more.length > 0 ? { value, problems: [...problems, ...more] } : { value, problems }
  }
}

/**
 * Applies the contract's rules to the rows of one spreadsheet, with the same result as `parcelInput`. They are applied
 * field by field and cached by value, because ten thousand rows have few different values.
 */
export function rowReading(): Reading {
  return formReading(rowInput.shape, '', {
    receiver: partyReading('receiver.'),
    dimensions: formReading(dimensions.shape, 'dimensions.'),
  })
}

/** The parcel of a row as the contract parses it, with all violations of the rules. */
export function ruleProblems(
  {
    deps,
    limits,
    stationsById,
    readInput,
  }: {
    deps: Deps
    limits: readonly SizeLimit[]
    stationsById: ReadonlyMap<string, Station>
    readInput: Reading
  },
  input: ParcelInput,
  items: readonly number[],
): { input: ParcelInput; problems: KeptProblem[] } {
  const { value, problems: violations } = readInput(input)
  const parcel = violations.length === 0 ? (value as ParcelInput) : input
  const problems = [
    ...(input.sender ? senderProblems(input.sender) : []),
    ...violations,
    ...inputProblems(deps, parcel, { limits, stations: stationsById }),
  ]
  return { input: parcel, problems: problems.map((problem) => toCellProblem(problem, items)) }
}
