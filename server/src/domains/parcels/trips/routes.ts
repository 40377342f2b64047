// HTTP routes of trips.
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import * as endpoints from '@waybill/contract/parcels/transport/trips'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { weightCell } from '../../../lib/sheet/weight.ts'
import { sendPrinted } from '../labels/printed-reply.ts'
import { sendOff } from './depart.ts'
import { putOnTrip, takeOffTrip } from './load.ts'
import { readMissingLoads } from './missing.ts'
import { printTripManifest } from './papers.ts'
import { abandonTrip, beginTrip, changeTrip } from './plan-trip.ts'
import { readTrips, readTripWithWarnings } from './service.ts'
import { endUnloading, receiveTrip, takeFromTrip } from './unload.ts'

/** Trips of the courier's own vehicles. */
export function tripRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listTrips, ({ query }) => readTrips(deps, query))
  sheetRoute(app, deps)
  missingRoutes(app, deps)
  route(app, deps, endpoints.getTrip, ({ params }) => readTripWithWarnings(deps, params.id))
  route(app, deps, endpoints.createTrip, ({ body, caller, idempotency }) =>
    beginTrip(deps, staff(caller), body, idempotency),
  )
  route(app, deps, endpoints.updateTrip, ({ params, body, caller }) => changeTrip(deps, staff(caller), params.id, body))
  route(app, deps, endpoints.cancelTrip, ({ params, body, caller }) =>
    abandonTrip(deps, staff(caller), params.id, body.version),
  )
  route(app, deps, endpoints.loadTrip, ({ params, body, caller }) =>
    putOnTrip(deps, staff(caller), params.id, body.loadNumber),
  )
  route(app, deps, endpoints.unloadBeforeDeparture, ({ params, caller }) =>
    takeOffTrip(deps, staff(caller), params.id, params.loadId),
  )
  route(app, deps, endpoints.departTrip, ({ params, body, caller, idempotency }) =>
    sendOff(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.arriveTrip, ({ params, body, caller, idempotency }) =>
    receiveTrip(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.unloadTrip, ({ params, body, caller, idempotency }) =>
    takeFromTrip(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.closeTrip, ({ params, body, caller, idempotency }) =>
    endUnloading(deps, staff(caller), params.id, body.version, idempotency),
  )
  route(app, deps, endpoints.tripManifest, async ({ params, locale, t, reply }) =>
    sendPrinted(reply, await printTripManifest(deps, params.id, { locale, t })),
  )
}

function sheetRoute(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.exportTrips, async (call) => {
    const { query, locale, t } = call
    const unit = deps.settings.get('units.weight')
    const toTime = (at: string | null) => at && new Date(at)
    return sendListSheet<endpoints.Trip>(deps, call, {
      file: 'trips',
      title: 'tripPage.title',
      columns: [
        { header: t('tripPage.number'), kind: 'text', width: 16, value: ({ number }) => number },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 14,
          value: ({ status }) => enumLabel(endpoints.tripStatusLabels, status, locale),
        },
        { header: t('tripPage.from'), kind: 'text', width: 26, value: ({ fromStation }) => fromStation.name },
        { header: t('tripPage.to'), kind: 'text', width: 26, value: ({ toStation }) => toStation.name },
        { header: t('fields.vehicle'), kind: 'text', width: 14, value: ({ vehicle }) => vehicle },
        { header: t('fields.driverName'), kind: 'text', width: 22, value: ({ driverName }) => driverName },
        { header: t('tripPage.seal'), kind: 'text', width: 16, value: ({ sealNumber }) => sealNumber },
        { header: t('tripPage.loads'), kind: 'number', value: ({ loadCount }) => loadCount },
        { header: t('fields.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
        {
          header: t('phrase.detail', { text: t('fields.weightGrams'), detail: unit }),
          kind: 'number',
          value: ({ weightGrams }) => weightCell(weightGrams, unit),
        },
        { header: t('tripPage.missing'), kind: 'number', value: ({ missingCount }) => missingCount },
        { header: t('tripPage.extra'), kind: 'number', value: ({ extraCount }) => extraCount },
        { header: t('tripPage.departed'), kind: 'time', value: ({ departedAt }) => toTime(departedAt) },
        { header: t('tripPage.arrived'), kind: 'time', value: ({ arrivedAt }) => toTime(arrivedAt) },
      ],
      read: (window) => readTrips(deps, { ...query, ...window, sort: '-createdAt' }),
    })
  })
}

function missingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listMissingLoads, ({ query, caller }) => readMissingLoads(deps, staff(caller), query))
  route(app, deps, endpoints.exportMissingLoads, async (call) => {
    const { query, t, caller } = call
    return sendListSheet<endpoints.MissingLoad>(deps, call, {
      file: 'missing-from-trips',
      title: 'missingPage.title',
      columns: [
        { header: t('missingPage.number'), kind: 'text', width: 18, value: ({ number }) => number },
        { header: t('missingPage.kind'), kind: 'text', width: 12, value: ({ kind }) => t(`loadKind.${kind}`) },
        { header: t('inbox.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        { header: t('fields.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
        { header: t('tripPage.number'), kind: 'text', width: 16, value: ({ tripNumber }) => tripNumber },
        { header: t('tripPage.from'), kind: 'text', width: 26, value: ({ fromStation }) => fromStation.name },
        { header: t('tripPage.to'), kind: 'text', width: 26, value: ({ toStation }) => toStation.name },
        { header: t('missingPage.since'), kind: 'time', value: ({ missingSince }) => new Date(missingSince) },
      ],
      read: (window) => readMissingLoads(deps, staff(caller), { ...query, ...window, sort: '-missingSince' }),
    })
  })
}
