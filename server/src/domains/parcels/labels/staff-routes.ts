// HTTP routes of prints at stations.
import * as endpoints from '@waybill/contract/parcels/staff-prints'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { countPrintQuota } from '../../../http/limits/quota.ts'
import { route } from '../../../http/route.ts'
import { contentDisposition } from '../../../lib/sheet/write.ts'
import { readCarrierLabel } from '../carrier-handover/carrier-label.ts'
import { customsDocument } from '../customs/service.ts'
import { printGunnyLabel, printGunnyManifest } from '../gunny/papers.ts'
import { sendPrinted } from './printed-reply.ts'
import { consignmentNotes, notesFileName } from './service.ts'

/** Labels and forms of any account's parcels. */
export function staffPrintRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.staffNotes, async ({ query, caller, locale, t, reply }) => {
    await countPrintQuota(deps, staff(caller).userId, query.ids.length, query.format)
    const file = await consignmentNotes(deps, staff(caller), query, { locale, t })
    return sendPrinted(reply, { file, name: notesFileName(query.format) })
  })
  route(app, deps, endpoints.staffCustomsDocument, async ({ params, caller, locale, t, reply }) => {
    const { name, pdf } = await customsDocument(deps, staff(caller), params.id, { locale, t })
    return sendPrinted(reply, { file: pdf, name })
  })
  route(app, deps, endpoints.staffCarrierLabel, async ({ params, caller, reply }) => {
    reply.header('content-disposition', contentDisposition('carrier-label.pdf', 'inline'))
    return readCarrierLabel(deps, staff(caller), params.id)
  })
  route(app, deps, endpoints.staffGunnyLabel, async ({ params, query, caller, locale, t, reply }) =>
    sendPrinted(reply, await printGunnyLabel(deps, staff(caller), params.id, query.format, { locale, t })),
  )
  route(app, deps, endpoints.staffGunnyManifest, async ({ params, caller, locale, t, reply }) =>
    sendPrinted(reply, await printGunnyManifest(deps, staff(caller), params.id, { locale, t })),
  )
}
