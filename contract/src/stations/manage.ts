/** The stations as staff manage them: every field, including coverage and closed stations. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { serviceCodeLabels, stationTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { country, id, idParams, instant, phone, postcode, text, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** The code of a station on labels and lists: `KUL-T11`. It never changes. */
export const stationCode = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9][A-Z0-9_-]{0,15}$/))

/** A time of the day, `HH:mm`. */
const clockTime = z.string().check(z.trim(), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** A coordinate in degrees; `rule` names the message for a value out of range. */
const degrees = (limit: number, rule: 'latitude' | 'longitude') =>
  z.number().check(z.refine<number>((value) => Math.abs(value) <= limit, { params: { rule } }))

const rangeEnd = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-Z]{1,12}$/))

/** Postcodes of the station's country that its riders serve, both ends included. The narrowest range decides. */
export const coverageRange = z.object({
  postcodeFrom: rangeEnd,
  postcodeTo: rangeEnd,
  /** The latest time at which parcels leave the same day. */
  cutOffTime: z._default(clockTime, '16:00'),
})
export type CoverageRange = z.output<typeof coverageRange>

/** What staff may change of a station. */
const content = {
  name: text(120),
  type: z.enum(labelValues(stationTypeLabels)),
  line1: text(200),
  postcode,
  city: text(80),
  state: text(80),
  country,
  latitude: degrees(90, 'latitude'),
  longitude: degrees(180, 'longitude'),
  phone,
  /** Monday first; null is closed. A closing time up to the opening time is on the next day. */
  openingHours: z.array(z.nullable(z.object({ open: clockTime, close: clockTime }))).check(z.length(7)),
  serviceCodes: z.array(z.enum(labelValues(serviceCodeLabels))).check(z.maxLength(10)),
  coverage: z.array(coverageRange).check(z.maxLength(2000)),
  /** A closed station is not offered and covers nothing; parcels that are still there can be scanned. */
  active: z._default(z.boolean(), true),
}

export const stationInput = z.object({ code: stationCode, ...content })
export type StationInput = z.output<typeof stationInput>

export const stationChange = z.object({ version, ...content })

/** A station of the list, without its coverage. */
const managedStation = z.object({
  id,
  code: z.string(),
  name: z.string(),
  type: content.type,
  postcode: z.string(),
  city: z.string(),
  state: z.string(),
  active: z.boolean(),
  /** The number of ranges that it covers. */
  coverageCount: z.number(),
  updatedAt: instant,
  /** False for an admin of another station. */
  editable: z.boolean(),
})
export type ManagedStation = z.output<typeof managedStation>

const stationRecord = z.extend(stationInput, { id, version, updatedAt: instant, editable: z.boolean() })
export type StationRecord = z.output<typeof stationRecord>

const path = '/api/staff/stations'

const listFilters = {
  search: z.optional(z.string().check(z.maxLength(80))),
  type: z.optional(z.enum(labelValues(stationTypeLabels))),
  tab: z._default(z.enum(['open', 'closed', 'all']), 'all'),
}

export const exportManagedStations = endpoint({
  id: 'staff.stationsXls',
  method: 'GET',
  path: `${path}/xls`,
  access: 'staff.stations',
  summary: 'The stations that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listManagedStations = endpoint({
  id: 'staff.stations',
  method: 'GET',
  path,
  access: 'staff.stations',
  summary: 'Every station, closed ones included',
  query: z.extend(listQuery(['code', 'name', 'state', 'updatedAt']), listFilters),
  response: page(managedStation),
})

export const getManagedStation = endpoint({
  id: 'staff.station',
  method: 'GET',
  path: `${path}/:id`,
  access: 'staff.stations',
  summary: 'One station with its opening hours and coverage',
  params: idParams,
  response: stationRecord,
})

export const createStation = endpoint({
  id: 'staff.stationCreate',
  method: 'POST',
  path,
  access: 'staff.stations',
  summary: 'Opens a station; every process knows it at once',
  body: stationInput,
  response: stationRecord,
})

export const updateStation = endpoint({
  id: 'staff.stationUpdate',
  method: 'PUT',
  path: `${path}/:id`,
  access: 'staff.stations',
  summary: 'Changes, closes or reopens a station with its coverage; 409 for an outdated version',
  params: idParams,
  body: stationChange,
  response: stationRecord,
})
