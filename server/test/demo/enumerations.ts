/**
 * Where the values of each enumeration of the contract appear in the demo: a query with its values, and the values that
 * the demo cannot have, with the reason. `value-coverage.ts` checks it; `scripts/api-coverage.mjs` writes it into the
 * coverage page.
 */
type Source = {
  /** Where a value is stored, for readers of the coverage page. */
  where: string
  /** A query of one column with any name. */
  query: string
  /** Values that the demo does not have, with the reason. */
  except?: Readonly<Record<string, string>>
}

const column = (table: string, name: string, except?: Source['except']): Source => ({
  where: `${table}.${name}`,
  query: `select ${name} from ${table}`,
  ...(except && { except }),
})

/** A column with several values in each row. */
const list = (table: string, name: string): Source => ({
  where: `${table}.${name}`,
  query: `select unnest(${name}) from ${table}`,
})

/** A field of the widgets that a user has arranged. */
const widget = (field: string): Source => ({
  where: 'dashboards.widgets',
  query: `select w ->> '${field}' from dashboards, jsonb_array_elements(widgets) as w`,
})

const whileReading = 'lasts only as long as the job that reads the file'
const neverLogged = 'no action is logged at this level'
const bankAnswers = 'comes from an answer of the bank to our question, and the demo asks only once it runs'
const carrierAnswers = 'comes from an answer of a carrier: the first job after the start books with the simulated ones'
const onTheInternet = 'needs a receiver on the internet'

export const enumerations: Readonly<Record<string, Source>> = {
  accountStatusLabels: {
    where: 'accounts.status, users.status',
    query: 'select status from accounts where status in (select status from users)',
  },
  addressKindLabels: column('addresses', 'kind'),
  adminUserTypeLabels: column('users', 'staff_type'),
  apiScopeLabels: list('api_keys', 'scopes'),
  approvalStatusLabels: column('order_approvals', 'status'),
  artworkStatuses: column('account_artworks', 'status'),
  attachmentTypeLabels: column('attachments', 'type'),
  bagStatusLabels: column('bags', 'status'),
  bannerKindLabels: column('banners', 'kind'),
  bookingStates: column('carrier_bookings', 'state', {
    booked: carrierAnswers,
    failed: carrierAnswers,
  }),
  bookKinds: column('ledger_accounts', 'kind'),
  bulkStatuses: column('bulk_batches', 'status', { reading: whileReading }),
  carrierLabels: column('parcels', 'carrier'),
  cashMovementKinds: column('cash_movements', 'kind'),
  choiceKinds: column('delivery_choices', 'kind'),
  choosers: column('delivery_choices', 'chosen_by'),
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
    reference: 'names no payment of ours, so it is logged and not stored',
  }),
  gatewayReviews: column('gateway_messages', 'review'),
  gatewayTroubles: column('gateway_messages', 'trouble', {
    wrong_amount: bankAnswers,
    contradiction: bankAnswers,
    unconfirmed: bankAnswers,
    account_closed: bankAnswers,
  }),
  gunnyCheckEvents: column('gunny_checks', 'event'),
  gunnyStatusLabels: column('gunnies', 'status'),
  holders: column('parcels', 'holder'),
  idDocuments: column('parcel_proofs', 'id_document'),
  importStatuses: column('address_imports', 'status', {
    reading: whileReading,
    saving: 'lasts only as long as the job that saves the addresses',
  }),
  legLabels: column('parcels', 'leg'),
  loadKinds: column('trip_loads', 'kind'),
  locales: column('users', 'language'),
  logLevelLabels: column('activity_log', 'level', {
    DEBUG: neverLogged,
    CRITICAL: neverLogged,
    ALERT: 'only the command that creates a superadmin logs at this level, and the demo has one from the start',
    EMERGENCY: neverLogged,
  }),
  memberPermissionLabels: list('users', 'permissions'),
  movementKinds: column('journal_entries', 'kind', { late_payment: bankAnswers }),
  noteFormats: column('print_runs', 'format'),
  orderStatusLabels: column('orders', 'status'),
  parcelStatusLabels: column('parcels', 'status'),
  paymentMethodLabels: column('orders', 'payment_method'),
  paymentPurposes: column('payments', 'purpose'),
  paymentStatusLabels: column('payments', 'status'),
  pickupFailureReasons: column('pickup_requests', 'failure_reason'),
  pickupWindows: column('pickup_requests', 'pickup_window'),
  publicStationTypeLabels: column('stations', 'type'),
  refundDestinations: column('refunds', 'destination'),
  refundStatuses: column('refunds', 'status'),
  scopeLabels: column('parcels', 'scope'),
  sealReadings: column('trips', 'seal'),
  serviceCodeLabels: list('stations', 'service_codes'),
  serviceStates: column('services', 'status', { closed: 'visitors can try every service that is not about to come' }),
  serviceTypeLabels: column('parcels', 'service_type'),
  staffRoleLabels: column('users', 'staff_role'),
  stationTypeLabels: column('stations', 'type'),
  taskStatusLabels: column('pickup_requests', 'status'),
  ticketKindLabels: column('tickets', 'kind'),
  ticketStatusLabels: column('tickets', 'status'),
  tripStatusLabels: column('trips', 'status'),
  userTypeLabels: column('accounts', 'user_type'),
  webhookEventLabels: list('webhooks', 'events'),
  webhookStatusLabels: column('webhooks', 'status', {
    active: onTheInternet,
    disabled: 'only after an active one has failed for days',
  }),
  weighingStateLabels: column('parcel_weighings', 'state'),
  widgetKindLabels: widget('kind'),
  widgetSizeLabels: widget('size'),
}

/** Enumerations without a column, with the reason. */
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
      'stockTabs',
      'tripTabs',
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
}

/** Enumerations without a column whose values the API returns for the demo (`through-api.ts`). */
export const readThroughApi: Readonly<Record<string, string>> = {
  loadStates: 'follows from the load and the custody of its parcels',
  notificationTypeLabels: 'follows from the kind of a notification',
  trackingStatusLabels: 'follows from the status of the parcel (parcelStatusLabels)',
}
