/** Routes of the address book and of postcodes. */
import {
  createAddress,
  getAddress,
  getAvailablePostcode,
  getDefaultAddress,
  getPostcode,
  listAddresses,
  parseAddress,
  removeAddress,
  removeAddresses,
  updateAddress,
} from '@waybill/contract/addresses/addresses'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import {
  addAddress,
  changeAddress,
  defaultAddress,
  deleteFromBook,
  findPlaceOfPostcode,
  getAvailability,
  listBookAddresses,
  parsePastedAddress,
  readAddress,
} from './service.ts'

/** Postcodes and coverage; no session needed. */
export function publicPostcodeRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getPostcode, async ({ body, t }) => findPlaceOfPostcode(body, t))
  route(app, deps, getAvailablePostcode, ({ body }) => getAvailability(deps, body))
}

/** The account's address book. */
export function addressRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listAddresses, ({ caller, query }) => listBookAddresses(deps, customer(caller).accountId, query))
  route(app, deps, getDefaultAddress, async ({ caller }) => ({
    address: await defaultAddress(deps.db, customer(caller).accountId),
  }))
  route(app, deps, parseAddress, async ({ body }) => parsePastedAddress(deps, body))
  route(app, deps, getAddress, ({ caller, params }) => readAddress(deps.db, customer(caller).accountId, params.id))
  route(app, deps, createAddress, ({ caller, body, idempotency }) =>
    addAddress(deps, customer(caller), body, idempotency),
  )
  route(app, deps, updateAddress, ({ caller, params, body }) => changeAddress(deps, customer(caller), params.id, body))
  route(app, deps, removeAddress, async ({ caller, params }) => {
    await deleteFromBook(deps, customer(caller), [params.id])
    return { ok: true as const }
  })
  route(app, deps, removeAddresses, async ({ caller, body }) => {
    await deleteFromBook(deps, customer(caller), body.ids)
    return { ok: true as const }
  })
}
