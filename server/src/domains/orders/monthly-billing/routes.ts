/** Routes of monthly billing, for companies and for staff. */
import {
  exportStatements,
  getBilling,
  listBilledAccounts,
  listReceipts,
  listStatements,
  printStatement,
  recordReceipt,
  type Statement,
} from '@waybill/contract/orders/monthly-billing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { attachment, sheetMedia } from '../../../lib/sheet/write.ts'
import { billedAccounts, bookReceipt, readReceipts } from './receipts.ts'
import { readBilling } from './service.ts'
import { readStatements, renderStatement } from './statements.ts'

/** Each side's own calls. */
export function billingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getBilling, async ({ caller }) => readBilling(deps, customer(caller)))
  route(app, deps, listStatements, async ({ caller, query }) => readStatements(deps, customer(caller), query))
  route(app, deps, exportStatements, async (call) => {
    const { caller, t } = call
    const money = (key: string) => `${t(key)} (${deps.settings.get('currency')})`
    return sendListSheet<Statement>(deps, call, {
      file: 'statements',
      title: 'billing.statements',
      columns: [
        { header: t('statement.month'), kind: 'text', width: 10, value: ({ month }) => month.slice(0, 7) },
        { header: t('fields.number'), kind: 'text', width: 18, value: ({ number }) => number },
        { header: t('fields.status'), kind: 'text', width: 12, value: ({ state }) => t(`billing.state.${state}`) },
        { header: t('billing.due'), kind: 'day', value: ({ dueOn }) => dueOn },
        { header: money('statement.opening'), kind: 'money', value: ({ openingMinor }) => openingMinor },
        { header: money('billing.charged'), kind: 'money', value: ({ chargesMinor }) => chargesMinor },
        { header: money('billing.credits'), kind: 'money', value: ({ creditsMinor }) => creditsMinor },
        { header: money('billing.receipts'), kind: 'money', value: ({ receiptsMinor }) => receiptsMinor },
        { header: money('billing.amountDue'), kind: 'money', value: ({ closingMinor }) => closingMinor },
        { header: money('billing.unpaid'), kind: 'money', value: ({ unpaidMinor }) => unpaidMinor },
      ],
      read: (window) => readStatements(deps, customer(caller), { ...window, sort: undefined }),
    })
  })
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
