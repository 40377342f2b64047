/**
 * Where each enumeration of the contract is seen in the demo: a query with its values, and the values that the demo
 * cannot have, with the reason. `value-coverage.ts` proves it; `scripts/api-coverage.mjs` writes it into the coverage
 * page.
 */
type Source = {
  /** For readers: where a value is stored. */
  where: string
  /** One column, any name. */
  query: string
  /** Values that are not in the demo, with the reason. */
  except?: Readonly<Record<string, string>>
}

const column = (table: string, name: string, except?: Source['except']): Source => ({
  where: `${table}.${name}`,
  query: `select ${name} from ${table}`,
  ...(except && { except }),
})

/** A column that holds many values. */
const list = (table: string, name: string): Source => ({
  where: `${table}.${name}`,
  query: `select unnest(${name}) from ${table}`,
})

const afterStart = 'the first job after the start reads the file'
const quiet = 'nothing has failed in the demo'
const bankErrs = 'the simulated bank never answers so'
const oneVisit = 'a visit in vain ends by one reason; this one is told in the same way'

export const enumerations: Readonly<Record<string, Source>> = {
  accountStatusLabels: {
    where: 'accounts.status, users.status',
    query: 'select status from accounts where status in (select status from users)',
  },
  addressKindLabels: column('addresses', 'kind'),
  adminUserTypeLabels: column('users', 'staff_type'),
  apiScopeLabels: list('api_keys', 'scopes'),
  approvalStatusLabels: column('order_approvals', 'status', {
    withdrawn: 'only when the member who asked leaves or loses the right meanwhile',
  }),
  artworkStatuses: column('account_artworks', 'status'),
  attachmentTypeLabels: column('attachments', 'type'),
  bannerKindLabels: column('banners', 'kind'),
  bookingStates: column('carrier_bookings', 'state', {
    booked: 'the first jobs after the start book with the simulated carriers',
    failed: 'the first jobs after the start book with the simulated carriers',
    cancelled: 'the first jobs after the start book with the simulated carriers',
  }),
  bookKinds: column('ledger_accounts', 'kind'),
  bulkStatuses: column('bulk_batches', 'status', {
    columns: afterStart,
    ready: afterStart,
    failed: 'needs a file that cannot be read',
  }),
  carrierLabels: column('parcels', 'carrier'),
  cashMovementKinds: column('cash_movements', 'kind'),
  choiceKinds: column('delivery_choices', 'kind'),
  choosers: column('delivery_choices', 'chosen_by', {
    system: 'the nightly job decides for those who have not answered',
  }),
  claimReasonLabels: column('claims', 'reason'),
  claimStateLabels: column('claims', 'state'),
  collectionModeLabels: column('parcels', 'collection_mode'),
  contentFormatLabels: column('banners', 'format'),
  contentTypeLabels: column('parcels', 'content_type'),
  customsReasonLabels: { where: 'parcels.customs', query: `select customs ->> 'reason' from parcels` },
  deliveryModeLabels: column('parcels', 'delivery_mode'),
  documentKindLabels: column('ticket_documents', 'kind'),
  discountTypeLabels: column('accounts', 'discount_type'),
  failureReasons: {
    where: 'tracking_events.detail',
    query: `select detail ->> 'failureReason' from tracking_events where event = 'attempt_failed'`,
  },
  gatewayRefusals: column('gateway_messages', 'reason', {
    reference: bankErrs,
    merchant: bankErrs,
    signature: bankErrs,
    status: bankErrs,
  }),
  gatewayReviews: column('gateway_messages', 'review', { handled: 'finance still waits for the bank' }),
  gatewayTroubles: column('gateway_messages', 'trouble', {
    wrong_amount: bankErrs,
    contradiction: bankErrs,
    unconfirmed: bankErrs,
  }),
  gunnyCheckEvents: column('gunny_checks', 'event'),
  gunnyStatusLabels: column('gunnies', 'status'),
  holders: column('parcels', 'holder'),
  idDocuments: column('parcel_proofs', 'id_document'),
  importStatuses: column('address_imports', 'status', {
    columns: afterStart,
    ready: afterStart,
    saving: 'lasts as long as its job',
    failed: 'needs a file that cannot be read',
  }),
  legLabels: column('parcels', 'leg'),
  locales: column('users', 'language'),
  logLevelLabels: column('activity_log', 'level', {
    DEBUG: 'for developers; nothing is written at this level',
    ERROR: quiet,
    CRITICAL: quiet,
    ALERT: quiet,
    EMERGENCY: quiet,
  }),
  memberPermissionLabels: list('users', 'permissions'),
  movementKinds: column('journal_entries', 'kind'),
  noteFormats: column('print_runs', 'format'),
  orderStatusLabels: column('orders', 'status'),
  parcelStatusLabels: column('parcels', 'status'),
  paymentMethodLabels: column('orders', 'payment_method'),
  paymentPurposes: column('payments', 'purpose'),
  paymentStatusLabels: column('payments', 'status'),
  pickupFailureReasons: column('pickup_requests', 'failure_reason', {
    not_ready: oneVisit,
    bad_address: oneVisit,
    refused: oneVisit,
    no_time: oneVisit,
    other: oneVisit,
  }),
  pickupWindows: column('pickup_requests', 'pickup_window'),
  publicStationTypeLabels: column('stations', 'type'),
  refundDestinations: column('refunds', 'destination'),
  refundStatuses: column('refunds', 'status'),
  scopeLabels: column('parcels', 'scope'),
  serviceCodeLabels: list('stations', 'service_codes'),
  serviceStates: column('services', 'status', { closed: 'a visitor shall find every service open' }),
  serviceTypeLabels: column('parcels', 'service_type'),
  staffRoleLabels: column('users', 'staff_role'),
  stationTypeLabels: column('stations', 'type'),
  taskStatusLabels: column('pickup_requests', 'status'),
  ticketKindLabels: column('tickets', 'kind'),
  ticketStatusLabels: column('tickets', 'status'),
  userTypeLabels: column('accounts', 'user_type'),
  webhookEventLabels: list('webhooks', 'events'),
  webhookStatusLabels: column('webhooks', 'status', {
    active: 'its receiver does not exist, so each event would fail',
    disabled: 'follows from failures of an active one',
  }),
  weighingStateLabels: column('parcel_weighings', 'state'),
}

/** Enumerations that no column holds, and why. */
export const notStored: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'accountTabs',
      'approvalTabs',
      'bannerTabs',
      'bookingTabs',
      'cartTabs',
      'failedDeliveryTabs',
      'gatewayTabs',
      'memberTabs',
      'parcelTabs',
      'paymentFilters',
    ].map((name) => [name, 'tabs and filters of a list']),
  ),
  ...Object.fromEntries(
    [
      'addressColumns',
      'bulkFields',
      'capacityParts',
      'contradictionFields',
      'contradictoryFields',
      'neededAddressColumns',
      'neededBulkFields',
      'parsedFields',
      'confirmedSteps',
      'secretKeys',
      'settingKeys',
    ].map((name) => [name, 'names of fields']),
  ),
  notificationTypeLabels: 'titles of dialogs in the browser',
  widgetKindLabels: 'widgets are stored when somebody arranges them; until then all kinds are there',
  widgetSizeLabels: 'widgets are stored when somebody arranges them; until then all kinds are there',
  trackingStatusLabels: 'follows from the status of the parcel (parcelStatusLabels)',
}
