import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages of a signed-in customer. The navigation (`nav.ts`) shows those that stand here. */
export function portalPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/approvals': () => import('../../features/accounts/company/approvals-page.tsx'),
    '/users': () => import('../../features/accounts/company/users-page.tsx'),
    '/address-book': () => import('../../features/addresses/address-book-page.tsx'),
    '/cod': () => import('../../features/payments/cod/cod-page.tsx'),
    '/cart': () => import('../cart-screen.tsx'),
    '/checkout/$orderId': () => import('../../features/orders/checkout/checkout-page.tsx'),
    '/orders': () => import('../../features/orders/orders-page.tsx'),
    '/orders/$id': () => import('../../features/orders/order-page.tsx'),
    '/parcels/bulk': () => import('../../features/parcels/bulk/bulk-page.tsx'),
    '/parcels/bulk/$id': () => import('../../features/parcels/bulk/bulk-batch-page.tsx'),
    '/outstanding': () => import('../../features/parcels/outstanding/outstanding-page.tsx'),
    '/parcels/new': () => import('../../features/parcels/new-parcel/new-parcel-page.tsx'),
    '/dashboard': () => import('../../features/reports/dashboard-page.tsx'),
    '/parcels': () => import('../../features/parcels/list/parcels-page.tsx'),
    '/parcels/$id': () => import('../../features/parcels/parcel-page.tsx'),
    '/gunny': () => import('../../features/parcels/gunny/gunnies-page.tsx'),
    '/gunny/new': () => import('../../features/parcels/gunny/pack-gunny-page.tsx'),
    '/gunny/$id': () => import('../../features/parcels/gunny/gunny-page.tsx'),
    '/pickups': () => import('../../features/pickups/pickups-page.tsx'),
    '/payments/$id': () => import('../../features/payments/payment-page.tsx'),
    '/stations': () => import('../../features/stations/stations-page.tsx'),
    '/statements': () => import('../../features/orders/monthly-billing/statements-page.tsx'),
    '/wallet': () => import('../../features/wallet/wallet-page.tsx'),
    '/wallet/top-up': () => import('../../features/wallet/top-up-page.tsx'),
    '/profile': () => import('../../features/accounts/profile/profile-page.tsx'),
  })
}
