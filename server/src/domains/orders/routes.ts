import { createOrder, getInvoice, getOrder, listOrders, printInvoice } from '@waybill/contract/orders'
import { priceSummary } from '@waybill/contract/pricing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { checkOut, invoiceFor, orderOf, ordersOf, printedInvoice, summarize } from './service.ts'

/** Checkout, the account's orders and their invoices; the totals of a cart too, since an order adds its own lines to its parcels'. */
export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, priceSummary, async ({ caller, body }) => summarize(deps, customer(caller), body.parcelIds))
  route(app, deps, createOrder, async ({ caller, body, idempotency }) =>
    checkOut(deps, customer(caller), body, idempotency),
  )
  route(app, deps, listOrders, async ({ caller, query }) => ordersOf(deps, customer(caller), query))
  route(app, deps, getOrder, async ({ caller, params }) => orderOf(deps, customer(caller), params.id))
  route(app, deps, getInvoice, async ({ caller, params, locale, t }) =>
    invoiceFor(deps, customer(caller), params.id, { locale, t }),
  )
  route(app, deps, printInvoice, async ({ caller, params, locale, t, reply }) => {
    const { number, pdf } = await printedInvoice(deps, customer(caller), params.id, { locale, t })
    reply.header('content-disposition', `inline; filename="${number}.pdf"`)
    return pdf
  })
}
