/** Zones as a spreadsheet: one row for each area. */
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { type Scope, scopeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { zoneArea, zoneInput } from '@waybill/contract/stations/zones'
import { extend, omit } from 'zod/mini'
import { inBatches } from '../../../db/batches.ts'
import { countryName } from '../../../lib/countries.ts'
import { newId } from '../../../lib/ids.ts'
import type { RowProblem } from '../../sheet-imports/cell-reader.ts'
import type { ImportContext, ReadRecord, RecordKind } from '../../sheet-imports/kind.ts'
import { networkTopic } from '../network.ts'
import { findState, hasPostcodes } from '../postcodes.ts'
import { listZonesOfScope, lockZones, type ZoneRow } from '../zones/queries.ts'
import { shapeProblem } from '../zones/rules.ts'
import { readCountryCell, readRangeEnd, scopes } from './choices.ts'
import { nextZones, saveZones, type ZoneRecord } from './queries-zones.ts'
import { findOverlaps, sharedPart } from './rules-overlaps.ts'

const zoneRow = extend(omit(zoneInput, { areas: true }), zoneArea.shape)

/** The maximum number of areas of a zone, as in its form. */
const maxAreas = 2000
/** Zones per query. */
const batch = 50

type AreaOfRow = { row: number | null; area: ZoneRecord }

const toRecords = ({ code, name, nameZh, scope, areas }: ZoneRow): ZoneRecord[] =>
  areas.map((area) => ({ code, name, nameZh, scope, ...area }))

/** Rows of one zone that contradict each other, or the existing zone. */
function zoneProblems(rows: readonly ReadRecord<ZoneRecord>[], zones: ReadonlyMap<string, ZoneRow>) {
  const problems: (RowProblem & { row: number })[] = []
  for (const [code, areas] of Map.groupBy(rows, ({ record }) => record.code)) {
    const [first] = areas
    const scope = zones.get(code)?.scope
    for (const [n, { number: row, record }] of areas.entries()) {
      if (scope !== undefined && record.scope !== scope) problems.push({ row, column: 'scope', rule: 'scopeStays' })
      else if (first && record.scope !== first.record.scope) {
        problems.push({ row, column: 'scope', rule: 'zoneDiffers', vars: { row: first.number } })
      } else if (first && record.name !== first.record.name) {
        const vars = { row: first.number }
        problems.push({ row, column: 'name', rule: 'zoneDiffers', vars, suggestion: first.record.name })
      } else if (first && record.nameZh !== first.record.nameZh) {
        const vars = { row: first.number }
        problems.push({ row, column: 'nameZh', rule: 'zoneDiffers', vars, suggestion: first.record.nameZh ?? '' })
      } else if (n >= maxAreas) problems.push({ row, column: 'code', rule: 'zoneAreas', vars: { max: maxAreas } })
    }
  }
  return problems
}

/** Areas that two zones would share: equal states or countries, and ranges that overlap partly. */
function sharedAreas(areas: readonly AreaOfRow[]): (RowProblem & { row: number })[] {
  const ranges = areas.map(({ area: { scope, country, state, postcodeFrom, postcodeTo } }) => {
    if (postcodeFrom !== null && postcodeTo !== null) {
      return { group: `${scope} ${country} ${postcodeFrom.length}`, from: postcodeFrom, to: postcodeTo }
    }
    return { group: `${scope} ${country} state ${(state ?? '').toLowerCase()}`, from: '', to: '' }
  })
  const overlaps = findOverlaps(ranges)
  return areas.flatMap(({ row, area }, index): (RowProblem & { row: number })[] => {
    const other = areas[overlaps.get(index) ?? -1]
    if (row === null || !other) return []
    const range = ranges[index] as { from: string; to: string }
    const otherRange = ranges[overlaps.get(index) ?? -1] as { from: string; to: string }
    const vars = { zone: other.area.code, otherRow: other.row, ...sharedPart(range, otherRange) }
    if (area.postcodeFrom === null) {
      const column = area.state === null ? 'country' : 'state'
      return [{ row, column, rule: other.row === null ? 'areaTaken' : 'areaTakenInRow', vars }]
    }
    return [{ row, column: 'postcodeFrom', rule: other.row === null ? 'areaShared' : 'areaSharedInRow', vars }]
  })
}

const bothScopes = ['domestic', 'international'] as const satisfies readonly Scope[]

/** A file contains all areas of each zone that it names. Other zones stay unchanged. */
export const zoneKind: RecordKind<ZoneRecord> = {
  name: 'zones',
  title: 'zonesPage.title',
  columns: [
    { key: 'code', kind: 'text', aliases: ['zone', 'zone code', '区域代码', '分区', '验证码'] },
    { key: 'name', kind: 'text', width: 24, aliases: ['zone name', '区域名称', '名称'] },
    {
      key: 'nameZh',
      kind: 'text',
      width: 24,
      aliases: ['chinese name', 'zone name in chinese', '中文名', '区域中文名'],
    },
    { key: 'scope', kind: 'text', aliases: ['范围'] },
    { key: 'country', kind: 'text', width: 20, aliases: ['国家'] },
    { key: 'state', kind: 'text', width: 20, aliases: ['州属', '州'] },
    { key: 'postcodeFrom', kind: 'text', aliases: ['postcode from', 'from', '起始邮编', '邮编起'] },
    { key: 'postcodeTo', kind: 'text', aliases: ['postcode to', 'to', '截止邮编', '邮编止'] },
    { key: 'remoteSurchargeMinor', kind: 'money', unit: 'currency', aliases: ['surcharge', '偏远附加费', '附加费'] },
  ],
  rows: 20_000,
  examples: [
    ...['Selangor', 'Kuala Lumpur'].map((state): ZoneRecord => {
      const area = { country: 'my', state, postcodeFrom: null, postcodeTo: null, remoteSurchargeMinor: 0 }
      return { code: 'KV', name: 'Klang Valley', nameZh: '巴生谷', scope: 'domestic', ...area }
    }),
    {
      code: 'KV',
      name: 'Klang Valley',
      nameZh: '巴生谷',
      scope: 'domestic',
      country: 'my',
      state: null,
      postcodeFrom: '48300',
      postcodeTo: '48399',
      remoteSurchargeMinor: 300,
    },
  ],
  read(cells, context) {
    const country = readCountryCell(cells, context.home)
    const state = cells.at('state')
    const area = cells.parse(zoneRow, {
      code: cells.at('code'),
      name: cells.at('name'),
      nameZh: cells.at('nameZh'),
      scope: cells.choice('scope', scopes),
      country,
      state: country !== null && hasPostcodes(country) ? (findState(state) ?? state) : state,
      postcodeFrom: readRangeEnd(cells.at('postcodeFrom'), country ?? '') || null,
      postcodeTo: readRangeEnd(cells.at('postcodeTo'), country ?? '') || null,
      remoteSurchargeMinor: cells.money('remoteSurchargeMinor', context.currency, 0),
    })
    if (!area) return null
    const stateNamed = hasPostcodes(context.home) ? { stateNamed: findState } : {}
    const problem = shapeProblem(area, { scope: area.scope, home: context.home, ...stateNamed })
    if (problem) cells.addProblem(problem.field, problem.rule)
    return problem ? null : area
  },
  write: (area, locale) => [
    area.code,
    area.name,
    area.nameZh,
    enumLabel(scopeLabels, area.scope, locale),
    countryName(area.country, locale),
    area.state,
    area.postcodeFrom,
    area.postcodeTo,
    area.remoteSurchargeMinor,
  ],
  key: ({ code, country, state, postcodeFrom }) => [code, country, state ?? '', postcodeFrom ?? ''].join(' '),
  keyColumn: 'code',
  async compare(db, _, rows) {
    const zones = (await Promise.all(bothScopes.map((scope) => listZonesOfScope(db, scope)))).flat()
    const byCode = new Map(zones.map((zone) => [zone.code, zone]))
    const inFile = new Set(rows.map(({ record }) => record.code))
    const keys = new Set(rows.map(({ record }) => zoneKind.key(record)))
    const currentAreas = zones.flatMap(toRecords)
    const areas: AreaOfRow[] = [
      ...rows.map(({ number, record }) => ({ row: number, area: record })),
      ...currentAreas.filter(({ code }) => !inFile.has(code)).map((area) => ({ row: null, area })),
    ]
    return {
      current: new Map(currentAreas.map((area) => [zoneKind.key(area), area])),
      removed: currentAreas.filter((area) => inFile.has(area.code) && !keys.has(zoneKind.key(area))),
      problems: [...zoneProblems(rows, byCode), ...sharedAreas(areas)],
    }
  },
  async lock(trx) {
    for (const scope of bothScopes) await lockZones(trx, scope)
  },
  async save(trx, { deps }, { changed, removed, all }) {
    const codes = new Set([...changed.map(({ record }) => record.code), ...removed.map(({ code }) => code)])
    const areas = all.filter(({ code }) => codes.has(code)).map((area) => ({ ...area, id: newId() }))
    const zones = [
      ...new Map(
        areas.map(({ code, name, nameZh, scope }) => [code, { id: newId(), code, name, nameZh, scope }]),
      ).values(),
    ]
    await saveZones(trx, zones, areas, deps.clock.now())
    await deps.live.publish(trx, networkTopic, {})
    return { resultId: null, detail: { codes: [...codes] } }
  },
  async *records({ deps }: ImportContext) {
    const zones = inBatches<ZoneRow>((last) => nextZones(deps.db, last?.code ?? '', batch))
    for await (const zone of zones) yield* toRecords(zone)
  },
}
