// HTTP routes of consignment notes and artwork.
import { ticketStatusLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import * as endpoints from '@waybill/contract/parcels/labels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, findViewer } from '../../../http/caller.ts'
import { countPrintQuota } from '../../../http/limits/quota.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { artworksForStaff, listOwnArtworks } from '../artwork/service.ts'
import { beginPrintRun, getPreview, printRun, printRunFile } from './print-runs.ts'
import { sendPrinted } from './printed-reply.ts'
import { consignmentNotes, notesFileName } from './service.ts'

/**
 * Routes of the customer's prints, and the list of a company's artwork. Changes of artwork are tickets
 * (`domains/tickets`).
 */
export function noteRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.generateNotes, async ({ query, caller, locale, t, reply }) => {
    const { userId } = customer(caller)
    await countPrintQuota(deps, findViewer(caller)?.staffId ?? userId, query.ids.length, query.format)
    const file = await consignmentNotes(deps, customer(caller), query, { locale, t })
    return sendPrinted(reply, { file, name: notesFileName(query.format) })
  })
  route(app, deps, endpoints.postNotes, async ({ body, caller, locale, t, reply }) => {
    await countPrintQuota(deps, customer(caller).userId, body.ids.length, body.format)
    const file = await consignmentNotes(deps, customer(caller), body, { locale, t })
    return sendPrinted(reply, { file, name: notesFileName(body.format) })
  })
  route(app, deps, endpoints.previewNotes, ({ body, caller, locale, t }) =>
    getPreview(deps, customer(caller), body, { locale, t }),
  )
  route(app, deps, endpoints.createPrintRun, ({ body, caller, idempotency }) =>
    beginPrintRun(deps, customer(caller), body, idempotency),
  )
  route(app, deps, endpoints.getPrintRun, ({ params, caller }) => printRun(deps, customer(caller), params.id))
  route(app, deps, endpoints.downloadPrintRun, async ({ params, caller, locale, t, reply }) => {
    const { file, format } = await printRunFile(deps, customer(caller), params.id, { locale, t })
    return sendPrinted(reply, { file, name: notesFileName(format) })
  })
  route(app, deps, endpoints.listArtworks, ({ caller }) => listOwnArtworks(deps, customer(caller)))
}

/** Staff's list of artwork. */
export function staffArtworkRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.staffArtworks, ({ query }) => artworksForStaff(deps, query))
  route(app, deps, endpoints.exportArtworks, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<endpoints.StaffArtwork>(deps, call, {
      file: 'artwork',
      title: 'artwork.staffTitle',
      columns: [
        { header: t('artwork.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        {
          header: t('artwork.status'),
          kind: 'text',
          width: 20,
          value: ({ status }) => enumLabel(ticketStatusLabels, status, locale),
        },
        { header: t('artwork.remark'), kind: 'text', width: 44, value: ({ remark }) => remark },
        { header: t('fields.updatedAt'), kind: 'time', value: ({ updatedAt }) => new Date(updatedAt) },
      ],
      read: (window) => artworksForStaff(deps, { ...query, ...window, sort: undefined }),
    })
  })
}
