/** Routes of monthly billing, for companies and for staff. */
import {
  getBilling,
  listBilledAccounts,
  listReceipts,
  listStatements,
  printStatement,
  recordReceipt,
} from '@waybill/contract/orders/monthly-billing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { attachment, sheetMedia } from '../../../lib/sheet/write.ts'
import { billedAccounts, bookReceipt, readReceipts } from './receipts.ts'
import { readBilling } from './service.ts'
import { readStatements, renderStatement } from './statements.ts'

/** Each side's own calls. */
export function billingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getBilling, async ({ caller }) => readBilling(deps, customer(caller)))
  route(app, deps, listStatements, async ({ caller, query }) => readStatements(deps, customer(caller), query))
  route(app, deps, printStatement, async ({ caller, params, query, locale, t, reply }) => {
    const { name, file } = await renderStatement(deps, customer(caller), params.id, query, { locale, t })
    if (query.format !== 'pdf') reply.type(sheetMedia[query.format])
    reply.header('content-disposition', attachment(name))
    return file
  })
  route(app, deps, listBilledAccounts, async ({ query }) => billedAccounts(deps, query))
  route(app, deps, listReceipts, async ({ params, query }) => readReceipts(deps, params.id, query))
  route(app, deps, recordReceipt, async ({ caller, params, body, idempotency }) =>
    bookReceipt(deps, staff(caller), params.id, body, idempotency),
  )
}
