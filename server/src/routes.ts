import type { FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { closureRoutes } from './domains/account-closure/routes.ts'
import { memberRoutes } from './domains/accounts/company/routes.ts'
import { accountDirectoryRoutes } from './domains/accounts/directory/routes.ts'
import { identityRoutes, publicIdentityRoutes } from './domains/accounts/identity-providers/routes.ts'
import { ownershipRoutes } from './domains/accounts/ownership/routes.ts'
import { accountRoutes, publicAccountRoutes } from './domains/accounts/routes.ts'
import { corporateUsers, findStaffNames } from './domains/accounts/service.ts'
import { publicFactorRoutes, staffAccountRoutes, teamRoutes } from './domains/accounts/staff/routes.ts'
import { addressDuplicateRoutes } from './domains/addresses/duplicates/routes.ts'
import { addressImportRoutes } from './domains/addresses/import/routes.ts'
import { addressRequestRoutes, publicAddressRequestRoutes } from './domains/addresses/requests/routes.ts'
import { addressRoutes, publicPostcodeRoutes } from './domains/addresses/routes.ts'
import { changeLogo } from './domains/attachments/company-logo.ts'
import { attachmentRoutes, fileHostRoutes } from './domains/attachments/routes.ts'
import { staffCarrierRoutes } from './domains/carriers/staff-routes.ts'
import { chatRoutes } from './domains/chat/routes.ts'
import { staffChatRoutes } from './domains/chat/staff-routes.ts'
import { contentRoutes, staffContentRoutes } from './domains/content/routes.ts'
import { dashboardRoutes } from './domains/dashboard/routes.ts'
import { staffFailedWorkRoutes } from './domains/failed-work/staff-routes.ts'
import { apiKeyRoutes } from './domains/integrations/api-keys/routes.ts'
import { webhookRoutes } from './domains/integrations/webhooks/routes.ts'
import { legalRoutes, staffLegalRoutes } from './domains/legal/routes.ts'
import { logRoutes } from './domains/logs/routes.ts'
import { pushRoutes } from './domains/notifications/push/routes.ts'
import { notificationRoutes } from './domains/notifications/routes.ts'
import { approvalRoutes } from './domains/orders/approvals/routes.ts'
import { dossierRoutes } from './domains/orders/dossier/routes.ts'
import { billingRoutes } from './domains/orders/monthly-billing/routes.ts'
import { orderRoutes, staffOrderRoutes } from './domains/orders/routes.ts'
import { bagRoutes } from './domains/parcels/bags/routes.ts'
import { bulkRoutes } from './domains/parcels/bulk/routes.ts'
import { gunnyRoutes, staffGunnyRoutes } from './domains/parcels/gunny/routes.ts'
import { noteRoutes, staffArtworkRoutes } from './domains/parcels/labels/routes.ts'
import { staffPrintRoutes } from './domains/parcels/labels/staff-routes.ts'
import { parcelRoutes, publicParcelRoutes } from './domains/parcels/routes.ts'
import { staffParcelRoutes } from './domains/parcels/staff-routes.ts'
import { stockRoutes } from './domains/parcels/stock/routes.ts'
import { tripRoutes } from './domains/parcels/trips/routes.ts'
import { accountOverviewRoutes } from './domains/payments/account-overview/staff-routes.ts'
import { cashRoutes } from './domains/payments/cash-desk/routes.ts'
import { codRoutes, staffCodRoutes } from './domains/payments/cod/routes.ts'
import { paymentRoutes, publicPaymentRoutes } from './domains/payments/routes.ts'
import { staffPaymentRoutes } from './domains/payments/staff-routes.ts'
import { walkInRoutes } from './domains/payments/walk-ins/routes.ts'
import { pickupRoutes } from './domains/pickups/routes.ts'
import { staffPickupRoutes } from './domains/pickups/staff-routes.ts'
import { staffPricingRoutes } from './domains/pricing/rate-cards/routes.ts'
import { checkCommonCard } from './domains/pricing/rate-cards/service.ts'
import { rateSheetRoutes } from './domains/pricing/rate-sheets/routes.ts'
import { pricingRoutes } from './domains/pricing/routes.ts'
import { reportRoutes } from './domains/reports/routes.ts'
import { searchRoutes, staffSearchRoutes } from './domains/search/routes.ts'
import { publicSettingsRoutes, staffSettingsRoutes } from './domains/settings/routes.ts'
import type { Selectors } from './domains/settings/selectors.ts'
import { staffSetupRoutes } from './domains/setup/staff-routes.ts'
import { staffHolidayRoutes, staffStationRoutes, stationRoutes, zoneRoutes } from './domains/stations/routes.ts'
import { cities, postcodes, states, stations } from './domains/stations/selectors.ts'
import { stationSheetRoutes } from './domains/stations/sheets/routes.ts'
import { staffTicketRoutes, ticketRoutes } from './domains/tickets/routes.ts'
import { publicFollowingRoutes } from './domains/tracking/following/routes.ts'
import { accountEventRoutes, publicTrackingRoutes, staffEventRoutes } from './domains/tracking/routes.ts'
import { checkCurrency } from './domains/wallet/ledger/books.ts'
import { walletRoutes } from './domains/wallet/routes.ts'
import { staffBookRoutes } from './domains/wallet/staff-routes.ts'

/** Drop-downs of domains above `settings`, by name; the contract lists the names (`selectorNames`). */
const selectors: Selectors = { states, cities, postcodes, stations, 'corporate-users': corporateUsers }

/**
 * Registers every domain's routes. The groups are only for readers: access is decided by each endpoint's row in the
 * access table, and a test checks all of them.
 */
export function registerRoutes(app: FastifyInstance, deps: Deps): void {
  // Public: no session needed.
  publicSettingsRoutes(app, deps, selectors)
  publicAccountRoutes(app, deps)
  publicFactorRoutes(app, deps)
  publicIdentityRoutes(app, deps)
  pricingRoutes(app, deps)
  stationRoutes(app, deps)
  publicPostcodeRoutes(app, deps)
  publicAddressRequestRoutes(app, deps)
  contentRoutes(app, deps)
  legalRoutes(app, deps)
  publicTrackingRoutes(app, deps)
  publicFollowingRoutes(app, deps)
  publicPaymentRoutes(app, deps)
  publicParcelRoutes(app, deps)
  fileHostRoutes(app, deps)

  // Customers, each in their own account.
  accountRoutes(app, deps)
  closureRoutes(app, deps)
  identityRoutes(app, deps)
  memberRoutes(app, deps)
  ownershipRoutes(app, deps)
  attachmentRoutes(app, deps)
  addressRoutes(app, deps)
  addressRequestRoutes(app, deps)
  addressDuplicateRoutes(app, deps)
  addressImportRoutes(app, deps)
  zoneRoutes(app, deps)
  parcelRoutes(app, deps)
  bulkRoutes(app, deps)
  noteRoutes(app, deps)
  gunnyRoutes(app, deps)
  accountEventRoutes(app, deps)
  notificationRoutes(app, deps)
  pushRoutes(app, deps)
  reportRoutes(app, deps)
  dashboardRoutes(app, deps)
  walletRoutes(app, deps)
  apiKeyRoutes(app, deps)
  webhookRoutes(app, deps)
  pickupRoutes(app, deps)
  orderRoutes(app, deps)
  billingRoutes(app, deps)
  dossierRoutes(app, deps)
  approvalRoutes(app, deps)
  logRoutes(app, deps)
  searchRoutes(app, deps)
  paymentRoutes(app, deps)
  codRoutes(app, deps)
  ticketRoutes(app, deps)
  chatRoutes(app, deps)

  // Staff.
  staffSearchRoutes(app, deps)
  staffPrintRoutes(app, deps)
  staffAccountRoutes(app, deps)
  teamRoutes(app, deps)
  accountDirectoryRoutes(app, deps)
  accountOverviewRoutes(app, deps)
  staffParcelRoutes(app, deps)
  stockRoutes(app, deps)
  staffPickupRoutes(app, deps)
  staffGunnyRoutes(app, deps)
  bagRoutes(app, deps)
  tripRoutes(app, deps)
  staffArtworkRoutes(app, deps)
  staffCarrierRoutes(app, deps)
  staffOrderRoutes(app, deps)
  staffBookRoutes(app, deps)
  cashRoutes(app, deps)
  walkInRoutes(app, deps)
  staffCodRoutes(app, deps)
  staffPaymentRoutes(app, deps)
  staffSettingsRoutes(app, deps, {
    findNames: findStaffNames,
    changeLogo,
    checks: [checkCommonCard, checkCurrency],
  })
  staffFailedWorkRoutes(app, deps)
  staffContentRoutes(app, deps)
  staffLegalRoutes(app, deps)
  staffHolidayRoutes(app, deps)
  stationSheetRoutes(app, deps)
  staffStationRoutes(app, deps)
  staffSetupRoutes(app, deps)
  staffPricingRoutes(app, deps)
  rateSheetRoutes(app, deps)
  staffEventRoutes(app, deps)
  staffTicketRoutes(app, deps)
  staffChatRoutes(app, deps)
}
