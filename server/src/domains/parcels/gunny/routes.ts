// HTTP routes of gunnies.
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import * as endpoints from '@waybill/contract/parcels/gunny'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { weightCell } from '../../../lib/sheet/weight.ts'
import { sendPrinted } from '../labels/printed-reply.ts'
import { countAtStation, getGunnyForStaff, listGunniesForStaff, unpackGunny } from './checks.ts'
import { missingParcels } from './missing-parcels.ts'
import { changeGunny, dissolve, packGunny } from './pack.ts'
import { printGunnyLabel, printGunnyManifest } from './papers.ts'
import { gunnyList, readGunny } from './service.ts'

/** The customer's gunnies. */
export function gunnyRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.createGunny, ({ body, caller, idempotency }) =>
    packGunny(deps, customer(caller), body, idempotency),
  )
  route(app, deps, endpoints.listGunnies, ({ query, caller }) => gunnyList(deps, customer(caller), query))
  route(app, deps, endpoints.exportGunnies, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<endpoints.Gunny>(deps, call, {
      file: 'gunnies',
      title: 'gunnyPage.title',
      columns: [
        { header: t('gunnyPage.number'), kind: 'text', width: 16, value: ({ number }) => number },
        { header: t('gunnyPage.sscc'), kind: 'text', width: 22, value: ({ sscc }) => sscc },
        { header: t('fields.parcels'), kind: 'number', value: ({ parcelCount }) => parcelCount },
        {
          header: t('phrase.detail', { text: t('fields.weightGrams'), detail: deps.settings.get('units.weight') }),
          kind: 'number',
          value: ({ weightGrams }) => weightCell(weightGrams, deps.settings.get('units.weight')),
        },
        {
          header: t('gunnyPage.station'),
          kind: 'text',
          width: 28,
          value: ({ station, dropOffStation }) => (station ?? dropOffStation)?.name ?? t('gunnyPage.anyCounter'),
        },
        { header: t('gunnyPage.seal'), kind: 'text', width: 16, value: ({ sealNumber }) => sealNumber },
        { header: t('gunnyPage.packed'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 18,
          value: ({ status }) => enumLabel(endpoints.gunnyStatusLabels, status, locale),
        },
        {
          header: t('gunnyPage.differs'),
          kind: 'text',
          width: 12,
          value: ({ differs }) => (differs ? t('gunnyPage.differs') : null),
        },
      ],
      read: (window) => gunnyList(deps, customer(caller), { ...query, ...window, sort: '-createdAt' }),
    })
  })
  route(app, deps, endpoints.getGunny, ({ params, caller }) => readGunny(deps, customer(caller), params.id))
  route(app, deps, endpoints.updateGunny, ({ params, body, caller }) =>
    changeGunny(deps, customer(caller), params.id, body),
  )
  route(app, deps, endpoints.dissolveGunny, async ({ params, caller }) => {
    await dissolve(deps, customer(caller), params.id)
    return { ok: true as const }
  })
  route(app, deps, endpoints.gunnyLabel, async ({ params, query, caller, locale, t, reply }) =>
    sendPrinted(reply, await printGunnyLabel(deps, customer(caller), params.id, query.format, { locale, t })),
  )
  route(app, deps, endpoints.gunnyManifest, async ({ params, caller, locale, t, reply }) =>
    sendPrinted(reply, await printGunnyManifest(deps, customer(caller), params.id, { locale, t })),
  )
}

/** Gunnies at stations. */
export function staffGunnyRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.staffGunnies, ({ query }) => listGunniesForStaff(deps, query))
  route(app, deps, endpoints.missingFromGunnies, ({ query }) => missingParcels(deps, query))
  route(app, deps, endpoints.staffGunnyByNumber, ({ params }) => getGunnyForStaff(deps, params.no))
  route(app, deps, endpoints.checkGunny, ({ params, body, caller, idempotency }) =>
    countAtStation(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.emptyGunny, ({ params, body, caller }) =>
    unpackGunny(deps, staff(caller), params.id, body.version),
  )
}
