/** The lines of a rate card as a spreadsheet. A published version never changes: its import becomes a new draft. */
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel, type Labels } from '@waybill/contract/ground/enums/labels'
import { scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { type RateLine, rateLine } from '@waybill/contract/pricing/rate-cards'
import type { DbOrTx } from '../../../db/pool.ts'
import { AppError } from '../../../http/errors.ts'
import { createChoices } from '../../../lib/sheet/cell-values.ts'
import type { ImportContext, RecordKind, SheetImportColumn } from '../../sheet-imports/kind.ts'
import { readZoneCodes } from '../../stations/zones/service.ts'
import { listRateLines } from '../queries.ts'
import { lineProblems } from '../rate-cards/rules.ts'
import { getCard, lockForImport, requireImportable, saveImportedLines } from '../rate-cards/service.ts'

const scopes = createChoices(scopeLabels)
const carriers = createChoices(carrierLabels, { 'own network': 'own', 自有网络: 'own' })
const services = createChoices(serviceTypeLabels)
const grams = { g: 1, kg: 1000, 克: 1, 公斤: 1000, 千克: 1000 }
const days = {}

const weight = (key: keyof RateLine, aliases: string[]): SheetImportColumn => ({
  key,
  kind: 'number',
  unit: 'g',
  units: grams,
  width: 14,
  aliases,
})
const price = (key: keyof RateLine, aliases: string[]): SheetImportColumn => ({
  key,
  kind: 'money',
  unit: 'currency',
  width: 14,
  aliases,
})
const label = (labels: Labels<string>, value: string, locale: 'en' | 'cn_zh') => enumLabel(labels, value, locale)

const requireCardId = ({ subjectId }: ImportContext): string => {
  if (subjectId === null) throw new AppError('not_found')
  return subjectId
}

async function loadLines(db: DbOrTx, context: ImportContext): Promise<RateLine[]> {
  return (await listRateLines(db, requireCardId(context))).map(({ rateCardId: _, ...line }) => line)
}

/** A file contains all lines of a version. */
export const rateKind: RecordKind<RateLine> = {
  name: 'rates',
  title: 'fields.lines',
  columns: [
    { key: 'scope', kind: 'text', aliases: ['范围'] },
    { key: 'carrier', kind: 'text', aliases: ['承运商'] },
    { key: 'serviceType', kind: 'text', aliases: ['service type', '服务', '服务类型'] },
    { key: 'originZone', kind: 'text', aliases: ['origin', 'from', 'from zone', '起始区域', '始发区域'] },
    { key: 'destinationZone', kind: 'text', aliases: ['destination', 'to', 'to zone', '目的区域'] },
    weight('minWeightGrams', ['min_grams', 'min weight', '最小重量']),
    weight('maxWeightGrams', ['max_grams', 'max weight', '最大重量']),
    weight('firstWeightGrams', ['first_grams', '首重']),
    price('firstPriceMinor', ['first_price', 'first price', '首重价格']),
    weight('stepWeightGrams', ['step_grams', 'step weight', 'step', '续重']),
    price('stepPriceMinor', ['step_price', 'step price', 'price of a step', '续重价格']),
    { key: 'transitDays', kind: 'number', width: 10, aliases: ['transit days', 'days', '天数', '时效'] },
  ],
  rows: 5000,
  examples: [
    {
      scope: 'domestic',
      carrier: 'own',
      serviceType: 'e_parcel',
      originZone: 'KV',
      destinationZone: 'KV',
      minWeightGrams: 1,
      maxWeightGrams: 10_000,
      firstWeightGrams: 1000,
      firstPriceMinor: 650,
      stepWeightGrams: 500,
      stepPriceMinor: 100,
      transitDays: 1,
    },
    {
      scope: 'domestic',
      carrier: 'own',
      serviceType: 'e_parcel',
      originZone: 'KV',
      destinationZone: 'KV',
      minWeightGrams: 10_001,
      maxWeightGrams: 30_000,
      firstWeightGrams: 10_000,
      firstPriceMinor: 2450,
      stepWeightGrams: 500,
      stepPriceMinor: 80,
      transitDays: 1,
    },
  ],
  async getSubject(db, context) {
    const { currency } = await getCard(context.deps, db, requireCardId(context))
    return { currency }
  },
  async prepare(db, context) {
    await requireImportable(context.deps, db, requireCardId(context))
  },
  read: (cells, { currency }) =>
    cells.parse(rateLine, {
      scope: cells.choice('scope', scopes),
      carrier: cells.choice('carrier', carriers),
      serviceType: cells.choice('serviceType', services),
      originZone: cells.at('originZone'),
      destinationZone: cells.at('destinationZone'),
      minWeightGrams: cells.number('minWeightGrams', grams),
      maxWeightGrams: cells.number('maxWeightGrams', grams),
      firstWeightGrams: cells.number('firstWeightGrams', grams),
      firstPriceMinor: cells.money('firstPriceMinor', currency),
      stepWeightGrams: cells.number('stepWeightGrams', grams),
      stepPriceMinor: cells.money('stepPriceMinor', currency),
      transitDays: cells.number('transitDays', days),
    }),
  write: (line, locale) => [
    label(scopeLabels, line.scope, locale),
    label(carrierLabels, line.carrier, locale),
    label(serviceTypeLabels, line.serviceType, locale),
    line.originZone,
    line.destinationZone,
    line.minWeightGrams,
    line.maxWeightGrams,
    line.firstWeightGrams,
    line.firstPriceMinor,
    line.stepWeightGrams,
    line.stepPriceMinor,
    line.transitDays,
  ],
  key: ({ scope, carrier, serviceType, originZone, destinationZone, minWeightGrams }) =>
    [scope, carrier, serviceType, originZone, destinationZone, minWeightGrams].join(' '),
  keyColumn: 'minWeightGrams',
  async compare(db, context, rows) {
    const lines = await loadLines(db, context)
    const keys = new Set(rows.map(({ record }) => rateKind.key(record)))
    const problems = lineProblems(
      rows.map(({ record }) => record),
      await readZoneCodes(db),
    )
    return {
      current: new Map(lines.map((line) => [rateKind.key(line), line])),
      removed: lines.filter((line) => !keys.has(rateKind.key(line))),
      problems: problems.flatMap(({ field, rule, vars }) => {
        const [, n, column = ''] = field.split('.')
        const row = rows[Number(n)]?.number
        return row === undefined ? [] : [{ row, column, rule, ...(vars ? { vars } : {}) }]
      }),
    }
  },
  lock: (trx, context) => lockForImport(context.deps, trx, requireCardId(context)),
  async save(trx, context, { all }) {
    const { deps, caller } = context
    const cardId = requireCardId(context)
    const draftId = await saveImportedLines(deps, trx, caller, cardId, all)
    return { resultId: draftId, detail: { cardId, draftId, lines: all.length } }
  },
  async *records(context) {
    yield* await loadLines(context.deps.db, context)
  },
}
