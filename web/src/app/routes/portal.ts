import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NewParcelPage } from '../../features/parcels/new-parcel/new-parcel-page.tsx'
import { portalLayout } from './layouts.tsx'
import { cartSearch, listSearch, newParcelSearch, outstandingSearch, topUpSearch } from './search.ts'

/** Pages of a signed-in customer. The navigation (`nav.ts`) shows those that are listed here. */
// A separate constant: inside `addChildren(…)` the compiler would infer `any` for paths and search params.
const pages = [
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/tickets',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/tickets/tickets-page.tsx'), 'TicketsPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/tickets/$id',
    component: lazyRouteComponent(() => import('../pages/ticket-page.tsx'), 'TicketScreenPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/messages',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/chat/messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/messages/$id',
    component: lazyRouteComponent(() => import('../../features/chat/thread-page.tsx'), 'ThreadPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/approvals',
    component: lazyRouteComponent(() => import('../../features/accounts/company/approvals-page.tsx'), 'ApprovalsPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/users',
    component: lazyRouteComponent(() => import('../../features/accounts/company/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/developers',
    component: lazyRouteComponent(() => import('../../features/integrations/developers-page.tsx'), 'DevelopersPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/developers/webhooks/$id',
    component: lazyRouteComponent(() => import('../../features/integrations/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/address-book',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/addresses/address-book-page.tsx'), 'AddressBookPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/address-book/import',
    component: lazyRouteComponent(() => import('../../features/addresses/import/import-page.tsx'), 'AddressImportPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/address-book/import/$id',
    component: lazyRouteComponent(
      () => import('../../features/addresses/import/import-file-page.tsx'),
      'AddressImportFilePage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/address-book/duplicates',
    component: lazyRouteComponent(
      () => import('../../features/addresses/duplicates/duplicates-page.tsx'),
      'DuplicatesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/address-book/links',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/addresses/requests/links-page.tsx'), 'AddressLinksPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/cod',
    component: lazyRouteComponent(() => import('../../features/payments/cod/cod-page.tsx'), 'CodPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/cart',
    validateSearch: cartSearch,
    component: lazyRouteComponent(() => import('../pages/cart-page.tsx'), 'CartScreenPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/checkout/$orderId',
    component: lazyRouteComponent(() => import('../../features/orders/checkout/checkout-page.tsx'), 'CheckoutPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/orders',
    component: lazyRouteComponent(() => import('../../features/orders/orders-page.tsx'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/orders/$id',
    component: lazyRouteComponent(() => import('../pages/order-page.tsx'), 'OrderScreenPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/parcels/bulk',
    component: lazyRouteComponent(() => import('../../features/parcels/bulk/bulk-page.tsx'), 'BulkPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/parcels/bulk/$id',
    component: lazyRouteComponent(() => import('../../features/parcels/bulk/bulk-batch-page.tsx'), 'BulkBatchPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/outstanding',
    validateSearch: outstandingSearch,
    component: lazyRouteComponent(
      () => import('../../features/parcels/outstanding/outstanding-page.tsx'),
      'OutstandingPage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/parcels/new',
    validateSearch: newParcelSearch,
    // Not lazy: the shared chunk `app` has this page and its layout, and a lazy import would wait for one more request.
    component: NewParcelPage,
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/dashboard',
    component: lazyRouteComponent(() => import('../../features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/parcels',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/parcels/list/parcels-page.tsx'), 'ParcelsPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/parcels/$id',
    component: lazyRouteComponent(() => import('../pages/parcel-page.tsx'), 'ParcelScreenPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/gunny',
    component: lazyRouteComponent(() => import('../../features/parcels/gunny/gunnies-page.tsx'), 'GunniesPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/gunny/new',
    component: lazyRouteComponent(() => import('../../features/parcels/gunny/pack-gunny-page.tsx'), 'PackGunnyPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/gunny/$id',
    component: lazyRouteComponent(() => import('../../features/parcels/gunny/gunny-page.tsx'), 'GunnyPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/pickups',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/pickups/pickups-page.tsx'), 'PickupsPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/payments/$id',
    component: lazyRouteComponent(() => import('../../features/payments/payment-page.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/stations',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/stations/stations-page.tsx'), 'StationsPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/statements',
    component: lazyRouteComponent(
      () => import('../../features/orders/monthly-billing/statements-page.tsx'),
      'StatementsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/reports',
    component: lazyRouteComponent(
      () => import('../../features/reports/orders/order-report-page.tsx'),
      'OrderReportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/wallet',
    component: lazyRouteComponent(() => import('../../features/wallet/wallet-page.tsx'), 'WalletPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/wallet/top-up',
    validateSearch: topUpSearch,
    component: lazyRouteComponent(() => import('../../features/wallet/top-up-page.tsx'), 'TopUpPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/profile',
    component: lazyRouteComponent(() => import('../../features/accounts/profile/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/profile/delete',
    component: lazyRouteComponent(
      () => import('../../features/account-closure/delete-account-page.tsx'),
      'DeleteAccountPage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/notifications',
    validateSearch: listSearch,
    component: lazyRouteComponent(
      () => import('../../features/notifications/notifications-page.tsx'),
      'NotificationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/activity',
    component: lazyRouteComponent(() => import('../../features/logs/logs-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => portalLayout,
    path: '/preferences',
    component: lazyRouteComponent(
      () => import('../../features/accounts/profile/preferences-page.tsx'),
      'PreferencesPage',
    ),
  }),
] as const

export const portalRoutes = portalLayout.addChildren(pages)
