/** Routes of monthly billing, for companies and for staff. */
import {
  type BilledAccount,
  cancelReceipt,
  exportBilledAccounts,
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
import { contentDisposition, sheetMediaTypes } from '../../../lib/sheet/write.ts'
import { billedAccounts, bookReceipt, cancelBookedReceipt, listBilledPage, readReceipts } from './receipts.ts'
import { readBilling } from './service.ts'
import { readStatements, renderStatement } from './statements.ts'

const debts = ['notDueMinor', 'days1to30Minor', 'days31to60Minor', 'days61to90Minor', 'over90Minor'] as const

/** Exports the companies' debts as a spreadsheet. */
function billingSheetRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportBilledAccounts, async (call) => {
    const { query, t } = call
    const money = (header: string) => t('phrase.detail', { text: header, detail: deps.settings.get('currency') })
    return sendListSheet<BilledAccount>(deps, call, {
      file: 'companies',
      title: 'financePage.companies',
      columns: [
        { header: t('companies.company'), kind: 'text', width: 30, value: ({ name }) => name },
        { header: t('companies.consentVersion'), kind: 'text', value: ({ consentVersion }) => consentVersion },
        { header: money(t('companies.limit')), kind: 'money', value: ({ limitMinor }) => limitMinor },
        { header: t('companies.termsDays'), kind: 'number', value: ({ termsDays }) => termsDays },
        { header: money(t('companies.owes')), kind: 'money', value: ({ usedMinor }) => usedMinor },
        ...debts.map((bucket) => ({
          header: money(t(`companies.${bucket}`)),
          kind: 'money' as const,
          value: ({ ageing }: BilledAccount) => ageing[bucket],
        })),
      ],
      read: (window) => listBilledPage(deps, { ...query, ...window, sort: undefined }),
    })
  })
}

/** Routes for companies and for staff. */
export function billingRoutes(app: FastifyInstance, deps: Deps): void {
  billingSheetRoutes(app, deps)
  route(app, deps, getBilling, async ({ caller }) => readBilling(deps, customer(caller)))
  route(app, deps, listStatements, async ({ caller, query }) => readStatements(deps, customer(caller), query))
  route(app, deps, exportStatements, async (call) => {
    const { caller, t } = call
    const money = (key: string) => t('phrase.detail', { text: t(key), detail: deps.settings.get('currency') })
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
    if (query.format !== 'pdf') reply.type(sheetMediaTypes[query.format])
    reply.header('content-disposition', contentDisposition(name))
    return file
  })
  route(app, deps, listBilledAccounts, async ({ query }) => billedAccounts(deps, query))
  route(app, deps, listReceipts, async ({ params, query }) => readReceipts(deps, params.id, query))
  route(app, deps, recordReceipt, async ({ caller, params, body, idempotency }) =>
    bookReceipt(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, cancelReceipt, async ({ caller, params, body, idempotency }) =>
    cancelBookedReceipt(deps, staff(caller), params, body, idempotency),
  )
}
