/** Stations as a spreadsheet, without their coverage. */

import { cityStateName } from '@waybill/contract/ground/address-forms'
import { type ServiceCode, serviceCodeLabels, stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { stationInput } from '@waybill/contract/stations/manage'
import { omit } from 'zod/mini'
import { inBatches } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { countryName } from '../../../lib/countries.ts'
import { newId } from '../../../lib/ids.ts'
import { readChoice } from '../../../lib/sheet/cell-values.ts'
import { type CellReader, type RowProblem, readTime } from '../../sheet-imports/cell-reader.ts'
import type { ImportContext, ReadRecord, RecordKind } from '../../sheet-imports/kind.ts'
import { officialState, stationPlaceProblems } from '../manage/place.ts'
import { lockCoverage } from '../manage/queries.ts'
import { mayManageStation } from '../manage/service.ts'
import { networkTopic } from '../network.ts'
import { hasPostcodes, lookupPostcode, restoreZero } from '../postcodes.ts'
import type { OpeningHours } from '../rules.ts'
import { openLabels, openStates, readCountryCell, serviceCodes, stationTypes } from './choices.ts'
import {
  findStationsByCode,
  listCoverage,
  listStationKeys,
  nextStations,
  type StationContent,
  saveStations,
} from './queries.ts'
import { findOverlaps } from './rules-overlaps.ts'

const stationRow = omit(stationInput, { coverage: true })

/** Monday first, like the hours of a station. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** Rows per query. */
const batch = 500
/** The maximum number of codes named in an activity log entry. */
const loggedCodes = 50

const closedWords = new Set(['', '-', '–', 'closed', 'off', '休息', '关闭', '不营业'])

/** `09:00-18:00`; null is closed. A problem is reported at the day. */
function readHours(cells: CellReader, day: string): OpeningHours[number] {
  const text = cells.at(day)
  if (closedWords.has(text.toLowerCase())) return null
  const [from = '', to = '', ...more] = text.split(/\s*(?:-|–|—|~|to|至|到)\s*/i)
  const open = readTime(from)
  const close = readTime(to)
  if (open !== null && close !== null && more.length === 0) return { open, close }
  cells.addProblem(day, 'hours', open && close ? { suggestion: `${open}-${close}` } : {})
  return null
}

/** Labels or codes of services, separated by semicolons or line breaks. */
function readServices(cells: CellReader): ServiceCode[] {
  const names = cells
    .at('serviceCodes')
    .split(/[;；\n]/)
    .map((name) => name.trim())
    .filter(Boolean)
  const codes = names.flatMap((name): ServiceCode[] | ServiceCode => {
    const { value, suggestion } = readChoice(name, serviceCodes)
    if (value !== null) return value as ServiceCode
    const label = suggestion === null ? undefined : serviceCodes.labels[suggestion]
    cells.addProblem('serviceCodes', 'serviceUnknown', { vars: { name }, ...(label ? { suggestion: label } : {}) })
    return []
  })
  return [...new Set(codes)]
}

/** An empty city or state is filled in if the postcode has only one. */
function readPlace(cells: CellReader, home: string) {
  const country = readCountryCell(cells, home)
  const postcode = restoreZero(cells.at('postcode'), country ?? home)
  const place = lookupPostcode(postcode, country ?? home)
  const unknown = hasPostcodes(country ?? home) && !place
  if (unknown) cells.addProblem('postcode', postcode === '' ? 'required' : 'postcodeUnknown')
  const only = place?.cities.length === 1 ? place.cities[0] : cityStateName(country ?? home)
  return {
    country,
    postcode,
    // An unknown postcode is reported as one problem, because the missing city or state cannot be derived from it.
    city: cells.at('city') || (unknown ? '-' : (only ?? '')),
    state: cells.at('state') || (unknown ? '-' : (place?.state ?? cityStateName(country ?? home) ?? '')),
  }
}

/** The station that an admin of one station is limited to; null for everybody else. */
export const onlyStation = ({ staffType, stationId }: StaffCaller) => (staffType === 'superadmin' ? null : stationId)

/** Coverage that two open stations would share once the stations of the file are open, or move to another country. */
async function reopenedProblems(
  db: DbOrTx,
  rows: readonly ReadRecord<StationContent>[],
  current: ReadonlyMap<string, StationContent>,
): Promise<(RowProblem & { row: number })[]> {
  const reopened = new Map(
    rows.flatMap(({ number, record }) => {
      const before = current.get(record.code)
      const isReopened = record.active && before && (!before.active || before.country !== record.country)
      return isReopened ? [[record.code, number] as const] : []
    }),
  )
  if (reopened.size === 0) return []
  const after = new Map((await listStationKeys(db)).map(({ code, country, active }) => [code, { country, active }]))
  for (const { record } of rows) after.set(record.code, record)
  const ranges = (await listCoverage(db)).filter(({ stationCode }) => after.get(stationCode)?.active)
  const overlaps = findOverlaps(
    ranges.map(({ stationCode, postcodeFrom: from, postcodeTo: to }) => {
      return { group: `${after.get(stationCode)?.country} ${from.length}`, from, to }
    }),
  )
  return [...overlaps].flatMap(([index, otherIndex]) => {
    const row = reopened.get(ranges[index]?.stationCode ?? '')
    const other = ranges[otherIndex]
    if (row === undefined || !other) return []
    const vars = { station: other.stationCode, from: other.postcodeFrom, to: other.postcodeTo }
    return [{ row, column: 'active', rule: 'rangeTaken', vars }]
  })
}

/** An admin of one station may change only that one, and open no others. */
async function foreignStations(
  db: DbOrTx,
  { caller }: ImportContext,
  rows: readonly ReadRecord<StationContent>[],
): Promise<(RowProblem & { row: number })[]> {
  if (mayManageStation(caller, null)) return []
  const ids = new Map((await listStationKeys(db)).map(({ code, id }) => [code, id]))
  return rows
    .filter(({ record }) => !mayManageStation(caller, ids.get(record.code) ?? null))
    .map(({ number }) => ({ row: number, column: 'code', rule: 'stationNotYours' }))
}

export const stationKind: RecordKind<StationContent> = {
  name: 'stations',
  title: 'nav.stations',
  columns: [
    { key: 'code', kind: 'text', aliases: ['station code', 'station', '网点代码', '验证码'] },
    { key: 'name', kind: 'text', width: 26, aliases: ['station name', '网点名称', '名称'] },
    { key: 'type', kind: 'text', width: 24, aliases: ['station type', '网点类型', '类型'] },
    { key: 'line1', kind: 'text', width: 36, aliases: ['address', 'street', '地址', '详细地址'] },
    { key: 'postcode', kind: 'text', width: 10, aliases: ['postal code', 'zip', '邮编', '邮政编码'] },
    { key: 'city', kind: 'text', aliases: ['town', '城市'] },
    { key: 'state', kind: 'text', aliases: ['province', '州属', '州'] },
    { key: 'country', kind: 'text', aliases: ['国家'] },
    { key: 'latitude', kind: 'number', width: 12, aliases: ['lat', '纬度'] },
    { key: 'longitude', kind: 'number', width: 12, aliases: ['lng', 'lon', 'long', '经度'] },
    { key: 'phone', kind: 'text', width: 18, aliases: ['telephone', 'tel', '电话'] },
    ...weekdays.map((key) => ({ key, kind: 'text' as const, width: 14 })),
    { key: 'serviceCodes', kind: 'text', width: 60, aliases: ['capabilities', 'service codes', '服务', '服务项目'] },
    { key: 'active', kind: 'text', width: 12, aliases: ['open', 'status', '状态', '是否营业'] },
  ],
  rows: 10_000,
  examples: [
    {
      code: 'KUL-T11',
      name: 'Sentul',
      type: 'service_center_t1',
      line1: '12, Jalan Ipoh',
      postcode: '51200',
      city: 'Kuala Lumpur',
      state: 'Kuala Lumpur',
      country: 'my',
      latitude: 3.1829,
      longitude: 101.6922,
      phone: '+60326942510',
      openingHours: weekdays.map((day) => (day === 'sunday' ? null : { open: '09:00', close: '18:00' })),
      serviceCodes: ['e_parcel.drop_off', 'e_parcel.self_collection', 'e_parcel.pickup', 'e_parcel.delivery'],
      active: true,
    },
  ],
  read(cells, { home }) {
    const place = readPlace(cells, home)
    const phone = cells.phone('phone', place.country ?? home)
    const active = cells.choice('active', openStates, 'true')
    const station = cells.parse(stationRow, {
      code: cells.at('code'),
      name: cells.at('name'),
      type: cells.choice('type', stationTypes),
      line1: cells.at('line1'),
      ...place,
      latitude: cells.number('latitude'),
      longitude: cells.number('longitude'),
      phone,
      openingHours: weekdays.map((day) => readHours(cells, day)),
      serviceCodes: readServices(cells),
      active: active === 'true',
    })
    if (!station) return null
    for (const { field, rule, vars } of stationPlaceProblems(station)) {
      const suggestion = rule === 'stateMismatch' ? { suggestion: String(vars?.state) } : {}
      cells.addProblem(field, rule, { ...(vars ? { vars } : {}), ...suggestion })
    }
    return cells.problems.length > 0 ? null : { ...station, state: officialState(station) }
  },
  write: (station, locale) => [
    station.code,
    station.name,
    enumLabel(stationTypeLabels, station.type, locale),
    station.line1,
    station.postcode,
    station.city,
    station.state,
    countryName(station.country, locale),
    station.latitude,
    station.longitude,
    station.phone,
    ...station.openingHours.map((hours) => (hours ? `${hours.open}-${hours.close}` : null)),
    // Sorted, so that a station whose services are only in a different order counts as unchanged.
    (Object.keys(serviceCodeLabels) as ServiceCode[])
      .filter((code) => station.serviceCodes.includes(code))
      .map((code) => enumLabel(serviceCodeLabels, code, locale))
      .join('; '),
    enumLabel(openLabels, station.active ? 'true' : 'false', locale),
  ],
  key: ({ code }) => code,
  keyColumn: 'code',
  async compare(db, context, rows) {
    const stations = await findStationsByCode(
      db,
      rows.map(({ record }) => record.code),
    )
    const current = new Map(stations.map((station) => [station.code, station]))
    const problems = [...(await foreignStations(db, context, rows)), ...(await reopenedProblems(db, rows, current))]
    return { current, removed: [], problems }
  },
  lock: (trx) => lockCoverage(trx),
  async save(trx, { deps }, { changed }) {
    const stations = changed.map(({ record }) => ({ ...record, id: newId() }))
    await saveStations(trx, stations, deps.clock.now())
    await deps.live.publish(trx, networkTopic, {})
    return { resultId: null, detail: { codes: stations.slice(0, loggedCodes).map(({ code }) => code) } }
  },
  records: ({ deps, caller }) =>
    inBatches<StationContent>((last) => nextStations(deps.db, onlyStation(caller), last?.code ?? '', batch)),
}
