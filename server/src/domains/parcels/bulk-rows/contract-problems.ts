/**
 * A row against the rules that the form's parcels keep: the contract's, then the deployment's. What the form would
 * refuse is a problem of a cell here.
 */

import { type Party, party } from '@waybill/contract/addresses/addresses'
import { countryChecks } from '@waybill/contract/ground/address-forms'
import { lookup } from '@waybill/contract/ground/lookup'
import { dimensions } from '@waybill/contract/ground/measures'
import { type Issue, validationRule } from '@waybill/contract/ground/validation'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { type ParcelInput, parcelInput } from '@waybill/contract/parcels/parcels'
import { type core, object, omit, safeParse, string } from 'zod/mini'
import type { Deps } from '../../../deps.ts'
import type { FieldProblem } from '../../../http/errors.ts'
import type { Station } from '../../stations/queries.ts'
import type { KeptProblem } from '../bulk/queries.ts'
import { inputProblems } from '../cart/input.ts'

/** A field of the contract's parcel -> the column that says it. */
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

/**
 * The column of a field; `items` are the numbers that the customs items have in the spreadsheet. Null: of the whole
 * row.
 */
export function columnOfField(field: string, items: readonly number[]): BulkField | null {
  const known = lookup(columns, field)
  if (known) return known
  const [side = '', name = '', index = '', part = ''] = [field.split('.')[0], ...field.split('.').slice(1)]
  if (side === 'receiver' && receiverColumns.has(name)) return name as BulkField
  if (side === 'sender') return 'senderLabel'
  const item = items[Number(index === '' ? Number.NaN : name === 'items' ? index : Number.NaN)]
  if (side === 'customs' && item !== undefined && part in itemParts) {
    return `item${item}${itemParts[part as keyof typeof itemParts]}` as BulkField
  }
  return null
}

/** A field's problem as a cell's. Words of the contract's own rules. */
export function toCellProblem({ field, rule, vars, labels }: FieldProblem, items: readonly number[]): KeptProblem {
  const plain = Object.fromEntries(
    Object.entries(vars ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  ) as Record<string, string | number>
  return {
    column: columnOfField(field, items),
    code: `rule.${rule}`,
    vars: { ...plain, field },
    ...(labels ? { labels } : {}),
    ...(rule === 'noStationAbroad' ? { suggestion: 'D2D' } : {}),
  }
}

export type Refused = { input: ParcelInput; problems: KeptProblem[] }

/** What a row says; its sender is the same for many, and is looked at once. */
const rowInput = omit(parcelInput, { sender: true, photoIds: true, unfinished: true, shipAnyway: true })

const senders = new WeakMap<Party, FieldProblem[]>()

function senderProblems(sender: Party): FieldProblem[] {
  const known = senders.get(sender)
  if (known) return known
  const parsed = safeParse(party, sender, { reportInput: true })
  const problems = parsed.success ? [] : fieldsOf(parsed.error.issues, 'sender')
  senders.set(sender, problems)
  return problems
}

const fieldsOf = (issues: readonly Issue[], above: string): FieldProblem[] =>
  issues.map((issue) => {
    const { key, vars } = validationRule(issue)
    return { field: [above, ...issue.path.map(String)].filter(Boolean).join('.'), rule: key, vars }
  })

/** What the contract makes of a value, and what it says against it. */
type Read = { value: unknown; problems: readonly FieldProblem[] }
type Reading = (value: unknown) => Read

/** Values of one field that are remembered: a column says few things many times, or each once. */
const mostKnown = 2000

const nothing: readonly FieldProblem[] = []

/** The contract's rule of one field, asked once for each value. */
function fieldReading(schema: core.$ZodType, field: string): Reading {
  const known = new Map<unknown, Read>()
  let last: unknown
  let lastRead: Read | null = null
  return (value) => {
    // Most often a row says what the one above it says.
    if (lastRead && value === last) return lastRead
    let read = known.get(value)
    if (!read) {
      const parsed = safeParse(schema, value, { reportInput: true })
      read = parsed.success
        ? { value: parsed.data, problems: nothing }
        : { value, problems: fieldsOf(parsed.error.issues, field) }
      if (typeof value === 'object' && value !== null) return read
      if (known.size < mostKnown) known.set(value, read)
    }
    last = value
    lastRead = read
    return read
  }
}

/**
 * The rules of a form's fields, each asked by itself. `inner` reads what has fields of its own; null is always the
 * field's.
 */
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
    const given = form as Record<string, unknown>
    // Hardly any form is changed by being read: it is copied only then.
    let value = given
    let problems = nothing
    for (const { name, whole, parts } of fields) {
      const said = parts && given[name] !== null ? parts(given[name]) : whole(given[name])
      if (said.value !== given[name]) {
        if (value === given) value = { ...given }
        value[name] = said.value
      }
      if (said.problems.length > 0) problems = [...problems, ...said.problems]
    }
    return { value, problems }
  }
}

/** What a country's addresses need beside what all need, by the same three fields. */
const placeChecks = object({ postcode: string(), state: string(), country: string() }).check(...countryChecks)

function partyReading(above: string): Reading {
  const fields = formReading(party.shape, above)
  const places = new Map<string, readonly FieldProblem[]>()
  return (given) => {
    const { value, problems } = fields(given)
    const { postcode, state, country } = value as Party
    const place = `${country}|${postcode}|${state}`
    let more = places.get(place)
    if (!more) {
      const parsed = safeParse(placeChecks, { postcode, state, country }, { reportInput: true })
      more = parsed.success ? [] : fieldsOf(parsed.error.issues, above.slice(0, -1))
      if (places.size < mostKnown) places.set(place, more)
    }
    return more.length > 0 ? { value, problems: [...problems, ...more] } : { value, problems }
  }
}

/**
 * The contract's rules for the parcels of one spreadsheet. They are the form's own, asked field by field and remembered
 * by value, since ten thousand rows say few different things; what they answer is what `parcelInput` would.
 */
export function rowReading(): Reading {
  return formReading(rowInput.shape, '', {
    receiver: partyReading('receiver.'),
    dimensions: formReading(dimensions.shape, 'dimensions.'),
  })
}

/** Every rule that a row's parcel breaks; the parcel as the contract reads it. */
export function ruleProblems(
  { deps, stationsById, readInput }: { deps: Deps; stationsById: ReadonlyMap<string, Station>; readInput: Reading },
  input: ParcelInput,
  items: readonly number[],
): Refused {
  const said = readInput(input)
  const read = said.problems.length === 0 ? (said.value as ParcelInput) : input
  const problems = [
    ...(input.sender ? senderProblems(input.sender) : []),
    ...said.problems,
    ...inputProblems(deps, read, stationsById),
  ]
  return { input: read, problems: problems.map((problem) => toCellProblem(problem, items)) }
}
