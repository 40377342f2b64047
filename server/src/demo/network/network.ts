/** Writes the demo's stations, coverage, zones, holidays, rates and banners. */
import { type Db, type Tx, tx } from '../../db/pool.ts'
import { days, later } from '../../lib/clock.ts'
import { derivedId } from '../../lib/ids.ts'
import { insertRows } from '../insert-rows.ts'
import { localMidnight } from '../story/time.ts'
import { demoBanners } from './banners.ts'
import { demoHolidays } from './holidays.ts'
import { demoRateCards } from './rates.ts'
import { demoStations, getCutOffTime, getOpeningHours, listServiceCodes } from './stations.ts'
import { demoInternationalZones, demoRemoteAreas, demoZones, type NamedZone } from './zones.ts'

/** Codes of the demo's stations. */
export const stationCodes: readonly string[] = demoStations.map(({ code }) => code)

/** The first day on which the demo's prices and banners are valid. */
const firstDay = '2026-01-01'
const since = `${firstDay}T00:00:00+08:00`

const stationId = (code: string) => derivedId(`demo station ${code}`)
const zoneId = (code: string) => derivedId(`demo zone ${code}`)
const rateCardId = (code: string, version: number) => derivedId(`demo rate card ${code} ${version}`)

const stationRows = () =>
  demoStations.map((station) => {
    const { covers, ...row } = station
    return {
      ...row,
      id: stationId(station.code),
      opening_hours: getOpeningHours(station),
      service_codes: listServiceCodes(station.type),
      country: 'my',
      active: true,
      version: 1,
      created_at: since,
      updated_at: since,
    }
  })

const coverageRows = () =>
  demoStations.flatMap((station) =>
    station.covers.map(({ from, to }) => ({
      station_id: stationId(station.code),
      country: 'my',
      postcode_from: from,
      postcode_to: to,
      cut_off_time: getCutOffTime(station),
    })),
  )

const zoneRow = (scope: string, { code, name, nameZh }: NamedZone) => ({
  id: zoneId(code),
  code,
  name,
  name_zh: nameZh,
  scope,
  version: 1,
  created_at: since,
  updated_at: since,
})

const zoneRows = () => [
  ...demoZones.map((zone) => zoneRow('domestic', zone)),
  ...demoInternationalZones.map((zone) => zoneRow('international', zone)),
]

const areaRows = () => [
  ...demoZones.flatMap(({ code, states }) =>
    states.map((state) => ({
      id: derivedId(`demo zone area ${code} ${state}`),
      zone_id: zoneId(code),
      country: 'my',
      state,
      postcode_from: null,
      postcode_to: null,
      remote_surcharge_minor: 0,
    })),
  ),
  ...demoRemoteAreas.map(({ zone, from, to, surchargeMinor }) => ({
    id: derivedId(`demo zone area ${zone} ${from}`),
    zone_id: zoneId(zone),
    country: 'my',
    state: null,
    postcode_from: from,
    postcode_to: to,
    remote_surcharge_minor: surchargeMinor,
  })),
  ...demoInternationalZones.flatMap(({ code, countries }) =>
    countries.map((country) => ({
      id: derivedId(`demo zone area ${code} ${country}`),
      zone_id: zoneId(code),
      country,
      state: null,
      postcode_from: null,
      postcode_to: null,
      remote_surcharge_minor: 0,
    })),
  ),
]

const rateCardRows = () =>
  demoRateCards.map(({ code, version, name, status }) => ({
    id: rateCardId(code, version),
    code,
    version,
    name,
    status,
    currency: 'MYR',
    valid_from: status === 'published' ? firstDay : null,
    valid_to: null,
    account_id: null,
    created_at: since,
    updated_at: since,
  }))

const rateLineRows = () =>
  demoRateCards.flatMap(({ code, version, lines }) =>
    lines.map((line) => ({
      id: derivedId(
        ['demo rate', code, version, line.carrier, line.serviceType, line.origin, line.destination, line.min].join(' '),
      ),
      rate_card_id: rateCardId(code, version),
      scope: line.scope,
      service_type: line.serviceType,
      carrier: line.carrier,
      origin_zone: line.origin,
      destination_zone: line.destination,
      first_weight_grams: line.first,
      first_price_minor: line.firstPrice,
      step_weight_grams: line.step,
      step_price_minor: line.stepPrice,
      min_weight_grams: line.min,
      max_weight_grams: line.max,
      transit_days: line.days,
    })),
  )

const holidayRows = () =>
  demoHolidays.map((row) => ({ id: derivedId(`demo holiday ${row.country} ${row.day} ${row.state ?? ''}`), ...row }))

const bannerRows = (today: Date | undefined) =>
  demoBanners
    .filter(({ period }) => today || !period)
    .map(({ kind, format, title, body, imageUrl, linkUrl, period }, position) => ({
      id: derivedId(`demo banner ${kind}${period ? ` ${period.join(' ')}` : ''}`),
      kind,
      format,
      title,
      body,
      image_url: imageUrl,
      link_url: linkUrl,
      position,
      starts_at: period && today ? later(today, days(period[0])) : since,
      ends_at: period && today ? later(today, days(period[1])) : null,
      version: 1,
      created_at: since,
    }))

/** Two carriers offer parcels abroad in the demo; a new deployment begins with one. */
async function openDhlParcels(trx: Tx): Promise<void> {
  await trx
    .updateTable('services')
    .set({ status: 'open' })
    .where('scope', '=', 'international')
    .where('carrier', '=', 'dhl')
    .where('service_type', '=', 'e_parcel')
    .execute()
}

/**
 * Writes the network in bulk: stations with the postcodes that they serve, zones, holidays, rate cards and banners.
 * Ids are derived from codes, so they are the same in every demo. Expired and future banners are written only if `now`
 * is given. Does nothing if there are stations already.
 */
export async function seedNetwork(db: Db, now?: Date): Promise<void> {
  await tx(db, async (trx) => {
    if (await trx.selectFrom('stations').select('id').limit(1).executeTakeFirst()) return
    await insertRows(trx, 'stations', stationRows())
    await insertRows(trx, 'station_coverage', coverageRows())
    await insertRows(trx, 'zones', zoneRows())
    await insertRows(trx, 'zone_areas', areaRows())
    await insertRows(trx, 'holidays', holidayRows())
    await insertRows(trx, 'rate_cards', rateCardRows())
    await insertRows(trx, 'rate_lines', rateLineRows())
    await openDhlParcels(trx)
    await insertRows(trx, 'banners', bannerRows(now && localMidnight(now)))
  })
}
