/** Zones: sets of postcodes, states or countries that rates refer to. */
import * as z from 'zod/mini'
import type { Locale } from '../ground/constants.ts'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { scopeLabels } from '../ground/enums/parcel-enums.ts'
import { country, id, idParams, instant, integer, ok, optionalText, text, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** The code of a zone in rates: `KV`, `SEA`. */
export const zoneCode = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9][A-Z0-9_-]{0,15}$/))

const areaPostcode = z.nullable(z.string().check(z.trim(), z.regex(/^[0-9A-Za-z]{1,12}$/)))

/** A range of postcodes, a state, or a whole country. The narrowest area that contains a place decides its zone. */
export const zoneArea = z.object({
  country,
  state: optionalText(80),
  postcodeFrom: z._default(areaPostcode, null),
  postcodeTo: z._default(areaPostcode, null),
  /** The remote-area surcharge, in minor units. */
  remoteSurchargeMinor: z._default(integer(0, 10_000_000), 0),
})
export type ZoneArea = z.output<typeof zoneArea>

const areas = z.array(zoneArea).check(z.minLength(1), z.maxLength(2000))

/** Domestic zones are sets of postcode ranges and states, international ones of countries. */
export const zone = z.object({
  id,
  code: zoneCode,
  name: z.string(),
  /** Null: the English name is shown. */
  nameZh: z.nullable(z.string()),
  scope: z.enum(labelValues(scopeLabels)),
  areas: z.array(zoneArea),
  version,
  updatedAt: instant,
})
export type Zone = z.output<typeof zone>

/** The fields of a new zone; its code and scope never change. */
export const zoneInput = z.object({
  code: zoneCode,
  name: text(80),
  nameZh: optionalText(80),
  scope: z.enum(labelValues(scopeLabels)),
  areas,
})
export const zoneChange = z.object({ version, name: text(80), nameZh: optionalText(80), areas })

/** The name of a zone in a language; the English one if it has no Chinese name. */
export function zoneNameIn({ name, nameZh }: Pick<Zone, 'name' | 'nameZh'>, locale: Locale): string {
  return (locale === 'cn_zh' ? nameZh : null) ?? name
}

const path = '/api/customer/zone'

const listFilters = {
  scope: z.optional(z.enum(labelValues(scopeLabels))),
  search: z.optional(z.string().check(z.maxLength(80))),
}

export const exportZones = endpoint({
  id: 'zones.xls',
  method: 'GET',
  path: `${path}/xls`,
  access: 'signedIn',
  summary: 'The zones that the same filters list, all of them, as .xlsx or .csv: a row for each area',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listZones = endpoint({
  id: 'zones.list',
  method: 'GET',
  path,
  access: 'signedIn',
  summary: 'Zones of the rate cards with what lies in them',
  query: z.extend(listQuery(['code', 'name', 'updatedAt']), listFilters),
  response: page(zone),
})

export const getZone = endpoint({
  id: 'zones.get',
  method: 'GET',
  path: `${path}/:id`,
  access: 'signedIn',
  summary: 'One zone',
  params: idParams,
  response: zone,
})

export const createZone = endpoint({
  id: 'zones.create',
  method: 'POST',
  path,
  access: 'staff.rates',
  summary: 'A new zone',
  body: zoneInput,
  response: zone,
})

export const updateZone = endpoint({
  id: 'zones.update',
  method: 'PUT',
  path: `${path}/:id`,
  access: 'staff.rates',
  summary: 'Changes the names or the areas of a zone',
  params: idParams,
  body: zoneChange,
  response: zone,
})

export const removeZone = endpoint({
  id: 'zones.remove',
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'staff.rates',
  summary: 'Removes a zone that no rate card uses; 409 names those that do',
  params: idParams,
  response: ok,
})
