/** Routes of stations, their management, zones and holidays. */
import { stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { scopeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { formatList } from '@waybill/contract/ground/format'
import {
  addHoliday,
  exportHolidays,
  type Holiday,
  listHolidays,
  removeHolidays,
} from '@waybill/contract/stations/holidays'
import {
  createStation,
  exportManagedStations,
  getManagedStation,
  listManagedStations,
  type ManagedStation,
  updateStation,
} from '@waybill/contract/stations/manage'
import {
  dropOffStations,
  hubStations,
  listStations,
  nearbyServiceCenters,
  publicCoverage,
  publicNearby,
  publicStations,
  selfCollectionStations,
} from '@waybill/contract/stations/stations'
import { createZone, exportZones, getZone, listZones, updateZone, type Zone } from '@waybill/contract/stations/zones'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { addToCalendar, getHolidayYear, removeFromCalendar } from './holidays/service.ts'
import { addStation, changeStation, getStationRecord, listAllStations } from './manage/service.ts'
import { counterStations, getCoverage, nearbyStations, readStations, warehouses } from './service.ts'
import { addZone, changeZone, readZone, readZones } from './zones/service.ts'

type AreaRow = Omit<Zone, 'areas'> & { area: Zone['areas'][number] }

/** The answer contains "open now", which may be late by the cache's time. */
const cacheable = (reply: FastifyReply) => reply.header('cache-control', 'public, max-age=300')

/** Stations for the portal and the public; no session needed. */
export function stationRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listStations, ({ query }) => readStations(deps, query))
  route(app, deps, nearbyServiceCenters, ({ params }) => nearbyStations(deps, params.x, 'x'))
  route(app, deps, selfCollectionStations, ({ query }) => counterStations(deps, 'self_collection', query))
  route(app, deps, dropOffStations, ({ query }) => counterStations(deps, 'drop_off', query))
  route(app, deps, hubStations, ({ query }) => warehouses(deps, query))

  route(app, deps, publicStations, async ({ query, reply }) => {
    const answer = await readStations(deps, query)
    cacheable(reply)
    return answer
  })
  route(app, deps, publicCoverage, async ({ query, reply }) => {
    const answer = await getCoverage(deps, query)
    cacheable(reply)
    return answer
  })
  route(app, deps, publicNearby, async ({ query, reply }) => {
    const answer = await nearbyStations(deps, query.near, 'near')
    cacheable(reply)
    return answer
  })
}

/**
 * Zones of the rate cards: every signed-in user reads them, staff write them. Pricing has the route that deletes one,
 * because it knows where the zone is used.
 */
export function zoneRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listZones, ({ query }) => readZones(deps, query))
  route(app, deps, exportZones, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<AreaRow>(deps, call, {
      file: 'zones',
      title: 'zonesPage.title',
      columns: [
        { header: t('zonesPage.zone'), kind: 'text', width: 12, value: ({ code }) => code },
        { header: t('fields.name'), kind: 'text', width: 28, value: ({ name }) => name },
        { header: t('fields.nameZh'), kind: 'text', width: 28, value: ({ nameZh }) => nameZh },
        {
          header: t('fields.scope'),
          kind: 'text',
          width: 14,
          value: (row) => enumLabel(scopeLabels, row.scope, locale),
        },
        { header: t('fields.country'), kind: 'text', width: 10, value: ({ area }) => area.country.toUpperCase() },
        { header: t('fields.state'), kind: 'text', width: 20, value: ({ area }) => area.state },
        { header: t('fields.postcodeFrom'), kind: 'text', width: 12, value: ({ area }) => area.postcodeFrom },
        { header: t('fields.postcodeTo'), kind: 'text', width: 12, value: ({ area }) => area.postcodeTo },
        {
          header: t('phrase.detail', { text: t('zonesPage.surcharge'), detail: deps.settings.get('currency') }),
          kind: 'money',
          value: ({ area }) => area.remoteSurchargeMinor,
        },
      ],
      read: async (window) => {
        const { items } = await readZones(deps, { ...query, ...window, sort: '+code' })
        const rows = items.flatMap(({ areas, ...zone }) => areas.map((area) => ({ ...zone, area })))
        // The result is known only after the zones are read: their areas may be fewer or more.
        return { items: rows, next: items.length < window.limit ? null : String(window.offset + window.limit) }
      },
    })
  })
  route(app, deps, getZone, ({ params }) => readZone(deps, params.id))
  route(app, deps, createZone, ({ caller, body }) => addZone(deps, staff(caller), body))
  route(app, deps, updateZone, ({ caller, params, body }) => changeZone(deps, staff(caller), params.id, body))
}

/** Management of stations by staff. */
export function staffStationRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listManagedStations, ({ caller, query }) => listAllStations(deps, staff(caller), query))
  route(app, deps, exportManagedStations, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<ManagedStation>(deps, call, {
      file: 'stations',
      title: 'stations.title',
      columns: [
        { header: t('fields.recordCode'), kind: 'text', width: 14, value: ({ code }) => code },
        { header: t('fields.name'), kind: 'text', width: 28, value: ({ name }) => name },
        {
          header: t('fields.type'),
          kind: 'text',
          width: 18,
          value: (row) => enumLabel(stationTypeLabels, row.type, locale),
        },
        { header: t('fields.postcode'), kind: 'text', width: 10, value: ({ postcode }) => postcode },
        { header: t('fields.city'), kind: 'text', width: 20, value: ({ city }) => city },
        { header: t('fields.state'), kind: 'text', width: 20, value: ({ state }) => state },
        { header: t('fields.coverage'), kind: 'number', value: ({ coverageCount }) => coverageCount },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 12,
          value: ({ active }) => t(`stationsAdmin.${active ? 'isOpen' : 'isClosed'}`),
        },
        { header: t('stationsAdmin.changed'), kind: 'time', value: ({ updatedAt }) => new Date(updatedAt) },
      ],
      read: (window) => listAllStations(deps, staff(caller), { ...query, ...window, sort: '+code' }),
    })
  })
  route(app, deps, getManagedStation, ({ caller, params }) => getStationRecord(deps, staff(caller), params.id))
  route(app, deps, createStation, ({ caller, body }) => addStation(deps, staff(caller), body))
  route(app, deps, updateStation, ({ caller, params, body }) => changeStation(deps, staff(caller), params.id, body))
}

/** Management of holidays by staff. */
export function staffHolidayRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listHolidays, ({ query }) => getHolidayYear(deps, query))
  route(app, deps, exportHolidays, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<Holiday>(deps, call, {
      file: 'holidays',
      title: 'holidaysPage.title',
      columns: [
        { header: t('fields.day'), kind: 'day', value: ({ day }) => day },
        { header: t('holidaysPage.name'), kind: 'text', width: 32, value: ({ name }) => name },
        {
          header: t('holidaysPage.where'),
          kind: 'text',
          width: 60,
          value: ({ states }) => formatList(states, locale) || t('holidaysPage.everywhere'),
        },
      ],
      read: async () => ({ ...(await getHolidayYear(deps, query)), next: null }),
    })
  })
  route(app, deps, addHoliday, ({ caller, body }) => addToCalendar(deps, staff(caller), body))
  route(app, deps, removeHolidays, ({ caller, body }) => removeFromCalendar(deps, staff(caller), body.ids))
}
