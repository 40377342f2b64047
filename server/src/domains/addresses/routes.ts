import {
  createAddress,
  getAddress,
  getAvailablePostcode,
  getDefaultAddress,
  getPostcode,
  listAddresses,
  parseAddress,
  removeAddress,
  updateAddress,
} from '@waybill/contract/addresses/addresses'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import {
  addAddress,
  addressOf,
  availabilityOf,
  changeAddress,
  defaultAddress,
  dropAddress,
  fieldsOfText,
  pageOfBook,
  placeOfPostcode,
} from './service.ts'

/** What a postcode is and who serves it: asked before anybody signs in. */
export function publicPostcodeRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getPostcode, async ({ body }) => placeOfPostcode(body))
  route(app, deps, getAvailablePostcode, ({ body }) => availabilityOf(deps, body))
}

/** The account's address book. */
export function addressRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listAddresses, ({ caller, query }) => pageOfBook(deps, customer(caller).accountId, query))
  route(app, deps, getDefaultAddress, async ({ caller }) => ({
    address: await defaultAddress(deps, customer(caller).accountId),
  }))
  route(app, deps, parseAddress, async ({ body }) => fieldsOfText(deps, body))
  route(app, deps, getAddress, ({ caller, params }) => addressOf(deps, customer(caller).accountId, params.id))
  route(app, deps, createAddress, ({ caller, body }) => addAddress(deps, customer(caller), body))
  route(app, deps, updateAddress, ({ caller, params, body }) => changeAddress(deps, customer(caller), params.id, body))
  route(app, deps, removeAddress, async ({ caller, params }) => {
    await dropAddress(deps, customer(caller), params.id)
    return { ok: true as const }
  })
}
