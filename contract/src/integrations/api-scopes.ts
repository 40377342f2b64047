/** Scopes of API keys: one table defines the calls that each scope allows, and the permissions of a key with it. */
import type { ApiScope, MemberPermission } from '../ground/enums/enums.ts'

type Scope = {
  /** Ids of endpoints. Endpoints without a scope are closed to keys, unless visitors may call them. */
  calls: readonly string[]
  /** For checks inside a use case, such as whether the caller may pay. */
  permissions: readonly MemberPermission[]
}

/**
 * The calls that each scope allows. Everything else is closed to keys: the account, its users, settings, the wallet
 * and its PIN, API keys, webhooks, and all staff calls.
 */
export const apiScopes: Readonly<Record<ApiScope, Scope>> = {
  quotes: { permissions: [], calls: ['prices.summary', 'pickups.slots', 'zones.list', 'zones.get'] },
  addresses: {
    permissions: ['addresses'],
    calls: [
      'addresses.list',
      'addresses.get',
      'addresses.default',
      'addresses.create',
      'addresses.update',
      'addresses.remove',
      'addresses.removeSelected',
      'addresses.parse',
    ],
  },
  parcels: {
    permissions: ['parcels.create'],
    calls: [
      'parcels.list',
      'parcels.get',
      'parcels.multiple',
      'parcels.trackno',
      'parcels.cart',
      'parcels.cartCount',
      'parcels.create',
      'parcels.update',
      'parcels.addToCart',
      'parcels.takeOutOfCart',
      'parcels.remove',
      'parcels.changeService',
      'parcels.changeServices',
      'parcels.changeInsurance',
      'parcels.changeSelfCollection',
      'parcels.changeSelfCollections',
      'parcels.cancel',
      'parcels.cancelPreview',
    ],
  },
  pickups: {
    permissions: ['parcels.create'],
    calls: [
      'pickups.list',
      'pickups.get',
      'pickups.slots',
      'pickups.waiting',
      'pickups.book',
      'pickups.reschedule',
      'pickups.cancel',
    ],
  },
  orders: {
    permissions: ['pay'],
    calls: [
      'prices.summary',
      'orders.list',
      'orders.get',
      'orders.create',
      'orders.cancel',
      'orders.invoice',
      'orders.invoicePrint',
      'orders.creditNotes',
      'orders.creditNote',
      'orders.creditNotePrint',
      'checkouts.pending',
      'checkouts.pendingAlias',
    ],
  },
  payments: { permissions: ['pay'], calls: ['payments.expressCredit', 'payments.corporate', 'payments.get'] },
  labels: {
    permissions: [],
    calls: [
      'parcels.generateCn',
      'parcels.generateCnPost',
      'parcels.createPrintRun',
      'parcels.printRun',
      'parcels.printRunFile',
      'parcels.customs',
      'carriers.label',
    ],
  },
  tracking: { permissions: [], calls: ['parcels.tracks', 'parcels.trackno', 'carriers.booking'] },
}

/** Whether a key with these scopes may call the endpoint. */
export function isCallInScope(scopes: readonly ApiScope[], endpointId: string): boolean {
  return scopes.some((scope) => apiScopes[scope].calls.includes(endpointId))
}

/**
 * The permissions of a key with these scopes. A key acts for the whole account, so it sees the parcels of every user.
 */
export function permissionsOfScopes(scopes: readonly ApiScope[]): MemberPermission[] {
  return [
    ...new Set<MemberPermission>(['parcels.view_all', ...scopes.flatMap((scope) => apiScopes[scope].permissions)]),
  ]
}

/** The scopes that allow an endpoint. */
export function scopesOfCall(endpointId: string): ApiScope[] {
  return (Object.keys(apiScopes) as ApiScope[]).filter((scope) => apiScopes[scope].calls.includes(endpointId))
}
