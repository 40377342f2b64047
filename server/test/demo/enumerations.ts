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
  bannerKindLabels: column('banners', 'kind'),
  bookingStates: column('carrier_bookings', 'state'),
  bookKinds: column('ledger_accounts', 'kind'),
  bulkStatuses: column('bulk_batches', 'status'),
  carrierLabels: column('parcels', 'carrier'),
  cashMovementKinds: column('cash_movements', 'kind'),
  choiceKinds: column('delivery_choices', 'kind'),
  choosers: column('delivery_choices', 'chosen_by'),
  collectionModeLabels: column('parcels', 'collection_mode'),
  contentFormatLabels: column('banners', 'format'),
  contentTypeLabels: column('parcels', 'content_type'),
  customsReasonLabels: { where: 'parcels.customs', query: `select customs ->> 'reason' from parcels` },
  deliveryModeLabels: column('parcels', 'delivery_mode'),
  discountTypeLabels: column('accounts', 'discount_type'),
  failureReasons: {
    where: 'tracking_events.detail',
    query: `select detail ->> 'failureReason' from tracking_events where event = 'attempt_failed'`,
  },
  gatewayRefusals: column('gateway_messages', 'reason'),
  gatewayReviews: column('gateway_messages', 'review'),
  gatewayTroubles: column('gateway_messages', 'trouble'),
  gunnyCheckEvents: column('gunny_checks', 'event'),
  gunnyStatusLabels: column('gunnies', 'status'),
  holders: column('parcels', 'holder'),
  idDocuments: column('parcel_proofs', 'id_document'),
  importStatuses: column('address_imports', 'status'),
  legLabels: column('parcels', 'leg'),
  locales: column('users', 'language'),
  logLevelLabels: column('activity_log', 'level'),
  memberPermissionLabels: list('users', 'permissions'),
  movementKinds: column('journal_entries', 'kind'),
  noteFormats: column('print_runs', 'format'),
  orderStatusLabels: column('orders', 'status'),
  parcelStatusLabels: column('parcels', 'status'),
  paymentMethodLabels: column('orders', 'payment_method'),
  paymentPurposes: column('payments', 'purpose'),
  paymentStatusLabels: column('payments', 'status'),
  pickupFailureReasons: column('pickup_requests', 'failure_reason'),
  pickupWindows: column('pickup_requests', 'pickup_window'),
  refundDestinations: column('refunds', 'destination'),
  refundStatuses: column('refunds', 'status'),
  scopeLabels: column('parcels', 'scope'),
  serviceCodeLabels: list('stations', 'service_codes'),
  serviceStates: column('services', 'status'),
  serviceTypeLabels: column('parcels', 'service_type'),
  staffRoleLabels: column('users', 'staff_role'),
  stationTypeLabels: column('stations', 'type'),
  taskStatusLabels: column('pickup_requests', 'status'),
  userTypeLabels: column('accounts', 'user_type'),
  webhookEventLabels: list('webhooks', 'events'),
  webhookStatusLabels: column('webhooks', 'status'),
  weighingStateLabels: column('parcel_weighings', 'state'),
}
