// HTTP routes of bulk uploads.
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import * as endpoints from '@waybill/contract/parcels/bulk'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { readUpload } from '../../../http/uploads.ts'
import { contentDisposition } from '../../../lib/sheet/write.ts'
import { editBatch } from './edit.ts'
import { problemFile, templateFile } from './files.ts'
import { batchPage, clearBatch, createBatch, listBatches, mapColumns } from './service.ts'
import { cartBatch } from './to-cart.ts'

/** The customer's bulk uploads. */
export function bulkRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.createBulk, async ({ request, body, caller, locale, t, idempotency }) => {
    const reader = { caller: customer(caller), locale, t }
    if (!request.isMultipart()) {
      return createBatch(deps, reader, { file: null, body, senderAddressId: body.senderAddressId }, idempotency)
    }
    const { file, fields } = await readUpload(deps, request, endpoints.createBulk, endpoints.bulkLimits.bytes)
    const before = await idempotency.ofForm({ fields, file })
    if (before) return before.response as ResponseOf<typeof endpoints.createBulk>
    return createBatch(deps, reader, { file, body: {}, senderAddressId: fields.senderAddressId }, idempotency)
  })
  route(app, deps, endpoints.listBulk, ({ query, caller, locale, t }) =>
    listBatches(deps, { caller: customer(caller), locale, t }, query),
  )
  route(app, deps, endpoints.bulkTemplate, async ({ caller, locale, t, reply }) => {
    reply.header('content-disposition', contentDisposition('parcels-template.xlsx'))
    return templateFile(deps, { caller: customer(caller), locale, t })
  })
  route(app, deps, endpoints.getBulk, ({ params, query, caller, locale, t }) =>
    batchPage(deps, { caller: customer(caller), locale, t }, params.id, query),
  )
  route(app, deps, endpoints.bulkProblemFile, async ({ params, caller, locale, t, reply }) => {
    const file = await problemFile(deps, { caller: customer(caller), locale, t }, params.id)
    reply.header('content-disposition', contentDisposition('parcels-to-correct.xlsx'))
    return file
  })
  route(app, deps, endpoints.mapBulk, ({ body, caller, locale, t }) =>
    mapColumns(deps, { caller: customer(caller), locale, t }, body),
  )
  route(app, deps, endpoints.editBulk, ({ body, caller, locale, t }) =>
    editBatch(deps, { caller: customer(caller), locale, t }, body),
  )
  route(app, deps, endpoints.cartBulk, ({ body, caller, locale, t }) =>
    cartBatch(deps, { caller: customer(caller), locale, t }, body),
  )
  route(app, deps, endpoints.clearBulk, async ({ body, caller }) => {
    await clearBatch(deps, customer(caller), body.id)
    return { ok: true as const }
  })
}
