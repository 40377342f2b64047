import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { staffLayout } from './layouts.tsx'
import {
  deliveriesSearch,
  disputesSearch,
  holidaysSearch,
  listSearch,
  numberSearch,
  partListSearch,
  partSearch,
  pickupTasksSearch,
  ratesSearch,
  sheetSearch,
} from './search.ts'

/** Pages of signed-in staff, in a bundle of their own. A customer's browser does not even load this list. */
// A separate constant: inside `addChildren(…)` the compiler would infer `any` for paths and search params.
const pages = [
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/tickets',
    component: lazyRouteComponent(
      () => import('../../features/tickets/staff/staff-tickets-page.tsx'),
      'StaffTicketsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/tickets/$id',
    component: lazyRouteComponent(() => import('../pages/staff-ticket-page.tsx'), 'StaffTicketScreenPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/inbox',
    component: lazyRouteComponent(() => import('../../features/chat/inbox/inbox-page.tsx'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/inbox/$id',
    component: lazyRouteComponent(() => import('../../features/chat/inbox/inbox-thread-page.tsx'), 'InboxThreadPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/carriers',
    component: lazyRouteComponent(() => import('../../features/carriers/carriers-page.tsx'), 'CarriersPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/gunny',
    validateSearch: numberSearch,
    component: lazyRouteComponent(() => import('../../features/parcels/gunny/gunny-scan-page.tsx'), 'GunnyScanPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/trips',
    validateSearch: partListSearch,
    component: lazyRouteComponent(() => import('../../features/parcels/trips/trips-page.tsx'), 'TripsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/trips/$id',
    component: lazyRouteComponent(() => import('../../features/parcels/trips/trip-page.tsx'), 'TripPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/bags',
    validateSearch: numberSearch,
    component: lazyRouteComponent(() => import('../../features/parcels/bags/bags-page.tsx'), 'BagsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/accounts',
    component: lazyRouteComponent(() => import('../../features/accounts/directory/accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/accounts/$id',
    component: lazyRouteComponent(() => import('../../features/accounts/directory/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/artworks',
    component: lazyRouteComponent(
      () => import('../../features/tickets/artwork/staff-artworks-page.tsx'),
      'StaffArtworksPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/scan',
    component: lazyRouteComponent(() => import('../../features/parcels/scanning/scan-page.tsx'), 'ScanPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/cash',
    validateSearch: numberSearch,
    component: lazyRouteComponent(() => import('../../features/payments/cash-desk/cash-page.tsx'), 'CashPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/cash/shifts',
    component: lazyRouteComponent(() => import('../../features/payments/cash-desk/shifts-page.tsx'), 'ShiftsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/finance',
    validateSearch: partSearch,
    component: lazyRouteComponent(() => import('../pages/staff-finance-page.tsx'), 'StaffFinancePage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/counter',
    validateSearch: numberSearch,
    component: lazyRouteComponent(() => import('../pages/staff-counter-page.tsx'), 'StaffCounterPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/counter/walk-in',
    component: lazyRouteComponent(() => import('../../features/payments/walk-ins/walk-in-page.tsx'), 'WalkInPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/parcels/$no',
    component: lazyRouteComponent(() => import('../pages/staff-parcel-page.tsx'), 'StaffParcelScreenPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/stock',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/parcels/stock/stock-page.tsx'), 'StockPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/pickups',
    validateSearch: pickupTasksSearch,
    component: lazyRouteComponent(() => import('../pages/staff-pickups-page.tsx'), 'StaffPickupsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/deliveries',
    validateSearch: deliveriesSearch,
    component: lazyRouteComponent(
      () => import('../../features/parcels/rider-tasks/deliveries-page.tsx'),
      'DeliveriesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/rates',
    validateSearch: ratesSearch,
    component: lazyRouteComponent(() => import('../../features/pricing/rate-cards/rates-page.tsx'), 'RatesPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/rates/$id',
    component: lazyRouteComponent(() => import('../../features/pricing/rate-cards/rate-card-page.tsx'), 'RateCardPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/setup',
    component: lazyRouteComponent(() => import('../../features/setup/setup-page.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/stations',
    validateSearch: listSearch,
    component: lazyRouteComponent(
      () => import('../../features/stations/manage/manage-stations-page.tsx'),
      'ManageStationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/sheets/$kind',
    validateSearch: sheetSearch,
    component: lazyRouteComponent(() => import('../../features/sheet-imports/sheet-page.tsx'), 'SheetPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/zones',
    component: lazyRouteComponent(() => import('../../features/stations/zones/zones-page.tsx'), 'ZonesPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/reweigh',
    component: lazyRouteComponent(() => import('../../features/parcels/weighing/reweigh-page.tsx'), 'ReweighPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/disputes',
    validateSearch: disputesSearch,
    component: lazyRouteComponent(() => import('../../features/parcels/weighing/disputes-page.tsx'), 'DisputesPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/capacity',
    component: lazyRouteComponent(() => import('../pages/staff-capacity-page.tsx'), 'StaffCapacityPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/holidays',
    validateSearch: holidaysSearch,
    component: lazyRouteComponent(() => import('../../features/stations/holidays/holidays-page.tsx'), 'HolidaysPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/settings',
    validateSearch: partSearch,
    component: lazyRouteComponent(() => import('../pages/staff-settings-page.tsx'), 'StaffSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/quotes',
    component: lazyRouteComponent(() => import('../../features/pricing/quotes/quotes-page.tsx'), 'QuotesPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/content',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('../../features/content/content-page.tsx'), 'ContentPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/content/texts',
    component: lazyRouteComponent(() => import('../../features/legal/staff-texts-page.tsx'), 'StaffTextsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/team',
    validateSearch: partSearch,
    component: lazyRouteComponent(() => import('../../features/accounts/staff/team-page.tsx'), 'TeamPage'),
  }),
  // The former URL: users and devices are now part of the team's page.
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/users',
    beforeLoad: () => {
      throw redirect({ to: '/staff/team', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/notifications',
    validateSearch: listSearch,
    component: lazyRouteComponent(
      () => import('../../features/notifications/notifications-page.tsx'),
      'NotificationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/preferences',
    component: lazyRouteComponent(
      () => import('../../features/accounts/profile/preferences-page.tsx'),
      'PreferencesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/profile',
    component: lazyRouteComponent(
      () => import('../../features/accounts/staff/staff-profile-page.tsx'),
      'StaffProfilePage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/reports',
    component: lazyRouteComponent(
      () => import('../../features/reports/staff/staff-report-page.tsx'),
      'StaffReportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/logs',
    component: lazyRouteComponent(() => import('../../features/logs/staff-logs-page.tsx'), 'StaffLogsPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff/failed-work',
    component: lazyRouteComponent(() => import('../../features/failed-work/failed-work-page.tsx'), 'FailedWorkPage'),
  }),
  createRoute({
    getParentRoute: () => staffLayout,
    path: '/staff',
    component: lazyRouteComponent(() => import('../pages/staff-home-page.tsx'), 'StaffHomePage'),
  }),
] as const

export const staffRoutes = staffLayout.addChildren(pages)
export type StaffRoutes = typeof staffRoutes
