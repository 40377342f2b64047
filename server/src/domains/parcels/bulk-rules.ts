/** A row against the rules that the form's parcels keep: the contract's, then the deployment's. What the form would refuse is a problem of a cell here. */
import { type Party, party } from '@waybill/contract/addresses'
import type { BulkField } from '@waybill/contract/bulk'
import { type ParcelInput, parcelInput } from '@waybill/contract/parcels'
import { type Issue, ruleOf } from '@waybill/contract/validation'
import { omit, safeParse } from 'zod/mini'
import type { Deps } from '../../deps.ts'
import type { FieldProblem } from '../../http/errors.ts'
import type { Station } from '../stations/service.ts'
import { inputProblems } from './input.ts'
import type { KeptProblem } from './queries-bulk.ts'

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

/** The column of a field; `items` are the numbers that the customs items have in the spreadsheet. Null: of the whole row. */
export function columnOf(field: string, items: readonly number[]): BulkField | null {
  const known = columns[field]
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
export function problemOf({ field, rule, vars, labels }: FieldProblem, items: readonly number[]): KeptProblem {
  const plain = Object.fromEntries(
    Object.entries(vars ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  ) as Record<string, string | number>
  return {
    column: columnOf(field, items),
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
  const problems = parsed.success ? [] : fieldsOf(parsed.error.issues, ['sender'])
  senders.set(sender, problems)
  return problems
}

const fieldsOf = (issues: readonly Issue[], above: readonly string[]): FieldProblem[] =>
  issues.map((issue) => {
    const { key, vars } = ruleOf(issue)
    return { field: [...above, ...issue.path.map(String)].join('.'), rule: key, vars }
  })

/** Every rule that a row's parcel breaks; the parcel as the contract reads it. */
export function ruleProblems(
  { deps, stationsById }: { deps: Deps; stationsById: ReadonlyMap<string, Station> },
  input: ParcelInput,
  items: readonly number[],
): Refused {
  const parsed = safeParse(rowInput, input, { reportInput: true })
  const read = parsed.success ? { ...input, ...parsed.data } : input
  const problems = [
    ...(input.sender ? senderProblems(input.sender) : []),
    ...(parsed.success ? [] : fieldsOf(parsed.error.issues, [])),
    ...inputProblems(deps, read, stationsById),
  ]
  return { input: read, problems: problems.map((problem) => problemOf(problem, items)) }
}
