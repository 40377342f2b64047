/** Routes of the address book as a spreadsheet. */
import * as endpoints from '@waybill/contract/addresses/import'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { readUpload } from '../../../http/uploads.ts'
import { contentDisposition } from '../../../lib/sheet/write.ts'
import { addressesSheet, addressProblemFile, addressTemplateFile } from './files.ts'
import { createImport, importPage, listImports, mapImport, removeImport, startSaving } from './service.ts'

export function addressImportRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.createAddressImport, async ({ request, caller, locale, t, idempotency }) => {
    const { bytes } = endpoints.addressImportLimits
    const { file, fields } = await readUpload(deps, request, endpoints.createAddressImport, bytes)
    const before = await idempotency.ofForm({ fields, file })
    if (before) return before.response as ResponseOf<typeof endpoints.createAddressImport>
    return createImport(deps, { caller: customer(caller), locale, t }, file, idempotency)
  })
  route(app, deps, endpoints.listAddressImports, ({ caller, locale, t, query }) =>
    listImports(deps, { caller: customer(caller), locale, t }, query),
  )
  route(app, deps, endpoints.addressTemplate, async ({ locale, t, reply }) => {
    reply.header('content-disposition', contentDisposition('addresses-template.xlsx'))
    return addressTemplateFile({ locale, t })
  })
  route(app, deps, endpoints.exportAddresses, async ({ caller, query, locale, t, reply }) => {
    reply.header('content-disposition', contentDisposition('addresses.xlsx'))
    return addressesSheet(deps, customer(caller).accountId, query, { locale, t })
  })
  route(app, deps, endpoints.getAddressImport, ({ caller, locale, t, params, query }) =>
    importPage(deps, { caller: customer(caller), locale, t }, params.id, query),
  )
  route(app, deps, endpoints.addressProblemFile, async ({ caller, params, locale, t, reply }) => {
    const file = await addressProblemFile(deps, { caller: customer(caller), locale, t }, params.id)
    reply.header('content-disposition', contentDisposition('addresses-to-correct.xlsx'))
    return file
  })
  route(app, deps, endpoints.mapAddressImport, ({ caller, locale, t, params, body }) =>
    mapImport(deps, { caller: customer(caller), locale, t }, params.id, body),
  )
  route(app, deps, endpoints.saveAddressImport, ({ caller, locale, t, params, body }) =>
    startSaving(deps, { caller: customer(caller), locale, t }, params.id, body),
  )
  route(app, deps, endpoints.removeAddressImport, async ({ caller, params }) => {
    await removeImport(deps, customer(caller), params.id)
    return { ok: true as const }
  })
}
