// HTTP routes of parcels for customers and the public.
import { getCarrierBooking, getCarrierLabel } from '@waybill/contract/carriers/carriers'
import * as cartCalls from '@waybill/contract/parcels/cart'
import { getCustomsDocument } from '@waybill/contract/parcels/customs'
import * as choices from '@waybill/contract/parcels/failed-delivery'
import * as listCalls from '@waybill/contract/parcels/list'
import * as endpoints from '@waybill/contract/parcels/parcels'
import { acceptWeighing, contestWeighing, getWeighing } from '@waybill/contract/parcels/weighing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { contentDisposition, sheetMediaTypes } from '../../lib/sheet/write.ts'
import { readCarrierBooking } from './carrier-handover/bookings.ts'
import { readCarrierLabel } from './carrier-handover/carrier-label.ts'
import { setInsurance, setSelfCollection, setSelfCollections, setService, setServices } from './cart/cart-changes.ts'
import { addDraftsToCart, createDrafter, editDraft, removeDrafts, removeFromCart } from './cart/drafts.ts'
import { customsDocument } from './customs/service.ts'
import { choiceByLink, chooseByLink } from './failed-delivery/choice-link.ts'
import { quoteChoice, readDeliveryChoice } from './failed-delivery/service.ts'
import { getParcelDetail, getSeveralParcels, readParcelByNumber, trackOwnParcels } from './list/details.ts'
import { parcelsSheet } from './list/export.ts'
import { cartCounts, getCartTab, listIdsOfCart, parcelList } from './list/reads.ts'
import { weighEach, weighOne } from './service.ts'
import { acceptWeight, contestWeight } from './weighing/answers.ts'
import { readWeighing } from './weighing/shown.ts'

/** Routes without a session: the receiver's delivery choice and the weight calculator. */
export function publicParcelRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, choices.getPublicDeliveryChoice, ({ params }) => choiceByLink(deps, params.token))
  route(app, deps, choices.makePublicDeliveryChoice, ({ params, body }) => chooseByLink(deps, params.token, body))
  route(app, deps, endpoints.calculateVweight, async ({ body }) => weighOne(deps, body.carrier, body))
  route(app, deps, endpoints.calculateMultipleVweight, async ({ body }) => weighEach(deps, body.carrier, body.items))
}

/** A customer's parcels: drafts, cart, and parcels in transit. */
export function parcelRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listCalls.listParcels, ({ query, caller }) => parcelList(deps, customer(caller), query))
  route(app, deps, listCalls.exportParcels, async ({ query, caller, locale, t, reply }) => {
    const { name, sheet } = parcelsSheet(deps, customer(caller), query, { locale, t })
    reply.type(sheetMediaTypes[query.format]).header('content-disposition', contentDisposition(name))
    return sheet
  })
  route(app, deps, cartCalls.getCart, ({ query, caller }) => getCartTab(deps, customer(caller), query))
  route(app, deps, cartCalls.listCartIds, ({ query, caller }) => listIdsOfCart(deps, customer(caller), query))
  route(app, deps, cartCalls.cartCount, ({ caller }) => cartCounts(deps, customer(caller)))
  route(app, deps, endpoints.getParcels, async ({ params, caller }) => ({
    items: await getSeveralParcels(deps, customer(caller), params.ids),
  }))
  route(app, deps, endpoints.getParcelByNumber, ({ params, caller, t }) =>
    readParcelByNumber(deps, customer(caller), params.no, t),
  )
  route(app, deps, endpoints.trackParcels, ({ body, caller, t }) =>
    trackOwnParcels(deps, customer(caller), body.numbers, t),
  )
  route(app, deps, getCarrierBooking, ({ params, caller, locale, t }) =>
    readCarrierBooking(deps, customer(caller), params.id, { locale, t }),
  )
  route(app, deps, getCarrierLabel, async ({ params, caller, reply }) => {
    reply.header('content-disposition', contentDisposition('carrier-label.pdf', 'inline'))
    return readCarrierLabel(deps, customer(caller), params.id)
  })
  route(app, deps, endpoints.getParcel, ({ params, caller, t }) =>
    getParcelDetail(deps, customer(caller), params.id, t),
  )

  route(app, deps, getWeighing, ({ params, caller }) => readWeighing(deps, customer(caller), params.id))
  route(app, deps, acceptWeighing, ({ params, caller }) => acceptWeight(deps, customer(caller), params.id))
  route(app, deps, contestWeighing, ({ params, body, caller }) =>
    contestWeight(deps, customer(caller), params.id, body),
  )
  route(app, deps, choices.getDeliveryChoice, ({ params, caller }) =>
    readDeliveryChoice(deps, customer(caller), params.id),
  )
  route(app, deps, choices.quoteDeliveryChoice, ({ params, body, caller }) =>
    quoteChoice(deps, customer(caller), params.id, body),
  )

  route(app, deps, getCustomsDocument, async ({ params, caller, locale, t, reply }) => {
    const { name, pdf } = await customsDocument(deps, customer(caller), params.id, { locale, t })
    reply.header('content-disposition', contentDisposition(name, 'inline'))
    return pdf
  })
  const createDraft = createDrafter(deps)
  route(
    app,
    deps,
    endpoints.createParcel,
    ({ body, caller, idempotency }) => createDraft(customer(caller), body, idempotency),
    { provenByWrite: true },
  )
  route(app, deps, endpoints.updateParcel, ({ body, caller }) => editDraft(deps, customer(caller), body))
  route(app, deps, cartCalls.addToCart, async ({ body, caller }) => ({
    items: await addDraftsToCart(deps, customer(caller), body.ids),
  }))
  route(app, deps, cartCalls.takeOutOfCart, async ({ body, caller }) => ({
    items: await removeFromCart(deps, customer(caller), body.ids),
  }))
  route(app, deps, cartCalls.changeServices, async ({ body, caller }) => ({
    items: await setServices(deps, customer(caller), body),
  }))
  route(app, deps, cartCalls.changeService, ({ params, body, caller }) =>
    setService(deps, customer(caller), params.id, body),
  )
  route(app, deps, cartCalls.changeSelfCollections, async ({ body, caller }) => ({
    items: await setSelfCollections(deps, customer(caller), body),
  }))
  route(app, deps, cartCalls.changeSelfCollection, ({ params, body, caller }) =>
    setSelfCollection(deps, customer(caller), params.id, body),
  )
  route(app, deps, cartCalls.changeInsurance, ({ params, body, caller }) =>
    setInsurance(deps, customer(caller), params.id, body),
  )
  route(app, deps, cartCalls.removeParcels, async ({ body, caller }) => {
    await removeDrafts(deps, customer(caller), body.ids)
    return { ok: true as const }
  })
}
